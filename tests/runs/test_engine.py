"""The engine in use: a compiled build is used where it is of these very sources and wanted, and never otherwise."""

from __future__ import annotations

import ast
import json
import re
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest

import arena as package
from arena import engine
from arena.engine import BUILD_FILE, BUILD_PACKAGE, PURE_VARIABLE, REMEDY, engine_in_use, sources_digest
from arena.isolation.worker.fork_server import server_environment
from tests.conftest import Arena, Ran, run_arena
from tests.runs.tiny_run import TOURNAMENT

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "arena"
OTHER_ENGINE = "compiled 0.0.1 (0123456789ab)"
TINY = TOURNAMENT.replace("./wrong.py, ", "")


@pytest.fixture(scope="module")
def build() -> dict[str, Any]:
    """The names in the script that builds the compiled distribution."""
    return runpy.run_path(str(ROOT / ".compiled" / "setup.py"), run_name="read")


@pytest.fixture
def installed(tmp_path: Path) -> Callable[..., Path]:
    """Installs a made-up build of this module, with these entries in its build file; returns the folder."""
    told = {
        "arena": package.__version__,
        "sha256": sources_digest(str(SOURCES), ["games/hand_counts.py"]),
        "sources": {"arena.games.hand_counts": "games/hand_counts.py"},
    }

    def install(without: str = "", suffix: str = EXTENSION_SUFFIXES[0], **other: str) -> Path:
        folder = tmp_path / "site" / BUILD_PACKAGE
        (folder / "arena" / "games").mkdir(parents=True)
        (folder / "__init__.py").touch()
        (folder / "arena" / "games" / f"hand_counts{suffix}").touch()
        says = {name: value for name, value in {**told, **other}.items() if name != without}
        (folder / BUILD_FILE).write_text(json.dumps(says), "utf-8")
        return folder.parent

    return install


@pytest.fixture
def arena_with(tmp_path: Path, installed: Callable[..., Path]) -> Callable[..., Ran]:
    """Runs arena beside such a build."""

    def run(*words: str, pure: str = "", **other: str) -> Ran:
        return run_arena(tmp_path, *words, PYTHONPATH=f"{installed(**other)}:{ROOT}", **{PURE_VARIABLE: pure})

    return run


@pytest.fixture
def chosen(installed: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., engine.EngineChoice]:
    """Returns which engine this process would choose if such a build were installed; loads nothing of it."""

    def choose(pure: str = "", **other: str) -> engine.EngineChoice:
        monkeypatch.syspath_prepend(installed(**other))
        monkeypatch.setenv(PURE_VARIABLE, pure)
        monkeypatch.setattr(engine, "_choice", engine.EngineChoice(engine.PURE))
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
        engine.use_build(package.__version__, str(SOURCES))
        return engine.EngineChoice(engine_in_use(), engine.engine_problem())

    return choose


def test_a_build_of_these_sources_is_used_and_the_version_says_so(arena_with: Callable[..., Ran]) -> None:
    digest = sources_digest(str(SOURCES), ["games/hand_counts.py"])[:12]
    ran = arena_with("--version")
    assert ran.out == f"arena, version {package.__version__}, compiled {package.__version__} ({digest})\n"
    assert ran.err == ""


def test_the_files_of_a_build_are_what_is_loaded(arena_with: Callable[..., Ran]) -> None:
    ran = arena_with("rules", "show", "eagle-gryphon")  # the made-up module is an empty file
    assert ran.code == 2
    assert "hand_counts" in ran.err
    assert BUILD_PACKAGE in ran.err


