"""Play matches in a separate interpreter with another hash seed, for the comparison in ``arena bots check``.

Reads pickled work from standard input and writes one match record a line to standard output.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing

import msgspec

from arena.errors import ArenaError
from arena.executors.executor import play_each
from arena.executors.make import make_executor
from arena.match.work import Work
from arena.tournament.records import MatchRecord


def play_again(works: Sequence[Work], jobs: int) -> list[MatchRecord]:
    """The records of all works, played in reverse order by another interpreter with another hash seed."""
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-m", "arena.app.again", str(jobs)],
        input=pickle.dumps(list(works)[::-1]),
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": other},
        check=False,
    )
    if done.returncode:
        raise ArenaError(f"the second play of the matches ended with exit code {done.returncode}")
    return [msgspec.json.decode(line, type=MatchRecord) for line in done.stdout.splitlines()[::-1]]


def main() -> None:
    """Play the works read from standard input."""
    works = pickle.loads(sys.stdin.buffer.read())
    with closing(make_executor(int(sys.argv[1]))) as executor:
        for done in play_each(executor, works):
            sys.stdout.buffer.write(msgspec.json.encode(done.record) + b"\n")


if __name__ == "__main__":
    main()
