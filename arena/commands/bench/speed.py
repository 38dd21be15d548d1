"""Measures how fast this machine plays; some figures are ratios, which can be compared between machines."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time

import msgspec

from arena.config.editions import Edition, load_source, resolve_edition
from arena.errors import ArenaError
from arena.executors.executor import Executor, UnplayedMatch, play_all, play_each
from arena.finding.reference import find_file
from arena.games import load_game
from arena.games.chance import Chance
from arena.match.runner import Runner, play_here
from arena.match.walk.verify import verify_replay
from arena.match.work import Work
from arena.runs.bundled_bots import bundled_opponents
from arena.runs.planning.make_spec import seats_of, spec_of
from arena.runs.single_match import DEFAULT_RULES
from arena.storage.run_folder import FolderStore
from arena.tournament.schedule.seat_orders import SeatOrders, seat_orders

LOOP_ROUNDS = 5_000_000


class SpeedFigures(msgspec.Struct):
    """The speeds measured in matches of ``edition`` between ``bots``.

    ``loop`` is the time of ``for _ in range(5_000_000): pass``, in seconds. ``asks`` are asks per second of random play
    on one core, ``asks_with_copy`` the same with a copy of the state at every ask, ``asks_a_loop`` the asks in the time
    of that loop. Matches per second are of bundled bots; ``efficiency`` is the tournament's rate divided by (the rate
    of one match alone × jobs).
    """

    edition: str
    bots: tuple[str, ...]
    loop: float
    asks: float
    asks_with_copy: float
    asks_a_loop: float
    match_seconds: float
    asks_a_match: float
    matches_alone: float
    matches_in_tournament: float
    jobs: int
    efficiency: float
    verified: float


def measure_speed(
    executor: Executor,
    seconds: float = 3.0,
    rules: str = DEFAULT_RULES,
    variants: Sequence[str] = (),
    settings: Sequence[str] = (),
) -> SpeedFigures:
    """Measure everything, each figure for about ``seconds``, in an edition of any game with bundled bots. The
    ``executor`` plays the tournament."""
    edition = resolve_edition(load_source(rules), variants, None, settings)
    table = BenchTable(edition)
    loop = _time_loop()
    asks = _random_play(edition, table.seats, seconds, copy=False)
    with_copy = _random_play(edition, table.seats, seconds, copy=True)
    alone, mean_asks, replays = _serial_rate(table, seconds)
    jobs = executor.jobs
    together = _tournament_rate(table, executor, max(20, int(alone * jobs * seconds)))
    return SpeedFigures(
        edition=edition.label,
        bots=tuple(bot.name for bot in table.bots),
        loop=loop,
        asks=asks,
        asks_with_copy=with_copy,
        asks_a_loop=asks * loop,
        match_seconds=1 / alone,
        asks_a_match=mean_asks,
        matches_alone=alone,
        matches_in_tournament=together,
        jobs=jobs,
        efficiency=together / (alone * jobs),
        verified=_task_rate(lambda number: verify_replay(replays[number % len(replays)]), seconds),
    )


def _time_loop() -> float:
    def once() -> float:
        began = process_time()
        for _ in range(LOOP_ROUNDS):
            pass
        return process_time() - began

    return min(once() for _ in range(3))


def play_randomly(edition: Edition, seats: int, number: int, copy: bool) -> int:
    """Play match ``number``: at every ask, the legal moves are listed and one is chosen uniformly. With ``copy``, the
    state is also copied at every ask. Returns the number of asks."""
    state = load_game(edition.game).start(edition.rules, seats, Chance(f"bench-{number}"), None)
    played, pick = 0, random.Random(number).random
    while asked := len(state.asks):
        for index in range(asked):
            if copy:
                state.copy()
            moves = state.legal(index)
            state.apply(index, moves[int(pick() * len(moves))])
        played += asked
    return played


def _random_play(edition: Edition, seats: int, seconds: float, copy: bool) -> float:
    """Asks per second of random play (:func:`play_randomly`)."""
    asks, number, began = 0, 0, perf_counter()
    while perf_counter() - began < seconds:
        number += 1
        asks += play_randomly(edition, seats, number, copy)
    return asks / (perf_counter() - began)


class BenchTable:
    """A table of bundled bots in an ``edition``, with as many seats as an example table."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.bots = tuple(find_file(name) for name in bundled_opponents(edition.game, edition.seats))
        self.seats = len(self.bots)

    def work(self, number: int) -> Work:
        """Match ``number`` as work. As in a tournament, each deal is played in all seat orders, one after the other."""
        orders = seat_orders(SeatOrders.ALL, self.seats)
        block, order = divmod(number, len(orders))
        bots = tuple(self.bots[place] for place in orders[order])
        names = [f"{bot.name}#{seat}" for seat, bot in enumerate(bots)]
        id, seed, seats = f"bench/{number}", f"bench-{block}", seats_of(names, bots)
        return Work(spec=spec_of(self.edition, seats, id=id, tournament="bench", seed=seed, block=block), bots=bots)


def _task_rate(task: Callable[[int], object], seconds: float) -> float:
    """Measure how many times a second ``task`` runs, in ``seconds``. It is passed the number of its earlier calls."""
    number, began = 0, perf_counter()
    while perf_counter() - began < seconds:
        task(number)
        number += 1
    return number / (perf_counter() - began)


def _serial_rate(table: BenchTable, seconds: float) -> tuple[float, float, list[bytes]]:
    """Matches per second, one after another in this process; asks per match; and some replays."""
    runner = Runner()
    runner.play(table.work(0))
    asks: list[int] = []
    rate = _task_rate(lambda number: asks.append(runner.play(table.work(number)).record.asks), seconds)
    replays = [play_here(work.spec, work.bots).replay for work in map(table.work, range(5))]
    return rate, sum(asks) / len(asks), replays


def _tournament_rate(table: BenchTable, executor: Executor, matches: int) -> float:
    """Matches per second, stored in a folder like those of a run; the start of the worker processes does not count."""
    with tempfile.TemporaryDirectory() as folder, FolderStore(Path(folder)) as store:
        play_each(executor, (table.work(number) for number in range(4 * executor.jobs)))
        began = perf_counter()
        for result in play_all(executor, (table.work(number) for number in range(matches))):
            if isinstance(result, UnplayedMatch):
                raise ArenaError(f"match {result.id} could not be played: {result.reason}")
            store.add(result)
        return matches / (perf_counter() - began)
