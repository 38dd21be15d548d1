"""Reads lines from an untrusted bot: returns a message of the expected kind, or the reason why a line is not one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Union

import msgspec

from arena.bot import NOTE_LENGTH, SAY_LENGTH, Consult
from arena.consulting.answer_schema import schema_refusal
from arena.errors import nearest_hint
from arena.games import DEFAULT_GAME, built_in_games, load_game
from arena.games.contract import Hook, Move
from arena.games.field_types import trust_move
from arena.games.game_bot import NOTICE_METHODS
from arena.protocol.messages import PROTOCOL_VERSION, START_ID, ConsultAsked, Failed, Hello, Message, Replied


class Garbled(Exception):
    """A line is not the expected message; ``str()`` is the reason, for the bot's author."""


def read_hello(line: bytes) -> Hello | Failed:
    """A bot's first line. Raises Garbled."""
    found: Hello | Failed = _decode_line(_first, line, "expected hello")
    if isinstance(found, Hello):
        if found.protocol != PROTOCOL_VERSION:
            old = (
                f'; say "protocol": 2 and name its games, as in "games": ["{DEFAULT_GAME}"]'
                if found.protocol == 1
                else ""
            )
            raise Garbled(f"hello: the bot speaks protocol {found.protocol}, arena speaks {PROTOCOL_VERSION}{old}")
        _check_games(found)
        _check_hooks(found)
    return found


def _check_games(hello: Hello) -> None:
    """Check the games that a bot names. Games outside arena have dotted names and are not imported here."""
    for game in hello.games:
        if game not in built_in_games() and "." not in game:
            raise Garbled(
                f"hello: there is no game {game!r}{nearest_hint(game, built_in_games())}; "
                f"there are {', '.join(built_in_games())}"
            )
    if not hello.games and not {*hello.hooks} <= {*NOTICE_METHODS}:
        raise Garbled(f'hello: it has hooks but names no game; add its games, as in "games": ["{DEFAULT_GAME}"]')


def _check_hooks(hello: Hello) -> None:
    """Check the hooks that a bot names; only those of arena's own games are known."""
    if not {*hello.games} <= {*built_in_games()}:
        return
    known = [*(hook for game in hello.games for hook in load_game(game).hooks), *NOTICE_METHODS]
    for hook in hello.hooks:
        if hook not in known:
            of = " or ".join(hello.games)
            raise Garbled(f"hello: {hook!r} is no hook of {of}{nearest_hint(hook, known)}")


def read_answer(line: bytes, id: int, hook: Hook | None) -> Replied | Failed:
    """The answer to ask ``id`` of ``hook`` (None: to ``start``), its move one of the hook's classes, a bool or None.

    Raises Garbled."""
    found: Replied | Failed = _decode_line(_started if hook is None else answer_decoder(hook), line, "expected a reply")
    if found.id != id:
        raise Garbled(f"the reply is to ask {found.id}; expected {id}")
    if isinstance(found, Replied):
        if len(found.say) > SAY_LENGTH:
            raise Garbled(f"say has {len(found.say)} characters; at most {SAY_LENGTH}")
        if len(found.note) > NOTE_LENGTH:
            raise Garbled(f"note has {len(found.note)} characters; at most {NOTE_LENGTH}")
        if isinstance(found.move, Move):
            trust_move(found.move)
    return found


class _TypeAlone(msgspec.Struct):
    type: str


_type_of = msgspec.json.Decoder(_TypeAlone).decode
_CONSULT_WORD, _CONSULT_WITHIN = b'"consult"', 64
"""The type of a consultation, and within how many bytes of a line it stands: the type comes first."""


def is_consult(line: bytes) -> bool:
    """Whether a bot's line is a question to a language model, valid or not."""
    if line.find(_CONSULT_WORD, 0, _CONSULT_WITHIN) < 0:
        return False
    try:
        return _type_of(line).type == "consult"
    except Exception:  # whatever is wrong with the line is found when it is read
        return False


def read_consult(line: bytes, id: int) -> Consult:
    """The question to a language model that a bot asks while it thinks about ask ``id``. Raises Garbled."""
    found: ConsultAsked | Failed = _decode_line(_consult, line, "expected a consultation")
    if not isinstance(found, ConsultAsked):
        raise Garbled("expected a consultation")
    if found.id != id or id == START_ID:
        raise Garbled(f"the consultation is for ask {found.id}; expected {id or 'none before the first ask'}")
    try:
        given = {name: getattr(found, name) for name in Consult.__struct_fields__}
        consult = msgspec.convert(given, Consult, from_attributes=True)
    except msgspec.ValidationError as problem:
        raise Garbled(f"consult: {problem}") from None
    if consult.schema is not None and (refusal := schema_refusal(consult.schema)):
        raise Garbled(f"consult: {refusal}")
    return consult


Decode = Callable[[bytes], Any]


@lru_cache(maxsize=256)
def _reply_decoder(name: str, moves: tuple[type, ...]) -> Decode:
    reply = msgspec.defstruct(
        "Replied",
        [("id", int), ("move", Union[(*moves, bool, None)], None), ("say", str, ""), ("note", str, "")],
        bases=(Replied,),
        tag="reply",
        frozen=True,
        gc=False,
    )
    return msgspec.json.Decoder(Union[reply, Failed]).decode


def answer_decoder(hook: Hook) -> Decode:
    """Decodes an answer to the hook."""
    return _reply_decoder(hook.name, hook.moves)


_consult = msgspec.json.Decoder(ConsultAsked | Failed).decode
_first = msgspec.json.Decoder(Hello | Failed).decode
_started = msgspec.json.Decoder(
    Union[
        msgspec.defstruct(
            "Replied", [("id", int), ("move", None, None)], bases=(Message,), tag="reply", forbid_unknown_fields=True
        ),
        Failed,
    ]
).decode


def _decode_line(decode: Decode, line: bytes, expected: str) -> Any:
    try:
        found = decode(line)
    except msgspec.ValidationError as problem:
        raise Garbled(f"{expected}: {problem}") from None
    except Exception as problem:  # not JSON, not UTF-8, or nested too deeply
        raise Garbled(f"{expected}: {type(problem).__name__}: {problem}") from None
    if isinstance(found, Failed) and not found.kind.can_be_reported:
        raise Garbled(f"{expected}: Invalid enum value {found.kind.value!r} - at `$.kind`")
    return found
