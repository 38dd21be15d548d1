"""Finds what makes a machine's clock unfair to bots: the system's settings, whether they hurt, and what to do.

Bots are judged by seconds. So a core must be as fast for one bot as for the next, and must be free when a bot is asked.
Everything is read from the files of a Linux system below a root folder; other systems, and most containers, reveal
little, and then the verdict is that it is not known.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from math import floor
from pathlib import Path

import msgspec

from arena.runs.machine_speed import cpu_model
from arena.system.platform_support import usable_cores

MOST_CORES = 1 << 16
"""A bound above every system's core numbers."""
CPU_FOLDER, CGROUP_FOLDER, POWER_FOLDER = "sys/devices/system/cpu", "sys/fs/cgroup", "sys/class/power_supply"
BUSY_LOAD = 0.25
"""If more processes per core than this want to run, other work makes bots wait."""
STOLEN_SHARE = 0.001
"""If the host took this part of the machine's time or more, it is reported."""


class FairnessMatter(StrEnum):
    """What may make a clock unfair."""

    GOVERNOR = "governor"
    BOOST = "boost"
    HYPER_THREADS = "hyper-threads"
    SWAP = "swap"
    LOAD = "load"
    QUOTA = "quota"
    STEAL = "steal"
    HEAT = "heat"
    BATTERY = "battery"


class FairnessVerdict(StrEnum):
    """Whether a matter makes the clock unfair."""

    FINE = "fine"
    HURTS = "hurts"
    UNKNOWN = "unknown"


class FairnessFinding(msgspec.Struct, frozen=True):
    """The verdict on one matter: the setting that was ``read``, and if it hurts, ``why``, and what to ``do``."""

    matter: FairnessMatter
    verdict: FairnessVerdict
    read: str
    why: str = ""
    do: str = ""


class FairnessReport(msgspec.Struct, frozen=True, kw_only=True):
    """All findings, in the order of :class:`FairnessMatter`; the model of the CPU; the number of ``cores`` for this
    process, each hyper-thread counted; and the largest number of ``jobs`` for ``-j`` with which no two matches share a
    core or exhaust the quota."""

    cpu: str
    cores: int
    jobs: int
    found: tuple[FairnessFinding, ...]


def read_fairness(root: Path = Path("/"), allowed: frozenset[int] | None = None) -> FairnessReport:
    """Read the settings of the system below ``root``. ``allowed`` are the numbers of the cores that this process may
    use; None: those that are online, or as many as Python counts."""
    groups = sibling_groups(root, allowed)
    logical = sum(map(len, groups)) or (len(allowed) if allowed else usable_cores())
    quota = cpu_quota(root)
    jobs = max(1, min(len(groups) or logical, floor(quota) if quota is not None else logical))
    found = (
        _governor(root),
        _boost(root),
        _hyper_threads(groups),
        _swap(root),
        _load(root, logical),
        _quota(root, quota, logical),
        _steal(root),
        _heat(root),
        _battery(root),
    )
    return FairnessReport(cpu=cpu_model(root), cores=logical, jobs=jobs, found=found)


def _read_file(path: Path) -> str:
    """The text of a file; empty where it cannot be read."""
    with suppress(OSError, ValueError):
        return path.read_text("utf-8").strip()
    return ""


def _core_values(root: Path, name: str) -> list[str]:
    """The texts of the files called ``name`` that each core has, in the order of core numbers."""
    paths = sorted((root / CPU_FOLDER).glob(f"cpu[0-9]*/{name}"), key=lambda path: (len(str(path)), path))
    return [text for text in map(_read_file, paths) if text]


def _unknown_finding(matter: FairnessMatter, read: str) -> FairnessFinding:
    return FairnessFinding(matter, FairnessVerdict.UNKNOWN, read)


def _governor(root: Path) -> FairnessFinding:
    names = sorted(set(_core_values(root, "cpufreq/scaling_governor")))
    if not names:
        return _unknown_finding(
            FairnessMatter.GOVERNOR, "the system does not say how cores choose their speed (as in most VMs)"
        )
    read = f"scaling_governor {', '.join(names)}"
    if names == ["performance"]:
        return FairnessFinding(FairnessMatter.GOVERNOR, FairnessVerdict.FINE, read)
    why = "an idle core is slow until it has sped up, at the cost of bots that are seldom asked"
    return FairnessFinding(
        FairnessMatter.GOVERNOR, FairnessVerdict.HURTS, read, why, "sudo cpupower frequency-set -g performance"
    )


