"""Reads the replays of a run once, in several processes, and adds up something over its matches and their tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from arena.analysis.process_map import SERIAL_MATCHES, in_parts
from arena.errors import ReplayError, UserError
from arena.recorded.replay_names import kept_replay
from arena.replay.ledger_events import Tables, tables_in
from arena.storage.packs.replay_packs import replays_of
from arena.storage.record_check import check_result
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import replays_by_game, run_tables
from arena.tournament.records.match_record import MatchRecord

PassProgress = Callable[[int], object]


class Accumulator(Protocol):
    """Adds something up over matches. It must be picklable, since processes send it to each other."""

    def add(self, record: MatchRecord, tables: Tables) -> None:
        """Add a match that counts, with its ``tables``: those that its game defines
        (:attr:`arena.games.contract.Game.tables`); empty for a game without tables."""

    def merge(self, other: Self) -> None:
        """Add the sums of another accumulator, whose matches come later in the schedule."""


PassSums = TypeVar("PassSums", bound=Accumulator)


@dataclass
class PassResult(Generic[PassSums]):
    """The sums over a run (``found``), and how many ``matches`` were added up. Left out were ``voids``, which do not
    count, and matches ``without_replay``."""

    found: PassSums
    matches: int = 0
    voids: int = 0
    without_replay: int = 0


class PassOrder(NamedTuple):
    """What each process needs: the run's ``folder``, and ``make``, which makes an accumulator. ``make`` is pickled, so
    it must be a class, a function of a module or a :class:`functools.partial` of one."""

    folder: Path
    make: Callable[[], Accumulator]


def games_with_replays(folder: Path) -> tuple[str, ...]:
    """The games of the run in ``folder`` that have at least one replay. Raises UserError for a folder without a run,
    without finished matches, or without replays, and for a game from outside that has not been imported."""
    FolderStore(folder).facts()
    matches, kept = replays_by_game(folder)
    if not matches:
        raise UserError(f"{folder} has no finished matches")
    run_tables(kept)  # refuses games that must not be imported
    if not any(kept.values()):
        raise UserError(f"{folder} has no replays, and the ledger is made from replays; play with `replays: all`")
    return tuple(sorted(game for game, has in kept.items() if has))


def gather_from_replays(
    folder: Path, make: Callable[[], PassSums], jobs: int = 1, tell: PassProgress = lambda matches: None
) -> PassResult[PassSums]:
    """Add up every match of the run in ``folder``, finished or not, that counts and has a replay, in ``jobs``
    processes; ``make`` makes the accumulators. Calls ``tell`` with the number of matches whenever some are done.

    Matches come in the schedule's order. A fixed number at a time goes into an accumulator of its own, and the
    accumulators are merged in that order: so the result does not depend on the number of processes.

    Raises UserError for a folder without a run and for a game from outside that has not been imported; ReplayError for
    a replay that is missing, damaged or does not match its line in ``matches.jsonl``.
    """
    FolderStore(folder).facts()
    matches, kept = replays_by_game(folder)
    run_tables(kept)  # refuses games that must not be imported
    order = PassOrder(folder.absolute(), make)
    found = PassResult(make())
    parts = in_parts(
        _add_matches, order, records_in_order(folder), jobs if matches > SERIAL_MATCHES else 1, tuple(kept)
    )
    for part in parts:
        found.found.merge(part.found)  # type: ignore[arg-type]
        found.matches += part.matches
        found.voids += part.voids
        found.without_replay += part.without_replay
        tell(part.matches + part.voids + part.without_replay)
    return found


def _add_matches(order: PassOrder, matches: Sequence[MatchRecord]) -> PassResult[Accumulator]:
    """Add up one chunk of matches."""
    part = PassResult(order.make())
    for record in matches:
        if record.void:
            part.voids += 1
        elif not record.replay:
            part.without_replay += 1
        else:
            part.found.add(record, _read_tables(order.folder, record))
            part.matches += 1
    return part


def _read_tables(folder: Path, record: MatchRecord) -> Tables:
    """The tables of a match of the run in ``folder``."""
    where = str(folder / record.replay)
    try:
        replay = kept_replay(replays_of(folder).get, folder, record)
        check_result(record, replay, where)
        return tables_in(replay)
    except ReplayError as problem:
        raise problem if str(problem).startswith(where) else ReplayError(f"{where}: {problem}") from None
