"""Is one commit slower than another? Checks both out, runs the same work on both in turns, and prints the CPU time of
the second ÷ the first. Exit code 1 if some work is dearer by more than 3 % and that is not chance.

CPU time is that of all processes, the kernel's included, so that other work on the machine matters little. Each work is
a command of its own, so that its start counts too; a first round, in which Python compiles the sources, does not. The
ratio is the median over rounds; ``low`` and ``high`` hold the true median in 95 of 100 cases (their places in the
sorted ratios are those of the binomial distribution). A work is a regression where the median is above 1.03 and ``low``
above 1. A work that only one of the commits can do is shown without a ratio.

Run: nice python tests/bench/regress.py REV1 REV2 [--rounds N] [--only NAME ...]     (in a clone; REV2 may be
``.``, the files as they are; six minutes)
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import comb
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
LIMIT = 1.03
"""How much dearer a work may be."""
WORKING_TREE = "."
PR_SET_CHILD_SUBREAPER = 36
SMALLER_SUMS = 4
"""After how many sums that are smaller than one before the difference counts as lost."""

RANDOM_PLAY = """
import random, sys
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.chance import Chance
edition = load_edition(sys.argv[1])
for number in range(int(sys.argv[2])):
    state = load_game(edition.game).start(edition.rules, 4, Chance(str(number)), None)
    pick = random.Random(number).random
    while state.asks:
        for index in range(len(state.asks)):
            state.copy()
            moves = state.legal(index)
            state.apply(index, moves[int(pick() * len(moves))])
