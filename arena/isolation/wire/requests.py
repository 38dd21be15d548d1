"""What a bot's process is asked to do, before the protocol of matches begins: the first thing on its input pipe."""

from __future__ import annotations

import os
import struct
from typing import Literal

import msgspec

from arena.finding.programs import words_here
from arena.finding.reference import BotRef

Task = Literal["play", "load", "compile"]
"""To play one match; only to load the bot, and to say in a hello that this went well; or only to compile the bot's
file, and to send the code."""
_LENGTH_STRUCT = struct.Struct("=II")
LOG_MARK = b"\0\x1e\0"
"""What a bot's process puts into its log behind what was printed at an ask."""


class BotRequest(msgspec.Struct, frozen=True):
    """Which bot to become, for which task, and the game it will play; ``command`` is what a program is run by on this
    machine."""

    bot: BotRef
    task: Task
    game: str = ""
    command: tuple[str, ...] = ()


def request_for(bot: BotRef, task: Task, game: str = "") -> BotRequest:
    """The request for a bot whose files lie on this machine; it says nothing of where the bot came from. Raises
    BotError where its program is not on this machine."""
    slim = msgspec.structs.replace(bot, files=(), origin="")
    return BotRequest(slim, task, game, words_here(bot) if bot.command else ())


def encode_request(request: BotRequest, code: bytes = b"") -> bytes:
    """The request as bytes: two lengths, the request, and the bot's compiled code, where there is any."""
    line = msgspec.json.encode(request)
    return _LENGTH_STRUCT.pack(len(line), len(code)) + line + code


_decode = msgspec.json.Decoder(BotRequest).decode


def read_request(descriptor: int) -> tuple[BotRequest, bytes]:
    """The request and the code, read without a byte of what follows. Raises EOFError where the sender is gone."""
    request, code = _LENGTH_STRUCT.unpack(_read_exactly(descriptor, _LENGTH_STRUCT.size))
    return _decode(_read_exactly(descriptor, request)), _read_exactly(descriptor, code)


def encode_code(code: bytes) -> bytes:
    """What a process sends that was asked to compile a bot: the length of the code, and the code."""
    return len(code).to_bytes(8) + code


def read_code(sent: bytes) -> bytes:
    """The code in all that such a process has sent; empty where it is not complete."""
    size, code = sent[:8], sent[8:]
    return code if int.from_bytes(size) == len(code) else b""


def _read_exactly(descriptor: int, size: int) -> bytes:
    data = os.read(descriptor, size) if size else b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            raise EOFError
        data += more
    return data
