"""A game from outside arena is imported where the operator has chosen it, by ``--game`` or by installing a distribution
that declares it; never because a file names it."""

from __future__ import annotations

import json
import shutil
import site
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import click
import pytest

from arena.cli.main import cli
from arena.games import load_game
from tests.conftest import Arena, environment_of, run_arena
from tests.thirdgame import pie

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PIE = "tests.thirdgame.pie"
REFUSED = f"there is no game '{PIE}' here; if you trust it, add: --game {PIE}"
EVEN = HERE / "bots" / "even.py"

LADDER = f"""
name: pies
rules: {HERE / "pie.yaml"}
seats: 2
anchors: [{EVEN}, {HERE / "bots" / "proud.py"}, {HERE / "bots" / "anything.py"}]
round_tables: 3
isolation: none
publish: {{seeds: season}}
"""

READERS = {
    "audit": "audit out --trust --sample 1 --each 0",
    "bots check": f"bots check {EVEN} --as out --trust --json",
    "branch": 'branch out MATCH --at ask1 --move {"move":"propose","shares":[2,10]} --trust -q -j 1 --repeat 2',
    "collusion": "collusion out",
    "compare": "compare even proud --from out",
    "export": "export out -o tables",
    "ladder audit": "ladder audit league --trust --sample 1 --each 0",
    "ladder backup": "ladder backup league copy",
    "ladder check": "ladder check league",
    "ladder health": "ladder health league --older-than 1000d",
    "ladder disable": "ladder disable league even --why slow",
    "ladder enable": "ladder enable league proud",
    "ladder export": "ladder export league --out pages",
    "ladder history": "ladder history league",
    "ladder play": "ladder play league --rounds 1 --trust -q",
    "ladder rerun": "ladder rerun league 1 --trust",
    "ladder season": "ladder season league",
    "ladder show": "ladder show league even",
    "ladder standings": "ladder standings league",
    "ladder submit": f"ladder submit league {EVEN} --name other --author operator --trust",
    "losses": "losses out even",
    "luck": "luck out",
    "merge": "merge out --out whole",
    "meta": "meta out",
    "null": "null --from alike",
    "plan": "plan --from out",
    "ratings": "ratings out",
    "refeed": "refeed out MATCH --seat 0 --trust -q",
    "report": "report out -o page.html",
    "rerun": "rerun out MATCH --trust",
    "run": "run --resume out --trust -q",
    "show": "show out MATCH",
    "standings": "standings out",
    "status": "status out --table",
    "study": "study seats out",
    "talk": "talk out --trust -q -j 1",
    "unpack": "unpack out",
    "verify": "verify out",
    "view": "view out MATCH -o page.html",
}
"""By command how it reads matches of the third game; ``MATCH`` stands for one."""
ENDS = {
    "collusion": (2, f"what a gift is, is not defined in: {PIE}"),
    "compare": (2, "expected matches in which both sat in the same seat"),
    "luck": (2, "there are no weights for the games"),
}
"""Commands that need more of a game than this one has: how they end."""
ELSEWHERE = {
    "bots clone": "of the two games whose asks and answers are coded as numbers",
    "ladder author": "reads no match",
    "ladder enter": "needs a version of another ladder",
    "ladder hand-over": "needs another author",
    "ladder init": "its file is the operator's",
    "ladder quarantine": "counts the rows of a ladder",
    "ladder retire": "needs an author's version",
    "ledger": "of a game that defines tables",
    "picture": "of the two games that can be drawn",
    "serve": "does not end",
    "tune": "goes on with trials of its own",
}
"""Commands that have the option and are tried in tests of their own, or need not be; each with the reason."""
READ_NONE = {
    *("bench", "bots list", "docs", "doctor", "gauntlet", "match", "models check", "models trial", "play", "register"),
    *(f"rules {word}" for word in ("check", "diff", "generate", "list", "show")),
}
"""Commands that read no matches: of what they play, their caller names the rules."""


