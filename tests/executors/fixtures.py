"""Works to be played: small matches of bundled bots and one that is written on the spot."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.executors.executor import Executor, play_each
from arena.executors.serial import Serial
from arena.isolation.worker import fork_server
from arena.match.work import Work, WorkResult
from arena.runs.planning.make_plan import make_plan
from arena.sandbox.demand import Demand

TOURNAMENT = """
name: test
seed: 1
entrants:
  - {{bot: {bot}, name: culprit}}
  - silent
  - random-legal
editions: [{edition}]
seats: 2
isolation: {isolation}
blocks: {blocks}
limits: {{start: {start}, ask: {ask}, bank: 0}}
"""
BOARD = "{rules: eagle-gryphon, changes: {max_turns: 4}}"


def works_of(
    folder: Path,
    bot: Path | str = "greedy",
    blocks: int = 1,
    ask: float = 20,
    isolation: str = "none",
    start: float = 20,
    edition: str = BOARD,
) -> list[Work]:
    """Six matches a block: the bot meets two others, which also meet each other."""
    config = folder / "tournament.yaml"
    settings = {"bot": bot, "blocks": blocks, "ask": ask, "isolation": isolation, "start": start}
    config.write_text(TOURNAMENT.format(edition=edition, **settings))
    plan = make_plan(config)
    return list(plan.works(plan.schedule))


def ids(works: list[Work]) -> list[str]:
    return [work.spec.id for work in works]


def serially(works: list[Work]) -> list[WorkResult]:
    """The results, played one after another in this process by trusted bots: isolated ones play the same bytes."""
    with closing(Serial()) as executor:
        return play_each(executor, [replace(work, demand=Demand()) for work in works])


def undisturbed(works: list[Work]) -> dict[str, WorkResult]:
    """The results of the matches without the culprit, played one after another."""
    _, others = by_culprit(works)
    assert others
    return {done.record.id: done for done in serially(others)}


def by_culprit(works: list[Work]) -> tuple[list[Work], list[Work]]:
    """The matches with the culprit, and those without it."""
    its = [work for work in works if any(seat.entrant == "culprit" for seat in work.spec.seats)]
    return its, [work for work in works if work not in its]


def faults_of_culprit(executor: Executor, works: list[Work]) -> list[dict[str, int]]:
    """Play everything: the culprit's faults, match by match. All others have none, and the results that they have
    without it."""
    expected, found = undisturbed(works), []
    for done in play_each(executor, works):
        if done.record.id in expected:
            assert (done.record, done.replay) == (expected[done.record.id].record, expected[done.record.id].replay)
        for seat in done.record.seats:
            if seat.entrant == "culprit":
                found.append(seat.faults)
            else:
                assert not seat.faults
    return found


def noted_fork_servers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """Have the fork servers noted in this folder that workers of pools start from now on. What it returns gives those
    of a worker, or what encloses them, the last one last."""
    started, start = folder / "fork servers", fork_server.start_server

    def noted(*given: Any) -> Any:
        server = start(*given)
        with started.open("a") as file:
            file.write(f"{os.getpid()} {server.pid}\n")
        return server

    def found(worker: int) -> list[int]:
        lines = started.read_text().splitlines() if started.exists() else []
        return [int(pid) for its, pid in map(str.split, lines) if int(its) == worker]

    monkeypatch.setattr(fork_server, "start_server", noted)
    return found


def runs(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def children(process: int | None = None) -> list[int]:
    """The processes that ``process`` (this one) has started."""
    parent = process or os.getpid()
    return [int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def wait_until(holds: Callable[[], object], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
