"""The deal ledger of a run: how its bots bargain, added up over its replays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from arena.analysis.gifts_of_run import GiftsByGame
from arena.analysis.replay_pass import PassResult, games_with_replays, gather_from_replays
from arena.analysis.suspicious_pairs import judge_gift_sums
from arena.errors import UserError, nearest_hint
from arena.games import load_game
from arena.ledger.accumulator import LedgerSums
from arena.ledger.figure import FigureTable
from arena.ledger.game_tables import ledger_tables
from arena.ledger.gift_table import GIFTS_TABLE
from arena.ledger.ledger_fold import DealLedger, GameLedger, LedgerGift, check_entrant, check_keys
from arena.replay.ledger_events import Tables
from arena.storage.run_facts.facts import Facts
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord


class LedgerAccumulator:
    """Adds up everything that the ledger of a run needs (an :class:`arena.analysis.replay_pass.Accumulator`), alone or
    beside other accumulators in the same pass. Keeps separate sums for each block only with ``by_block``."""

    def __init__(self, by_block: bool = False) -> None:
        self.sums, self.gifts = LedgerSums(by_block), GiftsByGame()

    def add(self, record: MatchRecord, tables: Tables) -> None:
        """Add a match that counts."""
        self.sums.add(record, tables)
        self.gifts.add(record, tables)

    def merge(self, other: LedgerAccumulator) -> None:
        """Add the sums of another accumulator."""
        self.sums.merge(other.sums)
        self.gifts.merge(other.gifts)


@dataclass(frozen=True)
class LedgerOptions:
    """Which part of a ledger to show: the tables called ``names`` (empty: all), split ``by`` these keys, summed
    ``over`` those, and only the rows about one ``entrant`` (empty: all)."""

    names: Sequence[str] = ()
    by: Sequence[str] = ()
    over: Sequence[str] = ()
    entrant: str = ""

    def check(self, folder: Path) -> None:
        """Raise UserError for names that the ledger of the run in ``folder`` cannot have, before the replays are
        read."""
        named = tables_by_name(
            {game: (*ledger_tables(game).tables, GIFTS_TABLE) for game in games_with_replays(folder)}
        )
        tables = choose_ledger_tables(named, self.names)
        check_keys(self.by, self.over, [table for _, table in tables.values()])
        check_entrant(self.entrant, tuple(FolderStore(folder).facts().entrants))


def tables_by_name(tables: Mapping[str, Sequence[FigureTable]]) -> dict[str, tuple[str, FigureTable]]:
    """The tables of several games by name, each with its game. A table whose name occurs in two games is called
    ``GAME-NAME``."""
    all = [(game, table) for game, each in tables.items() for table in each]
    names = Counter(table.name for _, table in all)
    return {table.name if names[table.name] == 1 else f"{game}-{table.name}": (game, table) for game, table in all}


def choose_ledger_tables(
    tables: Mapping[str, tuple[str, FigureTable]], names: Sequence[str]
) -> dict[str, tuple[str, FigureTable]]:
    """The tables of these ``names``, or all without names. A name that several games use selects the table of each
    game. Raises UserError for a name that no table has."""
    known = list(dict.fromkeys([*tables, *(table.name for _, table in tables.values())]))
    for name in names:
        if name not in known:
            raise UserError(f"the ledger has no table {name!r}{nearest_hint(name, known)}; it has {', '.join(tables)}")
    wanted = set(names)
    return {name: found for name, found in tables.items() if not wanted or {name, found[1].name} & wanted}


def choose_of_ledger(ledger: DealLedger, names: Sequence[str]) -> dict[str, tuple[GameLedger, FigureTable]]:
    """The tables of a ledger with these ``names``, each with the ledger of its game. Raises UserError as
    :func:`choose_ledger_tables` does."""
    if GIFTS_TABLE.name in names and not any(each.gifts for each in ledger.games.values()):
        raise UserError("there are no gifts: too few entrants met to know what is usual between two of them")
    named = tables_by_name({game: tuple(each.tables.values()) for game, each in ledger.games.items()})
    return {name: (ledger.games[game], table) for name, (game, table) in choose_ledger_tables(named, names).items()}


def ledger_of(
    folder: Path, jobs: int = 1, tell: Callable[[int], object] = lambda matches: None, by_block: bool = False
) -> DealLedger:
    """The ledger of the run in ``folder``, finished or not, read in ``jobs`` processes. Calls ``tell`` with the number
    of matches whenever some are done. With ``by_block`` it keeps each block separate.

    Raises UserError for a folder without a run, without matches that count, without replays, and where none of its
    games has tables; ReplayError for a damaged replay.
    """
    games_with_replays(folder)
    gathered = gather_from_replays(folder, partial(LedgerAccumulator, by_block), jobs, tell)
    if not gathered.matches:
        raise UserError(f"{folder}: no finished match counts and has a replay")
    found = ledger_from(FolderStore(folder).facts(), gathered.found, gathered)
    if not found.games:
        raise UserError(f"{folder}: {', '.join(found.others)} defines no tables of its matches, so it has no ledger")
    return found


def ledger_from(facts: Facts, found: LedgerAccumulator, gathered: PassResult[Any]) -> DealLedger:
    """Make the ledger of a run from its ``facts`` and the sums ``found`` in a pass over its replays. ``gathered`` is
    the result of the whole pass, which may hold other sums too."""
    gifts = {
        each.game: [
            LedgerGift(pair.giver, pair.receiver, pair.matches, pair.gift) for pair in each.findings if not pair.mutual
        ]
        for each in judge_gift_sums(facts, found.gifts.sums)
    }
    games = {
        game: GameLedger(
            game,
            load_game(game).unit,
            book,
            sorted(gifts.get(game, ()), key=lambda each: (each.giver, each.receiver)),
            found.sums.by_block,
        )
        for game, book in sorted(found.sums.books.items())
    }
    return DealLedger(games, gathered.matches, gathered.voids, gathered.without_replay, dict(found.sums.others))
