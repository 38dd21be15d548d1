"""The replay page is enough to write verifiers from: ``verifier.py`` and its games were, and check real replays."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from arena.cli.main import CONTEXT_SETTINGS
from arena.commands.match.command import match
from arena.games import built_in_games
from arena.games.board import BoardTable
from arena.games.cards import CardsTable
from arena.penalties import FaultPolicy
from arena.recorded.match_lines import MatchLine, SeenLine
from arena.runs.single_match import MatchSetup, play_match, set_up_match

from .board_books import BoardBooks
from .card_game import CardGame
from .pages import blocks, codes, rows, section
from .verifier import Verifier, Wrong, below, own_seed_of, permutation, seed_of
from .walk import is_printed, shown_by

PAGE = (Path(__file__).parents[2] / "arena" / "docs" / "replay.md").read_text(encoding="utf-8")

VERIFIERS: dict[str, type[Verifier]] = {"board": BoardBooks, "cards": CardGame}

UNRULY = '''
from arena.bot import Reply
from arena.games.board import BoardBot, Draw, Lay, No, Open, Roll, Family
from arena.games.cards import Card, CardsBot, Drop, Enough, Play, Propose


class Unruly(BoardBot, CardsBot):
    """Breaks, says what is no answer, and plays what it does not have."""

    def turn(self, view):
        return Reply(Draw() if view.rolled else Roll(), say="\\u2028 “hm”\\n", note="\\\\ \\x01")

    def interrupt(self, view):
        if view.turn % 3 == 0:
            raise RuntimeError("no idea")
        return "nothing" if view.turn % 3 == 1 else Lay((Family.RED,) * 9)

    def play(self, view):
        if view.moving is not None:
            return Enough()
        if view.round % 3 == 0:
            raise RuntimeError("no idea")
        return "nothing" if view.round % 3 == 1 else Drop(Card.WILD_POTA)
'''

MATCHES = {
    "eagle-gryphon": "dealmaker greedy saboteur hard --seed 7",
    "dividends only": "fair greedy hoarder dealmaker saboteur --rules outline --seed 3 --rule max_turns=40",
    "the game for two": "dealmaker random-legal --seed 11 --variant late-hand-limit",
    "a short game": "greedy fair hard --rules face2face-2003 --variant short-game --seed 5",
    "a small deck": "random-legal random-legal random-legal --rules schmidt-1994 --seed 2 --rule max_turns=40 "
    "--rule deck.recruitment=9 --rule hand_limit=5",
    "strikes": "BOT fair greedy --seed 1 --strikes 4 --rule max_turns=40",
    "forfeit": "fair BOT greedy --rules outline --seed 1 --fault-policy forfeit",
    "void": "fair greedy BOT --seed 1 --fault-policy void --rule max_turns=40",
    "the card game": "random-legal random-legal counter random-legal --rules card-game --seed 7",
    "cards for three": "counter random-legal silent --rules card-game --seed 5 --variant last-pass-draws",
    "cards for six": "random-legal random-legal counter silent random-legal random-legal --rules card-game --seed 8 "
    "--variant no-limit --variant long-game",
    "a short deck of cards": "random-legal random-legal random-legal --rules card-game --seed 2 --rule deck.pota=0 "
    "--rule deck.reverse=1 --rule deck.move.3=0 --rule deck.wild_pota=0 --rule start_money=500",
    "no discards, one X": "random-legal random-legal counter --rules card-game --seed 4 --rule deck.x=1 "
    "--rule discards_between_rounds=0 --variant no-cousins",
    "strikes at cards": "BOT random-legal random-legal --rules card-game --seed 1 --strikes 40",
    "forfeit at cards": "random-legal BOT random-legal --rules card-game --seed 1 --fault-policy forfeit",
}


def verify(content: bytes) -> None:
    """Raises Wrong where the replay is not what the pages describe."""
    game = json.loads(content.partition(b"\n")[0])["game"]
    VERIFIERS[game](content, PAGE).run()


class Replays(dict[str, bytes]):
    """The replays by name, each played when it is first wanted."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.bot = folder / "unruly.py"
        self.bot.write_text(UNRULY, encoding="utf-8")

    def __missing__(self, name: str) -> bytes:
        words = MATCHES[name].replace("BOT", str(self.bot)).split()
        given = match.make_context("match", words, **CONTEXT_SETTINGS).params
        setup = MatchSetup(
            **{name: given[name] for name in ("rules", "variants", "settings", "seed", "strikes")},
            fault_policy=FaultPolicy(given["fault_policy"]),
        )
        ready = set_up_match(given["bots"], setup)
        self[name] = play_match(ready).replay
        return self[name]


