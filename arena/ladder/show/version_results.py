"""The results of a version in a season, and of an author: from the matches of closed rounds, which are public."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from arena.games import load_game
from arena.games.summary import SummaryFigure, value_of
from arena.ladder.database.bot_versions.versions import entered_versions
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.play_log import last_closed
from arena.ladder.rating.result_rows import OpponentRecord, RankedVersion, VersionMatch, VersionResults
from arena.ladder.show.version_detail import version_faults
from arena.ladder.show.version_prices import version_prices

LISTED_MATCHES = 200
"""How many matches of a version are listed at most, the last ones."""
_OF_VERSION = (
    "seats s JOIN matches m ON m.id = s.match JOIN rounds r ON r.id = m.round "
    "{} WHERE s.version = ? AND r.season = ? AND r.state = 'closed'"
)


def version_results(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    version: RankedVersion,
    versions: Sequence[RankedVersion],
) -> VersionResults:
    """Return the results of one of these ``versions`` of the ladder in its season."""
    key, names = (version.id, ladder.season.id), {each.id: each.name for each in versions}
    figures, counted = _figures(database, ladder, key)
    bot = version.name.rpartition(":")[0]
    siblings = [each for each in versions if each.name.rpartition(":")[0] == bot and each.id != version.id]
    faults, put_out = version_faults(database, ladder.season.id, version.id, closed=True)
    matches = _last_matches(database, key, names)
    prices = version_prices(place, database, ladder, names, version.name, matches)
    return VersionResults(_records(database, key, names), figures, counted, faults, put_out, prices, matches, siblings)


def ranked_versions(database: sqlite3.Connection, ladder: Ladder) -> list[RankedVersion]:
    """Return all versions of a ladder, the newest first, with their places after the season's last closed round."""
    rows = database.execute(
        "SELECT t.version, t.place, t.value, t.low, t.high FROM rounds r JOIN ratings t ON t.round = r.id "
        "WHERE r.season = ? AND r.number = ?",
        (ladder.season.id, last_closed(database, ladder.season.id)),
    )
    places = {version: rating for version, *rating in rows}
    return [
        RankedVersion(
            each.version.id,
            each.version.name,
            each.version.author,
            each.state.value,
            each.version.submitted,
            each.anchor,
            *places.get(each.version.id, (None, None, None, None)),
        )
        for each in reversed(entered_versions(database, ladder.id))
    ]


def _records(database: sqlite3.Connection, key: tuple[int, int], names: Mapping[int, str]) -> list[OpponentRecord]:
    """The record against each opponent, the one that is beaten most often first."""
    rows = database.execute(
        "SELECT o.version, count(*), sum(s.rank < o.rank), sum(s.rank = o.rank), avg(s.money - o.money) FROM "
        + _OF_VERSION.format("JOIN seats o ON o.match = s.match AND o.version <> s.version")
        + " AND m.void = 0 GROUP BY o.version",
        key,
    ).fetchall()
    found = [OpponentRecord(names[opponent], *rest) for opponent, *rest in rows]
    return sorted(found, key=lambda each: (-(each.ahead + each.equal / 2) / each.matches, -each.matches, each.opponent))


def _figures(
    database: sqlite3.Connection, ladder: Ladder, key: tuple[int, int]
) -> tuple[list[tuple[SummaryFigure, float | None]], int]:
    """The values of the game's figures, and over how many matches; none where the game counts nothing."""
    summary = load_game(ladder.edition.game).summary
    counted = f"{_OF_VERSION.format('')} AND m.void = 0 AND s.counts IS NOT NULL"
    (matches,) = database.execute(f"SELECT count(*) FROM {counted}", key).fetchone()
    if summary is None or not matches:
        return [], 0
    each = _OF_VERSION.format(", json_each(s.counts) c") + " AND m.void = 0 AND s.counts IS NOT NULL"
    sums = dict.fromkeys(summary.counts, 0)
    sums |= dict(database.execute(f"SELECT c.key, sum(c.value) FROM {each} GROUP BY c.key", key))
    return [(figure, value_of(figure, sums, matches)) for figure in summary.figures], matches


def _last_matches(database: sqlite3.Connection, key: tuple[int, int], names: Mapping[int, str]) -> list[VersionMatch]:
    rows = database.execute(
        "SELECT m.id, r.number, s.seat, s.rank, s.money, s.faults, s.ended, m.void FROM "
        f"{_OF_VERSION.format('')} ORDER BY m.id DESC LIMIT ?",
        (*key, LISTED_MATCHES),
    ).fetchall()
    others: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    if rows:
        span = database.execute(
            "SELECT o.match, o.seat, o.version, o.money FROM seats s JOIN seats o ON o.match = s.match "
            "WHERE s.version = ? AND s.match BETWEEN ? AND ? ORDER BY o.match, o.seat",
            (key[0], rows[-1][0], rows[0][0]),
        )
        for match, seat, version, money in span:
            others[match].append((seat, version, money))
    return [
        VersionMatch(
            number,
            round,
            rank,
            money,
            sum(msgspec.json.decode(faults).values()) if faults else 0,
            ended,
            bool(void),
            [(names[version], made) for at, version, made in others[number] if at != seat],
        )
        for number, round, seat, rank, money, faults, ended, void in rows
    ]
