"""What branches cost: seconds for 200 of them, beside as many matches from the start.

    python tests/bench/branch.py [--jobs 2] [--trust]

A match of bundled bots is branched in its middle, as recorded and with another bot in the seat, in 100 repetitions,
as ``arena branch --repeat 100`` does (the two in the match's own chance come on top). Then the same match is played
from its start as often. Both are timed three times; the least counts.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter

import msgspec

from arena.commands.branch.branches import BranchedMatch, Variant, open_match
from arena.executors.executor import Executor, play_each
from arena.executors.make import make_executor
from arena.finding.reference import find_file
from arena.match.following.branch import BranchAnswer
from arena.match.work import Work
from arena.runs.planning.isolation_level import Isolation, choose_isolation
from arena.runs.single_match import MatchSetup, play_apart, set_up_match
from tests.branch.played import play_branches

TABLES = {
    "eagle-gryphon": (("dealmaker", "greedy", "fair", "saboteur"), "hard"),
    "card-game": (("miser", "counter", "fair", "spoiler"), "closer"),
}
REPEATS = range(1, 101)
TIMES = 3


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--trust", action="store_true")
    given = parser.parse_args()
    isolation = choose_isolation(given.trust)
    print(f"{given.jobs} processes, isolation {isolation.level}")
    print("edition         asks  200 branches  200 matches  a branch ÷ a match")
    for edition, (bots, other) in TABLES.items():
        with closing(make_executor(given.jobs)) as executor, tempfile.TemporaryDirectory() as folder:
            match = recorded(edition, bots, isolation, executor, Path(folder))
            branches = least(partial(branched, match, other, executor))
            matches = least(partial(played, match, executor))
        asks = len(match.timeline.seats)
        print(f"{edition:14}{asks:6}{branches:12.2f} s{matches:11.2f} s{branches / matches:19.2f}")


def recorded(
    edition: str, bots: tuple[str, ...], isolation: Isolation, executor: Executor, folder: Path
) -> BranchedMatch:
    """A match of these bots, ready to be branched."""
    ready = set_up_match(bots, MatchSetup(rules=edition, seed="7", isolation=isolation))
    replay = play_apart(ready, executor).replay
    (folder / "match.jsonl").write_bytes(replay)
    return open_match(folder / "match.jsonl", {}, isolation)


def branched(match: BranchedMatch, other: str, executor: Executor) -> None:
    """200 branches in the middle of the match."""
    middle = len(match.timeline.seats) // 2
    variants = [Variant(middle), Variant(middle, BranchAnswer.OWN, bot=find_file(other))]
    assert all(all(each) for each in play_branches(match, variants, REPEATS, executor).values())


def played(match: BranchedMatch, executor: Executor) -> None:
    """The match from its start, 200 times."""
    works = (
        Work(
            spec=msgspec.structs.replace(match.spec, id=str(number)),
            bots=match.bots,
            replays="none",
            demand=match.isolation.demand,
        )
        for number in range(2 * len(REPEATS))
    )
    play_each(executor, works)


def least(run: Callable[[], None]) -> float:
    """The least seconds of several runs."""
    found = []
    for _ in range(TIMES):
        began = perf_counter()
        run()
        found.append(perf_counter() - began)
    return min(found)


if __name__ == "__main__":
    main()
