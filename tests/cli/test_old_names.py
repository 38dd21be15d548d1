"""Old names of options and keys work as the new ones do, and say what these are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from arena.cli.main import cli
from arena.cli.options.old_option_names import replace_old_options
from arena.config.tournament_config import Tournament
from arena.old_names import EDITION_CHANGES, OLD_KEYS, OLD_OPTIONS, OldOption, old_name_warning
from arena.sandbox.probe import Level

SHORT = ("match", "greedy", "silent", "--seed", "3", "--trust")
TINY = """\
name: t
seed: 5
entrants: [greedy, silent]
editions: [{rules: eagle-gryphon, set: {max_turns: 4}}]
isolation: none
"""
RULE = old_name_warning("--set", "--rule")
REQUIRE = old_name_warning("--untrusted", "--require locked")


@pytest.fixture
def any_level_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this machine reaches is not what is tested here."""
    from arena.runs.planning import isolation_level

    isolate = isolation_level.strictest_isolation
    monkeypatch.setattr(
        isolation_level, "strictest_isolation", lambda limits=None, at_least=Level.NONE: isolate(limits)
    )


def command_called(name: str) -> click.Command:
    command: click.Command = cli
    for word in name.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None, name
        command = found
    return command


@pytest.mark.parametrize("given", [("--set", "max_turns=6"), ("--set=max_turns=6",)])
def test_an_old_option_is_the_new_one_with_a_warning(given: tuple[str, ...], arena: Any) -> None:
    new = arena(*SHORT, "--rule", "max_turns=6")
    old = arena(*SHORT, *given)
    assert (old.code, old.out) == (new.code, new.out) == (0, new.out)
    assert old.err == f"{RULE}\n{new.err}"
    assert "--rule max_turns=6" in old.err


def test_an_old_option_that_is_given_twice_is_warned_of_once(arena: Any) -> None:
    ran = arena("rules", "show", "outline", "--set", "max_turns=6", "--set", "hand_limit=9", "--json")
    assert (ran.code, ran.err) == (0, f"{RULE}\n")
    assert (json.loads(ran.out)["max_turns"], json.loads(ran.out)["hand_limit"]) == (6, 9)


def test_untrusted_is_the_level_locked(arena: Any, any_level_will_do: None) -> None:
    ran = arena(*SHORT[:3], "--rule", "max_turns=2", "--untrusted")
    assert ran.code == 0
    assert ran.err.startswith(f"{REQUIRE}\n")
    assert ran.err.rstrip().endswith(" --require locked")
    ran = arena("match", "greedy", "silent", "--untrusted", "--trust")
    assert (ran.code, ran.err.splitlines()[0]) == (2, REQUIRE)
    assert ran.err.splitlines()[1].startswith("arena: level locked is required, but trusted bots have level")


def test_set_still_changes_keys_of_a_tournament_file(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TINY.replace("set:", "changes:"))
    ran = arena("run", "t.yaml", "-q", "-o", "out", "--set", "blocks=2")
    assert (ran.code, ran.out.count("4 matches of")) == (0, 1)
    assert "in place of" not in ran.err


PARAMS = [click.Option(["--rule"], multiple=True), click.Option(["-o", "--out"]), click.Option(["-q"], is_flag=True)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--set a=1 b", "--rule a=1 b"),
        ("--set --set --set=x", "--rule --set --rule=x"),
        ("-o --set b", "-o --set b"),
        ("-o=x --set b", "-o=x --rule b"),
        ("-q --set b", "-q --rule b"),
        ("b -- --set", "b -- --set"),
        ("--set", "--rule"),
        ("--settle --untrusted", "--settle --require locked"),
    ],
)
def test_only_options_are_replaced_and_not_their_values(words: str, expected: str) -> None:
    assert replace_old_options("match", words.split(), PARAMS)[0] == expected.split()
    assert replace_old_options("docs", words.split(), PARAMS) == (words.split(), [])