def test_a_build_that_does_not_fit_is_told_and_not_used(arena_with: Callable[..., Ran], tmp_path: Path) -> None:
    ran = arena_with("match", "silent", "silent", "silent", "--seed", "7", "--rule", "max_turns=2", sha256="0" * 64)
    assert ran.code == 0
    place, problem = tmp_path / "site" / BUILD_PACKAGE, "it was built from other sources"
    assert ran.err.startswith(f"arena: the compiled build in {place} is not used: {problem}; {REMEDY}\n")


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        ({"arena": "0.0.1"}, f"it was built from arena 0.0.1, this is {package.__version__}"),
        ({"suffix": ".cpython-27-pdp11.so"}, "arena.games.hand_counts was not compiled for this Python"),
        ({"without": "sources"}, "it cannot be read (KeyError: 'sources')"),
    ],
    ids=["other version", "other Python", "unreadable"],
)
def test_why_a_build_does_not_fit_is_told(
    other: dict[str, Any], problem: str, chosen: Callable[..., engine.EngineChoice], tmp_path: Path
) -> None:
    place = tmp_path / "site" / BUILD_PACKAGE
    told = f"the compiled build in {place} is not used: {problem}; {REMEDY}"
    assert chosen(**other) == engine.EngineChoice("pure", told)


def test_doctor_says_which_engine_it_is_and_what_is_wrong_with_a_build(arena_with: Callable[..., Ran]) -> None:
    ran = arena_with("doctor", sha256="0" * 64)
    assert f"arena {package.__version__}, pure; its code, by part:" in ran.out
    assert "is not used: it was built from other sources" in ran.err


def test_a_build_that_is_not_wanted_is_not_used_and_no_words_are_lost_on_it(
    arena_with: Callable[..., Ran],
) -> None:
    ran = arena_with("--version", pure="1")
    assert ran.out == f"arena, version {package.__version__}, pure\n"
    assert ran.err == ""


def test_no_words_are_lost_on_one_that_does_not_fit_either(chosen: Callable[..., engine.EngineChoice]) -> None:
    assert chosen(pure="1", sha256="0" * 64) == engine.EngineChoice("pure")


def test_a_build_that_is_wanted_with_the_number_0_is_used(chosen: Callable[..., engine.EngineChoice]) -> None:
    choice = chosen(pure="0")
    assert (choice.name.partition(" ")[0], choice.problem) == ("compiled", "")


def test_the_processes_of_isolated_bots_play_with_the_same_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PURE_VARIABLE, "1")
    assert server_environment()[PURE_VARIABLE] == "1"
    monkeypatch.delenv(PURE_VARIABLE)
    assert PURE_VARIABLE not in server_environment()


# runs ------------------------------------------------------------------------------------------------


def manifest(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "manifest.json").read_text("utf-8"))
    return found


