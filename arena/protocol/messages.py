"""The messages between arena and a bot in a process of its own: one JSON object a line, told apart by ``type``.

The page ``arena docs protocol`` shows every one with an example. Adding a field with a default keeps the version; all
else raises :data:`VERSION`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from arena.bot import Limits

VERSION = 2
LINE_LIMIT = 65_536
"""Bytes that a line from a bot may have, its line feed included."""
START = 0
"""The id under which ``start`` is answered."""


class Message(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """Base of all messages."""


class Hello(Message, frozen=True, tag="hello", omit_defaults=True):
    """Bot to arena, its first line: the ``protocol``'s version it speaks, a ``name`` for logs, the ``games``
    it plays, the ``hooks`` of them that it implements (it is asked no others; ``finish`` among them has it told the
    end), whether it wants ``views`` whole or
    only what changed, and whether asks shall list the ``legal`` moves."""

    protocol: int
    name: str = ""
    games: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    views: Literal["full", "changes"] = "full"
    legal: bool = False


class Begin(Message, frozen=True, tag="start"):
    """Arena to bot, its first line: :class:`arena.bot.Start`, with the bot's options. Answered under the id 0."""

    protocol: int
    game: str
    edition: str
    rules: Any
    players: int
    seat: int
    seed: str
    limits: Limits
    options: dict[str, Any]


class Asked(Message, frozen=True, tag="ask", omit_defaults=True):
    """Arena to bot: a question. ``id`` counts this bot's asks from 1. One of ``view`` (the whole view) and ``changes``
    (its fields that differ from what was sent last) is there; ``legal`` where hello wanted it."""

    id: int
    hook: str
    view: Any | UnsetType = UNSET
    changes: Any | UnsetType = UNSET
    legal: Any | UnsetType = UNSET


class Replied(Message, frozen=True, tag="reply", omit_defaults=True):
    """Bot to arena: the answer to the ask ``id``. ``move`` null, or none, does nothing, where that is possible."""

    id: int
    move: Any = None
    say: str = ""
    note: str = ""


class Failed(Message, frozen=True, tag="fault", omit_defaults=True):
    """Bot to arena, in place of a reply: the bot's own account of why there is none."""

    id: int
    kind: Literal["broken", "garbled", "missing", "refused"]
    evidence: str = ""


class Told(Message, frozen=True, tag="tell"):
    """Arena to bot: something that is not answered. The only ``hook`` so far is ``finish``, with
    :class:`arena.bot.Finish` as ``view``."""

    hook: str
    view: Any


class Bye(Message, frozen=True, tag="bye"):
    """Arena to bot, its last line: the process shall end."""


NOTHING_SAID = b'{"type":"reply","id":%d}\n'
"""The line of a reply that does nothing, to the ask of this id, as bots in Python write it."""

FROM_BOT = (Hello, Replied, Failed)
FROM_ARENA = (Begin, Asked, Told, Bye)

_encode = msgspec.json.Encoder().encode


def line_of(message: Message) -> bytes:
    """The message as a line."""
    return _encode(message) + b"\n"
