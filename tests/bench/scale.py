"""How long does a run with very many matches take to start, to resume, to rank? Writes folders of runs nobody played,
and prints seconds and memory of what is done with them, each in a process of its own.

Run: python tests/bench/scale.py [MATCHES]     (1,000,000 by default; some minutes on two cores, about 3 GB of disk)
     python tests/bench/scale.py make FOLDER MATCHES ENTRANTS [shuffled]     (only writes such a folder)
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import msgspec
import yaml

from arena.executors.executor import UnplayedMatch
from arena.match.work import SeatTiming, Timing, Work, WorkResult
from arena.runs import play_run
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.open_folder import new_store, open_run
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import facts_of
from arena.storage.layout import MATCHES_FILE, TIMINGS_FILE
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore, fold_again
from arena.tournament.records.match_record import MatchRecord, SeatRecord

FIELDS = (6, 200)
"""Entrants: few in many blocks, many in few."""
MISSING = 1000
"""Matches at the end that an unfinished run has still to play."""


class Stopped(Exception):
    """The first match would be played now."""


class Inventor:
    """Implements :class:`arena.executors.executor.Executor` without playing: results are drawn from a generator."""

    jobs = 1

    def __init__(self, stop: bool = False) -> None:
        self.stop = stop
        self._work: list[Work] = []
        self._drawn = random.Random(1)

    @property
    def room(self) -> int:
        """One match at a time."""
        return 1 - len(self._work)

    def submit(self, work: Work) -> None:
        """Take over a match."""
        self._work.append(work)

    def completed(self) -> Generator[WorkResult | UnplayedMatch]:
        """What might have come of it."""
        while self._work:
            if self.stop:
                raise Stopped
            yield self.invent(self._work.pop())

    def close(self) -> None:
        """Nothing is open."""

    def invent(self, work: Work) -> WorkResult:
        """A match with money of 0 to 60, and one fault in a thousand seats."""
        spec, drawn = work.spec, self._drawn
        money = [drawn.randint(0, 60) for _ in spec.seats]
        seats = tuple(
            SeatRecord(seat.entrant, own, 1 + sum(other > own for other in money), "played", self._faults())
            for seat, own in zip(spec.seats, money, strict=True)
        )
        asks = drawn.randint(300, 700)
        record = MatchRecord(
            spec.id, spec.game, spec.edition, spec.block, spec.seed, "end roll", asks, seats, sha256=f"{asks:064x}"
        )
        timing = Timing(
            spec.id, 0.015, tuple(SeatTiming(seat.entrant, asks // 4, 0.003, 0.0001, {}) for seat in spec.seats)
        )
        return WorkResult(record, timing)

    def _faults(self) -> dict[str, int]:
        return {"late": 1} if self._drawn.random() < 0.001 else {}


def plan_of(folder: Path, matches: int, entrants: int) -> Plan:
    """A tournament of at least so many matches, in blocks of 12 with 6 entrants and of 200 with 200."""
    config = {
        "name": "scale",
        "seed": "1",
        "entrants": [{"bot": "silent", "name": f"bot-{number}"} for number in range(entrants)],
        "editions": ["eagle-gryphon"],
        "seats": 4,
        "seat_orders": "rotations",
        "tables": "spread",
        "balance": "entrants",
        "blocks": max(1, matches // (2 * entrants if entrants < 8 else entrants)),
        "replays": "none",
        "isolation": "none",
    }
    path = folder.with_suffix(".yaml")
    path.write_text(yaml.safe_dump(config))
    return make_plan(path)


def make(folder: Path, matches: int, entrants: int, shuffled: bool = False) -> None:
    """Write the folder of a run that was killed shortly before its end."""
    plan, inventor = plan_of(folder, matches, entrants), Inventor()
    count = max(1, len(plan.schedule) - MISSING)
    with new_store("scale", folder) as store:
        store.begin(facts_of(plan, "tests/bench/scale.py"))
        with (folder / MATCHES_FILE).open("ab") as records, (folder / TIMINGS_FILE).open("ab") as timings:
            for _, work in zip(range(count), plan.works(plan.schedule), strict=False):
                done = inventor.invent(work)
                records.write(msgspec.json.encode(done.record) + b"\n")
                timings.write(msgspec.json.encode(done.timing) + b"\n")
    if shuffled:
        for name in (MATCHES_FILE, TIMINGS_FILE):
            lines = (folder / name).read_bytes().splitlines(keepends=True)
            random.Random(2).shuffle(lines)
            (folder / name).write_bytes(b"".join(lines))


def start(folder: Path) -> None:
    """Begin the same run anew, up to its first match."""
    plan = make_plan(folder / "config.resolved.yaml")
    try:
        play_run.start_run(plan, new_store("scale", folder / "again"), Inventor(stop=True))
    except Stopped:
        return


def resume(folder: Path) -> None:
    """Go on with the run, up to its first match."""
    plan, store = open_run(folder)
    try:
        play_run.resume_run(plan, store, Inventor(stop=True))
    except Stopped:
        return


def end(folder: Path) -> None:
    """Go on with the run, to its end: what was resumed, and what comes after the last match."""
    plan, store = open_run(folder)
    assert play_run.resume_run(plan, store, Inventor()).state is RunState.COMPLETE


def standings(folder: Path) -> None:
    """Fold the standings, and write their files."""
    fold_again(FolderStore(folder))


def command(*words: str) -> list[str]:
    """A command of arena's own."""
    return [sys.executable, "-m", "arena", *words]


STEPS = {"start": start, "standings": standings, "resume": resume, "end": end}


def steps(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What is done with a folder, in this order."""
    for name in STEPS:
        yield name, [sys.executable, __file__, "do", name, str(folder)]
    yield "verify", command("verify", str(folder), "-q")
    yield "ratings", command("ratings", str(folder), "--json")
    yield "export", command("export", str(folder), "-o", str(folder.with_suffix(".tables")))


def measure(words: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and the largest memory of any of its processes in MB."""
    began = time.perf_counter()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, words
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(matches: int) -> None:
    """Print a table."""
    print("entrants  lines     step       seconds   CPU s  memory MB")
    with tempfile.TemporaryDirectory(prefix="arena-scale-") as place:
        for entrants in FIELDS:
            for shuffled in (False, True):
                folder = Path(place) / f"{entrants}{'-shuffled' * shuffled}"
                subprocess.run(
                    [
                        sys.executable,
                        __file__,
                        "make",
                        str(folder),
                        str(matches),
                        str(entrants),
                        *["shuffled"] * shuffled,
                    ],
                    check=True,
                )
                for name, words in steps(folder):
                    wall, cpu, memory = measure(words)
                    lines = "shuffled" if shuffled else "in order"
                    print(f"{entrants:>8}  {lines}  {name:<9}  {wall:>7.1f}  {cpu:>6.1f}  {memory:>9.0f}", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder, matches, entrants, *more]:
            make(Path(folder), int(matches), int(entrants), bool(more))
        case ["do", name, folder]:
            STEPS[name](Path(folder))
        case rest:
            main(int(rest[0]) if rest else 1_000_000)
