"""The replay page is enough to write a verifier from: ``verifier.py`` was, and checks real replays."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from .verifier import Wrong, below, permutation, seed_of, verify

PAGE = (Path(__file__).parents[2] / "arena" / "docs" / "replay.md").read_text(encoding="utf-8")

UNRULY = '''
from arena.bot import Bot, Reply
from arena.games.board import Draw, Lay, No, Open, Roll, Family


class Unruly(Bot):
    """Breaks, says what is no answer, and plays what it does not have."""

    def turn(self, view):
        return Reply(Draw() if view.rolled else Roll(), say="\\u2028 “hm”\\n", note="\\\\ \\x01")

    def interrupt(self, view):
        if view.turn % 3 == 0:
            raise RuntimeError("no idea")
        return "nothing" if view.turn % 3 == 1 else Lay((Family.RED,) * 9)
'''

MATCHES = {
    "eagle-gryphon": "dealmaker greedy saboteur hard --seed 7",
    "dividends only": "fair greedy hoarder dealmaker saboteur --rules outline --seed 3",
    "the game for two": "dealmaker random-legal --seed 11 --variant late-hand-limit",
    "a short game": "greedy fair hard --rules face2face-2003 --variant short-game --seed 5",
    "a small deck": "random-legal random-legal random-legal --rules schmidt-1994 --seed 2 --set max_turns=60 "
    "--set deck.recruitment=9 --set hand_limit=5",
    "strikes": "BOT fair greedy --seed 1 --strikes 4",
    "forfeit": "fair BOT greedy --rules outline --seed 1 --fault-policy forfeit",
    "void": "fair greedy BOT --seed 1 --fault-policy void",
}


@pytest.fixture(scope="session")
def replays(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """All matches, played side by side by the command itself."""
    folder = tmp_path_factory.mktemp("replays")
    bot = folder / "unruly.py"
    bot.write_text(UNRULY, encoding="utf-8")
    running = {}
    for name, line in MATCHES.items():
        words = line.replace("BOT", str(bot)).split()
        command = [sys.executable, "-m", "arena", "match", *words, "--out", str(folder / f"{name}.jsonl")]
        running[name] = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for process in running.values():
        _, problems = process.communicate(timeout=60)
        assert process.returncode == 0, problems.decode()
    return {name: (folder / f"{name}.jsonl").read_bytes() for name in MATCHES}


@pytest.mark.parametrize("name", MATCHES)
def test_a_replay_is_what_the_page_says(name: str, replays: dict[str, bytes]) -> None:
    verify(replays[name], PAGE)


def test_the_replays_hold_what_the_page_tells_of(replays: dict[str, bytes]) -> None:
    lines = [json.loads(line) for content in replays.values() for line in content.splitlines()]
    seen = {line["event"] for line in lines} | {line["name"] for line in lines if line["event"] == "chance"}
    for kind in ("reshuffled", "fault", "travel ended", "stopped", "recruited", "new boss", "fizzled", "fell"):
        assert kind in seen, f"no replay has {kind!r}; play another seed"
    assert {"placards", "deck", "start", "die", "initiative", "side initiative", "end"} <= seen


@cache
def _line_of(content: bytes, event: str) -> int:
    return next(n for n, line in enumerate(content.splitlines()) if line.startswith(b'{"event":"%s"' % event.encode()))


CHANGES = [
    ("chance", b'"value":["', b'"value":[ "'),
    ("placard dealt", b'"placard":"red"', b'"placard":"blue"'),
    ("drew", b'"count":5', b'"count":4'),
    ("closed", b'"paid":[', b'"paid":[1'),
    ("played", b'"move":"', b'"wild":true,"move":"'),
    ("turn", b'"turn":1', b'"turn":2'),
    ("match", b'"seed":"7"', b'"seed":"8"'),
    ("match", b'"max_turns":300', b'"max_turns":301'),
    ("result", b'"money":', b'"money":1'),
    ("answer", b'"hook"', b'"say":"","hook"'),
]


@pytest.mark.parametrize(("event", "old", "new"), CHANGES, ids=[f"{e} {n.decode()}" for e, _, n in CHANGES])
def test_a_changed_replay_does_not_verify(event: str, old: bytes, new: bytes, replays: dict[str, bytes]) -> None:
    content = replays["eagle-gryphon"]
    lines = content.splitlines(keepends=True)
    at = _line_of(content, event)
    assert old in lines[at]
    lines[at] = lines[at].replace(old, new, 1)
    with pytest.raises((Wrong, ValueError)):
        verify(b"".join(lines), PAGE)


def test_a_cut_off_replay_does_not_verify(replays: dict[str, bytes]) -> None:
    content = replays["eagle-gryphon"]
    lines = content.splitlines(keepends=True)
    for cut in (content[:-1], b"".join(lines[:-1]), b"".join(lines[:20] + lines[21:])):
        with pytest.raises((Wrong, ValueError)):
            verify(cut, PAGE)


def test_the_worked_example_of_chance() -> None:
    roll = below(6, "7", "die", [1]) + 1
    assert roll == 3
    assert "A die shows one more: 3." in " ".join(PAGE.split())
    families = ("red", "yellow", "blue", "magenta", "orange", "green")
    order = ", ".join(families[place] for place in permutation(6, "7", "placards", []))
    assert f"the placards come in the order {order}." in PAGE
    assert f"`{seed_of(7, 'bot', 0, 0)}`" in PAGE
    assert f"`{seed_of(2026, 'block', 0)}`" in PAGE


def test_a_run_s_block_seeds_and_a_bot_s_seed_are_those_of_the_page(tmp_path: Path) -> None:
    from arena.games.chance import Chance
    from arena.tournament.schedule import block_seed

    assert block_seed("2026", 0) == seed_of(2026, "block", 0)
    assert Chance("7").derive("bot", 0) == seed_of(7, "bot", 0, 0)
