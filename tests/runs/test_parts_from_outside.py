"""An executor or a measure from outside arena is imported where the operator has named it: on the command line, in a
tournament file of their own, or by installing a distribution that declares it; never because a run's folder does."""

from __future__ import annotations

import json
import shutil
import site
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import plugins
from arena.errors import UserError
from arena.executors.executor import EXECUTORS
from tests.conftest import Arena, Ran, run_arena

PARTS = """
import pathlib
from arena.executors.serial import Serial
from arena.tournament.measures.custom_measures import SeatFact

with pathlib.Path("imported").open("a") as file:
    file.write("x")


class InTurn(Serial):
    def __init__(self, jobs):
        super().__init__()


class Halting(InTurn):
    def __init__(self, jobs):
        raise OSError("no machine")


class Idle:
    jobs = room = 1


NUMBER = SeatFact(lambda at: at.number)
HALF = SeatFact(lambda at: 0.5)
FAILING = SeatFact(lambda at: 1 // 0)
"""
TOURNAMENT = """
name: own
seed: 1
entrants: [greedy, fair, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 3}}]
seats: 3
blocks: 3
isolation: none
executor: parts:InTurn
measures:
  mean_seat: {of: "parts:NUMBER"}
  last_seat: {of: "parts:NUMBER", equals: 2}
"""
REFUSED = "there is no measure 'parts:NUMBER' here; if you trust it, add: --plugin parts:NUMBER"
NO_EXECUTOR = "there is no executor 'parts:InTurn' here; if you trust it, add: --plugin parts:InTurn"
FOLDING = {
    "standings out": REFUSED,
    "verify out": REFUSED,
    "merge out -o whole": REFUSED,
    "plan --from out": REFUSED,
    "report out": REFUSED,
    "audit out --sample 1 -j 1": REFUSED,
    "run out/config.resolved.yaml -o new -j 1": NO_EXECUTOR,
    "run out/config.resolved.yaml -o new -j 1 --executor serial": REFUSED,
}
"""Commands that need what the folder names, and what they say where it is not there."""
READING = ("status out", "export out --csv -o tables", "ratings out", "luck out")
"""Commands that need none of it."""


def _apart(folder: Path, *words: object) -> Ran:
    """Run a command in a process of its own, in this folder, from which it can import."""
    return run_arena(folder, *words, PYTHONPATH=f"{folder}:{Path(__file__).parents[2]}")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that an executor from outside has played, with measures from outside."""
    folder = tmp_path_factory.mktemp("parts")
    (folder / "parts.py").write_text(PARTS)
    (folder / "own.yaml").write_text(TOURNAMENT)
    ran = _apart(folder, "run", "own.yaml", "-o", "out", "-j", 1, "-q")
    assert ran.code == 0, ran
    assert "parts:InTurn, 1 process" in ran.err
    (folder / "imported").unlink()
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A copy of it, which is the test's own."""
    return shutil.copytree(played, tmp_path / "here")