@pytest.fixture(scope="session")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Replays:
    return Replays(tmp_path_factory.mktemp("replays"))


@pytest.mark.parametrize("name", MATCHES)
def test_a_replay_is_what_the_page_says(name: str, replays: Replays) -> None:
    verify(replays[name])


WANTED = {
    "board": "reshuffled fault stopped recruited fizzled fell placards deck start die initiative end",
    "cards": "reshuffled fault x color proposed requested refused cousin shifted dropped discarded boss deck",
}


@pytest.mark.parametrize("game", built_in_games())
def test_the_replays_hold_what_the_page_tells_of(game: str, replays: Replays) -> None:
    lines = [json.loads(line) for name in MATCHES for line in replays[name].splitlines() if _game(name) == game]
    seen = {line["event"] for line in lines} | {line["name"] for line in lines if line["event"] == "chance"}
    wanted = {*WANTED[game].split(), *(["travel ended", "new boss", "side initiative"] if game == "board" else [])}
    assert wanted <= seen, "play other seeds"


def _game(name: str) -> str:
    return "cards" if "card-game" in MATCHES[name] else "board"


@cache
def _line_of(content: bytes, event: str) -> int:
    return next(n for n, line in enumerate(content.splitlines()) if line.startswith(b'{"event":"%s"' % event.encode()))


