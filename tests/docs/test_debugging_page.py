"""``arena docs debugging`` is played from the first command to the last, and prints what the page shows."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from arena.penalties import FaultKind
from tests.at_terminal import at_terminal
from tests.kept import replays_of

from .pages import TEXT, blocks, codes
from .walk import in_order, is_printed, replace_hook, shown_by

pytestmark = pytest.mark.slow

PAGE = "debugging"


LEAGUE = "results/friday"
"""The folder of the run that the page names."""
TOURNAMENT = "name: friday\nseed: 1\nentrants: [greedy, fair, hard, ./hasty.py]\neditions: [eagle-gryphon]\n"


@pytest.fixture
def league(copied_run: Any, tmp_path: Path) -> Path:
    """That run, with the bot as it is first on the page."""
    (tmp_path / "hasty.py").write_text(next(block for kind, block in in_order(PAGE) if "class Hasty" in block))
    run: Path = copied_run(TOURNAMENT, LEAGUE)
    return run


def first_fault(replay: Path) -> int:
    """The ask of the first fault: where it is depends on the bundled bots."""
    lines = replay.read_bytes().splitlines() if replay.exists() else []
    return next((each["ask"] for each in map(json.loads, lines) if each["event"] == "fault"), 0)


def in_turn() -> list[tuple[str, str]]:
    """The Python, console and text blocks of the page."""
    return re.findall(r"^```(python|console|text)\n(.*?)^```$", TEXT[PAGE], re.DOTALL | re.MULTILINE)


def debug(folder: Path, block: str) -> None:
    """A session in the debugger, typed line by line as the page has it."""
    command, *lines = block.splitlines()
    with at_terminal(folder, *shlex.split(command.removeprefix("$ arena "))) as run:
        for line in lines:
            if line.startswith("(Pdb) "):
                run.until("(Pdb) ")
                run.type(line.removeprefix("(Pdb) "))
        run.end()
    assert is_printed("\n".join(lines), run.shown), run.shown


def test_the_page_is_played(arena: Any, few_matches: None, tmp_path: Path) -> None:
    (tmp_path / "friday.yaml").write_text(TOURNAMENT)
    bot, played = tmp_path / "hasty.py", []
    for kind, block in in_turn():
        if kind == "text" and "--pdb\n" in block and "(Pdb)" in block:
            debug(tmp_path, block)
            played.append("--pdb")
        elif kind == "python" and block.startswith("    def "):
            replace_hook(bot, block)
            bot.write_text(bot.read_text().replace("GiveUp, Open\n", "GiveUp, Open, Yes\n"))
        elif kind == "python" and "class Hasty" in block:
            bot.write_text(block)
        elif kind == "python":
            (tmp_path / "test_hasty.py").write_text(block)
            namespace: dict[str, Any] = {}
            exec(block, namespace)
            namespace["test_it_sells_only_what_it_has"]()
        elif kind == "console":
            for command, shown in shown_by(block):
                command = re.sub(r"--at ask\d+", f"--at ask{first_fault(tmp_path / 'match.jsonl')}", command)
                program, *words = shlex.split(command)
                if program != "arena":
                    continue
                more = {"run": ("-q", "-o", LEAGUE), "bots": ("--trust",)}.get(words[0], ())
                ran = arena(*words, *more)
                assert ran.code == (1 if words[0] == "rerun" else 0), (command, ran)
                assert is_printed(shown, ran.out, ran.err), (command, ran)
                played.append(words[0])
    first = ["match", "match", "show", "show", "--pdb", "--pdb", "rerun", "match", "match", "bots", "match", "run"]
    assert played == [*first, "verify"]
    assert (tmp_path / "logs" / "hasty.log").read_text().startswith("== hasty printed in match")


def test_a_match_of_a_tournament_is_played_again_from_its_own_seed(arena: Any, league: Path, tmp_path: Path) -> None:
    (replay,) = (replay for name, replay in replays_of(league).items() if name.endswith("/1-2-3-0.jsonl"))
    header, *lines, _ = replay.splitlines()
    told = json.loads(header)
    bots = [{"hasty.py": "./hasty.py"}.get(seat["bot"], seat["bot"]) for seat in told["seats"]]
    assert arena("match", *bots, "--seed", told["seed"], "--trust", "-o", "again.jsonl").code == 0
    _, *again, _ = (tmp_path / "again.jsonl").read_bytes().splitlines()
    assert again == lines
    assert any(b'"event":"fault"' in line for line in lines)


MESSAGES = {
    "ofer is not a hook": "def ofer(self, view): pass",
    "defines 2 bots": None,
    "cannot be loaded: ModuleNotFoundError": "import no_such_module",
    "has no option 'dept'": "def __init__(self, depth: int = 1): pass",
    "ended its process while it was loaded": "os._exit(0)",
}


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_of_bots_that_do_not_load(message: str, arena: Any, write_bot: Any, tmp_path: Path) -> None:
    body = MESSAGES[message]
    write_bot(body or "pass", "mine")
    if body is None:
        with (tmp_path / "mine.py").open("a") as file:
            file.write("\n\nclass Two(BoardBot):\n    pass\n")
    name = "./mine.py?dept=1" if "option" in message else "./mine.py"
    ran = arena("match", name, "silent")
    assert ran.code == 2
    assert message in ran.err
    assert any(code.startswith(message) for code in codes(TEXT[PAGE]))


def test_the_kinds_of_faults_it_names_exist() -> None:
    for kind in ("broken", "illegal", "refused", "late", "dead"):
        assert f"`{kind}`" in TEXT[PAGE]
        assert kind in [each.value for each in FaultKind]


def test_blocks_that_are_not_run_are_of_the_debugger_or_a_log() -> None:
    firsts = [block.split("\n")[0] for block in blocks(PAGE, "text")]
    assert firsts == [
        "$ arena match ./hasty.py greedy fair hard --seed 7 --pdb",
        "$ arena refeed match.jsonl --entrant hasty --bot ./hasty.py --pdb",
        "== hasty printed in match, seat 0, replay 1f93a0c77d52:",
        "$ arena show results/friday eagle-gryphon-4p/b0000/1-2-3-0 --bot-log hasty",
    ]


def test_a_match_of_the_run_is_told_with_what_the_bot_printed(arena: Any, league: Path) -> None:
    (command,) = re.findall(r"^\$ arena (show results/friday .*)$", TEXT[PAGE], re.MULTILINE)
    ran = arena(*command.split())
    assert ran.code == 0
    assert re.search(r"hasty \(\d\) \| turn at space", ran.out)
