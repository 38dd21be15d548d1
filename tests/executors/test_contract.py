"""What every executor does, whatever it plays with."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import ArenaError, UserError
from arena.executors.dask.cluster import Cluster
from arena.executors.executor import Executor, UnplayedMatch, play_all, play_each
from arena.executors.process_pool.pool import Pool
from arena.executors.retry import TRIES
from arena.executors.serial import Serial
from arena.executors.slots import Slots
from arena.match import runner
from arena.match.walk.verify import verify_replay
from arena.match.work import Work, WorkResult
from arena.runs.planning.isolation_level import strictest_isolation
from arena.sandbox.demand import Demand
from arena.sandbox.probe import Level

from .fixtures import by_culprit, ids, serially, works_of

HERE = strictest_isolation().level
"""How far bots are isolated here."""
HERE_ALONE: dict[str, Callable[[], Executor]] = {
    "serial": Serial,
    "one worker": lambda: Pool(1),
    "two workers": lambda: Pool(2),
}
"""Whose workers, if there are any, are forked from this process."""
DASK = "dask"


EVERY = [*HERE_ALONE, "slots", DASK]


def made(request: Any) -> Executor:
    """The executor that a test, or all of this file, asks for by name."""
    if request.param == DASK:
        return Cluster(request.getfixturevalue("shared_machines").address, 1)
    return Slots(2) if request.param == "slots" else HERE_ALONE[request.param]()


@pytest.fixture(scope="module", params=EVERY)
def executor(request: Any) -> Iterator[Executor]:
    """Every executor; one test after another has it, so that its processes start once."""
    with closing(made(request)) as shared:
        yield shared


@pytest.fixture(params=EVERY)
def own_executor(request: Any) -> Iterator[Executor]:
    """Every executor, for a test that stops it, or has it refuse to play."""
    with closing(made(request)) as own:
        yield own


@pytest.fixture(params=HERE_ALONE)
def forking(request: Any) -> Iterator[Executor]:
    """Every executor in which works as in this process what a test puts in here."""
    with closing(made(request)) as own:
        yield own


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> list[Work]:
    """Matches of bundled bots, more than are played in a moment."""
    return works_of(tmp_path_factory.mktemp("works"), blocks=20)


@pytest.fixture(scope="module")
def works(many: list[Work]) -> list[Work]:
    """A few of them."""
    return many[:6]


@pytest.fixture(scope="module")
def of_both_games(works: list[Work], tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Work, WorkResult]]:
    """Matches of both games, with the results that they have anywhere."""
    cards = works_of(
        tmp_path_factory.mktemp("cards"), edition="{rules: card-game, seats: 3, changes: {rounds: {3: 1}}}"
    )
    played = [*works[:3], *cards[:2]]
    results = serially(played)
    for done in results:
        assert done.replay is not None
        verify_replay(done.replay)
    return list(zip(played, results, strict=True))


@pytest.mark.slow
def test_every_match_is_given_once_with_the_replay_it_has_anywhere(
    executor: Executor, of_both_games: list[tuple[Work, WorkResult]]
) -> None:
    expected = {done.record.id: (done.record, done.replay) for _, done in of_both_games}
    found = [done for done in play_all(executor, [work for work, _ in of_both_games]) if isinstance(done, WorkResult)]
    assert len(found) == len(expected)
    assert {done.record.id: (done.record, done.replay) for done in found} == expected


def test_results_can_be_had_in_the_order_of_the_work(executor: Executor, works: list[Work]) -> None:
    assert [done.record.id for done in play_each(executor, works)] == ids(works)


def test_nothing_submitted_means_nothing_completed(executor: Executor) -> None:
    assert list(executor.completed()) == []


def test_what_is_submitted_may_depend_on_what_was_seen(executor: Executor, many: list[Work]) -> None:
    works = many[:4]
    executor.submit(works[0])
    seen = []
    for result in executor.completed():
        assert isinstance(result, WorkResult)
        seen.append(result.record.id)
        if len(seen) < len(works):
            executor.submit(works[len(seen)])
    assert seen == ids(works)


def test_more_can_be_submitted_after_everything_was_completed(executor: Executor, works: list[Work]) -> None:
    assert [done.record.id for done in play_each(executor, works[:2])] == ids(works[:2])
    assert [done.record.id for done in play_each(executor, works[2:4])] == ids(works[2:4])


def test_whoever_waits_for_results_looks_and_nobody_after_it(executor: Executor, works: list[Work]) -> None:
    looks = list[str]()
    play_each(executor, works[:2], lambda: looks.append("first"))
    assert set(looks) == {"first"}
    play_each(executor, works[2:3])
    play_each(executor, works[:1], lambda: looks.append("second"))
    assert looks == sorted(looks)
    assert looks[-1] == "second"


def test_what_looking_raises_ends_the_waiting(own_executor: Executor, works: list[Work]) -> None:
    def look() -> None:
        raise UserError("enough")

    with pytest.raises(UserError, match="enough"):
        play_each(own_executor, works[:1], look)


def test_work_is_taken_only_as_room_comes_free(forking: Executor, tmp_path: Path) -> None:
    executor, works = forking, works_of(tmp_path, "silent", blocks=4 * forking.jobs)
    taken = given = furthest = 0

    def source() -> Iterator[Work]:
        nonlocal taken
        for work in works:
            taken += 1
            yield work

    for _ in play_all(executor, source()):
        given += 1
        furthest = max(furthest, taken - given)
        if given == 4 * executor.jobs:
            break
    assert len(works) == 24 * executor.jobs
    assert furthest <= 20 * executor.jobs
    assert given <= taken < len(works)


def test_only_replays_that_are_wanted_are_handed_over(executor: Executor, tmp_path: Path, write_bot: Any) -> None:
    its, others = by_culprit(works_of(tmp_path, write_bot("def turn(self, view): 1 / 0"), blocks=2))
    wanted = ("all", "faults", "none")
    works = [
        msgspec.structs.replace(work, replays=replays)
        for some in (its, others)
        for work, replays in zip(some, wanted, strict=False)
    ]
    seen = set()
    for work, done in zip(works, play_each(executor, works), strict=True):
        faulty = any(seat.faults for seat in done.record.seats)
        assert (done.replay is not None) == (work.replays == "all" or (work.replays == "faults" and faulty))
        seen.add((work.replays, faulty))
    assert len(seen) == 6


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Has the engine fail in the match ``id``: the first ``times`` times that any process comes to it."""

    def refuse(id: str, times: int) -> None:
        counts, play_here = [0], runner.play_here

        def play(spec: Any, *more: Any) -> Any:
            if spec.id == id:
                counts[0] += 1
                if counts[0] <= times:
                    raise OSError("no space left")
            return play_here(spec, *more)

        monkeypatch.setattr(runner, "play_here", play)

    return refuse


