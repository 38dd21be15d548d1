"""Plays matches in a separate interpreter with another hash seed, to see whether their bots repeat themselves.

Reads pickled work from standard input, and writes the pickled results to standard output.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing

from arena.errors import ArenaError
from arena.executors.executor import Executor, play_all
from arena.executors.make import make_executor
from arena.match.work import Work, WorkResult
from arena.system.garbage import collect_garbage_rarely


def play_again(works: Sequence[Work], jobs: int) -> list[WorkResult | None]:
    """Play all ``works`` in another interpreter with another hash seed, in reverse order; returns the results in the
    given order. None: a bot asked a language model what is not recorded of the match."""
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    keys = {model.key_env for work in works if work.models for model in work.models.models.values()}
    environment = {name: value for name, value in os.environ.items() if name not in keys}  # nobody asks a model there
    done = subprocess.run(
        [sys.executable, "-m", "arena.rerun.other_interpreter", str(jobs)],
        input=pickle.dumps(list(works)[::-1]),
        stdout=subprocess.PIPE,
        env={**environment, "PYTHONHASHSEED": other},
        check=False,
    )
    if done.returncode:
        raise ArenaError(f"the second play of the matches ended with exit code {done.returncode}")
    again: list[WorkResult | None] = pickle.loads(done.stdout)
    return again[::-1]


def interpreter_main() -> None:
    """Play the works read from standard input."""
    collect_garbage_rarely()
    works = pickle.loads(sys.stdin.buffer.read())
    with closing(make_executor(int(sys.argv[1]))) as executor:
        sys.stdout.buffer.write(pickle.dumps(_play_recorded(works, executor)))


def _play_recorded(works: Sequence[Work], executor: Executor) -> list[WorkResult | None]:
    found: dict[str, WorkResult | None] = {}
    for result in play_all(executor, works):
        if isinstance(result, WorkResult):
            found[result.record.id] = result
        elif result.suspended:
            found[result.id] = None
        else:
            raise ArenaError(f"match {result.id} could not be played: {result.reason}")
    return [found[work.spec.id] for work in works]


if __name__ == "__main__":
    interpreter_main()
