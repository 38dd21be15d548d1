"""``arena docs plugins``: its parts are played, and its commands work."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from arena.executors.executor import EXECUTORS
from arena.ladder.rating.pairing_policy import PAIRINGS
from arena.tournament.measures.custom_measures import SEAT_FACTS
from tests.conftest import Ran, run_arena
from tests.docs.pages import TEXT, blocks, rows

LADDER = """{
  name: league, rules: eagle-gryphon, changes: {max_turns: 6}, seats: 3, anchors: [greedy, fair, silent],
  pairing: my_parts:FEWEST, round_tables: 2, isolation: none,
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module of the page, its tournament, and a ladder of its policy."""
    folder = tmp_path_factory.mktemp("page")
    (module,) = blocks("plugins", "python my_parts")
    (tournament,) = blocks("plugins", "yaml parts")
    (folder / "my_parts.py").write_text(module)
    (folder / "parts.yaml").write_text(tournament)
    (folder / "league.yaml").write_text(LADDER)
    return folder


def _arena(folder: Path, *words: str) -> Ran:
    """Run it where its parts are found: in the current folder."""
    return run_arena(folder, *words)


@pytest.mark.slow
def test_its_commands_work(folder: Path) -> None:
    assert _arena(folder, "run", "parts.yaml", "-o", "out", "-q", "-j", "1").code == 0
    assert _arena(folder, "ladder", "init", "league", "--config", "league.yaml").code == 0
    (commands,) = blocks("plugins", "console")
    for line in commands.splitlines():
        ran = _arena(folder, *shlex.split(line.removeprefix("$ arena ")))
        assert ran.code == 0, (line, ran)
    ((_, standings),) = json.loads((folder / "out" / "standings.json").read_text()).items()
    assert all({"money_of_next", "rich_neighbour"} <= row.keys() for row in standings["rows"])


def test_it_names_every_kind_and_its_group() -> None:
    kinds = [EXECUTORS, PAIRINGS, SEAT_FACTS]
    assert [row[0].strip("`") for row in rows("plugins", "The three kinds")] == [kind.noun for kind in kinds]
    assert all(f"`{kind.group}`" in TEXT["plugins"] for kind in kinds)
