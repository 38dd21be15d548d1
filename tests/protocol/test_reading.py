"""What a bot sends is read strictly, and views sent as changes are the views."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.bot import Said
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.chance import Chance
from arena.protocol.changes import Reader, Sender
from arena.protocol.messages import Asked, Hello, Replied, line_of
from arena.protocol.reading import Garbled, read_answer, read_hello

TURN = load_game("board").hooks["turn"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "expected hello"),
        (b"hello", "expected hello: "),
        (b"\xff", "expected hello: "),
        (b"{}", "missing required field `type`"),
        (b'{"type":"hello"}', "missing required field `protocol`"),
        (b'{"type":"hello","protocol":1.5}', r"Expected `int`, got `float` - at `\$.protocol`"),
        (
            b'{"type":"hello","protocol":1,"hooks":["turn"]}',
            r'speaks protocol 1, arena speaks 2; say "protocol": 2 and name its games, as in "games": \["board"\]$',
        ),
        (b'{"type":"hello","protocol":3}', "the bot speaks protocol 3, arena speaks 2$"),
        (
            b'{"type":"hello","protocol":2,"hooks":["turn"]}',
            r'it has hooks but names no game; add its games, as in "games": \["board"\]',
        ),
        (
            b'{"type":"hello","protocol":2,"games":["bord"]}',
            r"no game 'bord' \(did you mean 'board'\?\)",
        ),
        (
            b'{"type":"hello","protocol":2,"games":["board","cards"],"hooks":["turn","ofer"]}',
            r"'ofer' is no hook of board or cards \(did you mean 'offer'\?\)",
        ),
        (b'{"type":"hello","protocol":2,"view":"full"}', "unknown field `view`"),
        (b'{"type":"hello","protocol":2,"views":"some"}', "Invalid enum value 'some'"),
        (b'{"type":"reply","id":0}', "Invalid value 'reply'"),
        (b"[" * 50_000, "expected hello: "),
    ],
)
def test_what_is_no_hello_is_garbled(line: bytes, why: str) -> None:
    with pytest.raises(Garbled, match=why):
        read_hello(line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"type":"reply","id":2,"move":{"move":"roll"}}', "the reply is to ask 2; expected 1"),
        (b'{"type":"reply","id":1,"move":{"move":"yes"}}', r"Invalid value 'yes' - at `\$.move.move`"),
        (b'{"type":"reply","id":1,"move":{"move":"open","lay":["purple"]}}', "Invalid enum value 'purple'"),
        (b'{"type":"reply","id":1,"move":{"move":"roll","by":6}}', "unknown field `by`"),
        (b'{"type":"reply","id":1,"note":7}', "Expected `str`, got `int`"),
        (b'{"type":"reply","id":NaN}', "malformed"),
        (b'{"type":"reply","id":1e0}', "expected a reply: "),
        (b'{"type":"reply","id":1} {"type":"reply","id":1}', "trailing characters"),
        (b'{"type":"reply","id":1,"say":"' + b"x" * 201 + b'"}', "say has 201 characters; at most 200"),
        (b'{"type":"fault","id":1,"kind":"late"}', "Invalid enum value 'late'"),
    ],
)
def test_what_is_no_reply_is_garbled(line: bytes, why: str) -> None:
    with pytest.raises(Garbled, match=why):
        read_answer(line, 1, TURN)


def test_what_is_right_is_read() -> None:
    hello = read_hello(b'{"hooks":["turn","finish"],"games":["board"],"protocol":2,"type":"hello"}\r')
    assert hello == Hello(2, games=("board",), hooks=("turn", "finish"))


def test_of_a_game_outside_arena_the_hooks_are_not_known() -> None:
    hello = Hello(2, games=("board", "my.game"), hooks=("turn", "divide"))
    assert read_hello(line_of(hello)) == hello


def test_a_hello_that_wants_nothing_needs_no_game() -> None:
    assert read_hello(line_of(Hello(2, hooks=("finish",)))) == Hello(2, hooks=("finish",))
    move: Any = read_answer(b' {"id": 1, "type": "reply", "move": {"lay": ["red"], "move": "open"}}', 1, TURN)
    assert isinstance(move, Replied)
    assert move.move == TURN.moves[0](lay=("red",))


def test_changes_make_the_views_they_were_made_from() -> None:
    game, edition = load_game("board"), load_edition("eagle-gryphon")
    state, pick, events = game.start(edition.rules, 4, Chance("x"), []), random.Random(1), []
    sender, reader, sent, whole = Sender("board"), Reader("board"), 0, 0
    for number in range(300):
        for index, ask in enumerate(state.asks):
            view = state.view(index, (*events, Said(2, "well")) if number % 3 else ())
            line = line_of(Asked(number, ask.hook, changes=sender.changes(view)))
            assert reader.read(line) == (number, ask.hook, view)
            sent, whole = sent + len(line), whole + len(line_of(Asked(number, ask.hook, view=view)))
            events.clear()
            state.apply(index, pick.choice(state.legal(index)), events)
    assert sent < whole / 2