"""
ARENA = ("-m", "arena")
RUN = (*ARENA, "run", "--quiet", "-j", "1", "--seed", "1")
WORKS: dict[str, tuple[str, ...]] = {
    "start": (*ARENA, "run", "--help"),
    "random play, board": ("-c", RANDOM_PLAY, "eagle-gryphon", "120"),
    "random play, cards": ("-c", RANDOM_PLAY, "card-game", "240"),
    "run, board": (*RUN, "quick", "--trust", "--blocks", "5", "--set", "editions=[eagle-gryphon]", "--out", "board"),
    "run, cards": (
        *RUN,
        "cards",
        "--trust",
        "--blocks",
        "5",
        "--set",
        "seats=[4]",
        "--set",
        "replays=all",
        "--out",
        "cards",
    ),
    "run, strangers": (*RUN, "strangers.yaml", "--out", "strangers"),
    "verify": (*ARENA, "verify", "board", "cards"),
    "report": (*ARENA, "report", "board", "--quiet", "--out", "report.html"),
    "check": (*ARENA, "bots", "check", "greedy"),
}
"""What is run, by name: the arguments of Python."""
NEEDS = {"verify": ("run, board", "run, cards"), "report": ("run, board",)}
"""The works whose folders another one reads."""
STRANGERS = ("greedy", "fair", "hard", "dealmaker")
"""The bundled bots of which changed copies play as strangers, isolated by default."""
TOURNAMENT = """
name: strangers
entrants: [./greedy.py, ./fair.py, ./hard.py, ./dealmaker.py]
editions: [eagle-gryphon]
blocks: 4
"""


class RevisionSpeed:
    """The CPU seconds of each work at one revision, whose files are in ``tree``; each round in an empty folder."""

    def __init__(self, name: str, tree: Path) -> None:
        self.name, self.tree = name, tree
        self.seconds: dict[str, list[float]] = {}

    def round(self, works: Sequence[str], counts: bool) -> Iterator[None]:
        """Do all works, each when asked for."""
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            (folder / "strangers.yaml").write_text(TOURNAMENT)
            for bot in STRANGERS:
                (folder / f"{bot}.py").write_text(f"{(self.tree / 'bots' / f'{bot}.py').read_text()}# changed\n")
            for name in works:
                used = self._run(name, folder)
                if counts and used is not None:
                    self.seconds.setdefault(name, []).append(used)
                yield

    def _run(self, name: str, folder: Path) -> float | None:
        """CPU seconds of a work with all its processes; None where this revision cannot do it."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        before = _reaped_seconds()
        with (folder / "errors.txt").open("w+") as errors:
            work = subprocess.Popen(
                [sys.executable, *WORKS[name]],
                cwd=folder,
                env={**environment, "PYTHONPATH": str(self.tree), "PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
            failed, lost = _wait_for_all(work.pid)
            work.returncode = int(failed)  # it has been waited for
            if failed:
                errors.seek(0)
                print(f"{self.name} cannot do {name}: {errors.read().strip()[-300:]}", file=sys.stderr)
                return None
        return _reaped_seconds() - before + lost


def _reaped_seconds() -> float:
    """CPU seconds of all processes below this one that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _wait_for_all(first: int) -> tuple[bool, float]:
    """Wait until the process ``first`` and all that it has left behind have ended. Returns whether it failed, and the
    CPU seconds that the kernel has forgotten, as it does where a namespace of processes ends. A sum that is smaller
    once may be that of processes which moved while they were counted; one that stays smaller is a loss."""
    failed, peak, smaller, lost = True, 0.0, 0, 0.0
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return failed, lost + max(peak - _used_below(os.getpid()), 0.0)
        if ended:
            failed = bool(status) if ended == first else failed
            continue
        used = _used_below(os.getpid())
        smaller = smaller + 1 if used < peak - 0.03 else 0
        if smaller == SMALLER_SUMS:
            lost, peak, smaller = lost + peak - used, used, 0
        peak = max(peak, used)
        time.sleep(0.01)


def _used_below(process: int) -> float:
    """CPU seconds of all descendants of a process, those that it has reaped included."""
    used = 0.0
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        own = slice(13, 15) if process == os.getpid() else slice(11, 15)
        used = sum(map(int, fields[own])) / os.sysconf("SC_CLK_TCK")
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            used += sum(map(_used_below, map(int, children.read_text().split())))
    except (FileNotFoundError, ProcessLookupError):
        pass
    return used


def compare_in_turns(one: RevisionSpeed, other: RevisionSpeed, works: Sequence[str], rounds: int) -> None:
    """Do all works at both revisions in turns, the one that begins changing from round to round."""
    for number in range(rounds + 1):
        pair = (one, other) if number % 2 else (other, one)
        for _ in zip(*(each.round(works, counts=number > 0) for each in pair), strict=True):
            pass
        if sys.stderr.isatty():
            print(f"\rround {number} of {rounds}", end="", file=sys.stderr, flush=True)


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Two of the values, between which the true median lies with a probability of 95 % or more; of fewer than 6 values
    the smallest and the largest."""
    ordered, below, place = sorted(values), 0.0, 0
    while (below := below + comb(len(ordered), place) / 2 ** len(ordered)) <= 0.025:
        place += 1
    place = max(place - 1, 0)
    return ordered[place], ordered[len(ordered) - 1 - place]


def is_regression(ratios: Sequence[float]) -> bool:
    """Whether these ratios show that the second revision is dearer by more than 3 %."""
    return median(ratios) > LIMIT and median_interval(ratios)[0] > 1


def print_rows(one: RevisionSpeed, other: RevisionSpeed, works: Sequence[str]) -> bool:
    """Print a row for each work. Returns whether one of them is a regression."""
    print(f"| {other.name} ÷ {one.name} | ratio | low | high | s before | s now | |")
    print("| - | - | - | - | - | - | - |")
    worse = False
    for name in works:
        before, now = one.seconds.get(name, []), other.seconds.get(name, [])
        if not before or len(before) != len(now):
            print(f"| {name} | – | – | – | {_median_text(before)} | {_median_text(now)} | not compared |")
            continue
        ratios = [b / a for a, b in zip(before, now, strict=True)]
        low, high = median_interval(ratios)
        verdict = "dearer" if is_regression(ratios) else ""
        worse = worse or bool(verdict)
        print(
            f"| {name} | {median(ratios):.3f} | {low:.3f} | {high:.3f} | {median(before):.2f} | {median(now):.2f} | "
            f"{verdict} |"
        )
    return worse


def _median_text(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.2f}" if seconds else "–"


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """Context manager: the files of a revision in a worktree, which is removed afterwards; for ``.`` this one's."""
    if revision == WORKING_TREE:
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        made = subprocess.run(
            ["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", tree, revision], stderr=subprocess.PIPE
        )
        if made.returncode:
            raise SystemExit(f"{revision} cannot be checked out: {made.stderr.decode().strip()}")
        try:
            yield tree
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], check=True)


def main(arguments: Sequence[str]) -> int:
    """Compare two revisions. Returns the exit code."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    options.add_argument("before", metavar="REV1")
    options.add_argument("now", metavar="REV2", help="a revision, or . for the files as they are")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--only", nargs="+", choices=WORKS, metavar="NAME", help=f"some of: {', '.join(WORKS)}")
    chosen = options.parse_args(arguments)
    wanted = {needed for name in chosen.only or WORKS for needed in (name, *NEEDS.get(name, ()))}
    works = [name for name in WORKS if name in wanted]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))  # so that no worktree is left behind
    with ExitStack() as trees:
        speeds = [RevisionSpeed(name, trees.enter_context(checked_out(name))) for name in (chosen.before, chosen.now)]
        compare_in_turns(speeds[0], speeds[1], works, chosen.rounds)
        return int(print_rows(speeds[0], speeds[1], works))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
