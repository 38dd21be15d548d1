"""Who of a run, or at the table of a command, is exempt from isolation, and where that is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.finding.reference import bundled_bots
from arena.rerun import repeatability
from arena.runs.planning.isolation_level import EXEMPT_WORDS, strictest_isolation
from tests.conftest import Arena, CopiedRun

LEVEL = strictest_isolation().level
TOURNAMENT = """
name: june
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [fair, {bot: greedy, options: {greed: "0.4"}, name: texts}, {bot: ./greedy.py, name: changed}, {bot: ./same.py, name: same}]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 4
blocks: 1
tables: all
"""  # noqa: E501
TEXTS, CHANGED = '{bot: greedy, options: {greed: "0.4"}, name: texts}, ', "{bot: ./greedy.py, name: changed}, "
TWO = TOURNAMENT.replace(TEXTS + CHANGED, "").replace("seats: 4", "seats: 2")
"""The same of exempt bots alone."""
LESS = TWO + "sandbox: {memory: 511}\n"


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    text = bundled_bots()["greedy"].read_text()
    (tmp_path / "same.py").write_text(text)
    (tmp_path / "greedy.py").write_text(text + "# changed\n")


def run_of(arena: Arena, folder: Path, out: str, *words: str, config: str = TOURNAMENT) -> tuple[dict[str, Any], str]:
    """The isolation in the manifest of a run, and its first line."""
    (folder / "june.yaml").write_text(config)
    ran = arena("run", "june.yaml", "-o", out, "-j", 1, "-q", *words)
    assert ran.code == 0, ran
    return manifest(folder / out)["isolation"], ran.err.splitlines()[0]


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    return found


@pytest.mark.slow
def test_the_manifest_and_the_first_line_of_a_run_say_who_was_exempt_and_the_root_digest_does_not(
    arena: Arena, tmp_path: Path
) -> None:
    ways = {
        "process": ((), TOURNAMENT),
        "all": (("--isolate-all",), TOURNAMENT),
        "written": ((), f"{TWO}isolation: all\n"),
        "less": ((), LESS),
        "trust": (("--trust",), TOURNAMENT),
    }
    found = {name: run_of(arena, tmp_path, name, *words, config=config) for name, (words, config) in ways.items()}
    said = {name: isolation.get("exempt") for name, (isolation, _) in found.items()}
    assert said == {"process": ["fair", "same"], "all": [], "written": [], "less": [], "trust": None}
    assert found["process"][1].endswith(f"isolation {LEVEL}{EXEMPT_WORDS}, into process")
    assert found["all"][1].endswith(f"isolation {LEVEL}, into all")
    assert found["trust"][1].endswith("isolation none, into trust")
    for same in (("process", "all", "trust"), ("written", "less")):
        assert len({manifest(tmp_path / name)["root"] for name in same}) == 1
    assert manifest(tmp_path / "all")["settings"]["isolation"] == "all"


def test_a_run_of_before_goes_on_and_verifies(arena: Arena, copied_run: CopiedRun, tmp_path: Path) -> None:
    isolation = manifest(copied_run(TWO, "out"))["isolation"]
    path = tmp_path / "out" / "manifest.json"
    old = json.loads(path.read_bytes())
    del old["isolation"]["exempt"]
    path.write_text(json.dumps(old))
    assert arena("verify", "out").code == 0
    assert arena("run", "--resume", "out", "--blocks", 2, "-q", "-j", 1).code == 0
    assert (manifest(tmp_path / "out")["matches"], isolation["exempt"]) == (2 * old["matches"], ["fair", "same"])
    assert arena("verify", "out").code == 0


def test_a_run_that_isolates_all_goes_on_so_without_a_word(arena: Arena, tmp_path: Path) -> None:
    run_of(arena, tmp_path, "out", "--isolate-all", config=TWO)
    ran = arena("run", "--resume", "out", "--blocks", 2, "-q", "-j", 1)
    assert ran.code == 0, ran
    assert f"isolation {LEVEL}, into out" in ran.err
    assert manifest(tmp_path / "out")["isolation"]["exempt"] == []
    refused = arena("run", "--resume", "out", "--isolate-all")
    assert (refused.code, refused.out) == (2, "")
    assert "--resume uses the settings the run began with" in refused.err


@pytest.mark.parametrize(
    "words",
    [
        "run june.yaml",
        "match greedy fair",
        "play --bots greedy",
        "gauntlet greedy fair",
        "compare greedy fair --field hard",
        "rerun match.jsonl",
        "branch match.jsonl --at 9",
        "refeed match.jsonl --seat 0",
        "bots check greedy",
    ],
)
def test_trust_and_isolation_of_all_exclude_each_other(words: str, arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "june.yaml").write_text(TOURNAMENT)
    (tmp_path / "match.jsonl").write_text("")
    ran = arena(*words.split(), "--trust", "--isolate-all")
    assert (ran.code, ran.out) == (2, ""), ran
    assert "trusted bots are not isolated: choose one of --trust and --isolate-all" in " ".join(ran.err.split())


@pytest.mark.parametrize(
    "words", ["rerun match.jsonl", "refeed match.jsonl --seat 0", "branch match.jsonl --at ask9 --move go --repeat 2"]
)
def test_a_command_prints_the_same_wherever_bundled_bots_are_played(words: str, arena: Arena) -> None:
    rule = ("--rule", "max_turns=3")
    assert arena("match", "greedy", "fair", *rule, "--seed", 1, "--out", "match.jsonl").code == 0
    usual, isolated = arena(*words.split()), arena(*words.split(), "--isolate-all")
    assert (usual.code, usual.out) == (isolated.code, isolated.out) == (0, usual.out)
    assert usual.err.startswith(f"isolation {LEVEL}")
    assert EXEMPT_WORDS not in isolated.err


@pytest.mark.slow
def test_audits_play_and_ask_again_as_they_are_told_and_find_the_same(
    arena: Arena, copied_run: CopiedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied_run(TWO, "out")
    words = ("audit", "out", "--sample", 2, "--each", 0, "-j", 1)
    with monkeypatch.context() as patched:
        patched.setattr(repeatability, "ForkServer", None)  # nobody is asked again in a process of its own
        usual = arena(*words)
    all_isolated = arena(*words, "--isolate-all")
    assert (usual.code, usual.out) == (all_isolated.code, all_isolated.out) == (0, usual.out), (usual, all_isolated)
    assert usual.err.startswith(f"isolation {LEVEL}{EXEMPT_WORDS}\n")
    assert all_isolated.err.startswith(f"isolation {LEVEL}\n")


@pytest.mark.slow
def test_a_bundled_bot_that_is_checked_is_isolated_like_any_other(arena: Arena, few_matches: None) -> None:
    isolated, trusted = (arena("bots", "check", "greedy", "--json", *how) for how in ((), ("--trust",)))
    assert (isolated.code, trusted.code) == (0, 0), (isolated, trusted)
    assert json.loads(isolated.out)["memory"] > 1 << 20
    assert json.loads(trusted.out)["memory"] == 0


def test_the_doctor_says_who_is_exempt(arena: Arena) -> None:
    assert json.loads(arena("doctor", "--json").out)["exempt"] == list(bundled_bots())
    told = " ".join(arena("doctor").out.split())
    assert f"bundled bots run in arena's own process, unless all are isolated: {', '.join(bundled_bots())}" in told
