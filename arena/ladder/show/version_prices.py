"""The prices that a version asks and gets, from the replays of its last matches.

Rows of matches have no prices: what a row counts belongs to the record of the match, which must not change. A replay is
read in 3 ms, so that those of some matches are read while a page waits, and for all versions during an export.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from arena.errors import ReplayError
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.match_rows import finished_matches
from arena.ladder.rating.result_rows import PriceRow, VersionMatch, VersionPrices
from arena.ledger.accumulator import LedgerSums
from arena.ledger.figure_rows import figure_rows
from arena.ledger.game_tables import ledger_tables
from arena.replay.ledger_events import tables_in
from arena.storage.packs.replay_packs import KeptReplays

PRICED_MATCHES = 40
"""How many of a version's matches are looked at, the last ones."""


def version_prices(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    names: Mapping[int, str],
    version: str,
    matches: Sequence[VersionMatch],
) -> VersionPrices:
    """Return the prices of a version in the first :data:`PRICED_MATCHES` of these matches that are not void, as far as
    their replays are there; without rows where the game has no prices. ``names`` are those of versions, by row."""
    game = ladder.edition.game
    tables = ledger_tables(game)
    if (prices := tables.prices) is None:
        return VersionPrices(0, [], [])
    replays, sums, read = KeptReplays(place.season(ladder.name, ladder.season.number)), LedgerSums(), 0
    for match in [each.number for each in matches if not each.void][:PRICED_MATCHES]:
        for found in finished_matches(database, game, names, match, match + 1):
            try:
                replay = replays.get(found.record.id) if found.record.replay else None
                rows = None if replay is None else tables_in(replay)
            except ReplayError:
                continue  # arena ladder check tells of it
            if rows:
                sums.add(found.record, rows)
                read += 1
    if not read:
        return VersionPrices(0, [], [])
    chosen = [each for each in prices.table.figures if each.name in prices.figures]
    by_key: dict[str | int, PriceRow] = {}
    for row in figure_rows(sums.books[game], prices.table, ("entrant", prices.key), version):
        told = tables.labels.get((prices.key, str(row.keys[1])), str(row.keys[1]))
        cells = by_key.setdefault(row.keys[1], PriceRow(told, {})).cells
        if row.figure in chosen:
            cells[row.figure.name] = row.estimate
    return VersionPrices(read, chosen, list(by_key.values()))
