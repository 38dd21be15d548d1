"""The deal ledger of a run: how its bots bargain, added up over its replays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from arena.app.collusion import judged
from arena.app.facts import Facts
from arena.app.folder import FolderStore
from arena.app.gather import Gathered, games_with_replays, gather
from arena.app.gifts import GiftsByGame
from arena.errors import UserError
from arena.games import load_game
from arena.ledger.accumulator import LedgerSums
from arena.ledger.ledger import GameLedger, Gift, Ledger
from arena.replay.ledger import Tables
from arena.tournament.records import MatchRecord


class Bargaining:
    """Adds up all that the ledger of a run is made of (:class:`arena.app.gather.Accumulator`): to be run alone, or
    beside others in the same pass. Keeps every block apart only ``by_block``."""

    def __init__(self, by_block: bool = False) -> None:
        self.sums, self.gifts = LedgerSums(by_block), GiftsByGame()

    def add(self, record: MatchRecord, tables: Tables) -> None:
        """A match that counts."""
        self.sums.add(record, tables)
        self.gifts.add(record, tables)

    def merge(self, other: Bargaining) -> None:
        """Those that another has added up."""
        self.sums.merge(other.sums)
        self.gifts.merge(other.gifts)


def ledger_of(
    folder: Path, jobs: int = 1, tell: Callable[[int], object] = lambda matches: None, by_block: bool = False
) -> Ledger:
    """The ledger of the run in ``folder``, finished or not, read by so many processes. ``tell`` is called with the
    number of matches whenever some are done.

    Raises UserError for a folder without a run, without matches that count, without replays, and where all its games
    have no tables; ReplayError for a damaged replay.
    """
    games_with_replays(folder)
    gathered = gather(folder, partial(Bargaining, by_block), jobs, tell)
    if not gathered.matches:
        raise UserError(f"{folder}: no match has been finished that counts and has a replay")
    found = ledger_from(FolderStore(folder).facts(), gathered.found, gathered)
    if not found.games:
        raise UserError(f"{folder}: {', '.join(found.others)} defines no tables of its matches, so it has no ledger")
    return found


def ledger_from(facts: Facts, found: Bargaining, gathered: Gathered[Any]) -> Ledger:
    """The ledger of the run known by these ``facts``, of what was ``found`` in a pass, which has ``gathered`` this and
    maybe more."""
    gifts = {
        each.game: [
            Gift(pair.giver, pair.receiver, pair.matches, pair.gift) for pair in each.findings if not pair.mutual
        ]
        for each in judged(facts, found.gifts.sums)
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
    return Ledger(games, gathered.matches, gathered.voids, gathered.without_replay, dict(found.sums.others))
