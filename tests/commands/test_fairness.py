"""What makes a clock unfair to bots is read from the files of the system; here from trees that are made up."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.commands.doctor.fairness import (
    FairnessFinding,
    FairnessMatter,
    FairnessReport,
    FairnessVerdict,
    numbers_in,
    read_fairness,
)
from arena.system.platform_support import allowed_cores
from tests.conftest import Arena

CPU = "sys/devices/system/cpu"
MEMORY = "MemTotal: 100 kB\nSwapTotal: {total} kB\nSwapFree: {free} kB\n"
Tree = Callable[[dict[str, str]], Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Writes files below a root of their own."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "root" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")
        (tmp_path / "root").mkdir(exist_ok=True)
        return tmp_path / "root"

    return write


def of(fairness: FairnessReport, matter: FairnessMatter) -> FairnessFinding:
    (found,) = (each for each in fairness.found if each.matter is matter)
    return found


SEEN: list[tuple[FairnessMatter, dict[str, str], FairnessVerdict, str, str]] = [
    (
        FairnessMatter.GOVERNOR,
        {f"{CPU}/cpu0/cpufreq/scaling_governor": "performance"},
        FairnessVerdict.FINE,
        "performance",
        "",
    ),
    (
        FairnessMatter.GOVERNOR,
        {f"{CPU}/cpu{n}/cpufreq/scaling_governor": name for n, name in enumerate(["powersave", "performance"])},
        FairnessVerdict.HURTS,
        "scaling_governor performance, powersave",
        "sudo cpupower frequency-set -g performance",
    ),
    (FairnessMatter.BOOST, {f"{CPU}/intel_pstate/no_turbo": "1"}, FairnessVerdict.FINE, "no_turbo is 1: no boost", ""),
    (FairnessMatter.BOOST, {f"{CPU}/cpufreq/boost": "0"}, FairnessVerdict.FINE, "boost is 0: no boost", ""),
    (
        FairnessMatter.BOOST,
        {f"{CPU}/intel_pstate/no_turbo": "0"},
        FairnessVerdict.HURTS,
        "no_turbo is 0",
        f"echo 1 | sudo tee /{CPU}/intel_pstate/no_turbo",
    ),
    (
        FairnessMatter.HYPER_THREADS,
        {f"{CPU}/cpu{n}/topology/thread_siblings_list": f"{n % 2},{n % 2 + 2}" for n in range(4)},
        FairnessVerdict.HURTS,
        "4 hyper-threads on 2 cores",
        "play with -j 2 at most",
    ),
    (
        FairnessMatter.HYPER_THREADS,
        {f"{CPU}/cpu{n}/topology/core_cpus_list": str(n) for n in range(12)},
        FairnessVerdict.FINE,
        "12 cores, one hyper-thread on each",
        "",
    ),
    (FairnessMatter.SWAP, {"proc/meminfo": MEMORY.format(total=0, free=0)}, FairnessVerdict.FINE, "no swap", ""),
    (
        FairnessMatter.SWAP,
        {"proc/meminfo": MEMORY.format(total=4096, free=4096)},
        FairnessVerdict.FINE,
        "0 of 4 MB",
        "",
    ),
    (
        FairnessMatter.SWAP,
        {"proc/meminfo": MEMORY.format(total=4096, free=1024)},
        FairnessVerdict.HURTS,
        "3 of 4 MB",
        "swapoff",
    ),
    (FairnessMatter.LOAD, {"proc/loadavg": "0.10 0.2 0.3 1/99 7"}, FairnessVerdict.FINE, "load average 0.10", ""),
    (FairnessMatter.LOAD, {"proc/loadavg": "99.5 0.2 0.3 1/99 7"}, FairnessVerdict.HURTS, "load average 99.50", "-j 1"),
    (FairnessMatter.LOAD, {"proc/loadavg": "nan 0.2 0.3 1/99 7"}, FairnessVerdict.UNKNOWN, "", ""),
    (FairnessMatter.LOAD, {"proc/loadavg": "1e999 0.2 0.3 1/99 7"}, FairnessVerdict.UNKNOWN, "", ""),
    (
        FairnessMatter.HYPER_THREADS,
        {f"{CPU}/cpu0/topology/core_cpus_list": "0-99999999"},
        FairnessVerdict.UNKNOWN,
        "",
        "",
    ),
    (FairnessMatter.QUOTA, {"sys/fs/cgroup/cpu.max": "max 100000"}, FairnessVerdict.FINE, "no quota", ""),
    (
        FairnessMatter.QUOTA,
        {
            "proc/self/cgroup": "0::/a/b",
            "sys/fs/cgroup/a/b/cpu.max": "max 100000",
            "sys/fs/cgroup/a/cpu.max": "150000 100000",
            "sys/fs/cgroup/a/b/cpu.stat": "usage_usec 5\nnr_periods 0",
            "sys/fs/cgroup/a/cpu.stat": "usage_usec 5\nnr_periods 40\nnr_throttled 7",
            f"{CPU}/cpu0/topology/core_cpus_list": "0",
            f"{CPU}/cpu1/topology/core_cpus_list": "1",
        },
        FairnessVerdict.HURTS,
        "a quota of 1.5 cores' CPU time, used up in 7 of 40 periods",
        "play with -j 1 at most",
    ),
    (
        FairnessMatter.QUOTA,
        {
            "proc/self/cgroup": "5:memory:/x\n4:cpu,cpuacct:/job",
            "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us": "-1",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "6400000",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000",
            f"{CPU}/cpu0/topology/core_cpus_list": "0",
        },
        FairnessVerdict.FINE,
        "a quota of 64 cores' CPU time",
        "",
    ),
    (
        FairnessMatter.STEAL,
        {"proc/stat": "cpu  500 0 400 100 0 0 0 0 0 0\ncpu0 1"},
        FairnessVerdict.FINE,
        "no time stolen",
        "",
    ),
    (
        FairnessMatter.STEAL,
        {"proc/stat": "cpu  500 0 300 100 0 0 0 100 0 0"},
        FairnessVerdict.HURTS,
        "took 10 %",
        "dedicated cores",
    ),
    (
        FairnessMatter.HEAT,
        {f"{CPU}/cpu0/thermal_throttle/core_throttle_count": "0"},
        FairnessVerdict.FINE,
        "no core",
        "",
    ),
    (
        FairnessMatter.HEAT,
        {f"{CPU}/cpu0/thermal_throttle/core_throttle_count": "12"},
        FairnessVerdict.HURTS,
        "12 times",
        "cool it",
    ),
    (FairnessMatter.BATTERY, {"sys/class/power_supply/AC/type": "Mains"}, FairnessVerdict.FINE, "no battery", ""),
    (
        FairnessMatter.BATTERY,
        {"sys/class/power_supply/BAT0/type": "Battery", "sys/class/power_supply/BAT0/status": "Discharging"},
        FairnessVerdict.HURTS,
        "battery: discharging",
        "plug it in",
    ),
    (
        FairnessMatter.BATTERY,
        {"sys/class/power_supply/BAT0/type": "Battery", "sys/class/power_supply/BAT0/status": "Full"},
        FairnessVerdict.FINE,
        "battery: full",
        "",
    ),
    (
        FairnessMatter.BATTERY,  # that of a mouse
        {"sys/class/power_supply/m/type": "Battery", "sys/class/power_supply/m/scope": "Device"},
        FairnessVerdict.FINE,
        "no battery",
        "",
    ),
]


@pytest.mark.parametrize(("matter", "files", "verdict", "read", "do"), SEEN)
def test_each_matter_is_read_and_judged(
    matter: FairnessMatter, files: dict[str, str], verdict: FairnessVerdict, read: str, do: str, tree: Tree
) -> None:
    found = of(read_fairness(tree(files)), matter)
    assert found.verdict is verdict
    assert read in found.read
    assert do in found.do
    assert bool(found.why) == bool(found.do) == (verdict is FairnessVerdict.HURTS)


def test_each_matter_is_seen_to_be_fine_and_to_hurt() -> None:
    seen = {(matter, verdict) for matter, _, verdict, _, _ in SEEN}
    assert seen >= {
        (matter, verdict) for matter in FairnessMatter for verdict in (FairnessVerdict.FINE, FairnessVerdict.HURTS)
    }


def test_a_system_that_tells_nothing_is_unknown_in_every_matter(tree: Tree) -> None:
    fairness = read_fairness(tree({}))
    assert {each.verdict for each in fairness.found} == {FairnessVerdict.UNKNOWN}
    assert [each.matter for each in fairness.found] == list(FairnessMatter)
    assert fairness.jobs == fairness.cores > 0


def test_files_that_hold_something_else_are_survived(tree: Tree) -> None:
    names = [name for _, files, _, _, _ in SEEN for name in files]
    for text in ("", "\0", "cpu", "no number", "9-", "cpu  a b", "1 2 3 4 5 6 7 8 9", "-1 0", "0-x"):
        assert len(read_fairness(tree(dict.fromkeys(names, text))).found) == len(FairnessMatter), text


def test_no_two_matches_share_a_core_or_use_up_a_quota(tree: Tree) -> None:
    siblings = {f"{CPU}/cpu{n}/topology/thread_siblings_list": f"{n - n % 2}-{n - n % 2 + 1}" for n in range(8)}
    assert read_fairness(tree(siblings)).jobs == 4
    some = read_fairness(tree(siblings), frozenset({0, 1, 2, 5}))
    assert (some.cores, some.jobs) == (4, 3)
    assert read_fairness(tree({"sys/fs/cgroup/cpu.max": "250000 100000"})).jobs == 2
    assert read_fairness(tree({"sys/fs/cgroup/cpu.max": "20000 100000"})).jobs == 1


def test_lists_of_cores_are_read() -> None:
    assert numbers_in("0-2,7,9-9") == {0, 1, 2, 7, 9}


def test_the_command_reports_this_machine_and_exits_with_0(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = arena("doctor", "--fair")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    assert all(f"\n{matter.value} " in ran.out for matter in FairnessMatter)
    report = json.loads(arena("doctor", "--fair", "--json").out)
    assert [each["matter"] for each in report["found"]] == list(FairnessMatter)
    allowed = allowed_cores()
    assert allowed is None or 0 < report["jobs"] <= report["cores"] <= len(allowed)
    assert arena("doctor").err.endswith("arena doctor --fair\n")
