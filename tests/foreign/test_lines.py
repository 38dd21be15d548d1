"""The foreign bots on the wire, without a referee: what they say first, and lines that nobody has promised them."""

from __future__ import annotations

import json
import subprocess
from random import Random
from typing import Any

import msgspec
import pytest

from arena.bot import Limits
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.chance import Chance
from arena.protocol.changes import Sender
from arena.protocol.messages import Asked, Begin, Hello, line_of
from arena.protocol.reading import read_answer, read_hello

from .conftest import NAMES, Commands

BYE = b'{"type":"bye"}\n'
GAME = load_game("board")


def converse(command: list[str], *lines: bytes) -> list[Any]:
    """What the bot says to these lines; its process must end by itself, and well."""
    done = subprocess.run(command, input=b"".join(lines), capture_output=True, timeout=60, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def begin(seed: str = "1", **more: Any) -> Begin:
    """The start of a match of three, for seat 0."""
    edition = load_edition("eagle-gryphon")
    rules = msgspec.to_builtins(edition.rules, str_keys=True)
    fields = {"game": "board", "edition": edition.label, "rules": rules, "options": {}, **more}
    return Begin(1, players=3, seat=0, seed=seed, limits=Limits(), **fields)


def asks(name: str, number: int) -> list[tuple[str, bytes]]:
    """Hooks and lines of asks to seat 0 while everybody plays at random, as the bot wants its views."""
    rules = load_edition("eagle-gryphon").rules
    state = GAME.start(rules, 3, Chance(name), [])
    pick, sender, found = Random(name), Sender("board"), list[tuple[str, bytes]]()
    while state.asks and len(found) < number:
        chosen = []
        for index, ask in enumerate(state.asks):
            view = state.view(index)
            chosen.append(pick.choice(view.legal_moves(rules)))
            if ask.seat == 0:
                seen = {"changes": sender.changes(view)} if name == "broker" else {"view": view}
                found.append((ask.hook, line_of(Asked(len(found) + 1, ask.hook, **seen))))
        for index, move in enumerate(chosen):
            state.apply(index, move, [])
    return found


def stranger(line: bytes) -> bytes:
    """The same message with fields of a later version: of every kind, deep, long, with escapes."""
    fields = json.loads(line)
    news: dict[str, Any] = {"a": [1, -2.5e3, None, True, [[]]], "ü": '\\ "\n\u0001 \U0001f600', "long": "x" * 99_000}
    fields |= {"later": news, "type2": "bye"}
    for name in ("view", "changes"):
        if name in fields:
            fields[name] |= {"later": news, "mood": "good"}
    return json.dumps(fields).encode() + b"\n"


@pytest.mark.parametrize("name", NAMES)
def test_its_first_line_is_a_hello(commands: Commands, name: str) -> None:
    first, *rest = converse(commands[name], BYE)
    hello = read_hello(json.dumps(first).encode())
    assert not rest
    assert first["views" if name == "broker" else "type"] == ("changes" if name == "broker" else "hello")
    assert isinstance(hello, Hello)
    assert (hello.games, set(hello.hooks)) == (("board",), set(GAME.hooks))


@pytest.mark.parametrize("name", NAMES)
def test_every_ask_has_a_reply_that_reads_strictly(commands: Commands, name: str) -> None:
    put = asks(name, 120)
    _, started, *said = converse(commands[name], line_of(begin()), *(line for _, line in put), BYE)
    assert started == {"type": "reply", "id": 0}
    assert len(said) == len(put)
    for number, (reply, (hook, _)) in enumerate(zip(said, put, strict=True), 1):
        assert reply["type"] == "reply"
        read_answer(json.dumps(reply).encode(), number, GAME.hooks[hook])


@pytest.mark.parametrize("name", NAMES)
def test_fields_and_messages_of_a_later_version_change_nothing(commands: Commands, name: str) -> None:
    lines = [line_of(begin()), *(line for _, line in asks(name, 40))]
    later = b'{"type":"weather","sky":["blue"]}\n{"type":"tell","hook":"halftime","view":{}}\n[]\n7\n'
    plain = converse(commands[name], *lines, BYE)
    assert converse(commands[name], later, *map(stranger, lines), later, BYE) == plain


@pytest.mark.parametrize("name", NAMES)
def test_broken_lines_do_not_break_it(commands: Commands, name: str) -> None:
    put, random, lines = asks(name, 60), Random(name), []
    for _, line in put:
        broken = bytearray(line[:-1])
        for _ in range(random.randint(1, 4)):
            match random.randrange(4):
                case 0:
                    broken[random.randrange(len(broken))] = random.randrange(32, 256)
                case 1:
                    del broken[random.randrange(len(broken)) + 1 :]
                case 2:
                    broken += random.choice([b'"\\ud83d', b"\\", b"\0", b"1e999", b"-", b"[" * 5000])
                case 3:
                    place = random.randrange(len(broken))
                    broken[place:place] = random.choice([b"-9", b"9" * 30, b"null", b"[", b'"', b"{}"])
        lines += [line, bytes(broken) + b"\n"]
    said = converse(commands[name], line_of(begin()), *lines, b"\n", BYE)
    assert sum(message["type"] == "reply" for message in said) > len(put)


@pytest.mark.parametrize("name", NAMES)
def test_the_end_of_the_input_ends_it(commands: Commands, name: str) -> None:
    assert len(converse(commands[name], line_of(begin())[:-1])) == 2
    assert len(converse(commands[name])) == 1


@pytest.mark.parametrize(("name", "flag"), [("broker", "--ask=3"), ("haggler", "--keep=0.5")])
def test_flags_and_options_set_the_same(commands: Commands, name: str, flag: str) -> None:
    option, _, value = flag.removeprefix("--").partition("=")
    lines = [line for _, line in asks(name, 120)]
    by_flag = converse([*commands[name], flag], line_of(begin()), *lines, BYE)
    by_option = converse(commands[name], line_of(begin(options={option: float(value)})), *lines, BYE)
    assert by_flag == by_option
    assert by_flag != converse(commands[name], line_of(begin()), *lines, BYE)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("flag", ["--colour=1", "--bar", "fast", "--ripe=soon", '--"\\=1'])
def test_a_wrong_flag_is_refused_before_anything_is_played(commands: Commands, name: str, flag: str) -> None:
    first = converse([*commands[name], flag], BYE)[0]
    assert (first["type"], first["id"], first["kind"]) == ("fault", 0, "missing")
    assert "; it takes " in first["evidence"]


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_option_is_refused_in_place_of_the_reply_to_start(commands: Commands, name: str) -> None:
    for options in ({"colour": 1}, {"ripe": "soon"}, {"ripe": True}):
        answer = converse(commands[name], line_of(begin(options=options)), BYE)[1]
        assert (answer["type"], answer["kind"]) == ("fault", "missing")
        assert next(iter(options)) in answer["evidence"]
