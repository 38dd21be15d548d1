"""The messages between arena and a bot in a process of its own: one JSON object a line, told apart by ``type``.

The page ``arena docs protocol`` shows every one with an example. A new field with a default keeps the version; any
other change raises :data:`PROTOCOL_VERSION`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from arena.bot import ChatMessage, Consulted, Limits
from arena.penalties import FaultKind

PROTOCOL_VERSION = 2
LINE_LIMIT = 65_536
"""The maximum length of a line from a bot in bytes, including its line feed."""
START_ID = 0
"""The id of the reply to ``start``."""


class Message(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """Base of all messages."""


class Hello(Message, frozen=True, tag="hello", omit_defaults=True):
    """Bot to arena, its first line: the ``protocol``'s version it speaks, a ``name`` for logs, the ``games`` it plays,
    their ``hooks`` that it implements (it is asked no others; with ``finish`` it is told the end), whether it wants
    full ``views`` or only changes, and whether asks should list the ``legal`` moves."""

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
    """Arena to bot: a question. ``id`` counts this bot's asks from 1. It has either ``view`` (the whole view) or
    ``changes`` (the fields that differ from those last sent), and ``legal`` if hello asked for it."""

    id: int
    hook: str
    view: Any | UnsetType = UNSET
    changes: Any | UnsetType = UNSET
    legal: Any | UnsetType = UNSET


class Replied(Message, frozen=True, tag="reply", omit_defaults=True):
    """Bot to arena: the answer to the ask ``id``. Without ``move``, or with null, it does nothing, where that is
    possible."""

    id: int
    move: Any = None
    say: str = ""
    note: str = ""


class Failed(Message, frozen=True, tag="fault", omit_defaults=True):
    """Bot to arena, in place of a reply: why the bot has no answer."""

    id: int
    kind: FaultKind  # one that is claimable
    evidence: str = ""


class ConsultAsked(Message, frozen=True, tag="consult", omit_defaults=True):
    """Bot to arena, while it thinks about the ask ``id``: a question to a language model, as in
    :class:`arena.bot.Consult`. Arena answers with :class:`ConsultAnswered`; the time that this takes counts only as far
    as the model worked. The reply to the ask comes afterwards."""

    id: int
    messages: tuple[ChatMessage, ...]
    model: str = ""
    schema: dict[str, Any] | None = None
    max_tokens: int = 1000
    temperature: float = 0.0


class ConsultAnswered(Message, frozen=True, tag="consulted"):
    """Arena to bot: the answer of the model, for the ask ``id``. ``failed``: the ask is a fault, whatever the bot still
    replies to it."""

    id: int
    consulted: Consulted
    failed: bool = False


class Told(Message, frozen=True, tag="tell"):
    """Arena to bot: information that is not answered. The only ``hook`` so far is ``finish``, with
    :class:`arena.bot.Finish` as ``view``."""

    hook: str
    view: Any


class Bye(Message, frozen=True, tag="bye"):
    """Arena to bot, its last line: the process must end."""


NOTHING_SAID = b'{"type":"reply","id":%d}\n'
"""The line of a reply that does nothing, for the ask with this id, as Python bots write it."""

FROM_BOT = (Hello, Replied, ConsultAsked, Failed)
FROM_ARENA = (Begin, Asked, ConsultAnswered, Told, Bye)

_encode = msgspec.json.Encoder().encode


def line_of(message: Message) -> bytes:
    """The message as a line."""
    return _encode(message) + b"\n"
