"""``arena bots new --full`` writes a folder in which everything works as its README says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.commands.bots.new_bot import games_with_template
from arena.finding.reference import refer_file
from tests.conftest import Ran, environment_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FILES = ["README.md", "my_bot/__init__.py", "my_bot/bot.py", "tests/test_my_bot.py", "tournament.yaml"]


only_board = pytest.mark.parametrize("home", ["board"], indirect=True)
"""For what takes seconds: ``.ci/run`` runs the commands of a new folder for the card game, with the installed wheel."""


@pytest.fixture(params=games_with_template())
def home(request: pytest.FixtureRequest, arena: Any, tmp_path: Path) -> Path:
    """A new folder for each game."""
    ran = arena("bots", "new", "My Bot", "--full", "--game", request.param)
    assert (ran.code, ran.err) == (0, "")
    listed, *commands = ran.out.splitlines()
    assert listed == f"wrote my_bot/ with {', '.join(FILES)}; now try:"
    assert [line.split()[:3] for line in commands] == [
        ["cd", "my_bot"],
        ["arena", "match", "./my_bot/"],
        ["arena", "bots", "check"],
        ["pytest", "tests/test_my_bot.py"],
        ["arena", "run", "tournament.yaml"],
    ]
    return tmp_path / "my_bot"


def read_commands(home: Path) -> list[list[str]]:
    """The commands in the README."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (home / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line.split() for block in blocks for line in block.splitlines()]


def run_python(home: Path, mypy_cache: Path, *words: str) -> Ran:
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=home,
        env=environment_of(MYPYPATH=str(ROOT), MYPY_CACHE_DIR=str(mypy_cache), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@only_board
def test_every_command_of_its_readme_works(
    home: Path, arena: Any, few_matches: None, monkeypatch: pytest.MonkeyPatch, mypy_cache: Path
) -> None:
    monkeypatch.chdir(home)
    files = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    assert files == set(FILES)
    played = []
    for program, *words in read_commands(home):
        if program == "arena":
            ran = arena(*words, *(["-n", 1, "--out", "results", "-q"] if words[0] == "run" else []))
        elif program == "mypy":
            ran = run_python(home, mypy_cache, "mypy", "--config-file=", *words)
        else:
            ran = run_python(home, mypy_cache, program, "-q", "-p", "no:cacheprovider", "-W", "error", *words)
        assert ran.code == 0, (program, words, ran)
        played.append(" ".join([program, *words[:2]]))
    assert [each.split()[:2] for each in played] == [
        ["arena", "match"],
        ["arena", "show"],
        ["arena", "bots"],
        ["pytest"],
        ["mypy", "--strict"],
        ["arena", "run"],
    ]
    results = (home / "results" / "standings.csv").read_text()
    assert "my_bot" in results
    assert "faults" in results


def test_the_bot_is_its_inner_folder_and_nothing_of_the_rest(home: Path) -> None:
    ref = refer_file(str(home / "my_bot"), None)
    assert [file.path for file in ref.files] == ["my_bot/__init__.py", "my_bot/bot.py"]


def test_its_readme_and_tournament_name_every_file_and_no_seed(home: Path) -> None:
    readme = (home / "README.md").read_text("utf-8")
    for file in FILES:
        assert f"`{file}`" in readme or file in ("README.md", "my_bot/__init__.py")
    assert "seed" not in (home / "tournament.yaml").read_text("utf-8")
    assert "{" not in readme.replace("{}", "")


def test_a_folder_that_holds_something_is_left_alone(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert arena("bots", "new", "mine", "--full").code == 0
    before = (tmp_path / "mine" / "README.md").read_bytes()
    refused = (2, "", "arena: mine exists already; choose another name or --folder\n")
    assert arena("bots", "new", "mine", "--full") == refused
    assert (tmp_path / "mine" / "README.md").read_bytes() == before
    told = "arena: 'tests' is the folder of the bot's tests; choose another name\n"
    assert arena("bots", "new", "tests", "--full") == (2, "", told)


def test_a_bot_may_have_the_name_of_a_bundled_one(arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = arena("bots", "new", "greedy", "--full", "--folder", "deep/er")
    assert ran.out.splitlines()[1] == "  cd deep/er/greedy"
    monkeypatch.chdir(tmp_path / "deep" / "er" / "greedy")
    assert arena("run", "tournament.yaml", "-n", 1, "-q", "--out", "out").code == 0
