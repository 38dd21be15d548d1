"""A folder that somebody else may have written decides nothing of how its bots are played: not whether they are
trusted, not what they may use, not what arena imports and connects to. Whoever runs the command decides it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli.main import cli
from arena.commands.bots.league_conditions import find_league
from arena.config.tournament_config import to_data
from arena.config.tournament_yaml import load_tournament
from arena.errors import UserError
from arena.runs.planning.isolation_level import BotPermissions, strictest_isolation
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.settings import settings_of
from arena.storage.run_folder import FolderStore
from tests.conftest import HEAD, Arena

TOURNAMENT = """
name: foreign
seed: 2f6a41c7
entrants: [./spy.py, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
blocks: 1
seats: 2
isolation: none
"""
SPY = f"""{HEAD}
    def turn(self, view):
        return self.legal_moves(view)[0]

if "arena.match.refereeing.referee" in sys.modules:
    open(MARK, "a").close()
"""
"""A bot that leaves a mark where it runs in a process of arena's own: there the referee is."""
LOCKED_IN = f"isolation {strictest_isolation().level}\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of trusted bots."""
    folder = tmp_path_factory.mktemp("foreign")
    mark = folder / "mark"
    (folder / "spy.py").write_text(SPY.replace("MARK", repr(str(mark))))
    (folder / "t.yaml").write_text(TOURNAMENT)
    with pytest.raises(SystemExit) as ended:
        cli.main(["run", str(folder / "t.yaml"), "-o", str(folder / "out"), "-q", "-j", "1"], prog_name="arena")
    assert ended.value.code == 0
    assert mark.exists()
    return folder


@pytest.fixture
def out(played: Path, tmp_path: Path) -> Path:
    """A copy of the run, whose spy has left no mark yet."""
    (played / "mark").unlink(missing_ok=True)
    return Path(shutil.copytree(played / "out", tmp_path / "out"))


@pytest.fixture
def changed(out: Path) -> Callable[[str, str], Facts]:
    """Changes the configuration in the folder, and its manifest with it, as somebody does who wants it believed."""

    def change(old: str, new: str) -> Facts:
        text = (out / CONFIG_FILE).read_text()
        assert text.count(old) == 1
        (out / CONFIG_FILE).write_text(text.replace(old, new))
        settings = settings_of(to_data(load_tournament(out / CONFIG_FILE, files=False)))
        facts = msgspec.structs.replace(FolderStore(out).facts(), settings=settings)
        manifest = json.loads((out / MANIFEST_FILE).read_text())
        manifest |= {"settings": facts.settings, "config_sha256": facts.digest()}
        (out / MANIFEST_FILE).write_text(json.dumps(manifest))
        return facts

    return change


COMMANDS: dict[str, tuple[str, ...]] = {
    "audit": ("audit", "out", "--sample", "100%", "-j", "1", "-q", "--no-write"),
    "rerun": ("rerun", "out", "MATCH"),
    "refeed": ("refeed", "out", "MATCH", "--entrant", "spy"),
    "branch": ("branch", "out/REPLAY", "--at", "ask1", "--bot", "silent", "--repeat", "2", "-j", "1", "-q"),
    "test": ("collusion", "out", "--test", "spy", "silent", "--neutral", "fair", "--deals", "1", "-j", "1", "-q"),
    "clones": ("collusion", "out", "--clones", "--matches", "1", "-q"),
    "run": ("run", "out/config.resolved.yaml", "-o", "new", "-j", "1", "-q"),
}
"""Commands that play bots named by a run's folder."""


def words_of(command: str, out: Path) -> list[str]:
    first = json.loads((out / "matches.jsonl").read_bytes().splitlines()[0])
    given = {"MATCH": first["id"], "REPLAY": first["replay"]}
    return [re.sub("MATCH|REPLAY", lambda found: given[found[0]], word) for word in COMMANDS[command]]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_trusted_its_bots_has_them_played_isolated_unless_the_operator_trusts_them(
    command: str, arena: Arena, out: Path, played: Path
) -> None:
    words = words_of(command, out)
    ran = arena(*words)
    assert ran.code == 0 or (command == "audit" and "repeat" in ran.out), ran
    assert re.search(rf"\b{LOCKED_IN.strip()}\b", ran.err), "its level is said"
    assert not (played / "mark").exists()
    shutil.rmtree(out.with_name("new"), ignore_errors=True)
    trusted = arena(*words, "--trust")
    assert trusted.code == ran.code, trusted
    assert re.search(r"\bisolation none\b", trusted.err)
    assert trusted.out == ran.out or command in ("audit", "run"), "it comes out the same"
    assert (played / "mark").exists()


@pytest.mark.parametrize("command", ["rerun", "refeed", "branch"])
def test_the_level_is_said_before_a_bot_of_the_folder_is_loaded(
    command: str, arena: Arena, out: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("raise OSError('no bot')\n")
    option = {"rerun": ("--bot", "spy=broken.py"), "refeed": ("--bot", "broken.py"), "branch": ("--bot", "broken.py")}
    words = [word for word in words_of(command, out) if word not in ("--bot", "silent")]
    ran = arena(*words, *option[command])
    assert ran.code != 0
    assert ran.err.startswith(LOCKED_IN.strip()), ran.err
    assert "no bot" in ran.err


def test_a_debugger_opens_in_the_bot_of_a_replay_only_by_the_operator_s_word(
    arena: Arena, out: Path, played: Path
) -> None:
    ran = arena(*words_of("refeed", out), "--pdb")
    assert (ran.code, ran.out) == (2, "")
    assert "runs the bot that the replay names in arena's own process, without isolation; if you trust it" in ran.err
    assert not (played / "mark").exists()
    found = json.loads(arena(*words_of("refeed", out), "--slow", "1e-9", "--json").out)
    assert found["commands"][0].endswith(" --pdb --trust")


def resumed(arena: Arena, out: Path, program: str = "run") -> list[str]:
    """The words of the command by which ``arena status`` says that the run is resumed, which has played it on."""
    lines = (out / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (out / "matches.jsonl").write_bytes(b"".join(lines[:1]))
    manifest = json.loads((out / MANIFEST_FILE).read_text())
    (out / MANIFEST_FILE).write_text(json.dumps({**manifest, "state": "stopped"}))
    told = " ".join(arena("status", out).out.split("\nresume ")[1].split())
    assert told.startswith(f"arena {program} --resume "), told
    ran = arena(*shlex.split(told)[1:], "-q")
    assert ran.code == 0, ran
    assert len((out / "matches.jsonl").read_bytes().splitlines()) == len(lines)
    return shlex.split(told)[4:]


@pytest.mark.slow
def test_the_command_that_resumes_a_run_has_every_word_that_it_needs(
    arena: Arena, out: Path, played: Path, tmp_path: Path
) -> None:
    assert resumed(arena, out) == ["--trust"]
    text = TOURNAMENT.replace("isolation: none", "sandbox: {memory: 600}").replace("./", f"{played}/")
    (tmp_path / "wide.yaml").write_text(text)
    assert arena("run", "wide.yaml", "-o", "in a folder", "-q", "-j", "1").code == 0
    assert resumed(arena, tmp_path / "in a folder") == ["--wider-sandbox"]


@pytest.mark.slow
def test_a_comparison_goes_on_in_a_wider_sandbox_only_by_the_operator_s_word(arena: Arena, tmp_path: Path) -> None:
    few = ("--seats", 2, "--rule", "max_turns=2", "--max-deals", 3, "--seed", 1, "-j", 1, "-q")
    assert arena("compare", "greedy", "fair", "hard", *few, "-o", "c").code in (0, 1)
    config, manifest = tmp_path / "c" / CONFIG_FILE, tmp_path / "c" / MANIFEST_FILE
    config.write_text(config.read_text().replace("memory: 512", "memory: 600"))
    told = json.loads(manifest.read_text())
    told["settings"]["sandbox"]["memory"] = 600
    facts = msgspec.convert(told, Facts)
    manifest.write_text(json.dumps({**told, "config_sha256": facts.digest()}))
    go_on = ("compare", "--resume", "c", "--max-deals", 4, "-q")
    refused = arena(*go_on)
    assert refused.code == 2
    assert "to allow it, add --wider-sandbox" in refused.err
    ran = arena(*go_on, "--wider-sandbox")
    assert ran.code in (0, 1), ran
    assert "go on with: arena compare --resume c --wider-sandbox" in ran.err or ran.code == 0


def test_a_run_that_began_with_trusted_bots_goes_on_only_by_the_operator_s_word(
    arena: Arena, out: Path, played: Path
) -> None:
    before = (out / "matches.jsonl").read_bytes()
    (out / "matches.jsonl").write_bytes(b"".join(before.splitlines(keepends=True)[:1]))
    kept = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    ran = arena("run", "--resume", "out", "-q", "-j", 1)
    assert ran == (
        2,
        "",
        "arena: this run began with its bots trusted (isolation none); if you trust them, add --trust\n",
    )
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == kept
    assert not (played / "mark").exists()
    assert arena("run", "--resume", "out", "--trust", "-q", "-j", 1).code == 0
    assert (out / "matches.jsonl").read_bytes() == before
    assert json.loads((out / MANIFEST_FILE).read_text())["isolation"] == {"level": "none"}


@pytest.mark.slow
def test_a_run_that_began_isolated_does_not_go_on_trusted(arena: Arena, played: Path, tmp_path: Path) -> None:
    assert arena("run", played / "t.yaml", "--set", "isolation=process", "-o", "new", "-q", "-j", 1).code == 0
    told = f"arena: this run began with bots at isolation level {strictest_isolation().level}: leave out --trust\n"
    assert arena("run", "--resume", "new", "--trust", "-q") == (2, "", told)
    assert arena("run", "--resume", "new", "-q", "-j", 1).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("allowed", "old", "new", "told"),
    [
        ("audit", "memory: 512", "memory: 4096", r"sandbox.memory 4096 \(usual: 512\)"),
        ("clones", "threads: 32", "threads: 999", r"sandbox.threads 999 \(usual: 32\)"),
        ("run", "files: 64", "files: 999", r"sandbox.files 999 \(usual: 64\)"),
        (None, "cpu: 3600", "cpu: 99999", r"sandbox.cpu 99999 \(usual: 3600\)"),
        (None, "preload: []", "preload: [this]", r"sandbox.preload this \(usual: none\)"),
    ],
)
def test_a_folder_gives_its_bots_no_more_than_the_usual_sandbox(
    allowed: str | None, old: str, new: str, told: str, arena: Arena, out: Path, changed: Any
) -> None:
    changed(old, new)
    for command in ("audit", "clones", "run"):
        ran = arena(*words_of(command, out))
        assert (ran.code, ran.out) == (2, "")
        problem = rf"gives bots more than the defaults: {told}; to allow it, add --wider-sandbox$"
        assert re.search(problem, ran.err.strip())
    if allowed is not None:
        assert arena(*words_of(allowed, out), "--wider-sandbox").code == 0


def test_a_folder_may_give_its_bots_less(arena: Arena, out: Path, changed: Any) -> None:
    changed("memory: 512", "memory: 400")
    assert arena(*words_of("clones", out)).code == 0


@pytest.mark.parametrize("command", ["audit", "clones", "run"])
def test_a_folder_makes_arena_import_no_module(
    command: str, arena: Arena, out: Path, changed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "__init__.py").touch()
    (tmp_path / "evil" / "game.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w').close()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    changed("    max_turns: 2\n", "    max_turns: 2\n    game: evil.game\n")
    ran = arena(*words_of(command, out))
    assert (ran.code, ran.out) == (2, "")
    assert "there is no game 'evil.game' here; if you trust it, add: --game evil.game" in ran.err
    assert not (tmp_path / "imported").exists()
    assert "evil.game" not in sys.modules


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--resume", "out", "--trust"), ("out/config.resolved.yaml", "-o", "new")])
def test_a_folder_names_no_scheduler(words: tuple[str, ...], arena: Arena, out: Path, changed: Any) -> None:
    changed("executor: pool\nscheduler: null\n", "executor: dask\nscheduler: tcp://192.0.2.1:8786\n")
    ran = arena("run", *words, "-q")
    assert (ran.code, ran.out) == (2, "")
    assert "names the Dask scheduler tcp://192.0.2.1:8786, and a scheduler can run any code here" in ran.err
    assert arena("run", *words, "-q", "--executor", "pool", "-j", 1).code == 0


LADDER = """
name: foreign
rules: eagle-gryphon
changes: {max_turns: 2}
seats: 2
anchors: [./spy.py, silent]
round_tables: 1
isolation: none
entry: {check_matches: 1}
"""


@pytest.mark.slow
def test_the_folder_of_a_ladder_trusts_no_bot_either(arena: Arena, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for name in ("spy", "mine"):
        (tmp_path / f"{name}.py").write_text(SPY.replace("MARK", repr(str(mark))) + f"# {name}\n")
    (tmp_path / "t.yaml").write_text(LADDER)
    assert arena("ladder", "init", "league", "--config", "t.yaml").code == 0
    mark.unlink()
    commands: dict[str, tuple[object, ...]] = {
        "submit": ("./mine.py",),
        "play": ("--rounds", 1),
        "audit": ("-q", "--no-write"),
        "rerun": (1,),
    }
    for command, words in commands.items():
        ran = arena("ladder", command, "league", *words, "-j", 1)
        assert ran.code == 0, ran
        assert re.search(rf"\b{LOCKED_IN.strip()}\b", ran.err), ran
        assert not mark.exists(), command
        with (tmp_path / "mine.py").open("a") as file:
            file.write("# another version\n")
        ran = arena("ladder", command, "league", *words, "-j", 1, "--trust")
        assert "isolation none" in ran.err, command
        assert mark.exists(), command
        mark.unlink()


def test_a_bot_is_checked_isolated_for_a_run_that_trusted_its_bots(out: Path, changed: Any) -> None:
    assert find_league(str(out)).isolation.level is strictest_isolation().level
    assert find_league(str(out), word=BotPermissions(trust=True)).isolation.policy is None
    changed("memory: 512", "memory: 4096")
    with pytest.raises(UserError, match=r"sandbox\.memory 4096 .* add --wider-sandbox"):
        find_league(str(out))
    demand = find_league(str(out), word=BotPermissions(wider=True)).tables[0].conditions.demand
    assert demand.memory == 4096
