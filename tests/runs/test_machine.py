"""A run remembers how fast the machines are that it was played on; what was played does not depend on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.match.work import HOST_VARIABLE, this_host
from arena.runs import machine_speed
from arena.runs.machine_speed import (
    CHECKSUM,
    MACHINES_KEY,
    Machine,
    cpu_model,
    join_machines,
    machines_in,
    measure_machine,
    play_round,
    this_machine,
)
from tests.conftest import Arena, CopiedRun

TINY = """
name: machines
seed: 5f1c8e0b7a94d236
entrants: [greedy, fair]
editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]
seats: 2
blocks: 2
isolation: none
"""


class Clock:
    """CPU time in which each round takes as long as the list says, over and over."""

    def __init__(self, *seconds: float) -> None:
        self.seconds, self.calls, self.now = seconds, 0, 0.0

    def __call__(self) -> float:
        self.calls += 1
        if self.calls % 2 == 0:  # the end of a round
            self.now += self.seconds[self.calls // 2 % len(self.seconds)]
        return self.now


def manifest(run: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((run / "manifest.json").read_text())
    return found


def test_a_round_of_the_workload_is_always_the_same() -> None:
    assert [play_round(), play_round()] == [CHECKSUM, CHECKSUM]


def test_the_factor_is_1_at_the_reference_and_2_on_a_machine_twice_as_fast() -> None:
    assert measure_machine(Clock(1 / machine_speed.REFERENCE_RATE)) == 1
    assert measure_machine(Clock(0.5 / machine_speed.REFERENCE_RATE)) == 2


def test_rounds_that_something_disturbs_do_not_change_the_factor() -> None:
    assert measure_machine(Clock(0.0005, 0.0005, 0.02, 0.0005, 0.0005, 0.0005, 0.004)) == 1


def test_a_coarse_clock_that_makes_a_round_take_no_time_is_not_divided_by() -> None:
    assert measure_machine(Clock(0.0)) > 0


def test_the_model_of_the_cpu_is_what_the_system_calls_it(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text("processor\t: 0\nmodel name\t: Some  CPU @ 2.00GHz\nflags\t: fpu\n")
    assert cpu_model(tmp_path) == "Some CPU @ 2.00GHz"
    assert cpu_model(tmp_path / "nothing")


def test_a_run_remembers_the_machine_and_a_dry_run_measures_none(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.yaml").write_text(TINY)
    monkeypatch.setattr(machine_speed, "this_machine", lambda: pytest.fail("it was measured"))
    assert arena("run", "t.yaml", "--dry-run", "-j", 1).code == 0
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert arena("run", "t.yaml", "-o", "out", "-q", "-j", 1).code == 0
    (found,) = machines_in(manifest(tmp_path / "out"))
    assert found == this_machine()
    assert (found.host, found.workload) == (this_host(), "python-1")
    assert found.factor > 0
    assert found.cores > 0


def test_a_run_that_goes_on_elsewhere_remembers_both_machines(
    arena: Arena, copied_run: CopiedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copied_run(TINY, "out", "-j", 1)
    slow = Machine(host="elsewhere", cpu="old", cores=1, python="3.11.7", factor=0.25)
    monkeypatch.setattr(machine_speed, "this_machine", lambda: slow)
    assert arena("run", "--trust", "--resume", run, "--blocks", 4, "-q", "-j", 1).code == 0
    assert [each.host for each in machines_in(manifest(run))] == [this_host(), "elsewhere"]
    assert arena("verify", run).code == 0


def test_a_run_of_before_has_no_machine_and_is_resumed_and_merged_all_the_same(
    arena: Arena, copied_run: CopiedRun, tmp_path: Path
) -> None:
    run = copied_run(TINY, "out", "-j", 1)
    told = manifest(run)
    del told[MACHINES_KEY]
    (run / "manifest.json").write_text(json.dumps(told))
    assert machines_in(told) == []
    assert arena("merge", run, "-o", "merged").code == 0
    assert MACHINES_KEY not in manifest(tmp_path / "merged")
    assert arena("run", "--trust", "--resume", run, "-q", "-j", 1).code == 0
    assert [each.host for each in machines_in(manifest(run))] == [this_host()]
    assert arena("merge", run, "-o", "again").code == 0
    assert machines_in(manifest(tmp_path / "again")) == [this_machine()]


def test_what_is_merged_has_each_host_once_as_the_last_says() -> None:
    def told(*machines: tuple[str, float]) -> dict[str, object]:
        return {
            MACHINES_KEY: [
                {"host": host, "cpu": "", "cores": 1, "python": "3", "factor": factor} for host, factor in machines
            ]
        }

    found = join_machines(told(("a", 1), ("b", 2)), {}, told(("a", 3)))
    assert [(each.host, each.factor) for each in machines_in(found)] == [("a", 3), ("b", 2)]
    assert join_machines({}, {MACHINES_KEY: "broken"}) == {}


def test_a_machine_has_the_name_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    this_host.cache_clear()
    this_machine.cache_clear()
    monkeypatch.setenv(HOST_VARIABLE, "rack-7")
    assert this_machine().host == "rack-7"
    this_host.cache_clear()
    this_machine.cache_clear()
