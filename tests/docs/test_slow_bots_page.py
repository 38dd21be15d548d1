"""``arena docs slow-bots`` is played from the first command to the last; its limits and figures are arena's."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.bot import Limits
from arena.commands.match.command import match
from arena.isolation.worker.fork_server import server_environment

from .pages import FLAT, ROOT, TEXT, codes, rows
from .walk import in_order, is_printed, replace_hook, shown_by

PAGE = "slow-bots"
FEW_TRIES = ("--ask", "0.02", "--bank", "60")


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The bot of the page."""
    path = tmp_path / "careful.py"
    (source,) = (block for kind, block in in_order(PAGE) if kind == "python" and "class Careful" in block)
    path.write_text(source)
    return path


def test_the_limits_are_told_with_their_defaults_and_options() -> None:
    told = {row[0].strip("`"): (row[1], row[2]) for row in rows(PAGE, "What is counted")}
    options = {name for param in match.params for name in param.opts}
    for field in msgspec.structs.fields(Limits):
        default, option = told.pop(field.name)
        assert default == f"{getattr(Limits(), field.name):g} s"
        assert option == "–" or option.strip("`") in options
    assert not told


@pytest.mark.slow
def test_its_commands_print_what_it_shows(arena: Any, bot: Path, few_matches: None) -> None:
    source, played = bot.read_text(), []
    for kind, block in in_order(PAGE):
        for command, shown in shown_by(block) if kind == "console" else ():
            _, *words = shlex.split(command)
            quick = source.replace("self.limits.ask / 2", "0.001")  # a check would give it a second for each ask
            bot.write_text(quick if words[0] == "bots" else source)
            ran = arena(*words, *(["--json", "--rule", "max_turns=12"] if words[0] == "match" else []))
            played.append(words[0])
            if words[0] == "match":
                assert json.loads(ran.out)["seats"][0]["faults"] == {}
            else:  # which looks at a clock
                assert ran.code in (0, 1)
                assert is_printed(shown, ran.out, ran.err), ran
    assert played == ["bots", "match"]


def test_the_profiler_tells_of_the_bots_hooks(
    bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    bot.write_text(bot.read_text().replace("self.limits.ask / 2", "0.003"))
    (script,) = (block for kind, block in in_order(PAGE) if kind == "python" and "cProfile" in block)
    exec(script, {})
    told = capsys.readouterr().out
    for name in ("cumtime", "(turn)", "(tried)", " seconds in "):
        assert name in told


@pytest.mark.slow
def test_a_bot_that_counts_repeats_itself(arena: Any, bot: Path, tmp_path: Path) -> None:
    (hook,) = (block for kind, block in in_order(PAGE) if kind == "python" and block.startswith("    def turn"))
    replace_hook(bot, hook)
    played = [
        json.loads(arena("match", "./careful.py", "greedy", "fair", "--seed", 7, *FEW_TRIES, "--json").out)
        for _ in "12"
    ]
    assert [each["seats"][0]["faults"] for each in played] == [{}, {}]
    assert played[0]["sha256"] == played[1]["sha256"]


def test_what_holds_libraries_to_one_thread_is_told() -> None:
    for name, value in server_environment().items():
        if name.endswith("_THREADS"):
            assert value == "1"
            assert f"`{name}`" in TEXT[PAGE]


def test_where_figures_come_from_is_there() -> None:
    assert "python tests/bench/slow_bots.py" in FLAT[PAGE]
    assert (ROOT / "tests" / "bench" / "slow_bots.py").is_file()
    assert {"imagine", "copy"} <= {code.partition("(")[0].rpartition(".")[2] for code in codes(TEXT[PAGE])}