def _boost(root: Path) -> FairnessFinding:
    files = (("intel_pstate/no_turbo", "1"), ("cpufreq/boost", "0"))
    for name, off in files:
        if not (told := _read_file(root / CPU_FOLDER / name)):
            continue
        read = f"{name} is {told}"
        if told == off:
            return FairnessFinding(FairnessMatter.BOOST, FairnessVerdict.FINE, f"{read}: no boost")
        why = "cores are faster while few are busy: the same answer takes longer on a busy machine"
        return FairnessFinding(
            FairnessMatter.BOOST, FairnessVerdict.HURTS, read, why, f"echo {off} | sudo tee /{CPU_FOLDER}/{name}"
        )
    return _unknown_finding(FairnessMatter.BOOST, "the system does not say whether cores are boosted")


def numbers_in(text: str) -> frozenset[int]:
    """The numbers in a list such as ``0-3,8``. Raises ValueError for any other text."""
    found = set[int]()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        if int(last or first) > MOST_CORES:
            raise ValueError(f"there is no core {last or first}")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def sibling_groups(root: Path, allowed: frozenset[int] | None = None) -> list[frozenset[int]]:
    """The cores, each as the set of its hyper-threads that may be used; empty where the system does not tell."""
    with suppress(ValueError):
        told = _core_values(root, "topology/thread_siblings_list") or _core_values(root, "topology/core_cpus_list")
        groups = {numbers_in(each) for each in told}
        usable = {group if allowed is None else group & allowed for group in groups}
        return sorted((group for group in usable if group), key=min)
    return []


def _hyper_threads(groups: Sequence[frozenset[int]]) -> FairnessFinding:
    if not groups:
        return _unknown_finding(
            FairnessMatter.HYPER_THREADS, "the system does not say which hyper-threads share a core"
        )
    threads, count = sum(map(len, groups)), len(groups)
    if threads == count:
        return FairnessFinding(
            FairnessMatter.HYPER_THREADS,
            FairnessVerdict.FINE,
            f"{count} core{'s' * (count != 1)}, one hyper-thread on each",
        )
    read = f"{threads} hyper-threads on {count} core{'s' * (count != 1)}"
    why = "two matches on one core slow each other down, by a third or more, and unevenly"
    return FairnessFinding(
        FairnessMatter.HYPER_THREADS,
        FairnessVerdict.HURTS,
        read,
        why,
        f"play with -j {count} at most: one match for each core",
    )


def _swap(root: Path) -> FairnessFinding:
    sizes = {}
    with suppress(ValueError, IndexError):
        for line in _read_file(root / "proc/meminfo").splitlines():
            name, _, value = line.partition(":")
            sizes[name] = int(value.split()[0])
    if "SwapTotal" not in sizes or "SwapFree" not in sizes:
        return _unknown_finding(FairnessMatter.SWAP, "the system does not say whether it swaps")
    used, total = sizes["SwapTotal"] - sizes["SwapFree"], sizes["SwapTotal"]
    read = f"{used / 1024:.0f} of {total / 1024:.0f} MB of swap in use" if total else "no swap"
    if not used:
        return FairnessFinding(FairnessMatter.SWAP, FairnessVerdict.FINE, read)
    why = "a bot whose memory was swapped out waits for the disk while its time runs"
    return FairnessFinding(
        FairnessMatter.SWAP,
        FairnessVerdict.HURTS,
        read,
        why,
        "end programs that use much memory, then: sudo swapoff -a",
    )


def _load(root: Path, logical: int) -> FairnessFinding:
    told = _read_file(root / "proc/loadavg").split()
    try:
        load = float(told[0]) if told or root != Path("/") else os.getloadavg()[0]
        free = max(1, logical - round(load))
    except (ValueError, OverflowError, IndexError, OSError):
        return _unknown_finding(FairnessMatter.LOAD, "the system does not say how busy it is")
    read = f"load average {load:.2f} on {logical} core{'s' * (logical != 1)}"
    if load <= BUSY_LOAD * logical:
        return FairnessFinding(FairnessMatter.LOAD, FairnessVerdict.FINE, read)
    why = "other processes use the cores: waiting does not count for bots, but shared caches slow them down"
    return FairnessFinding(
        FairnessMatter.LOAD, FairnessVerdict.HURTS, read, why, f"wait until they are done, or play with -j {free}"
    )


def cpu_quota(root: Path) -> float | None:
    """The CPU time, in cores, that this process's control groups allow it; None if there is no limit."""
    found = []
    for folder in _control_groups(root):
        with suppress(ValueError, ZeroDivisionError):
            quota, _, period = _read_file(folder / "cpu.max").partition(" ")
            if not quota:
                quota, period = _read_file(folder / "cpu.cfs_quota_us"), _read_file(folder / "cpu.cfs_period_us")
            if quota and quota not in ("max", "-1"):
                found.append(int(quota) / int(period))
    return min(found, default=None)


