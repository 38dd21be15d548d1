"""How fast a machine runs what bots are made of, as one number that two machines can be compared by.

Bots think in pure Python: small objects, dicts, tuples that are sorted, calls. A workload of that kind is run in short
rounds, and its CPU time is taken, which goes on only while the process has a core. So others who use the machine
disturb it little, and the fastest of some medians leaves out what they do disturb.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from arena.match.executor_kind import ExecutorKind
from arena.match.work import this_host
from arena.runs.job_count import usable_cores
from arena.runs.planning.plan import Plan
from arena.storage.store import Store

WORKLOAD = "python-1"
"""The name of the workload. Factors of workloads with different names cannot be compared."""
CHECKSUM = 844
"""What a round of this workload comes to: with another sum it would be another workload."""
REFERENCE_RATE = 2000.0
"""Rounds a second of a machine with the factor 1."""
SPEED_BATCHES, BATCH_ROUNDS = 9, 9
"""So many medians are taken, each over so many rounds: some 40 ms of CPU time in all at the reference."""
SLOWEST_FACTOR, FASTEST_FACTOR = 0.001, 1000.0
"""Factors that a machine can have; what else stands in a manifest is not believed."""
MACHINES_KEY = "machines"
"""Under which a run's ``manifest.json``, and each round of a ladder, keep on which machines they were played."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """A machine as a run remembers it: the name of the ``host``, the model of its CPU, the ``cores`` that a process may
    use there, the version of Python, and ``factor``: how fast it is, with 1 for :data:`REFERENCE_RATE` rounds a second
    of the ``workload``."""

    host: str
    cpu: str
    cores: int
    python: str
    factor: float
    workload: str = WORKLOAD


class _Offer:
    """An offer of the workload: what bots make many of."""

    __slots__ = ("price", "seat", "wanted")

    def __init__(self, seat: int, price: int, wanted: tuple[int, ...]) -> None:
        self.seat, self.price, self.wanted = seat, price, wanted

    def worth(self, held: Mapping[int, int]) -> int:
        """What it brings to a seat that holds this."""
        return sum(held.get(family, 0) for family in self.wanted) - self.price


def play_round() -> int:
    """One round of the workload; always :data:`CHECKSUM`."""
    found = 0
    for turn in range(24):
        held = {family: (family * 7 + turn) % 5 for family in range(8)}
        offers = [_Offer(seat, (seat * turn) % 9, (seat % 8, (seat + turn) % 8)) for seat in range(24)]
        best = sorted(offers, key=lambda offer: (-offer.worth(held), offer.seat))
        for place, offer in enumerate(best[:6]):
            for family in offer.wanted:
                held[family] = held[family] + offer.price - place
        words = " ".join(f"{offer.seat}:{offer.price}" for offer in best)
        richest = max(held, key=held.__getitem__)
        found += sum(value for value in held.values() if value > 0) + len(words.split(":")) + richest
    return found


def measure_machine(clock: Callable[[], float] = time.thread_time) -> float:
    """The factor of this machine, now, by a clock of CPU time. It takes less than 0.3 s on any machine that is at least
    a sixth as fast as the reference."""
    medians = []
    for _ in range(SPEED_BATCHES):
        rounds = []
        for _ in range(BATCH_ROUNDS):
            began = clock()
            play_round()
            rounds.append(clock() - began)
        medians.append(median(rounds))
    return round(1 / (max(min(medians), 1e-9) * REFERENCE_RATE), 3)


@cache
def this_machine() -> Machine:
    """This machine, measured once in the life of a process."""
    return Machine(
        host=this_host(),
        cpu=cpu_model(),
        cores=usable_cores(),
        python=platform.python_version(),
        factor=measure_machine(),
    )


def cpu_model(root: Path = Path("/")) -> str:
    """What the CPU is called: by the files below ``root`` on Linux, else by what the system tells; its architecture
    where neither has a name for it."""
    with suppress(OSError, ValueError):
        for line in (root / "proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model") and value.strip():
                return " ".join(value.split())[:100]
    if sys.platform == "darwin":
        with suppress(OSError, subprocess.SubprocessError):
            words = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
            told = subprocess.run(words, capture_output=True, text=True, timeout=2, check=True)
            return told.stdout.strip()[:100]
    return platform.machine() or "unknown"


def note_machine(store: Store, plan: Plan) -> None:
    """Have a run remember this machine, besides those where it was played before. Where others play all of it, as with
    a Dask scheduler, this one says nothing about how fast its bots were."""
    if plan.tournament.executor == ExecutorKind.DASK and plan.tournament.scheduler is not None:
        return
    here = this_machine()
    others = [each for each in machines_in(store.remembered()) if each.host != here.host]
    store.remember({MACHINES_KEY: msgspec.to_builtins([*others, here])})


def machines_in(told: Mapping[str, Any]) -> list[Machine]:
    """The machines that a run remembers (``told`` is its manifest), by when they came to it; none in runs of before."""
    with suppress(msgspec.ValidationError):
        return msgspec.convert(told.get(MACHINES_KEY, []), list[Machine])
    return []


def join_machines(*runs: Mapping[str, Any]) -> dict[str, Any]:
    """What a run remembers of its machines that is put together of others: each host once, as the last says."""
    found = {each.host: each for told in runs for each in machines_in(told)}
    return {MACHINES_KEY: msgspec.to_builtins([*found.values()])} if found else {}
