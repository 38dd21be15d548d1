"""The ratings after each round, stored in the database when the round is closed; `history` draws them."""

from __future__ import annotations

import sqlite3
from collections.abc import Container
from hashlib import sha256

import msgspec

from arena.config.ladder_config import RatedBy
from arena.ladder.database.bot_versions.versions import VersionState, entered_versions
from arena.ladder.database.ladder_standings import rate_matches
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.rating_columns import read_season_columns
from arena.ladder.rating.placing import order_of, part_of, place_versions
from arena.ladder.rating.settled_pairs import SettledCounts, count_settled_pairs
from arena.ratings.order_columns import RatingMatches
from arena.ratings.scale import RatingScale
from arena.tournament.tables.rounded_figures import json_number

RATINGS_KEY = "ratings"
"""The key under which the record of a closed round holds the digest of its ratings."""


class RatingRow(msgspec.Struct, frozen=True):
    """A row of the table ``ratings``, without its round: the version's row, its place and its rating. Values are in
    points or money, rounded to 6 decimals; None where they are unknown."""

    version: int
    place: int
    tier: int
    value: float | None
    low: float | None
    high: float | None
    matches: int
    blocks: int


class RatingsAfterRound(msgspec.Struct, frozen=True):
    """The ratings after a round, the best first, and how many ``pairs`` of versions are settled (None if no match was
    played); the ``matches`` that were rated, and all scales of their log-worths, as far as these are known."""

    ratings: list[RatingRow]
    pairs: SettledCounts | None
    matches: RatingMatches
    log_worths: tuple[RatingScale, ...] = ()


def ratings_after(
    database: sqlite3.Connection, ladder: Ladder, number: int, shown_rows: Container[int] | None = None
) -> list[RatingRow]:
    """Return only the ratings of :func:`after_round`."""
    return after_round(database, ladder, number, shown_rows).ratings


def after_round(
    database: sqlite3.Connection, ladder: Ladder, number: int, shown_rows: Container[int] | None = None
) -> RatingsAfterRound:
    """Return the ratings from the rounds of the season up to this one, of the versions that still play or of those in
    these rows. To be called before the transaction that stores them begins."""
    matches = read_season_columns(database, ladder.season.id, number)
    if not matches.matches:
        return RatingsAfterRound([], None, matches)
    versions = {each.version.name: each for each in entered_versions(database, ladder.id)}
    rated = rate_matches(ladder, matches, versions.values(), match_ups=False)
    if shown_rows is None:
        shown = {name for name in matches.names if versions[name].state is VersionState.ACTIVE}
    else:
        shown = {name for name in matches.names if versions[name].version.id in shown_rows}
    order = order_of(rated, shown)
    places, _ = place_versions(order, rated, part_of(rated, shown))
    played = dict(zip(matches.names, matches.match_counts().tolist(), strict=True))
    blocks = dict(zip(matches.names, matches.blocks_of()[0].tolist(), strict=True))
    found = []
    for name in order:
        value = rated.rating(name)
        found.append(
            RatingRow(
                versions[name].version.id,
                places[name].place,
                places[name].tier,
                json_number(value.mean),
                json_number(value.low),
                json_number(value.high),
                played[name],
                blocks[name],
            )
        )
    zone = ladder.config.indifference if ladder.config.rated_by is RatedBy.ORDER else 0.0  # money has none
    pairs = count_settled_pairs([] if rated.scale is None else [rated.scale], order, zone)
    return RatingsAfterRound(found, pairs, matches, rated.log_worths)


def keep_ratings(database: sqlite3.Connection, round_id: int, rows: list[RatingRow]) -> None:
    """Store the ratings after the round in this row. To be called in the transaction that closes it."""
    database.executemany(
        "INSERT INTO ratings (round, version, place, tier, value, low, high, matches, blocks) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(round_id, *msgspec.structs.astuple(row)) for row in rows],
    )


def ratings_digest(database: sqlite3.Connection, round_id: int) -> str:
    """Return the SHA-256 of the ratings that are stored for a round, as JSON, in the order of their versions."""
    rows = database.execute(
        "SELECT version, place, tier, value, low, high, matches, blocks FROM ratings WHERE round = ? ORDER BY version",
        (round_id,),
    )
    return sha256(msgspec.json.encode(rows.fetchall())).hexdigest()