def test_a_run_goes_on_under_another_engine_and_its_manifest_has_both(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.yaml").write_text(TINY, "utf-8")
    for out in ("whole", "twice"):
        assert arena("run", "tiny.yaml", "-o", out, "--blocks", 1 if out == "twice" else 2, "-q").code == 0
    assert manifest(tmp_path / "twice")["engines"] == [engine_in_use()]
    monkeypatch.setattr("arena.runs.planning.plan_facts.engine_in_use", lambda: OTHER_ENGINE)
    for _ in range(2):
        assert arena("run", "--resume", "twice", "--blocks", 2, "--trust", "-q").code == 0
    whole, twice = manifest(tmp_path / "whole"), manifest(tmp_path / "twice")
    assert twice["engines"] == [engine_in_use(), OTHER_ENGINE]
    assert (twice["root"], twice["config_sha256"]) == (whole["root"], whole["config_sha256"])


def test_a_run_of_before_was_played_by_python_alone(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(TINY, "utf-8")
    assert arena("run", "tiny.yaml", "-o", "old", "--blocks", 1, "-q").code == 0
    old = {name: value for name, value in manifest(tmp_path / "old").items() if name != "engines"}
    (tmp_path / "old" / "manifest.json").write_text(json.dumps(old), "utf-8")
    assert arena("run", "--resume", "old", "--blocks", 2, "--trust", "-q").code == 0
    assert manifest(tmp_path / "old")["engines"] == list(dict.fromkeys(["pure", engine_in_use()]))


def test_a_merged_run_has_the_engines_of_all_its_shares(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.yaml").write_text(TINY, "utf-8")
    for share in ("1/2", "2/2"):
        assert arena("run", "tiny.yaml", "--shard", share, "-o", share[0], "-q").code == 0
        monkeypatch.setattr("arena.runs.planning.plan_facts.engine_in_use", lambda: OTHER_ENGINE)
    assert arena("merge", "1", "2", "-o", "both").code == 0
    assert manifest(tmp_path / "both")["engines"] == [engine_in_use(), OTHER_ENGINE]


# what is compiled ------------------------------------------------------------------------------------


@cache
def nodes_in(path: Path) -> list[ast.AST]:
    return [*ast.walk(ast.parse(path.read_text("utf-8")))]


def classes_in(path: Path) -> Iterator[ast.ClassDef]:
    return (node for node in nodes_in(path) if isinstance(node, ast.ClassDef))


def test_the_distributions_are_of_one_version_and_the_compiler_does_not_leak() -> None:
    pure = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert pure["project"]["optional-dependencies"]["c"] == [
        f"arena-negotiation-c=={package.__version__}; python_version < '3.14'"
    ]
    compiled = tomllib.loads((ROOT / ".compiled" / "pyproject.toml").read_text("utf-8"))
    assert "mypy>=2.3.1" in compiled["build-system"]["requires"]
    assert compiled["project"]["requires-python"] == ">=3.11,<3.14"


def test_every_pattern_finds_sources_and_every_change_its_place(build: dict[str, Any]) -> None:
    assert [pattern for pattern in build["COMPILED"] if not [*SOURCES.glob(pattern)]] == []
    for path, changes in build["CHANGED"].items():
        source = "games/phase_state.py" if path == build["NATIVE_PHASED"] else path
        text = (SOURCES / source).read_text("utf-8")
        assert [before for before, _ in changes if text.count(before) != 1] == []


def test_no_class_that_is_compiled_has_an_heir_that_is_not(build: dict[str, Any]) -> None:
    """Compiled methods would ignore what such an heir overrides. Enums and named tuples are ordinary classes there."""
    compiled = {SOURCES / path for path in build["find_sources"]().values()}
    names = {each.name for path in compiled for each in classes_in(path)} - {"Phased"}
    may_inherit = re.compile(rf"^\s*class \w+\([^)]*\b(?:{'|'.join(names)})\b", re.MULTILINE)
    heirs = [
        (path.name, each.name)
        for path in sorted({*SOURCES.rglob("*.py"), *(ROOT / "bots").glob("*.py")} - compiled)
        if may_inherit.search(path.read_text("utf-8"))
        for each in classes_in(path)
        for base in each.bases
        if ast.unparse(base).partition("[")[0] in names
    ]
    assert heirs == []


def test_no_class_that_is_compiled_is_a_struct_or_has_keywords_which_the_compiler_drops(build: dict[str, Any]) -> None:
    paths = [SOURCES / path for path in build["find_sources"]().values()]
    found = [
        (path.name, each.name)
        for path in paths
        for each in classes_in(path)
        if each.keywords or any(ast.unparse(base).endswith("Struct") for base in each.bases)
    ]
    assert found == []


def test_no_exception_that_is_compiled_has_the_name_of_another_value(build: dict[str, Any]) -> None:
    """In a function the compiler gives a name one type, and mypy does not warn of it: naming the exception fails."""
    found = []
    for path in build["find_sources"]().values():
        for function in nodes_in(SOURCES / path):
            if isinstance(function, ast.FunctionDef):
                nodes = [*ast.walk(function)]
                stored = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
                stored |= {each.arg for each in nodes if isinstance(each, ast.arg)}
                caught = {each.name for each in nodes if isinstance(each, ast.ExceptHandler) and each.name}
                found += [(path, function.name, name) for name in stored & caught]
    assert found == []
