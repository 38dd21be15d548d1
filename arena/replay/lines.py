"""The lines of a replay: one JSON object each, with the kind in ``event``; game events are lines too.

``arena docs replay`` describes every field; ``arena docs replay-schema`` is the JSON Schema made from these types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any, Union

import msgspec

from arena.bot import Limits
from arena.games import load_game
from arena.games.contract import Event, Natural
from arena.penalties import FaultKind, FaultPolicy
from arena.players.own_seeds import BotSeeds
from arena.players.seat_result import SeatResult

REPLAY_FORMAT = "arena-replay/2"


HUMAN_BOT = "human"
"""In place of a bot's name: nobody's code played here, but a human. Bots have a digest, a human has none."""


class Seat(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An entrant in its seat: its name, its bot, the SHA-256 of the bot's source, its options. Where a human played,
    ``bot`` is ``human`` and ``sha256`` empty."""

    entrant: str
    bot: str
    sha256: str
    options: dict[str, Any] = {}

    @property
    def human(self) -> bool:
        """Whether a human played in this seat."""
        return self.bot == HUMAN_BOT and not self.sha256


class Header(Event, frozen=True, tag="match"):
    """First line. ``rules`` are resolved, ``rules_version`` is that of the game as it was played, ``rules_sha256`` the
    digest of the rules' canonical JSON (keys sorted)."""

    format: str
    arena: str
    tournament: str
    id: str
    block: int
    game: str
    edition: str
    seats: tuple[Seat, ...]
    seed: str
    chance: str
    bot_seeds: BotSeeds
    fault_policy: FaultPolicy
    strikes: int
    limits: Limits
    rules_version: int
    rules_sha256: str
    rules: dict[str, Any]


class Answered(Event, frozen=True, tag="answer"):
    """An answer to an ask, unless it was to do nothing. ``ask`` counts all asks of the match from 1."""

    ask: Natural
    seat: Natural
    hook: str
    move: msgspec.Raw
    say: str = ""
    note: str = ""


class ModelCall(Event, frozen=True, tag="call"):
    """A language model was asked for the answer to an ask, before the line of that answer. ``request`` and ``answer``
    are the SHA-256 of what it was asked and of what it answered, which the run's cassettes hold; ``occurrence`` counts
    this seat's equal requests in the match, from 0."""

    ask: Natural
    seat: Natural
    request: str
    occurrence: Natural
    answer: str

    def seen_by(self, seat: int) -> Event | None:
        """Nothing: no seat is told whether another consults a model."""
        return None


class Faulted(Event, frozen=True, tag="fault"):
    """A fault, and the ``move`` played instead. ``ask`` 0 is the start. ``out``: the bot is out from here on; ``gone``:
    its process ended with this fault.

    For an ``illegal`` fault, ``reply`` is the refused reply and ``rule`` the rule that refuses it.
    """

    ask: Natural
    seat: Natural
    hook: str
    kind: FaultKind
    evidence: str
    strike: int
    out: bool = False
    gone: bool = False
    rule: str = ""
    reply: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    move: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class Result(Event, frozen=True, tag="result"):
    """Last line. ``sha256`` is that of all bytes before this line, line breaks included."""

    seats: tuple[SeatResult, ...]
    termination: str
    asks: int
    sha256: str
    void: bool = False


Line = Header | Answered | ModelCall | Faulted | Result | Event


def encode_line(line: Event) -> bytes:
    """The line as written to the file, with its line break."""
    return _encode(line) + b"\n"


_encode = msgspec.json.Encoder().encode


@cache
def line_decoder(game: str) -> msgspec.json.Decoder[Any]:
    """Decodes any line of a replay of ``game``; raises msgspec.DecodeError for anything else."""
    kinds = (Header, Answered, ModelCall, Faulted, Result, *load_game(game).events)
    return msgspec.json.Decoder(Union[kinds])


@cache
def decision_decoder() -> msgspec.json.Decoder[Answered | Faulted]:
    """Decodes a line that says how an ask was decided; raises msgspec.DecodeError for anything else."""
    return msgspec.json.Decoder(Answered | Faulted)


@cache
def call_decoder() -> msgspec.json.Decoder[ModelCall]:
    """Decodes a line that says that a model was asked; raises msgspec.DecodeError for anything else."""
    return msgspec.json.Decoder(ModelCall)


@cache
def move_decoder(game: str, hook: str) -> msgspec.json.Decoder[Any]:
    """Decodes the moves that may answer ``hook``."""
    return msgspec.json.Decoder(Union[load_game(game).hooks[hook].moves])


class Recorder:
    """Collects a replay's bytes and their hash while a match is played; ``encode`` returns the bytes of a line."""

    def __init__(self, encode: Callable[[Event], bytes] = encode_line) -> None:
        self.lines: list[bytes] = []
        self._encode = encode

    def write(self, line: Event) -> None:
        """Add a line."""
        self.lines.append(self._encode(line))

    @property
    def sha256(self) -> str:
        """The hash of all lines so far, in hexadecimal. It is computed anew each time: that costs less than to hash
        line by line, and it is asked for once."""
        return sha256(self.content()).hexdigest()

    def content(self) -> bytes:
        """The whole file."""
        return b"".join(self.lines)
