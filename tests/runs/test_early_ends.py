"""A run stops early where it is told to: after a time, or when its bots fail too often. It keeps everything, says why,
and goes on to the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.clock import FakeClock
from arena.config.documents.duration import duration_in_words, parse_duration
from arena.errors import UserError
from arena.executors.executor import Executor
from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.match.work import WorkResult
from arena.penalties import SeatEnd
from arena.runs import early_stop as stoppings
from arena.runs import play_run as runs
from arena.runs.early_stop import FEWEST_JUDGED, GRACE_SECONDS, EarlyStop, RunBounds
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan import Plan
from arena.runs.run_options import RunOptions
from arena.storage.run_facts.facts import RunState
from arena.storage.store import MemoryStore
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from tests.runs.calling import Calling

TOURNAMENT = """
name: early
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, ./slow.py, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]
seats: 2
blocks: 5
tables: all
isolation: none
"""
MATCHES = 5 * 3 * 2
SLOW = (
    "def turn(self, view):\n    time.sleep(float(os.environ.get('TEST_SLOWNESS', 0)))\n    return self.play_on(view)\n"
)
EXECUTORS: tuple[Callable[[], Executor], ...] = (Serial, lambda: Pool(2))


@pytest.fixture
def tournament(tmp_path: Path, write_bot: Any) -> Path:
    write_bot(SLOW, "slow")
    path = tmp_path / "early.yaml"
    path.write_text(TOURNAMENT)
    return path


@pytest.fixture
def plan(tournament: Path) -> Plan:
    return make_plan(tournament)


def record(*faults: dict[str, int]) -> MatchRecord:
    seats = tuple(SeatRecord(f"bot{seat}", 0, 1, SeatEnd.PLAYED, each) for seat, each in enumerate(faults))
    return MatchRecord("id", "board", "e-2p", 0, "", "end", 1, seats)


def test_a_run_without_bounds_never_has_to_stop() -> None:
    clock = FakeClock()
    stopping = EarlyStop(RunBounds(), clock)
    for _ in range(100):
        stopping.add_record(record({"late": 1}, {"dead": 1}))
    clock.advance(1e9)
    assert not stopping.is_due()
    assert (stopping.why, stopping.grace_is_over()) == ("", False)


def test_a_time_limit_holds_from_its_moment_on_and_matches_at_play_have_a_grace() -> None:
    clock = FakeClock(50)
    stopping = EarlyStop(RunBounds(seconds=5400), clock)
    clock.advance(5399.9)
    assert not stopping.is_due()
    clock.advance(0.2)
    assert stopping.is_due()
    assert (stopping.why, stopping.exit_code) == ("the time limit of 1h30m is reached", 124)
    clock.advance(GRACE_SECONDS - 1)
    assert not stopping.grace_is_over()
    clock.advance(2)
    assert stopping.grace_is_over()


def test_faults_are_judged_by_the_share_of_bots_places_once_there_are_enough_matches() -> None:
    stopping = EarlyStop(RunBounds(fault_rate=0.5))
    for _ in range(FEWEST_JUDGED - 1):
        stopping.add_record(record({"dead": 1}, {"late": 3}))
    assert not stopping.is_due(), "so few matches tell little"
    stopping.add_record(record({}, {}))
    assert stopping.is_due()
    share = round(100 * (FEWEST_JUDGED - 1) / FEWEST_JUDGED)
    told = f"too many faults: {share} % of all seats in {FEWEST_JUDGED} matches have faults, more than 50 %"
    assert (stopping.why, stopping.exit_code) == (told, 1)


def test_a_share_of_faults_that_is_exactly_allowed_is_allowed() -> None:
    stopping = EarlyStop(RunBounds(fault_rate=0.5))
    for _ in range(FEWEST_JUDGED):
        stopping.add_record(record({"dead": 1}, {}))
    assert not stopping.is_due()
    stopping.add_record(record({"dead": 1}, {"dead": 1}))
    assert stopping.is_due()


@pytest.fixture
def unbroken(plan: Plan) -> MemoryStore:
    """What an undisturbed run leaves."""
    store = MemoryStore()
    with closing(Serial()) as executor:
        assert runs.start_run(plan, store, executor).state is RunState.COMPLETE
    return store


def test_a_run_whose_time_is_up_goes_on_to_what_an_undisturbed_run_gives(plan: Plan, unbroken: MemoryStore) -> None:
    for make in EXECUTORS:
        store, clock, given = MemoryStore(), FakeClock(), 0

        def progress(done: WorkResult, clock: FakeClock = clock) -> None:
            nonlocal given
            given += 1
            clock.advance(1)

        with closing(make()) as executor, pytest.MonkeyPatch.context() as patch:
            patch.setattr(runs, "EarlyStop", lambda bounds, clock=clock: EarlyStop(bounds, clock))
            outcome = runs.start_run(
                plan, store, executor, RunOptions(bounds=RunBounds(seconds=5)), Calling(finished=progress)
            )
        assert (outcome.state, outcome.exit_code) == (RunState.STOPPED, 124)
        assert outcome.why == "the time limit of 5s is reached"
        assert 5 <= outcome.finished == given == len(list(store.records())) <= 5 + 2 * 8
        with closing(make()) as executor:
            assert runs.resume_run(plan, store, executor).state is RunState.COMPLETE
        assert list(store.records()) == list(unbroken.records())
        assert all(store.replay(each.id) == unbroken.replay(each.id) for each in store.records())


@pytest.mark.slow
def test_matches_that_take_longer_than_the_grace_are_given_back(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stoppings, "GRACE_SECONDS", 0.3)
    monkeypatch.setenv("TEST_SLOWNESS", "0.9")
    store = MemoryStore()
    with closing(Pool(2)) as executor:
        outcome = runs.start_run(plan, store, executor, RunOptions(bounds=RunBounds(seconds=0.5)))
    assert (outcome.state, outcome.exit_code) == (RunState.STOPPED, 124)
    assert outcome.finished < MATCHES
    assert not outcome.unplayed


@pytest.mark.slow
def test_the_command_stops_at_its_time_limit_says_so_and_can_be_resumed(
    arena: Any, tournament: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_SLOWNESS", "0.05")
    ran = arena("run", tournament, "-o", "out", "-q", "--time-limit", "0.5s")
    assert (ran.code, ran.out) == (124, "")
    finished = (tmp_path / "out" / "matches.jsonl").read_bytes().count(b"\n")
    assert ran.err.splitlines()[1:] == [
        "faults: none",
        f"stopped (the time limit of 0.5s is reached): {finished} of {MATCHES} matches are finished and kept",
        "resume with: arena run --resume out --trust",
    ]
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["state"] == "stopped"
    monkeypatch.delenv("TEST_SLOWNESS")
    assert arena("run", "--trust", "--resume", "out", "-q", "--time-limit", "60m").code == 0
    assert (tmp_path / "out" / "matches.jsonl").read_bytes().count(b"\n") == MATCHES


@pytest.mark.slow
def test_a_run_whose_bots_fail_in_masses_stops_with_a_table_and_goes_on_if_more_is_allowed(
    arena: Any, tournament: Path, write_bot: Any, tmp_path: Path
) -> None:
    write_bot("def turn(self, view): 1 / 0", "slow")
    ran = arena("run", tournament, "-o", "out", "-q", "-j", 1, "--max-fault-rate", "0.1")
    assert (ran.code, ran.out) == (1, "")
    lines = ran.err.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("faults of"))
    assert lines[at].split() == ["faults", "of", "all", "broken"]
    assert lines[at + 2].split()[0] == "slow"
    assert lines[-2].startswith("stopped (too many faults: ")
    assert lines[-1] == "resume with: arena run --resume out --trust --max-fault-rate 1"
    assert FEWEST_JUDGED <= (tmp_path / "out" / "matches.jsonl").read_bytes().count(b"\n") < MATCHES
    assert arena("run", "--trust", "--resume", "out", "-q", "--max-fault-rate", "1").code == 0


@pytest.mark.slow
def test_the_bounds_are_keys_too_and_no_part_of_what_is_played(arena: Any, tournament: Path, tmp_path: Path) -> None:
    tournament.write_text(TOURNAMENT.replace("blocks: 5", "blocks: 1") + "time_limit: 1h30m\nmax_fault_rate: 0.9\n")
    assert arena("run", tournament, "-o", "out", "-q").code == 0
    resolved = (tmp_path / "out" / "config.resolved.yaml").read_text()
    assert "time_limit: 5400.0\n" in resolved
    (tmp_path / "out" / "config.resolved.yaml").write_text(resolved.replace("5400.0", "2h"))
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert arena("verify", "out", "-q") == (0, "", "")


DURATIONS = {"90s": 90, "30m": 1800, "2h": 7200, "1h30m": 5400, "1d": 86400, "45": 45, "1.5h": 5400, " 2H ": 7200}


@pytest.mark.parametrize("text", DURATIONS)
def test_durations_are_read_as_people_write_them(text: str) -> None:
    assert parse_duration(text) == DURATIONS[text]


@pytest.mark.parametrize("text", ["", "0", "-5", "2 hours", "h", "30m2h", "nan", "inf", "1e999", "soon"])
def test_what_is_no_duration_is_refused_with_examples(text: str, arena: Any, tournament: Path) -> None:
    with pytest.raises(UserError, match="expected a duration above 0, such as 90s, 30m, 2h or 1h30m, got "):
        parse_duration(text)
    ran = arena("run", tournament, f"--time-limit={text}")
    assert ran.code == 2
    assert "expected a duration above 0, such as 90s" in ran.err


@pytest.mark.parametrize("value", ["true", "[1]", "soon", "-1"])
def test_a_wrong_time_limit_in_a_file_is_told_with_its_place(value: str, arena: Any, tournament: Path) -> None:
    tournament.write_text(f"{TOURNAMENT}time_limit: {value}\n")
    ran = arena("run", tournament)
    assert ran.code == 2
    assert "early.yaml:10:13: time_limit: expected a duration above 0, such as 90s, 30m, 2h or 1h30m, got " in ran.err


def test_durations_are_told_shortly() -> None:
    seconds = {0: "0s", 0.5: "0.5s", 2.0: "2s", 45.4: "45s", 90: "1m30s", 3600: "1h", 7500: "2h05m", 90000: "1d01h"}
    assert {each: duration_in_words(each) for each in seconds} == seconds


def test_ctrl_c_while_standings_are_written_is_answered_as_at_any_other_time(
    arena: Any, tournament: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament.write_text(TOURNAMENT.replace("blocks: 5", "blocks: 1"))

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(runs, "fold_standings", stop)
        ran = arena("run", tournament, "-o", "out", "-q", "-j", 1)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.splitlines()[1:] == [
        "faults: none",
        "stopped: 6 of 6 matches are finished and kept",
        "resume with: arena run --resume out --trust",
    ]
    status = arena("status", "out").out
    assert "in out: stopped (by Ctrl-C), " in status, status
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert (tmp_path / "out" / "standings.csv").is_file()
