"""Adds up, by game, the gifts that the entrants of a run made each other, from its replays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.analysis.replay_pass import gather_from_replays
from arena.collusion.gift_sums import GiftSums
from arena.errors import UserError
from arena.games import load_game
from arena.games.giving import MatchGifts
from arena.replay.ledger_events import Tables, tables_in
from arena.storage.run_folder import FolderStore
from arena.storage.tables.match_tables import replays_by_game, run_tables
from arena.tournament.records.match_record import MatchRecord


class GatheredGifts(NamedTuple):
    """Gifts by game, and how many matches were left out: ``voids``, and those ``without_replay``."""

    sums: dict[str, GiftSums]
    voids: int
    without_replay: int


class GiftsByGame:
    """Adds up the gifts of matches in ``sums``, by game (an :class:`arena.analysis.replay_pass.Accumulator`). Ignores
    matches of games that define no gifts."""

    def __init__(self) -> None:
        self.sums: dict[str, GiftSums] = {}

    def add(self, record: MatchRecord, tables: Tables) -> None:
        """Add the gifts of a match, found in its tables."""
        giving = load_game(record.game).giving
        if giving is None:
            return
        names = [seat.entrant for seat in record.seats]
        money = [seat.money for seat in record.seats]
        self._of(record.game).add(record.edition, record.block, names, money, giving.find(tables, len(names)))

    def merge(self, other: GiftsByGame) -> None:
        """Add the sums of another accumulator."""
        for game, sums in other.sums.items():
            self._of(game).merge(sums)

    def _of(self, game: str) -> GiftSums:
        if game not in self.sums:
            self.sums[game] = _empty_sums(game)
        return self.sums[game]


def gifts_in(replay: bytes, game: str, seats: int) -> MatchGifts:
    """The gifts of a match, from its replay. Raises ReplayError where it is damaged."""
    giving = load_game(game).giving
    return MatchGifts(()) if giving is None else giving.find(tables_in(replay), seats)


def gather_gifts(folder: Path, jobs: int = 1, tell: Callable[[int], object] = lambda matches: None) -> GatheredGifts:
    """Add up the gifts of a run, finished or not, in ``jobs`` processes. Calls ``tell`` with the number of matches
    done, whenever some are done.

    Raises UserError for a folder without a run, without matches, without replays, or of games that define no gifts;
    ReplayError for a damaged replay.
    """
    FolderStore(folder).facts()
    matches, kept = replays_by_game(folder)
    if not matches:
        raise UserError(f"{folder} has no finished matches")
    run_tables(kept)  # refuses games that must not be imported
    games = [game for game in kept if load_game(game).giving is not None]
    if not games:
        raise UserError(f"what a gift is, is not defined in: {', '.join(kept)}; it is in board, cards")
    if not any(kept[game] for game in games):
        raise UserError(f"{folder} has no replays, and gifts are found in replays; play with `replays: all`")
    gathered = gather_from_replays(folder, GiftsByGame, jobs, tell)
    sums = {game: gathered.found.sums.get(game) or _empty_sums(game) for game in games}
    return GatheredGifts(sums, gathered.voids, gathered.without_replay)


def _empty_sums(game: str) -> GiftSums:
    giving = load_game(game).giving
    return GiftSums([kind.name for kind in giving.kinds] if giving is not None else [])