@pytest.mark.parametrize("option", OLD_OPTIONS, ids=lambda option: option.old)
def test_help_texts_have_the_new_name_alone(option: OldOption, arena: Any) -> None:
    for name in option.commands:
        shown = arena(*name.split(), "--help").out
        assert not re.search(rf"{option.old}\b(?!-)", shown)
        assert option.new_words.partition(" ")[0].strip(".") in shown
        assert set(option.new[:1]) <= {each for param in command_called(name).params for each in param.opts}


def test_the_old_key_of_editions_is_the_new_one_with_a_warning(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text(TINY)
    (tmp_path / "new.yaml").write_text(TINY.replace("set:", "changes:"))
    new, old = arena("run", "new.yaml", "-q", "-o", "new"), arena("run", "old.yaml", "-q", "-o", "old")
    assert (old.code, new.code) == (0, 0)
    told = old_name_warning("old.yaml:4:35: editions[0].set", "changes")
    assert old.err.replace("into old", "into new") == f"{told}\n{new.err}"
    for name in ("matches.jsonl", "config.resolved.yaml"):
        assert (tmp_path / "old" / name).read_bytes() == (tmp_path / "new" / name).read_bytes()


def test_the_old_key_may_be_set_on_the_command_line(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TINY.replace("set:", "changes:"))
    ran = arena("run", "t.yaml", "-q", "-o", "out", "--set", "editions[0].set.max_turns=3")
    assert ran.code == 0
    assert ran.err.startswith(old_name_warning("--set editions[0].set.max_turns: set", "changes"))
    assert "    max_turns: 3\n" in (tmp_path / "out" / "config.resolved.yaml").read_text()


def test_a_mistake_below_the_old_key_is_placed_where_it_stands(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TINY.replace("max_turns", "max_turn"))
    ran = arena("run", "t.yaml")
    assert ran.code == 2
    assert ran.err.startswith("arena: t.yaml:4:51: editions[0].changes.max_turn: unknown key (did you mean")
    (tmp_path / "t.yaml").write_text(TINY.replace("set:", "changes: {}, set:"))
    told = "t.yaml:4:48: editions[0].set: 'set' is the old name of 'changes'; give only one of them"
    assert arena("run", "t.yaml") == (2, "", f"arena: {told}\n")


def test_a_run_that_began_under_the_old_name_is_verified_and_resumed(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TINY.replace("set:", "changes:"))
    assert arena("run", "t.yaml", "-q", "-o", "out").code == 0
    out = tmp_path / "out"
    config, manifest = out / "config.resolved.yaml", out / "manifest.json"
    config.write_text(config.read_text().replace("  changes:", "  set:").replace("require: none\n", ""))
    told = json.loads(manifest.read_bytes())
    told["settings"]["editions"] = [
        {EDITION_CHANGES.old if key == EDITION_CHANGES.new else key: each[key] for key in each}
        for each in told["settings"]["editions"]
    ]
    told["config_sha256"] = _digest(told)
    manifest.write_text(json.dumps(told))
    records = (out / "matches.jsonl").read_bytes()
    assert arena("verify", "out").code == 0
    (out / "matches.jsonl").write_bytes(records.splitlines(keepends=True)[0])
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert (out / "matches.jsonl").read_bytes() == records


def _digest(told: dict[str, Any]) -> str:
    from hashlib import sha256

    keys = ("tournament", "seed", "matches", "editions", "entrants", "settings")
    return sha256(json.dumps([told[key] for key in keys], separators=(",", ":")).encode()).hexdigest()


def test_the_list_holds_only_what_is_not_there_any_more() -> None:
    for option in OLD_OPTIONS:
        for name in option.commands:
            assert option.old not in {each for param in command_called(name).params for each in param.opts}
    for key in OLD_KEYS:
        assert key.within in Tournament.__struct_fields__
