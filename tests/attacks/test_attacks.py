"""What a hostile bot can do: nothing. Every attack plays beside honest bots, in all seats or in one, through the
pool of workers, and ends in the right fault of its own seat, or has reached nothing; nobody else notices, and nothing
is left.
"""

from __future__ import annotations

import fcntl
import json
import os
import pickle
from collections import defaultdict
from pathlib import Path

import pytest

from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.match.walk.verify import verify_replay
from arena.match.work import WorkResult
from arena.sandbox.policy import Layer
from arena.sandbox.probe import probe_layers
from arena.storage.packs.replay_packs import replay_path

from . import attempts, misdeeds, programs, system
from .field import BLOCKS, HONEST, LIMITS, SEATS, League, gauntlet, honest, play_league, seats_of

LOCKED = {Layer.LANDLOCK, Layer.SECCOMP} <= {each.layer for each in probe_layers() if each.holds}
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not LOCKED, reason="this system cannot lock processes in")]

MB = 1 << 20
ROOM = 2.0
"""Seconds until a bot that is late is ended, at most."""


class Played:
    """The league played with its attackers and without, and how the system was before and after."""

    def __init__(self, folder: Path, cases: str) -> None:
        self.cases = cases
        self.league = League(folder)
        self.league.invite_pythons()
        self.league.invite_programs()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ARENA_SECRET", "secret")
            self._play(folder)

    def _play(self, folder: Path) -> None:
        alone, beside = self.league.plan(attackers=False), self.league.plan()
        self.alone = folder / "alone"
        self.league.results.mkdir()
        for name in ("config.resolved.yaml", "matches.jsonl"):
            (self.league.results / name).write_text("secret")
        self.honest = [fixture.id for fixture in honest(beside)]
        play_league(alone, honest(alone), self.alone, Serial())
        self.before = self._state()
        self.workers: dict[int, list[int]] = defaultdict(list)
        with system.orphans_come_here():
            self.processes = system.descendants(os.getpid())
            self.done = play_league(beside, gauntlet(beside, self.cases), self.league.results, Pool(2), self._weigh)
            self.left = system.left(self.processes)
        self.after = self._state()

    def _state(self) -> tuple[system.Files, list[str], int, int]:
        files = system.files_in(self.league.folder, self.league.outside)
        kept = {path: state for path, state in files.found.items() if not self._written(path)}
        return system.Files(kept), system.marks(), len(os.listdir("/proc/self/fd")), system.resident(os.getpid())

    def _written(self, path: str) -> bool:
        """Whether a run itself writes there."""
        return path.startswith(tuple(f"{self.league.results}/{name}" for name in ("replays", "logs")))

    def _weigh(self) -> None:
        """Note what every worker and every fork server holds."""
        for worker in set(system.children(os.getpid())) - self.processes:
            for process in (worker, *system.children(worker)):
                self.workers[process].append(system.resident(process))

    def matches(self, attacker: str) -> list[WorkResult]:
        return [done for done in self.done if attacker in [seat.entrant for seat in done.record.seats]]

    def seats(self, attacker: str) -> list[int]:
        """The seats in which it has played."""
        return seats_of(len(HONEST) + self.league.attackers.index(attacker), self.cases)

    def replay(self, done: WorkResult) -> bytes:
        return (self.league.results / replay_path(done.record.id)).read_bytes()

    def notes(self, done: WorkResult, attacker: str) -> list[str]:
        seat = [each.entrant for each in done.record.seats].index(attacker)
        lines = [json.loads(line) for line in self.replay(done).splitlines()]
        return [line["note"] for line in lines if line.get("seat") == seat and line.get("note")]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Played:
    """Played once, whatever number of processes the tests run in."""
    cases = pytestconfig.getoption("--cases")
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return Played(tmp_path_factory.mktemp("attacks"), cases)
    shared = tmp_path_factory.getbasetemp().parent
    with open(shared / "attacks.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = shared / "attacks.pickle"
        if not done.exists():
            (shared / "attacks").mkdir()
            done.write_bytes(pickle.dumps(Played(shared / "attacks", cases)))
        found: Played = pickle.loads(done.read_bytes())
        return found


def has(played: Played, attacker: str) -> str:
    if attacker not in played.league.attackers:
        pytest.skip("there is no compiler, or no node")
    return attacker


def test_a_misdeed_ends_in_the_right_fault_of_the_right_seat(played: Played) -> None:
    wrong = []
    for attacker in played.league.attackers:
        try:
            check_faults(attacker, played)
        except AssertionError as error:
            error.add_note(attacker)
            wrong.append(error)
    if wrong:
        raise ExceptionGroup(f"{len(wrong)} misdeeds did not end as they should", wrong)


def check_faults(attacker: str, played: Played) -> None:
    expected = played.league.expected[attacker]
    matches = played.matches(attacker)
    at = sorted([seat.entrant for seat in done.record.seats].index(attacker) for done in matches)
    assert len(set(at)) == len(at) == len(played.seats(attacker)) == (2 if played.cases == "all" else 1)
    for done in matches:
        for seat in done.record.seats:
            if seat.entrant == attacker:
                assert set(seat.faults) <= expected
                assert bool(seat.faults) == bool(expected)
                assert seat.ended == ("struck-out" if expected else "played")
            else:
                assert (seat.ended, seat.faults) == ("played", {})


@pytest.mark.parametrize("attacker", [*attempts.TRIED_TOGETHER, "c-attempts", "c-bomb", "node"])
def test_an_attempt_is_refused_and_its_bot_plays_on(attacker: str, played: Played) -> None:
    for done in played.matches(has(played, attacker)):
        assert [seat.faults for seat in done.record.seats] == [{}, {}]
        (told,) = played.notes(done, attacker)
        number, _, word = told.partition(" ")
        assert number.isdecimal(), told
        assert word in ("refused", "tried"), told


def test_there_are_enough_attacks_of_every_kind() -> None:
    assert len(misdeeds.MISDEEDS) + len(programs.C_WAYS) > 60
    assert {kind for kinds in attempts.TRIED_TOGETHER.values() for kind in kinds} == set(attempts.ATTEMPTS)
    assert sum(map(len, attempts.ATTEMPTS.values())) > 150


def test_matches_of_honest_bots_are_the_same_bytes_with_and_without_attackers(played: Played) -> None:
    assert len(played.honest) == BLOCKS * SEATS
    for id in played.honest:
        path = f"replays/{id}.jsonl"
        assert (played.league.results / path).read_bytes() == (played.alone / path).read_bytes()


def test_every_replay_verifies(played: Played) -> None:
    assert len(played.done) == sum(len(played.seats(each)) for each in played.league.attackers) + len(played.honest)
    for done in played.done:
        verify_replay(played.replay(done))


def test_no_process_is_left(played: Played) -> None:
    assert played.left == {}


def test_no_file_is_left_or_changed(played: Played) -> None:
    assert played.after[0].found == played.before[0].found
    assert played.after[1] == []


def test_a_run_writes_nothing_but_what_it_should(played: Played) -> None:
    results = played.league.results
    written = {path.relative_to(results) for path in results.rglob("*") if path.is_file()}
    replays = {Path(replay_path(done.record.id)) for done in played.done}
    rest = {path for path in written - replays if path.parts[:2] != ("logs", "bots")}
    assert rest == {Path("config.resolved.yaml"), Path("matches.jsonl")}
    logs = [path for path in written if path.parts[:2] == ("logs", "bots")]
    assert {path.stem for path in logs}.isdisjoint(HONEST)
    assert max((results / path).stat().st_size for path in logs) < MB


def test_no_descriptor_and_no_memory_is_lost(played: Played) -> None:
    (_, _, files, memory), (_, _, files_then, memory_then) = played.before, played.after
    assert files_then == files
    assert memory_then - memory < 32 * MB


def test_workers_and_their_fork_servers_hold_no_more_at_the_end_than_at_the_beginning(played: Played) -> None:
    assert len(played.workers) == 4
    for weights in played.workers.values():
        assert max(weights) - weights[len(weights) // 10] < 32 * MB


def test_an_attack_is_given_no_more_time_than_its_limits(played: Played) -> None:
    # by what bots were charged with: how long a match takes is the machine's affair as well
    for done in played.done:
        for seat in done.timing.seats:
            assert seat.start < LIMITS.start + ROOM, seat
            assert seat.worst < LIMITS.ask + LIMITS.bank + ROOM, seat
            assert seat.total < LIMITS.match + ROOM, seat
            assert all(late.seconds >= min(late.limit + late.bank, late.match) for late in seat.late)
    late = [seat for done in played.done for seat in done.timing.seats if seat.late]
    assert len(late) >= sum(
        len(played.seats(attacker)) for attacker, faults in played.league.expected.items() if faults == {"late"}
    )
