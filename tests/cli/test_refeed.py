"""``arena refeed``: what it prints where a bot is stopped, what it counts, and its exit codes."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BotError
from arena.match.feeding.answer_difference import AnswerComparison
from arena.recorded import feeding
from arena.recorded.feeding import AskFeeder
from arena.runs.planning.isolation_level import strictest_isolation
from arena.runs.single_match import MatchSetup, play_match, set_up_match
from arena.testing import refeed
from tests.conftest import Arena, write_player

BROKEN = """
def turn(self, view):
    if view.turn > 3: print("so\x1b far"); 1 / 0
    return self.play_on(view)
"""
BODIES = {
    "old": "def turn(self, view):\n    return self.play_on(view)\n",
    "new": "def turn(self, view):\n    if view.turn == 5: return Open()\n    return self.play_on(view)\n",
    "words": "def turn(self, view):\n    return Reply(self.play_on(view), say='\x1b[2Jaha')\n",
    "broken": BROKEN,
    "wrong": "def turn(self, view):\n    return Draw()\n",
    "dies": "def turn(self, view):\n    os._exit(0)\n",
}

DEAF = """\
from arena.games.board import BoardBot, No


class Deaf(BoardBot):
    def accept(self, view):
        return No()
"""

PROGRAM = """\
import json, sys
hooks = ["turn", "offer", "accept", "interrupt", "close"]
print(json.dumps({"type": "hello", "protocol": 2, "games": ["board"], "hooks": hooks, "legal": True}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({"type": "reply", "id": 0}), flush=True)
    elif message["type"] == "ask":
        print("asked", message["hook"], file=sys.stderr, flush=True)
        print(json.dumps({"type": "reply", "id": message["id"], "move": message["legal"][0]}), flush=True)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bots, ``match.jsonl`` in which ``old.py`` has seat 0, and a folder of two such replays."""
    folder = tmp_path_factory.mktemp("refeed")
    for name, body in BODIES.items():
        write_player(folder, body, name)
    ready = set_up_match(
        (str(folder / "old.py"), "greedy", "hard"), MatchSetup(settings=["max_turns=14"], seed="7"), here=True
    )
    replay = play_match(ready).replay
    (folder / "kept").mkdir()
    for name in ("match.jsonl", "kept/1.jsonl", "kept/2.jsonl"):
        (folder / name).write_bytes(replay)
    return folder


@pytest.fixture
def put(made: Path, tmp_path: Path, arena: Arena, asked_here: None) -> Any:
    """Runs ``arena refeed match.jsonl --seat 0`` in a copy of that folder, with a trusted bot of this name, which is
    asked in this process."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)

    def run(bot: str, *words: object, trust: bool = True) -> Any:
        return arena("refeed", "match.jsonl", "--seat", 0, "--bot", bot, *(["--trust"] * trust), *words)

    return run


@pytest.mark.slow
def test_a_bot_is_stopped_at_its_first_other_answer(put: Any) -> None:
    ran = put("./new.py")
    assert (ran.code, ran.err) == (1, "isolation none\n")
    lines = ran.out.splitlines()
    ask = lines[0].split("ask ")[1].split(",")[0]
    assert lines[0] == f"match.jsonl: ask {ask}, turn: new answers differently from old [changed]."
    assert lines[2].startswith(f"Ask {ask} of ")
    titles = ["It sees", "Legal answers (", "It answered in the match", "new answers now", "To go on"]
    places = [next(at for at, line in enumerate(lines) if line.startswith(title)) for title in titles]
    assert places == sorted(places)
    assert lines[places[2] + 1] == "  rolls"
    assert lines[places[3] + 1] == "  opens the deal"
    assert lines[places[4] + 1 :] == [
        f"  arena refeed match.jsonl --seat 0 --bot ./new.py --at ask{ask} --pdb",
        f"  arena show match.jsonl --seat 0 --at ask{ask}",
        f"  arena branch match.jsonl --seat 0 --at ask{ask} --bot ./new.py",
    ]
    assert put("./new.py", "--at", f"ask{ask}").out == ran.out


def test_without_a_seat_numbers_are_those_of_the_file_and_the_seat_is_that_of_the_ask(put: Any, arena: Arena) -> None:
    own = json.loads(put("./new.py", "--json").out)["found"]["place"]
    ran = arena("refeed", "match.jsonl", "--entrant", "old", "--bot", "./new.py", "--trust")
    event, ask = ran.out.split("#")[1].split(", ask ")[0], ran.out.split("ask ")[1].split(",")[0]
    assert ran.out.startswith(f"match.jsonl: #{event}, ask {ask}, turn: new answers differently from old [changed].")
    assert int(ask) > own["ask"]
    assert ran.out.splitlines()[-3:] == [
        f"  arena refeed match.jsonl --bot ./new.py --at {event} --pdb",
        f"  arena show match.jsonl --at {event}",
        f"  arena branch match.jsonl --at {event} --bot ./new.py",
    ]
    for words in (("--at", f"#{event}"), ("--at", f"ask{ask}")):
        assert arena("refeed", "match.jsonl", *words, "--bot", "./new.py", "--trust").out == ran.out


def test_a_bot_that_answers_as_recorded_is_told_in_one_line_and_exits_0(put: Any) -> None:
    ran = put("./old.py")
    assert (ran.code, ran.err) == (0, "isolation none\n")
    assert ran.out.startswith("./old.py answers as old did at all ")
    assert ran.out.count("\n") == 1


def test_what_a_bot_in_its_own_process_printed_there_is_shown_harmlessly(put: Any) -> None:
    ran = put("./broken.py", trust=False)
    assert ran.code == 1
    assert ": broken breaks [broken].\n" in ran.out
    printed = ran.out.partition("\nbroken printed there\n")[2]
    assert printed.startswith("  so\ufffd far\n  broken.py broke\n  Traceback (most recent call last):\n")
    assert "ZeroDivisionError: division by zero" in printed
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("trust", [False, True])
def test_a_bot_whose_process_ends_costs_its_finding_and_nothing_else(
    put: Any, trust: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeding, "can_fork", lambda: True)
    ran = put("./dies.py", "--all", "--json", trust=trust)
    found = json.loads(ran.out)
    assert ran.code == 1
    assert (found["codes"]["dead"], found["matches_ended"]) == (1, 1)


def test_words_are_a_difference_unless_they_are_left_out_of_account(put: Any) -> None:
    ran = put("./words.py")
    assert ran.code == 1
    assert "words answers as old did, with other words [words]." in ran.out
    assert 'and says: "\ufffd[2Jaha"' in ran.out
    assert put("./words.py", "--ignore-words").code == 0


def test_all_asks_are_counted_by_hook(put: Any) -> None:
    ran = put("./wrong.py", "--all")
    assert ran.code == 1
    first, _, header, _, *rows = ran.out.splitlines()
    assert first.startswith("wrong differs from old at ")
    assert header.split() == ["hook", "asks", "differ", "changed", "mended", "illegal", "faults", "words", "slow"]
    by_hook = {row.split()[0]: [*map(int, row.split()[1:])] for row in rows[: rows.index("")]}
    assert by_hook["turn"][1] == by_hook["turn"][4] > 0
    assert by_hook["all"] == [
        sum(column) for column in zip(*(by_hook[hook] for hook in by_hook if hook != "all"), strict=True)
    ]
    assert sum(row.startswith("illegal") for row in rows) == 3, "the first places"


def test_asks_of_hooks_that_the_bot_has_not_got_are_told_apart(put: Any, tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text(DEAF)
    ran = put("./deaf.py", "--all")
    found = json.loads(put("./deaf.py", "--all", "--json").out)
    by_hook = {hook["hook"]: (hook["asks"], hook["not_put"]) for hook in found["hooks"]}
    assert by_hook["turn"][0] == by_hook["turn"][1] > 0
    assert by_hook["accept"][1] == 0
    assert found["not_put"] == sum(not_put for _, not_put in by_hook.values())
    told = f"deaf does not define the hook for {found['not_put']} of the {found['asks']} asks: the default was"
    assert told in ran.out.replace("\n", " ")


@pytest.mark.parametrize("words", [(), ("--trust",)])
def test_a_bot_of_another_game_is_refused_before_anything_is_asked(put: Any, words: tuple[str, ...]) -> None:
    ran = put("tycoon", "--all", *words, trust=False)
    assert (ran.code, ran.out) == (2, "")
    level = "none" if words else strictest_isolation().level
    assert ran.err == f"isolation {level}\narena: bot tycoon does not play the game board; it plays cards\n"
    with pytest.raises(BotError, match="does not play the game board"):
        refeed("tycoon", "match.jsonl", seat=0)


def test_the_ask_that_is_taken_for_another_line_is_named(put: Any, arena: Arena) -> None:
    for command in (("refeed", "--trust"), ("show",), ("branch", "--repeat", 0, "--trust", "--bot", "greedy")):
        ran = arena(command[0], "match.jsonl", "--seat", 0, "--at", 3, *command[1:])
        assert "arena: #3 is not an answer of old; using its next ask, 1\n" in ran.err, command
    assert "arena: ask 1 of seat 0 is ask " in ran.err, "what a branch tells has the numbers of the match"


@pytest.mark.slow
def test_a_match_with_faults_ends_with_the_commands_that_lead_to_them(put: Any, arena: Arena) -> None:
    ran = arena("match", "./wrong.py", "greedy", "hard", "--set", "max_turns=6", "--seed", 7, "--out", "f.jsonl")
    *_, title, show, again = ran.err.splitlines()
    ask = show.split()[-1].removeprefix("ask")
    assert title == "To go on:"
    assert show == f"  arena show f.jsonl --at ask{ask}"
    assert again == f"  arena refeed f.jsonl --bot ./wrong.py --at ask{ask} --pdb"
    assert f"(first at ask {ask})" in ran.err
    assert arena(*show.split()[1:]).code == 0
    assert arena(*again.split()[1:-1]).code == 1
    unkept = arena("match", "./wrong.py", "greedy", "hard", "--set", "max_turns=6", "--seed", 7).err
    assert " --out faults.jsonl\n  arena show faults.jsonl --at ask" in unkept


def test_json_has_stable_codes_and_every_place(put: Any) -> None:
    ran = put("./wrong.py", "--all", "--json")
    found = json.loads(ran.out)
    assert found["other"] == found["codes"]["illegal"] == len(found["places"]) > 3
    assert sum(found["codes"].values()) == found["asks"] == sum(hook["asks"] for hook in found["hooks"])
    assert found["share"]["mean"] == pytest.approx(found["other"] / found["asks"], abs=1e-6)
    place = found["places"][0]
    assert (place["code"], place["match"], place["now"]["rule"]) == ("illegal", "match.jsonl", "B3.2")
    stopped = json.loads(put("./wrong.py", "--json").out)
    assert stopped["found"]["place"] == place
    assert stopped["found"]["one"]["ask"] == place["ask"]
    assert stopped["commands"][1] == f"arena show match.jsonl --seat 0 --at ask{place['ask']}"


def test_matches_of_a_folder_are_asked_again_by_entrant(put: Any, arena: Arena) -> None:
    ran = arena("refeed", "kept", "--entrant", "old", "--bot", "./wrong.py", "--trust", "--all", "-j", 1)
    assert ran.code == 1
    assert " asks in 2 of 2 matches: " in ran.out.splitlines()[0]
    assert arena("refeed", "kept", "--entrant", "greedy", "--trust").code == 0


def test_who_presses_ctrl_c_is_told_what_was_counted(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(putting: AskFeeder) -> Iterator[AnswerComparison]:
        yield from islice(asks(putting), 9)
        raise KeyboardInterrupt

    asks = AskFeeder.asks
    monkeypatch.setattr(AskFeeder, "asks", stop)
    ran = put("./old.py", "--all")
    assert ran.code == 130
    assert ran.out.startswith("./old.py answers as old did at all 9 asks ")
    assert ran.err == "isolation none\narena: stopped; the remaining questions were not asked\n"


def test_a_program_in_any_language_is_asked_again(put: Any, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    ran = put(f"cmd:{os.path.realpath(sys.executable)} -S program.py", "--json", "--ignore-words")
    found = json.loads(ran.out)["found"]
    assert ran.code == 1
    assert (found["place"]["code"], found["place"]["now"]["move"]) == ("changed", found["one"]["legal"][0])
    assert found["printed"] == f"asked {found['place']['hook']}"
    assert "--pdb" not in json.loads(ran.out)["commands"][0], "no debugger of Python's looks into a program"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["match.jsonl"], 2, "name the seat to re-ask with --seat or --entrant: 0 old, 1 greedy, 2 hard"),
        (["match.jsonl", "--seat", "0", "--all", "--at", "9"], 2, "--all does not stop: leave out --at"),
        (
            ["match.jsonl", "--seat", "0", "--at", "0"],
            2,
            "expected an event (a line of the replay, from 1) such as 412, or an ask",
        ),
        (
            ["match.jsonl", "--seat", "2", "--at", "ask9999"],
            2,
            "there is no ask 9999 of seat 2; its own asks a",
        ),
        (["match.jsonl", "--entrant", "hard", "--at", "ask1"], 2, "ask 1 belongs to seat "),
        (["match.jsonl", "--seat", "0", "--slow", "0"], 2, "0"),
        (["kept", "--seat", "0"], 2, "name the entrant with --entrant NAME"),
        (["kept", "--entrant", "old", "--at", "9"], 2, "an event or ask belongs to one match"),
        (["kept", "--entrant", "odd"], 2, "no entrant 'odd' in kept (did you mean 'old'?)"),
        (["none.jsonl", "--seat", "0"], 2, "none.jsonl"),
        (["old.py", "--seat", "0"], 2, "old.py: line 1"),
        (["changed.jsonl", "--seat", "0"], 3, "changed.jsonl: line 12"),
    ],
)
def test_mistakes_are_told_in_one_line(put: Any, arena: Arena, words: list[str], code: int, said: str) -> None:
    lines = Path("match.jsonl").read_bytes().split(b"\n")
    Path("changed.jsonl").write_bytes(b"\n".join([*lines[:11], *lines[12:]]))
    ran = arena("refeed", *words, "--bot", "./old.py", "--trust")
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