CHANGES = {
    "eagle-gryphon": [
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
    ],
    "the card game": [
        ("chance", b'"value":', b'"value":1'),
        ("drew", b'"count":8', b'"count":7'),
        ("led", b'"seat":', b'"seat":1'),
        ("settled", b'"amounts":[', b'"amounts":[1'),
        ("settled", b'"value":', b'"value":1'),
        ("x", b'"multiplier":3', b'"multiplier":4'),
        ("passed", b'"disks":', b'"disks":1'),
        ("round", b'"round":1', b'"round":2'),
        ("match", b'"seed":"7"', b'"seed":"8"'),
        ("match", b'"factor":5', b'"factor":6'),
        ("result", b'"asks":', b'"asks":1'),
        ("answer", b'"ask":', b'"ask":1'),
    ],
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_replay_does_not_verify(name: str, replays: Replays) -> None:
    for event, old, new in CHANGES[name]:
        lines = replays[name].splitlines(keepends=True)
        at = _line_of(replays[name], event)
        assert old in lines[at], event
        lines[at] = lines[at].replace(old, new, 1)
        try:
            verify(b"".join(lines))
        except (Wrong, ValueError):
            continue
        pytest.fail(f"{event}: {new!r} in place of {old!r} verifies")


@pytest.mark.parametrize("name", CHANGES)
def test_a_cut_off_replay_does_not_verify(name: str, replays: Replays) -> None:
    content = replays[name]
    lines = content.splitlines(keepends=True)
    for cut in (content[:-1], b"".join(lines[:-1]), b"".join(lines[:20] + lines[21:])):
        with pytest.raises((Wrong, ValueError, IndexError)):
            verify(cut)


@pytest.mark.parametrize("name", ["eagle-gryphon", "the card game"])
def test_the_example_of_the_table_after_every_event_runs(
    name: str,
    replays: Replays,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    example, _ = blocks("replay", "python")
    (tmp_path / "m.jsonl").write_bytes(replays[name])
    monkeypatch.setattr(sys, "argv", ["-c", str(tmp_path / "m.jsonl")])
    exec(example, {})
    printed = capsys.readouterr().out.splitlines()
    lines = [json.loads(line) for line in replays[name].splitlines()]
    assert len(printed) == len(lines) + 1
    assert printed[-1] == f"True {tuple(seat['money'] for seat in lines[-1]['seats'])}"


@pytest.mark.parametrize("name", ["eagle-gryphon", "the card game"])
def test_the_example_of_lines_of_json_prints_what_the_page_shows(
    name: str, replays: Replays, arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    _, example = blocks("replay", "python")
    (tmp_path / "m.jsonl").write_bytes(replays[name])
    lines = arena("show", "m.jsonl", "--jsonl").out
    monkeypatch.setattr(sys, "stdin", StringIO(lines))
    exec(example, {})
    printed = capfd.readouterr()
    assert printed.err == ""
    gained = [json.loads(re.findall(r"\[.*?\]", line)[0]) for line in printed.out.splitlines()]
    tables = [each["table"] for each in map(json.loads, lines.splitlines()) if each["table"]]
    first, last = tables[0]["money"], tables[-1]["money"]
    assert [sum(each) for each in zip(first, *gained, strict=True)] == last != first
    ((_, shown),) = [each for each in shown_by(blocks("replay", "console")[-1]) if "money.py" in each[0]]
    assert name != "eagle-gryphon" or is_printed(shown, printed.out)


def test_every_field_of_lines_of_json_is_told() -> None:
    told = [field for row in rows("replay", "As lines of JSON") for field in codes(row[0])]
    assert told == list(MatchLine.__struct_fields__)
    assert {*SeenLine.__struct_fields__} <= codes(section("replay", "As lines of JSON"))


@pytest.mark.parametrize("table", [BoardTable, CardsTable])
def test_every_field_of_the_table_is_told(table: type[Any]) -> None:
    heading = {"BoardTable": "Board: the table", "CardsTable": "Cards: the table"}[table.__name__]
    told = [field for row in rows("replay", heading) for field in re.findall(r"`(\w+)`", row[0])]
    assert told == list(table.__struct_fields__)


def test_the_worked_example_of_chance() -> None:
    roll = below(6, "7", "die", [1]) + 1
    assert roll == 3
    assert "A die shows one more, that is 3." in " ".join(PAGE.split())
    families = ("red", "yellow", "blue", "magenta", "orange", "green")
    order = ", ".join(families[place] for place in permutation(6, "7", "placards", []))
    assert f"the placards come in the order {order}." in PAGE
    assert f"`{seed_of(7, 'bot', 0, 0)}`" in PAGE
    assert f"`{own_seed_of('7', 0)}`" in PAGE
    assert f"`{seed_of(2026, 'block', 0)}`" in PAGE
    assert f"`{seed_of(2026, 'match', 'outline-3p/b0000/0-1-2')}`" in PAGE


def test_a_run_s_block_seeds_and_a_bot_s_seed_are_those_of_the_page(tmp_path: Path) -> None:
    from arena.players.own_seeds import BotSeeds, own_seed
    from arena.tournament.schedule.deals import Deals, match_seed

    id = "outline-3p/b0003/0-1-2"
    assert match_seed("2026", Deals.DUPLICATE, 3, id) == seed_of(2026, "block", 3)
    assert match_seed("2026", Deals.FRESH, 3, id) == seed_of(2026, "match", id)
    assert own_seed(BotSeeds.SHA256_1, "7", 2) == seed_of(7, "bot", 2, 0)
    assert own_seed(BotSeeds.SCRYPT_1, "7", 2) == own_seed_of("7", 2)