def _control_groups(root: Path) -> list[Path]:
    """The folders of this process's control groups that may bound its CPU time, the innermost first."""
    found = list[Path]()
    for line in _read_file(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        kinds, _, path = rest.partition(":")
        if number != "0" and "cpu" not in kinds.split(","):
            continue
        base = root / CGROUP_FOLDER / ("" if number == "0" else kinds)
        inner = base / path.lstrip("/")
        found += [each for each in (inner, *inner.parents) if each.is_relative_to(base) and each not in found]
    return found or [root / CGROUP_FOLDER]


def _throttled_periods(root: Path) -> tuple[int, int] | None:
    """The number of scheduling periods of the CPU quota, and in how many of them it was used up; None if not known."""
    for folder in _control_groups(root):
        with suppress(ValueError):
            lines = (line.split() for line in _read_file(folder / "cpu.stat").splitlines())
            stat = {line[0]: int(line[1]) for line in lines if len(line) == 2}
            if stat.get("nr_periods"):
                return stat["nr_periods"], stat.get("nr_throttled", 0)
    return None


def _quota(root: Path, quota: float | None, logical: int) -> FairnessFinding:
    if not any(
        (folder / name).is_file() for folder in _control_groups(root) for name in ("cpu.max", "cpu.cfs_quota_us")
    ):
        known = (root / CGROUP_FOLDER).is_dir()
        return _unknown_finding(
            FairnessMatter.QUOTA, f"{'control groups do' if known else 'the system does'} not tell of a quota"
        )
    if quota is None:
        return FairnessFinding(FairnessMatter.QUOTA, FairnessVerdict.FINE, "no quota of CPU time")
    periods = _throttled_periods(root)
    often = f", used up in {periods[1]} of {periods[0]} periods" if periods else ""
    read = f"a quota of {quota:.3g} cores' CPU time{often}"
    if quota >= logical and not (periods and periods[1]):
        return FairnessFinding(FairnessMatter.QUOTA, FairnessVerdict.FINE, read)
    why = "when it is used up, all processes stop for the rest of the period, even in the middle of an answer"
    whole = max(1, floor(quota))
    return FairnessFinding(
        FairnessMatter.QUOTA,
        FairnessVerdict.HURTS,
        read,
        why,
        f"play with -j {whole} at most, or have the quota lifted",
    )


def _steal(root: Path) -> FairnessFinding:
    with suppress(ValueError, IndexError):
        words = _read_file(root / "proc/stat").splitlines()[0].split()
        times = [int(each) for each in words[1:9]]  # guest time, behind these, is in user time already
        if words[0] == "cpu" and len(times) == 8 and any(times):
            part = times[7] / sum(times)
            read = f"a host took {100 * part:.2g} % of the CPU time since the start" if times[7] else "no time stolen"
            if part < STOLEN_SHARE:
                return FairnessFinding(FairnessMatter.STEAL, FairnessVerdict.FINE, read)
            why = "this is a virtual machine; its host may give its cores to others in the middle of an answer"
            return FairnessFinding(
                FairnessMatter.STEAL,
                FairnessVerdict.HURTS,
                read,
                why,
                "get dedicated cores for it, or use another machine",
            )
    return _unknown_finding(FairnessMatter.STEAL, "the system does not say whether a host takes its time")


def _heat(root: Path) -> FairnessFinding:
    try:
        counts = [int(each) for each in _core_values(root, "thermal_throttle/core_throttle_count")]
    except ValueError:
        counts = []
    if not counts:
        return _unknown_finding(
            FairnessMatter.HEAT, "the system does not say whether cores were slowed down for their heat"
        )
    times = sum(counts)
    if not times:
        return FairnessFinding(FairnessMatter.HEAT, FairnessVerdict.FINE, "no core was slowed down because of heat")
    read = f"cores were slowed down for their heat {times} times since the start"
    why = "bots become slower during a long run"
    return FairnessFinding(
        FairnessMatter.HEAT, FairnessVerdict.HURTS, read, why, "cool it, or play with fewer jobs (-j)"
    )


def _battery(root: Path) -> FairnessFinding:
    if not (root / POWER_FOLDER).is_dir():
        return _unknown_finding(FairnessMatter.BATTERY, "the system does not say what powers it")
    supplies = sorted((root / POWER_FOLDER).iterdir())
    batteries = [
        each for each in supplies if _read_file(each / "type") == "Battery" and _read_file(each / "scope") != "Device"
    ]
    if not batteries:
        return FairnessFinding(FairnessMatter.BATTERY, FairnessVerdict.FINE, "no battery")
    states = [_read_file(each / "status") or "unknown" for each in batteries]
    read = f"battery: {', '.join(states).lower()}"
    if "Discharging" not in states:
        return FairnessFinding(FairnessMatter.BATTERY, FairnessVerdict.FINE, read)
    why = "on battery, cores are slower"
    return FairnessFinding(FairnessMatter.BATTERY, FairnessVerdict.HURTS, read, why, "plug it in")
