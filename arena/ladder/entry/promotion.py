"""Enters versions that another ladder of the folder has admitted: by hand, or the best of a season that is closed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from enum import StrEnum

import msgspec

from arena.config.ladder_config import LadderConfig
from arena.errors import UserError
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import (
    EnteredVersion,
    Version,
    VersionState,
    entered_versions,
    find_version,
    set_state,
)
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder, seasons_of_ladder
from arena.ladder.entry.admission_rows import replace_older

ADMITTED_STATES = (VersionState.ACTIVE, VersionState.REPLACED)
"""The states in a ladder from which a version may enter another: nobody has stopped or withdrawn it."""


class PromotionOutcome(StrEnum):
    """What became of a version that was looked at for a promotion."""

    ENTERED = "entered"
    """It has entered the ladder."""

    STAYED = "stayed"
    """It was in the ladder already."""

    PASSED_OVER = "passed over"
    """It was stopped or withdrawn, or a newer version plays: the next one takes its place."""


class EnterResult(msgspec.Struct, frozen=True):
    """The version that has entered the ladder, the ladder ``source`` that had admitted it, and the versions that it has
    ``replaced``."""

    ladder: str
    version: str
    source: str
    replaced: list[str]


class PromotedVersion(msgspec.Struct, frozen=True):
    """A version that was looked at for a promotion: its place in the season's last ratings, the outcome, and for one
    that was passed over the reason."""

    version: Version
    place: int
    outcome: PromotionOutcome
    why: str = ""


def enter_version(place: LadderFolder, name: str, version_name: str) -> EnterResult:
    """Enter a version (``BOT:NUMBER``, or the newest of ``BOT``) that another ladder of the folder has admitted into
    the ladder of this name, for the operator: its bytes and its author stay the same. Raises UserError where no other
    ladder of the same game lets it play, or it is in the ladder already."""
    with closing(open_database(place.database, place.shown, write=True)) as database:
        ladder, version = find_ladder(database, name), find_version(database, version_name)
        fetch_version(place, version)
        with write_transaction(database):
            source = _admitting_ladder(database, ladder, version)
            here = {each.version.id: each for each in entered_versions(database, ladder.id)}
            if (found := here.get(version.id)) is not None:
                told = (
                    "" if found.state is VersionState.ACTIVE else f": arena ladder enable {place.shown} {version.name}"
                )
                raise UserError(f"{version.name} is in ladder {ladder.name} already, and {found.state}{told}")
            if disabled := _disabled_name(here.values(), version):
                raise UserError(f"{disabled} is disabled in ladder {ladder.name}; enable it first, or retire it")
            replaced = _enter_from(database, ladder, version, source, f"entered from {source.name}")
    return EnterResult(ladder.name, version.name, source.name, [each.name for each in replaced])


def promote_best(database: sqlite3.Connection, source: Ladder) -> None:
    """Enter the best versions of the season of ``source`` into every ladder whose file says so. To be called in the
    transaction that closes the season."""
    query = "SELECT name FROM ladders WHERE json_extract(keys, '$.promotion.from') = ? COLLATE NOCASE ORDER BY id"
    for (name,) in database.execute(query, (source.name,)).fetchall():
        _promote_into(database, find_ladder(database, name), source)


def promote_at_begin(database: sqlite3.Connection, ladder: Ladder) -> None:
    """Enter the best versions of the last closed season of the ladder from which this new one takes them. To be called
    in the transaction that begins it."""
    if ladder.config.promotion is None:
        return
    source = find_ladder(database, ladder.config.promotion.source)
    closed = [each.number for each in seasons_of_ladder(database, source.id) if each.ended is not None]
    if closed:
        _promote_into(database, ladder, find_ladder(database, source.name, closed[-1]))


def check_promotion(place: LadderFolder, config: LadderConfig, game: str) -> str:
    """Return what is wrong with the ladder from which a new one takes its versions; "" if nothing is."""
    if config.promotion is None:
        return ""
    name = config.promotion.source
    if not place.database.is_file():
        return f"{place.shown} has no ladder {name!r}; begin that one first"
    with closing(open_database(place.database, place.shown)) as database:
        try:
            source = find_ladder(database, name)
        except UserError as problem:
            return str(problem)
    return "" if source.edition.game == game else f"ladder {source.name} plays {source.edition.game}, expected {game}"


def rated_places(database: sqlite3.Connection, season: int) -> list[tuple[int, int]]:
    """Return row and place of every version in the last ratings of a season, the best first."""
    return database.execute(
        "SELECT version, place FROM ratings WHERE round = "
        "(SELECT id FROM rounds WHERE season = ? AND state = 'closed' ORDER BY number DESC LIMIT 1) "
        "ORDER BY place, version",
        (season,),
    ).fetchall()


def promotion_reason(source: str, season: int, place: int) -> str:
    """The reason that is recorded for a version that was promoted."""
    return f"promoted: place {place} of season {season} of {source}"


def _promote_into(database: sqlite3.Connection, ladder: Ladder, source: Ladder) -> None:
    assert ladder.config.promotion is not None
    looked_at = _choose_best(database, ladder, source, ladder.config.promotion.best)
    for each in looked_at:
        database.execute(
            "INSERT INTO promotions (ladder, season, version, place, outcome, why) VALUES (?, ?, ?, ?, ?, ?)",
            (ladder.id, source.season.id, each.version.id, each.place, each.outcome, each.why),
        )
        if each.outcome is PromotionOutcome.ENTERED:
            reason = promotion_reason(source.name, source.season.number, each.place)
            _enter_from(database, ladder, each.version, source, reason)


def _choose_best(database: sqlite3.Connection, ladder: Ladder, source: Ladder, best: int) -> list[PromotedVersion]:
    """Look at the versions of a season from the best down, of each bot only the best that may enter, until enough of
    them are or will be in the ladder."""
    there = {each.version.id: each for each in entered_versions(database, source.id)}
    here = {each.version.id: each for each in entered_versions(database, ladder.id)}
    looked_at: list[PromotedVersion] = []
    bots: set[str] = set()
    for row, place in rated_places(database, source.season.id):
        each = there[row]
        if each.anchor or each.version.bot in bots:
            continue
        if len(bots) == best:
            break
        why = _passed_over(each, here, source.name, ladder.name)
        outcome = PromotionOutcome.PASSED_OVER if why else PromotionOutcome.ENTERED
        if not why:
            bots.add(each.version.bot)
            outcome = PromotionOutcome.STAYED if row in here else outcome
        looked_at.append(PromotedVersion(each.version, place, outcome, why))
    return looked_at


def _passed_over(each: EnteredVersion, here: dict[int, EnteredVersion], source: str, ladder: str) -> str:
    """Say why a version is not promoted; "" if it is."""
    if each.state not in ADMITTED_STATES:
        return f"{each.state} in {source}"
    if (found := here.get(each.version.id)) is not None and found.state is not VersionState.ACTIVE:
        return f"{found.state} in {ladder}"
    if disabled := _disabled_name(here.values(), each.version):
        return f"{disabled} is disabled in {ladder}"
    for other in here.values():
        newer = other.version.bot == each.version.bot and other.version.number > each.version.number
        if newer and other.state is VersionState.ACTIVE:
            return f"{other.version.name} plays in {ladder}"
    return ""


def _disabled_name(entered: Iterable[EnteredVersion], version: Version) -> str:
    """Return a disabled version of the same bot; "" if there is none."""
    of_bot = (each for each in entered if each.version.bot == version.bot and each.state is VersionState.DISABLED)
    return next((each.version.name for each in of_bot), "")


def _admitting_ladder(database: sqlite3.Connection, ladder: Ladder, version: Version) -> Ladder:
    """Return the first other ladder of the same game that lets this version play, or has replaced it by a newer one."""
    states = []
    query = "SELECT name FROM ladders WHERE game = ? AND id <> ? ORDER BY id"
    for (name,) in database.execute(query, (ladder.edition.game, ladder.id)).fetchall():
        other = find_ladder(database, name)
        for each in entered_versions(database, other.id):
            if each.version.id == version.id:
                if each.state in ADMITTED_STATES:
                    return other
                states.append(f"{each.state} in {other.name}")
    told = "; ".join(states) or "in no other ladder of the same game"
    raise UserError(
        f"expected a version that another ladder of {ladder.edition.game} lets play; {version.name} is {told}"
    )


def _enter_from(
    database: sqlite3.Connection, ladder: Ladder, version: Version, source: Ladder, why: str
) -> list[Version]:
    """Enter a version as active, with the label that it has in the other ladder; return the versions it replaces."""
    set_state(database, ladder.id, version.id, VersionState.ACTIVE, why)
    database.execute(
        "UPDATE entries SET label = of.label, evidence = of.evidence FROM entries of "
        "WHERE of.ladder = ? AND of.version = entries.version AND entries.ladder = ? AND entries.version = ?",
        (source.id, ladder.id, version.id),
    )
    return replace_older(database, ladder, version.bot, version.id)
