"""How long does the deal ledger of many matches take, and how much memory? Plays the tournament quick, lists its
matches again and again as further blocks until there are enough, and prints seconds and memory of reading alone, of the
ledger with it, and of the rows of all tables.

Run: python tests/bench/ledger.py [MATCHES] [JOBS] [RUN]     (10,000 on all cores by default; a minute or two on two)

RUN is the folder of a run of quick that is there already, which then is not played.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec

from arena.analysis.replay_pass import gather_from_replays
from arena.analysis.run_ledger import ledger_of
from arena.executors.make import make_executor
from arena.ledger.ledger_fold import DealLedger
from arena.runs.planning.make_plan import make_plan
from arena.runs.play_run import start_run
from arena.storage.layout import MATCHES_FILE, read_records
from arena.storage.packs.replay_packs import KeptReplays, replay_path
from arena.storage.run_folder import FolderStore
from arena.system.platform_support import usable_cores
from arena.tournament.records.match_record import MatchRecord

QUICK = Path(__file__).parents[2] / "configs" / "tournaments" / "quick.yaml"


class Nothing:
    """Adds up nothing: what remains is reading."""

    def add(self, record: MatchRecord, tables: Mapping[str, Sequence[Any]]) -> None:
        """A match."""

    def merge(self, other: Nothing) -> None:
        """Another."""


def play(folder: Path) -> Path:
    """The run of quick, in its packs."""
    start_run(make_plan(QUICK), FolderStore(folder), make_executor(usable_cores()))
    return folder


def enlarge(run: Path, folder: Path, matches: int) -> None:
    """A run with so many matches: those of ``run`` again and again, each time as other blocks."""
    folder.mkdir()
    for path in run.iterdir():
        if path.is_file() and path.name != MATCHES_FILE:
            shutil.copy(path, folder)
    kept, played = KeptReplays(run), list(read_records(run))
    blocks = 1 + max(record.block for record in played)
    lines = []
    for number, record in enumerate(islice(cycle(played), matches)):
        time_around = number // len(played)
        id = f"{record.id}-{time_around}"
        path = folder / replay_path(id)
        path.parent.mkdir(parents=True, exist_ok=True)
        first = folder / replay_path(f"{record.id}-0")
        if time_around:
            os.link(first, path)
        else:
            path.write_bytes(kept.get(record.id) or b"")
        block = record.block + blocks * time_around
        lines.append(msgspec.structs.replace(record, id=id, block=block, replay=replay_path(id)))
    (folder / MATCHES_FILE).write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def measured(what: str, matches: int, work: Any) -> None:
    """Print how long it took, with the processor's time and the largest memory of any process so far."""
    begun, spent = time.perf_counter(), processor()
    work()
    seconds, cpu = time.perf_counter() - begun, processor() - spent
    own, other = (resource.getrusage(each).ru_maxrss / 1e3 for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    each = 1000 * cpu / matches
    took = f"{seconds:6.1f} s  {cpu:6.1f} s of a core  {each:.2f} ms each"
    print(f"{what:<8} {matches:>7,} matches  {took}  {own:.0f} MB, a worker {other:.0f} MB", flush=True)


def processor() -> float:
    """Seconds of processor time, of this process and of those that have ended."""
    return sum(each.ru_utime + each.ru_stime for each in map(resource.getrusage, (resource.RUSAGE_SELF, -1)))


def main(matches: int = 10_000, jobs: int = 0, run: str = "") -> None:
    """Measure."""
    jobs = jobs or usable_cores()
    with tempfile.TemporaryDirectory() as place:
        played = Path(run) if run else play(Path(place) / "quick")
        for some in (matches // 10, matches):
            enlarge(played, Path(place) / str(some), some)
            measure(Path(place) / str(some), some, jobs)


def measure(folder: Path, matches: int, jobs: int) -> None:
    """Reading alone, the ledger with it, and the rows of all tables by edition."""
    measured("reading", matches, lambda: gather_from_replays(folder, Nothing, jobs))
    made: list[DealLedger] = []
    measured("ledger", matches, lambda: made.append(ledger_of(folder, jobs)))
    game = made[0].game()
    measured("tables", matches, lambda: [list(game.rows(name, by=["edition"])) for name in game.tables])


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:3]]
    main(*numbers, run="".join(sys.argv[3:4]))
