"""The history of a ladder's season, read from its database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from arena.errors import UserError
from arena.games import load_game
from arena.ladder.database.bot_versions.find_version import versions_by_name
from arena.ladder.database.bot_versions.versions import EnteredVersion, entered_versions
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.play_log import last_closed
from arena.ladder.rating.rating_history import HistoryEvent, HistoryLine, HistoryMoment, HistoryPoint, SeasonHistory
from arena.ratings.rate import Basis

TOP_VERSIONS = 10
"""How many versions are shown if none is named: those that stood highest last."""
MOST_SHOWN_VERSIONS = 12
"""How many versions are shown at most; readers cannot distinguish more lines."""


def rating_history(
    database: sqlite3.Connection, ladder: Ladder, names: Sequence[str] = (), refused: bool = True
) -> SeasonHistory:
    """Return the ratings over a season of these versions, or of all versions of these bots; without ``names``, of the
    ``TOP_VERSIONS`` highest. Events are those of the named versions, or of all; with ``refused``, they include refused
    submissions. Raises UserError for a name that does not exist or has no rating."""
    versions = {each.version.name: each for each in entered_versions(database, ladder.id)}
    closed = last_closed(database, ladder.season.id)
    shown = _named_versions(database, ladder, versions, names) if names else _top_versions(database, ladder, closed)
    moments = moments_of(database, ladder.season.id)
    return SeasonHistory(
        ladder=ladder.name,
        season=ladder.season.number,
        rated_by=Basis(ladder.config.rated_by),
        anchor=_anchor(database, ladder, versions),
        unit=load_game(ladder.edition.game).unit,
        rounds=closed,
        lines=tuple(_history_line(database, ladder, versions[name], moments) for name in shown),
        events=tuple(_season_events(database, ladder, [*shown, *names] if names else (), refused)),
    )


def single_histories(
    database: sqlite3.Connection, ladder: Ladder, names: Sequence[str]
) -> Iterator[tuple[str, SeasonHistory]]:
    """Yield for each of these versions that was rated in the season its name, and its own ratings and events."""
    versions = {each.version.name: each for each in entered_versions(database, ladder.id)}
    moments, rated = moments_of(database, ladder.season.id), _rated_versions(database, ladder)
    events = _season_events(database, ladder, (), refused=False)
    of_all = SeasonHistory(
        ladder=ladder.name,
        season=ladder.season.number,
        rated_by=Basis(ladder.config.rated_by),
        anchor=_anchor(database, ladder, versions),
        unit=load_game(ladder.edition.game).unit,
        rounds=last_closed(database, ladder.season.id),
        lines=(),
        events=(),
    )
    for name in names:
        if versions[name].version.id in rated:
            line = _history_line(database, ladder, versions[name], moments)
            yield name, replace(of_all, lines=(line,), events=tuple(each for each in events if each.version == name))


def moments_of(database: sqlite3.Connection, season: int) -> dict[int, HistoryMoment]:
    """Return, by the row of each closed round, the moment when it was closed."""
    rows = database.execute(
        """
        SELECT r.id, r.number, r.ended, count(m.id)
        FROM rounds r LEFT JOIN matches m ON m.round = r.id
        WHERE r.season = ? AND r.state = 'closed'
        GROUP BY r.id ORDER BY r.number
        """,
        (season,),
    )
    found, total = {}, 0
    for id, number, ended, matches in rows:
        total += matches
        found[id] = HistoryMoment(number, total, ended, datetime.fromisoformat(ended).timestamp())
    return found


def _top_versions(database: sqlite3.Connection, ladder: Ladder, closed: int) -> list[str]:
    rows = database.execute(
        """
        SELECT b.name || ':' || v.number
        FROM rounds r JOIN ratings t ON t.round = r.id JOIN versions v ON v.id = t.version JOIN bots b ON b.id = v.bot
        WHERE r.season = ? AND r.number = ? ORDER BY t.place LIMIT ?
        """,
        (ladder.season.id, closed, TOP_VERSIONS),
    )
    return [name for (name,) in rows]


def _named_versions(
    database: sqlite3.Connection, ladder: Ladder, versions: dict[str, EnteredVersion], names: Sequence[str]
) -> list[str]:
    """Return the versions that these names mean, each once. If a bot has too many, only those that were rated last."""
    rated = _rated_versions(database, ladder)
    found: dict[str, None] = {}
    for name in names:
        kept = [each for each in versions_by_name(versions, name) if versions[each].version.id in rated]
        if not kept:
            raise UserError(f"{name} has no rating in season {ladder.season.number}: none of its rounds is closed")
        found |= dict.fromkeys(kept[-MOST_SHOWN_VERSIONS:])
    if len(found) > MOST_SHOWN_VERSIONS:
        raise UserError(
            f"expected at most {MOST_SHOWN_VERSIONS} versions, got {len(found)}: more lines cannot be distinguished"
        )
    return list(found)


def _rated_versions(database: sqlite3.Connection, ladder: Ladder) -> set[int]:
    rows = database.execute(
        "SELECT DISTINCT t.version FROM rounds r JOIN ratings t ON t.round = r.id WHERE r.season = ?",
        (ladder.season.id,),
    )
    return {version for (version,) in rows}


def _anchor(database: sqlite3.Connection, ladder: Ladder, versions: dict[str, EnteredVersion]) -> str:
    """Return the version whose rating is 0 by definition: the first of the anchors that was rated."""
    rated = _rated_versions(database, ladder)
    anchors = sorted((each.anchor, name) for name, each in versions.items() if each.anchor and each.version.id in rated)
    return anchors[0][1] if anchors else ""


def _history_line(
    database: sqlite3.Connection, ladder: Ladder, one: EnteredVersion, moments: dict[int, HistoryMoment]
) -> HistoryLine:
    rows = database.execute(
        """
        SELECT t.round, t.place, t.tier, t.value, t.low, t.high, t.matches, t.blocks
        FROM ratings t JOIN rounds r ON r.id = t.round
        WHERE t.version = ? AND r.season = ? ORDER BY r.number
        """,
        (one.version.id, ladder.season.id),
    )
    points = tuple(HistoryPoint(moments[round], *rest) for round, *rest in rows)
    return HistoryLine(one.version.name, one.version.bot, one.version.author, points)


def _season_events(
    database: sqlite3.Connection, ladder: Ladder, names: Sequence[str], refused: bool
) -> list[HistoryEvent]:
    """Return the season's events, of these versions and bots or of all; ``refused`` includes refused submissions."""
    season = ladder.season
    rows = database.execute(
        """
        SELECT c.at, coalesce(b.name || ':' || v.number, ''), coalesce(b.name, ''), c.what, c.why
        FROM changes c LEFT JOIN versions v ON v.id = c.version LEFT JOIN bots b ON b.id = v.bot
        WHERE c.ladder = ? AND c.at >= ? AND c.at <= ? ORDER BY c.at, c.id
        """,
        (ladder.id, season.began if season.number > 1 else "", season.ended or "9999"),
    )
    found = [
        HistoryEvent(at, name, what, why)
        for at, name, bot, what, why in rows
        if (name or refused) and (not names or {name, bot} & set(names))
    ]
    begun = HistoryEvent(season.began, "", f"season {season.number} began", "")
    ended = [] if season.ended is None else [HistoryEvent(season.ended, "", f"season {season.number} ended", "")]
    return [begun, *found, *ended]