@pytest.mark.parametrize("times", [TRIES - 1, TRIES])
def test_a_failure_of_ours_is_tried_three_times_and_costs_one_match_at_most(
    times: int, many: list[Work], refused: Callable[[str, int], None]
) -> None:
    for make, works in ((Serial, many[:4]), (lambda: Pool(1), many[4:8])):
        with closing(make()) as executor:
            refused(works[2].spec.id, times)
            found = list(play_all(executor, works))
            unplayed = [each for each in found if isinstance(each, UnplayedMatch)]
            if times < TRIES:
                assert unplayed == []
            else:
                reason = "tried 3 times, the last time: OSError: no space left"
                assert unplayed == [UnplayedMatch(works[2].spec.id, reason)]
            assert len(found) == len(works)


def test_who_needs_all_results_is_told_which_is_missing(
    forking: Executor, works: list[Work], refused: Callable[[str, int], None]
) -> None:
    refused(works[0].spec.id, 99)
    with pytest.raises(ArenaError, match=re.escape(f"match {works[0].spec.id} could not be played: tried 3 times")):
        play_each(forking, works[:2])


def test_a_machine_of_another_level_plays_nothing(own_executor: Executor, works: list[Work]) -> None:
    other = next(level for level in Level if level not in (Level.NONE, HERE))
    works = [msgspec.structs.replace(work, demand=Demand(level=other)) for work in works]
    problem = f"this run plays its bots at isolation level {other}, the worker reaches {HERE}"
    with pytest.raises(ArenaError, match=problem):
        list(play_all(own_executor, works))


def test_what_isolated_bots_print_comes_with_the_result(executor: Executor, tmp_path: Path, write_bot: Any) -> None:
    bot = write_bot("def turn(self, view):\n    print('hello')\n    return self.play_on(view)")
    works = [
        by_culprit(works_of(tmp_path, bot, isolation=isolation))[0][number]  # each with an id of its own
        for number, isolation in enumerate(("none", "process"))
    ]
    for number, done in enumerate(play_each(executor, works)):
        printed = {each.seat: each.text for each in done.printed}
        seat = [each.entrant for each in done.record.seats].index("culprit")
        own_process = number > 0 or isinstance(executor, Slots)
        assert (b"hello\n" in printed.get(seat, b"")) == own_process


def test_ctrl_c_is_raised_between_two_results_and_what_is_finished_was_given(
    own_executor: Executor, many: list[Work]
) -> None:
    given = []

    def play() -> None:
        for result in play_all(own_executor, many):
            given.append(result)
            if len(given) == 5:
                os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        play()
    assert 5 <= len(given) < len(many)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_it_waits_ends_the_waiting(own_executor: Executor, tmp_path: Path, write_bot: Any) -> None:
    begun = tmp_path / "begun"
    slow = write_bot(f"def turn(self, view):\n    os.close(os.open({str(begun)!r}, os.O_CREAT))\n    time.sleep(0.05)")

    def stop() -> None:
        while not begun.exists():
            threading.Event().wait(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        list(play_all(own_executor, works_of(tmp_path, slow, blocks=50)))
