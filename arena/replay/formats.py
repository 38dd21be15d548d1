"""The formats of replays: the current one, and older ones, whose lines are converted to it when they are read.

To change the format: :mod:`arena.replay.lines`, a new ``REPLAY_FORMAT`` there, and here how lines of the one before it
are converted and back. A folder in ``tests/golden`` holds replays of each released version, which must always verify. A
line stays a line: event numbers never change (``tests/replay/event_numbers.json``).

``arena-replay/1`` (arena 0.1.0) has neither the header's ``bot_seeds``, which were ``sha256-1``, nor its
``rules_version``, which was 1 for both games, nor the limit ``match``, because there was none, nor the ``gone`` of
faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from arena.bot import Limits
from arena.games.contract import Event
from arena.penalties import FaultPolicy
from arena.players.own_seeds import BotSeeds
from arena.replay.lines import REPLAY_FORMAT, Faulted, Header, Recorder, Result, encode_line

FORMAT_1 = "arena-replay/1"
FORMATS = (FORMAT_1, REPLAY_FORMAT)
EventLine = TypeVar("EventLine", bound=Event)
_HEADER_1 = {"bot_seeds": BotSeeds.SHA256_1, "rules_version": 1}
"""The fields that a header of format 1 lacks, with their values."""


class _FormatLine(msgspec.Struct, tag_field="event", tag="match"):
    format: str


def format_of(line: bytes) -> str:
    """The format that a header names. Raises msgspec.DecodeError if ``line`` is no header."""
    return msgspec.json.decode(line, type=_FormatLine).format


def decode_header(line: bytes) -> Header:
    """The header in ``line``, in any of :data:`FORMATS`; its ``format`` is not changed. Raises msgspec.DecodeError."""
    if format_of(line) == FORMAT_1:
        told = msgspec.convert({**msgspec.json.decode(line), **_HEADER_1}, Header)
        return replace(told, limits=limits_in(FORMAT_1, told.limits))
    return msgspec.json.decode(line, type=Header)


def limits_in(format: str, limits: Limits) -> Limits:
    """The limits as a replay of this format has them."""
    return replace(limits, match=None) if format == FORMAT_1 else limits


def upgrade_line(line: EventLine, header: Header) -> EventLine:
    """A line below ``header``, converted to the current format.

    In format 1 it is known that a process was gone only if nothing else put the bot out; otherwise it counts as
    running.
    """
    if header.format != FORMAT_1 or not isinstance(line, Faulted):
        return line
    strict = header.fault_policy is not FaultPolicy.SUBSTITUTE
    out_anyway = line.ask == 0 or line.kind.ends_match or strict or line.strike >= header.strikes
    ended = line.kind.may_be_gone and line.out and not out_anyway
    return replace(line, gone=line.kind.always_gone or ended)


def line_encoder(format: str) -> Callable[[Event], bytes]:
    """A function that encodes lines to bytes as in files of this format."""
    return _encode_1 if format == FORMAT_1 else encode_line


def encode_lines(lines: Sequence[Event], format: str) -> bytes:
    """The bytes of these lines as in files of this format."""
    return b"".join(map(_encode_1, lines)) if format == FORMAT_1 else _encode_lines(lines)


_encode_lines = msgspec.json.Encoder().encode_lines


def _encode_1(line: Event) -> bytes:
    kind = type(line)
    if kind is Header:
        data = msgspec.to_builtins(line)
        told = {name: value for name, value in data.items() if name not in _HEADER_1}
        del told["limits"]["match"]
        return msgspec.json.encode(told) + b"\n"
    return encode_line(replace(line, gone=False) if kind is Faulted else line)


def encode_as_written(lines: Iterable[Event], header: Header) -> bytes:
    """The bytes of a match's file in the format of ``header``, with the versions of arena and of the rules that it
    names."""
    recorder = Recorder(line_encoder(header.format))
    for line in lines:
        match line:
            case Header():
                versions = {"format": header.format, "arena": header.arena, "rules_version": header.rules_version}
                recorder.write(replace(line, **versions))
            case Result():
                recorder.write(replace(line, sha256=recorder.sha256))
            case _:
                recorder.write(line)
    return recorder.content()
