"""Checks that promotions follow from the ratings of closed seasons, and authors from the hand-overs of their bots."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from arena.errors import UserError
from arena.ladder.database.ladders import Ladder, Season, find_ladder, seasons_of_ladder
from arena.ladder.entry.promotion import PromotionOutcome, promotion_reason, rated_places


def promotion_problems(database: sqlite3.Connection, ladder: Ladder) -> Iterator[str]:
    """Yield the problems of the promotions to a ladder: every season that was closed since it began has promoted, the
    best in the order of their places, and these have entered."""
    if ladder.config.promotion is None:
        if database.execute("SELECT 1 FROM promotions WHERE ladder = ?", (ladder.id,)).fetchone():
            yield f"ladder {ladder.name} has promotions, but no key promotion; restore a backup"
        return
    try:
        source = find_ladder(database, ladder.config.promotion.source)
    except UserError as error:
        yield f"ladder {ladder.name} takes versions from a ladder that cannot be read: {error}"
        return
    (began,) = database.execute("SELECT began FROM ladders WHERE id = ?", (ladder.id,)).fetchone()
    for season in seasons_of_ladder(database, source.id):
        told = f"promotion from season {season.number} of {source.name} to {ladder.name}"
        rows = database.execute(
            "SELECT version, place, outcome FROM promotions WHERE ladder = ? AND season = ? ORDER BY place, version",
            (ladder.id, season.id),
        ).fetchall()
        if season.ended is None:
            problems = iter(["the season is still open"] if rows else [])
        elif rows or season.ended > began:
            problems = _season_problems(database, ladder, (source, season), rows)
        else:
            continue
        for wrong in problems:
            yield f"{told}: {wrong}; restore a backup"


def _season_problems(
    database: sqlite3.Connection, ladder: Ladder, closed: tuple[Ladder, Season], rows: list[tuple[int, int, str]]
) -> Iterator[str]:
    """Yield what is wrong with the promotions from a season that is ``closed``, given with its ladder."""
    assert ladder.config.promotion is not None
    source, season = closed
    anchors = "SELECT version FROM entries WHERE ladder = ? AND anchor > 0"
    not_promoted = {version for (version,) in database.execute(anchors, (source.id,))}
    names = dict(database.execute("SELECT id, version FROM version_list"))
    bots = dict(database.execute("SELECT id, bot FROM version_list"))
    outcomes = {version: (place, PromotionOutcome(outcome)) for version, place, outcome in rows}
    best: set[str] = set()
    for version, place in rated_places(database, season.id):
        if version in not_promoted or bots[version] in best or len(best) == ladder.config.promotion.best:
            continue
        noted, outcome = outcomes.pop(version, (0, PromotionOutcome.PASSED_OVER))
        if noted != place:
            yield f"{names[version]} had place {place}, and is noted {f'with place {noted}' if noted else 'nowhere'}"
        if outcome is not PromotionOutcome.PASSED_OVER:
            best.add(bots[version])
        reason = promotion_reason(source.name, season.number, place)
        if outcome is PromotionOutcome.ENTERED and not _is_recorded(database, ladder, version, reason):
            yield f"{names[version]} has entered, but that change is not recorded"
    for version in outcomes:
        yield f"{names[version]} was not among the {ladder.config.promotion.best} best"


def _is_recorded(database: sqlite3.Connection, ladder: Ladder, version: int, why: str) -> bool:
    query = "SELECT 1 FROM changes WHERE ladder = ? AND version = ? AND what = 'active' AND why = ?"
    return database.execute(query, (ladder.id, version, why)).fetchone() is not None


def hand_over_problems(database: sqlite3.Connection) -> Iterator[str]:
    """Yield the bots that do not belong to the author to whom they were handed last, and hand-overs by others than the
    author of that time."""
    rows = database.execute(
        "SELECT b.name, a.name, g.name, r.name, lead(g.name) OVER (PARTITION BY h.bot ORDER BY h.id) "
        "FROM hand_overs h JOIN bots b ON b.id = h.bot JOIN authors a ON a.id = b.author "
        "JOIN authors g ON g.id = h.giver JOIN authors r ON r.id = h.receiver ORDER BY h.id"
    )
    for bot, author, giver, receiver, next_giver in rows:
        if receiver != (next_giver or author):
            told = f"belongs to author {author}" if next_giver is None else f"was handed over by {next_giver} next"
            yield f"bot {bot} was handed over by {giver} to {receiver}, but {told}; restore a backup"