def _commands(group: click.Group, above: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command below the group, by the words with which it is called."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, f"{above}{name} ")
        else:
            yield f"{above}{name}", command


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, one of copies of one bot, and a ladder, all of the third game; nobody changes them."""
    folder = tmp_path_factory.mktemp("pies")
    (folder / "pies.yaml").write_text(LADDER)
    alike = f"{{bot: {EVEN}, name: a}}, {{bot: {EVEN}, name: b}}"
    text = f"name: alike\nentrants: [{alike}]\neditions: [{HERE / 'pie.yaml'}]\nseats: 2\nblocks: 4\n"
    (folder / "alike.yaml").write_text(text)
    for words in (
        f"run {HERE / 'pies.yaml'} --set editions=[{HERE / 'pie.yaml'}] --blocks 3 -o out -j 1 -q",
        "run alike.yaml -o alike -j 1 -q --trust --seed 1",
        "ladder init league --config pies.yaml",
        f"ladder play league --rounds 1 --trust -q --game {PIE}",
        f"ladder disable league proud --why slow --game {PIE}",
    ):
        ran = run_arena(folder, *words.split())
        assert ran.code == 0, ran
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A copy of it, which is the test's own."""
    return shutil.copytree(played, tmp_path / "here")


def _words(command: str, folder: Path) -> list[str]:
    first = json.loads((folder / "out" / "matches.jsonl").read_bytes().splitlines()[0])["id"]
    return [first if word == "MATCH" else word for word in READERS[command].split()]


def test_every_command_that_reads_matches_takes_the_name_of_a_game() -> None:
    commands = dict(_commands(cli))
    having = {name for name, command in commands.items() if any("--game" in each.opts for each in command.params)}
    assert having - {"bots new"} == READERS.keys() | ELSEWHERE.keys()
    assert commands.keys() - having == READ_NONE


class Again(Loader):
    """Gives a module that has been imported before."""

    def __init__(self, module: ModuleType) -> None:
        self.module, self.spec = module, module.__spec__

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name == self.module.__name__ else None

    def create_module(self, _: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec


@pytest.fixture
def not_imported(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Makes this process one that has not imported the game; it can, and gets the classes that it had."""
    monkeypatch.setattr(sys, "meta_path", [Again(pie), *sys.meta_path])

    def forget() -> None:
        monkeypatch.delitem(sys.modules, PIE, raising=False)
        load_game.cache_clear()

    yield forget
    load_game.cache_clear()


@pytest.mark.slow
def test_a_game_from_outside_is_read_once_it_is_named(
    arena: Arena, not_imported: Callable[[], None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for command in READERS:
        not_imported()
        if command == "standings":
            assert arena("standings", "out") == (2, "", f"arena: {REFUSED}\n")
        ran = arena(*_words(command, folder), "--game", PIE)
        code, said = ENDS.get(command, (0, ""))
        assert (ran.code, said in ran.out + ran.err) == (code, True), (command, ran)
        assert "there is no game" not in ran.out + ran.err, command


def test_an_audit_tells_the_game_to_the_interpreter_that_plays_again(folder: Path) -> None:
    ran = run_arena(folder, *_words("audit", folder), "--game", PIE)
    assert ran.code == 0, ran


def test_the_commands_that_refeed_suggests_name_a_game_from_outside(folder: Path) -> None:
    ran = run_arena(folder, *_words("refeed", folder)[:3], "--at", "ask1", "--bot", EVEN, "--trust", "--game", PIE)
    *_, again, show, branch = ran.out.splitlines()
    assert [line.split()[1] for line in (again, show, branch)] == ["refeed", "show", "branch"]
    for line in (again, show, branch):
        assert f" --game {PIE}" in line
    told = run_arena(folder, *show.split()[1:])
    assert told.code == 0, told


@pytest.fixture(scope="module")
def beside(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment beside ``played`` that has arena and, in its own folder of packages, a distribution."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, symlinks=True, with_pip=False)
    packages = next(home.glob("lib/python*/site-packages"))
    lines = [f"import site; site.addsitedir({path!r})" for path in site.getsitepackages()]
    (packages / "all.pth").write_text("\n".join([str(ROOT), *lines]))
    return home


def _declare(folder: Path, name: str, module: str) -> None:
    """A distribution in this folder that declares a game."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[arena.games]\n{module} = {module}\n")


def _arena(python: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """``python -m arena`` of another environment."""
    environment = {name: value for name, value in environment_of().items() if name != "PYTHONPATH"}
    command = [str(python), "-m", "arena", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_game_that_an_installed_distribution_declares_needs_no_name(beside: Path, folder: Path) -> None:
    python = beside / "bin" / "python"
    refused = _arena(python, folder, "standings", "out")
    assert (refused.returncode, refused.stderr) == (2, f"arena: {REFUSED}\n")
    _declare(next(beside.glob("lib/python*/site-packages")), "pie_game", PIE)
    ran = _arena(python, folder, "run", "--resume", "out", "--trust", "-q")
    assert ran.returncode == 0, ran.stderr


def test_a_distribution_in_the_folder_of_a_stranger_declares_nothing(folder: Path) -> None:
    (folder / "evil.py").write_text("import pathlib; pathlib.Path('imported').touch()\n")
    _declare(folder, "evil", "evil.game")
    matches = folder / "out" / "matches.jsonl"
    matches.write_text(matches.read_text().replace(PIE, "evil.game"))
    for environment in ({}, {"PYTHONPATH": f"{folder}:{ROOT}"}):
        ran = run_arena(folder, "standings", "out", **environment)
        assert (ran.code, ran.err) == (
            2,
            "arena: there is no game 'evil.game' here; if you trust it, add: --game evil.game\n",
        )
    assert not (folder / "imported").exists()


@pytest.mark.slow
def test_a_run_of_isolated_bots_is_resumed_by_the_command_that_names_its_game(played: Path, tmp_path: Path) -> None:
    few = ("--blocks", 1, "--set", f"editions=[{HERE / 'pie.yaml'}]", "--set", "isolation=process", "-j", 1, "-q")
    ran = run_arena(tmp_path, "run", HERE / "pies.yaml", *few, "-o", "out")
    assert ran.code == 0, ran
    records = (tmp_path / "out" / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "out" / "matches.jsonl").write_bytes(b"".join(records[:4]))
    manifest = tmp_path / "out" / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "state": "stopped"}))
    told = run_arena(tmp_path, "status", "out").out.splitlines()[-1].split()[1:]
    assert told == ["arena", "run", "--resume", "out", "--game", PIE]
    ran = run_arena(tmp_path, *told[1:], "-q")
    assert ran.code == 0, ran
    assert len((tmp_path / "out" / "matches.jsonl").read_bytes().splitlines()) == len(records)
