"""The two foreign bots as commands: one compiled for the tests, the other as it is."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.bot import Limits
from arena.config.editions import load_edition
from arena.finding.programs import refer_command
from arena.finding.reference import find_file
from arena.isolation.worker.fork_server import ForkServers
from arena.match.refereeing.match_result import MatchResult
from arena.runs.planning.make_spec import MatchConditions, seats_of, spec_of
from tests.conftest import play

BOTS = Path(__file__).parents[2] / "bots"
NAMES = ("broker", "haggler")


class Game(NamedTuple):
    """A match that was played: where each entrant sat, and what came of it."""

    names: tuple[str, ...]
    result: MatchResult

    @property
    def replay(self) -> list[Any]:
        """The lines of the replay."""
        return [json.loads(line) for line in self.result.replay.splitlines()]


Commands = dict[str, list[str]]
PlayMatch = Callable[..., Game]


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """How each bot is run. The only skip in the project: a user's machine may lack a compiler or node, while
    ``.ci/run`` fails without them."""
    for tool in ("cc", "node"):
        if shutil.which(tool) is None:
            pytest.skip(f"there is no {tool} on this machine, which the foreign bots need")
    folder = tmp_path_factory.mktemp("foreign")
    broker, haggler = folder / "broker", folder / "haggler.js"
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *strict, "-O1", "-o", broker, BOTS / "broker.c"], check=True)
    shutil.copy(BOTS / "haggler.js", haggler)
    return {"broker": [str(broker)], "haggler": ["node", str(haggler)]}


@pytest.fixture(scope="session")
def servers() -> Iterator[ForkServers]:
    """Fork servers for all matches of these tests."""
    with ForkServers() as shared:
        yield shared


@pytest.fixture(scope="session")
def match(commands: Commands, servers: ForkServers) -> PlayMatch:
    """Plays one match, foreign and bundled bots by name."""

    def run(names: Sequence[str], edition: str = "eagle-gryphon", seed: str = "1", **changes: Any) -> Game:
        label, *variants = edition.split("+")
        bots = [refer_command(commands[name]) if name in commands else find_file(name) for name in names]
        seats = [f"{name}#{seat}" for seat, name in enumerate(names)]
        spec = spec_of(
            load_edition(label, variants, changes),
            seats_of(seats, bots),
            id="match",
            tournament="foreign",
            seed=seed,
            conditions=MatchConditions(Limits(20, 20, 20)),
        )
        return Game(tuple(names), play(spec, tuple(bots), servers=servers))

    return run
