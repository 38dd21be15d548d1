"""The standings of a ladder, computed from its database: from all matches of the closed rounds."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from datetime import datetime

import msgspec

from arena.errors import UserError
from arena.games import load_game
from arena.ladder.database.bot_versions.find_version import versions_by_name
from arena.ladder.database.bot_versions.versions import EnteredVersion, VersionState, entered_versions
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.play_log import before_last_play, last_closed
from arena.ladder.database.rating_columns import read_season_columns
from arena.ladder.rating.block_sums import plain_means
from arena.ladder.rating.placing import VersionFacts, standings_of
from arena.ladder.rating.season_fit import SeasonRating, rate_season
from arena.ladder.rating.standing import LadderStandings, StandingChange, StandingsBasis, StandingsSince, VersionFaults
from arena.penalties import SeatEnd
from arena.ratings.order_columns import RatingMatches
from arena.ratings.rate import Basis

SINCE_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{5,8})?", re.ASCII)


class StandingsRequest(msgspec.Struct, frozen=True):
    """Which standings: ``without`` the matches of these versions or bots, compared with those ``since`` then (a round's
    number or a date; "": before the last `play`), of ``all_versions`` or of those that still play."""

    without: tuple[str, ...] = ()
    since: str = ""
    all_versions: bool = False


def ladder_standings(
    database: sqlite3.Connection, ladder: Ladder, asked: StandingsRequest | None = None
) -> LadderStandings:
    """Return the standings of a ladder in its season. Raises UserError for a name, round or date that does not exist,
    and where ``without`` leaves no match."""
    asked = asked or StandingsRequest()
    upto = last_closed(database, ladder.season.id)
    since = _compared_round(database, ladder, asked.since, upto)
    versions = {each.version.name: each for each in entered_versions(database, ladder.id)}
    gone = [each for name in asked.without for each in versions_by_name(versions, name)]
    matches = read_season_columns(database, ladder.season.id, upto)
    new: dict[str, bool] = {}
    if gone and matches.matches:
        tables = zip(matches.names, matches.blocks_of()[0].tolist(), strict=True)
        new = {name: count < ladder.config.newcomer_tables for name, count in tables}  # also what does not count here
        matches = matches.without_entrants(gone)
        if not matches.matches:
            raise UserError(f"no match is left without {', '.join(asked.without)}")
    playing = [name for name, each in versions.items() if each.state is VersionState.ACTIVE and name not in gone]
    shown = set(matches.names if asked.all_versions else playing) & set(matches.names)
    rated = rate_matches(ladder, matches, versions.values()) if matches.matches else None
    whole = StandingsBasis(
        ladder=ladder.name,
        season=ladder.season.number,
        ended=ladder.season.ended is not None,
        game=ladder.edition.game,
        edition=ladder.edition.label,
        unit=load_game(ladder.edition.game).unit,
        seats=ladder.seats,
        rated_by=Basis(ladder.config.rated_by),
        anchor="" if rated is None else rated.anchor,
        matches=matches.matches,
        voids=matches.voids,
        blocks=matches.blocks,
        rounds=upto,
        began=ladder.season.began,
        waiting=_count_waiting(database, ladder.season.id),
        not_shown=len(matches.names) - len(shown),
        unplayed=tuple(name for name in playing if name not in shown),
        without=asked.without,
        newcomer=ladder.config.newcomer_tables,
        indifference=ladder.config.indifference,
        since=since,
        by_seat=rated is not None and rated.by_seat,
        notes=() if rated is None else rated.notes,
        match_ups=None if rated is None else rated.match_ups,
    )
    if rated is None:
        return LadderStandings(whole, (), (), None)
    known = {name: known_of(each, new.get(name)) for name, each in versions.items()}
    faults = _version_faults(database, ladder.season.id, upto)
    before = None if since is None or gone else _earlier_standings(database, ladder.season.id, since.round)
    return standings_of(matches, rated, shown, whole, known, faults, before)


def rate_matches(
    ladder: Ladder, matches: RatingMatches, versions: Iterable[EnteredVersion], match_ups: bool = True
) -> SeasonRating:
    """Rate these matches by the ladder's rules, with or without the test of ``match_ups``. There must be at least one
    match."""
    anchors = sorted((each.anchor, each.version.name) for each in versions if each.anchor)
    basis = Basis(ladder.config.rated_by)
    means = plain_means(matches, basis is Basis.MONEY)
    return rate_season(matches, basis, [name for _, name in anchors], means, match_ups=match_ups)


def known_of(each: EnteredVersion, new: bool | None = None) -> VersionFacts:
    """Return what a standings row shows of a version beside its matches; ``new`` is None where the matches tell it."""
    return VersionFacts(each.version.bot, each.version.author, each.state, each.anchor, each.label, new)


def _compared_round(database: sqlite3.Connection, ladder: Ladder, text: str, upto: int) -> StandingsSince | None:
    """Return the closed round with which the standings are compared. Raises UserError where there is no such round."""
    season = ladder.season.id
    if not text:
        number = before_last_play(database, season)
    elif re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        number = int(text)
        if not 1 <= number <= upto:
            there = f"expected a closed round of season {ladder.season.number}, 1 to {upto}"
            raise UserError(f"--since {text}: {there if upto else 'no round is closed yet'}")
    else:
        number = _round_before(database, season, text)
    if not number:
        return None
    row = database.execute("SELECT ended FROM rounds WHERE season = ? AND number = ?", (season, number)).fetchone()
    return StandingsSince(number, row[0] or "")


def _round_before(database: sqlite3.Connection, season: int, text: str) -> int:
    """Return the number of the last round that was closed before this date. Raises UserError where there is none."""
    if not SINCE_DATE.fullmatch(text) or not _is_in_calendar(text):
        raise UserError(f"--since: expected a round's number or a date such as 2026-01-31, got {text!r}")
    first, found = database.execute(
        "SELECT min(ended), max(number) FILTER (WHERE ended < ?) FROM rounds WHERE season = ? AND state = 'closed'",
        (text, season),
    ).fetchone()
    if found is None:
        there = f"the first was closed at {first}" if first else "none is closed yet"
        raise UserError(f"--since {text}: no round was closed before that; {there}")
    return int(found)


def _is_in_calendar(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _count_waiting(database: sqlite3.Connection, season: int) -> int:
    """How many matches of the open round are finished."""
    (count,) = database.execute(
        "SELECT count(*) FROM rounds r JOIN matches m ON m.round = r.id WHERE r.season = ? AND r.state = 'open'",
        (season,),
    ).fetchone()
    return int(count)


def _version_faults(database: sqlite3.Connection, season: int, upto: int) -> dict[str, VersionFaults]:
    """Return the faults in matches that count, by the names of the versions that have any."""
    rows = database.execute(  # few seats have faults: CROSS JOIN makes SQLite begin with them
        """
        SELECT b.name || ':' || v.number, s.ended, s.faults, count(*)
        FROM seats s INDEXED BY seats_faults
        CROSS JOIN matches m ON m.id = s.match AND m.void = 0
        CROSS JOIN rounds r ON r.id = m.round AND r.season = ? AND r.number <= ?
        CROSS JOIN versions v ON v.id = s.version
        CROSS JOIN bots b ON b.id = v.bot
        WHERE s.faults IS NOT NULL OR s.ended <> 'played'
        GROUP BY s.version, s.ended, s.faults
        """,
        (season, upto),
    )
    found: dict[str, VersionFaults] = {}
    for name, ended, faults, matches in rows:
        before = found.get(name, VersionFaults())
        count = sum(msgspec.json.decode(faults, type=dict[str, int]).values()) if faults else 0
        out = matches if ended != SeatEnd.PLAYED else 0
        found[name] = VersionFaults(before.count + matches * count, before.put_out + out)
    return found


def _earlier_standings(database: sqlite3.Connection, season: int, number: int) -> dict[str, StandingChange]:
    """Return each version's place and rating after this round, by name."""
    rows = database.execute(
        """
        SELECT b.name || ':' || v.number, t.value, t.place
        FROM rounds r
        JOIN ratings t ON t.round = r.id
        JOIN versions v ON v.id = t.version
        JOIN bots b ON b.id = v.bot
        WHERE r.season = ? AND r.number = ?
        """,
        (season, number),
    )
    return {name: StandingChange(value, place) for name, value, place in rows}
