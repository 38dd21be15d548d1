"""The speed of a machine for code like that of bots, as one number that makes two machines comparable.

Bots think in pure Python: small objects, dicts, sorted tuples, calls. A workload of that kind is run in short rounds,
and its CPU time is measured, which runs only while the process has a core. So other users of the machine disturb it
little, and taking the fastest of several medians removes most of what they do disturb.
"""

from __future__ import annotations

import platform
import subprocess
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
from arena.runs.planning.plan import Plan
from arena.storage.store import Store
from arena.system.platform_support import on_macos, usable_cores

WORKLOAD = "python-1"
"""The name of the workload. Factors of workloads with different names cannot be compared."""
CHECKSUM = 844
"""The result of one round of this workload; a round with another result would be another workload."""
REFERENCE_RATE = 2000.0
"""Rounds per second of a machine with the factor 1."""
SPEED_BATCHES, BATCH_ROUNDS = 9, 9
"""How many medians are taken, and over how many rounds each: some 40 ms of CPU time in all at the reference rate."""
SLOWEST_FACTOR, FASTEST_FACTOR = 0.001, 1000.0
"""The range of plausible factors; any other factor in a manifest is ignored."""
MACHINES_KEY = "machines"
"""The key under which a run's ``manifest.json``, and each round of a ladder, store the machines that played."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """A machine as stored with a run: the name of the ``host``, the model of its CPU, the ``cores`` that a process may
    use, the version of Python, and ``factor``, its speed: 1 is :data:`REFERENCE_RATE` rounds a second of the
    ``workload``."""

    host: str
    cpu: str
    cores: int
    python: str
    factor: float
    workload: str = WORKLOAD


class _Offer:
    """An offer in the workload: the kind of object that bots make many of."""

    __slots__ = ("price", "seat", "wanted")

    def __init__(self, seat: int, price: int, wanted: tuple[int, ...]) -> None:
        self.seat, self.price, self.wanted = seat, price, wanted

    def worth(self, held: Mapping[int, int]) -> int:
        """The value of the offer to a seat that has these holdings."""
        return sum(held.get(family, 0) for family in self.wanted) - self.price


def play_round() -> int:
    """Run one round of the workload; the result is always :data:`CHECKSUM`."""
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
    """The current speed factor of this machine, by a clock of CPU time. It takes less than 0.3 s on any machine that is
    at least a sixth as fast as the reference."""
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
    """This machine, measured once per process."""
    return Machine(
        host=this_host(),
        cpu=cpu_model(),
        cores=usable_cores(),
        python=platform.python_version(),
        factor=measure_machine(),
    )


def cpu_model(root: Path = Path("/")) -> str:
    """The model name of the CPU: from the files below ``root`` on Linux, else from the system; its architecture where
    neither has a name."""
    with suppress(OSError, ValueError):
        for line in (root / "proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model") and value.strip():
                return " ".join(value.split())[:100]
    if on_macos():
        with suppress(OSError, subprocess.SubprocessError):
            words = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
            told = subprocess.run(words, capture_output=True, text=True, timeout=2, check=True)
            return told.stdout.strip()[:100]
    return platform.machine() or "unknown"


def note_machine(store: Store, plan: Plan) -> None:
    """Add this machine to the machines that the run stores. Where other machines play all matches, as with a Dask
    scheduler, this one is not added: its speed says nothing about the bots'."""
    if plan.tournament.executor == ExecutorKind.DASK and plan.tournament.scheduler is not None:
        return
    here = this_machine()
    others = [each for each in machines_in(store.manifest_data()) if each.host != here.host]
    store.remember({MACHINES_KEY: msgspec.to_builtins([*others, here])})


def machines_in(told: Mapping[str, Any]) -> list[Machine]:
    """The machines that a run has stored in its manifest (``told``), in the order in which they joined; none in older
    runs."""
    with suppress(msgspec.ValidationError):
        return msgspec.convert(told.get(MACHINES_KEY, []), list[Machine])
    return []


def join_machines(*runs: Mapping[str, Any]) -> dict[str, Any]:
    """The machines of several manifests together, as an entry for a manifest: each host once, as in the last that has
    it."""
    found = {each.host: each for told in runs for each in machines_in(told)}
    return {MACHINES_KEY: msgspec.to_builtins([*found.values()])} if found else {}
