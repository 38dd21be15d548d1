"""How long does the report of many matches take, and how much memory? Plays the tournament quick, lists its matches
again and again as further blocks until there are enough, and prints seconds, memory and the size of the page.

Run: python tests/bench/report.py [MATCHES] [JOBS] [RUN]     (10,000 on all cores by default; a minute or two on two)

RUN is the folder of a run that is there already; with fewer matches it is enlarged.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from ledger import enlarge, play  # beside this file

from arena.storage.layout import read_records
from arena.system.platform_support import usable_cores
from arena.web.report import report_page


def measure(run: Path, jobs: int) -> None:
    """Make the report, and print what it took."""
    began = time.perf_counter()
    page = report_page(run, jobs)
    seconds = time.perf_counter() - began
    own = resource.getrusage(resource.RUSAGE_SELF)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime
    print(f"report      {seconds:6.1f} s, {spent:6.1f} s of CPU, {len(page.encode()) / 1e6:.1f} MB")
    print(f"memory      {own.ru_maxrss / 1024:6.0f} MB, and {workers.ru_maxrss / 1024:.0f} MB the largest worker")


def main(matches: int = 10_000, jobs: int | None = None, run: str = "") -> None:
    """Play or take the run, enlarge it, and measure."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as temporary:
        source = Path(run) if run else play(Path(temporary) / "quick")
        if sum(1 for _ in read_records(source)) < matches:
            enlarge(source, Path(temporary) / "large", matches)
            source = Path(temporary) / "large"
        print(f"{sum(1 for _ in read_records(source)):,} matches, {jobs or usable_cores()} processes")
        measure(source, jobs or usable_cores())


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 10_000, int(given[1]) if len(given) > 1 else None, *given[2:3])