@pytest.fixture
def here(folder: Path, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    """Runs commands in that folder, from which this process can import; forgets before each what it has imported."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)

    def forget() -> None:
        for name in ("parts", "broken"):
            sys.modules.pop(name, None)

    def run(*words: object) -> Ran:
        forget()
        return arena(*words)

    yield run
    forget()


def test_the_folder_of_the_run_names_them(played: Path) -> None:
    assert "executor: parts:InTurn" in (played / "out" / "config.resolved.yaml").read_text()
    manifest = json.loads((played / "out" / "manifest.json").read_text())
    assert manifest["settings"]["measures"]["last_seat"] == {"of": "parts:NUMBER", "equals": 2}
    ((_, standings),) = json.loads((played / "out" / "standings.json").read_text()).items()
    for row in standings["rows"]:
        assert (row["mean_seat"]["mean"], row["last_seat"]["mean"]) == (1, pytest.approx(1 / 3))


def test_what_a_folder_names_is_not_imported_and_the_option_is_told(here: Arena, folder: Path) -> None:
    for command, why in FOLDING.items():
        ran = here(*command.split())
        assert ran.code in (2, 3), command
        assert why in " ".join((ran.out + ran.err).split()), command
    for command in READING:
        ran = here(*command.split())
        assert ran.code == 0, ran
    assert not (folder / "imported").exists()


@pytest.mark.slow
def test_it_is_imported_where_the_command_names_it(here: Arena, folder: Path) -> None:
    for number, command in enumerate(FOLDING):
        ran = here(*command.split(), "--plugin", "parts:NUMBER")
        assert ran.code == 0, ran
        assert (folder / "imported").read_text() == "x" * (number + 1)
        shutil.rmtree(folder / "new", ignore_errors=True)


@pytest.mark.slow
def test_a_run_is_resumed_by_the_command_that_names_them(folder: Path) -> None:
    half = folder / "half"
    shutil.copytree(folder / "out", half)
    records = (half / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (half / "matches.jsonl").write_bytes(b"".join(records[:5]))
    manifest = json.loads((half / "manifest.json").read_text())
    (half / "manifest.json").write_text(json.dumps({**manifest, "state": "stopped"}))
    told = _apart(folder, "status", "half").out.splitlines()[-1].split()[1:]
    assert not (folder / "imported").exists()
    ran = _apart(folder, *told[1:], "-q")
    assert ran.code == 0, ran
    assert (half / "standings.json").read_bytes() == (folder / "out" / "standings.json").read_bytes()


MISTAKES = {
    "--set executor=pol": "expected pool, serial, dask or module:Name, got 'pol' (did you mean 'pool'?)",
    "--set executor=prts:InTurn": "prts:InTurn: there is no module 'prts' to import; is it installed?",
    "--set executor=parts.more:InTurn": "there is no module 'parts.more' to import",
    "--set executor=parts:InTurns": "the module parts has no 'InTurns' (did you mean 'InTurn'?)",
    "--set executor=parts:Idle": "parts:Idle is no executor: the class has no submit, completed, wind_up, close",
    "--set executor=parts:NUMBER": "parts:NUMBER is no executor: expected a class that takes a number of jobs, got ",
    "--executor parts:Halting": "the executor parts:Halting cannot be made: OSError: no machine",
    "--executor parts:NUMBER": "parts:NUMBER is no executor",
    "--set measures.x={of:parts:InTurn}": "parts:InTurn is no measure: expected a SeatFact, got <class 'parts.InTurn'>",
    "--set measures.x.of=parts:NUMBR": "measures.x.of: parts:NUMBR: the module parts has no 'NUMBR' (did you mean",
    "--set measures.x.of=broken:X": "broken:X: the module cannot be imported: SyntaxError: '(' was never closed",
    "--set measures.x.of=parts:HALF": "measure parts:HALF, match eagle-gryphon+set-0192fb5e-3p/b0000/0-1-2: expected a "
    "whole number or a Fraction, got 0.5",
    "--set measures.x.of=parts:FAILING": "/0-1-2: ZeroDivisionError: integer division or modulo by zero",
}


def test_a_mistake_is_told_by_name(here: Arena, folder: Path) -> None:
    (folder / "broken.py").write_text("print(\n")
    for number, (words, told) in enumerate(MISTAKES.items()):
        option = words.replace("{of:", "{of: ").split(" ", 1)
        ran = here("run", "own.yaml", "-o", f"new{number}", "-j", 1, "-q", *option)
        assert ran.code == 2, words
        assert told in ran.err, words
        assert "Traceback" not in ran.err, words


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, with a module that is not imported."""
    (tmp_path / "lent.py").write_text("from arena.executors.serial import Serial as Lent\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(site, "getsitepackages", lambda: [str(tmp_path)])
    plugins.declared_parts.cache_clear()
    yield tmp_path
    plugins.declared_parts.cache_clear()
    sys.modules.pop("lent", None)


def test_what_an_installed_distribution_declares_needs_no_option(installed: Path) -> None:
    with pytest.raises(UserError, match="if you trust it, add: --plugin lent:Lent"):
        EXECUTORS.load("lent:Lent")
    assert "lent" not in sys.modules
    info = installed / "lent-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lent\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.executors]\nlent = lent:Lent\n")
    plugins.declared_parts.cache_clear()
    assert EXECUTORS.load("lent:Lent").__name__ == "Serial"


def test_a_module_that_is_imported_already_lends_only_what_is_of_the_kind() -> None:
    with pytest.raises(UserError, match="os:system is no executor: expected a class"):
        EXECUTORS.load("os:system")
