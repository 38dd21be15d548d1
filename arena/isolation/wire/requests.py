"""The request to a bot's process, before the protocol of matches begins: the first thing on its input pipe."""

from __future__ import annotations

import os
import struct
from typing import Literal

import msgspec

from arena.finding.programs import words_here
from arena.finding.reference import BotRef

Task = Literal["play", "load", "compile"]
"""The task of a bot's process: play one match; only load the bot, and report success in a hello; or only compile the
bot's file, and send the code."""
_LENGTH_STRUCT = struct.Struct("=II")
LOG_MARK = b"\0\x1e\0"
"""The mark that a bot's process writes into its log after the output of an ask."""


class BotRequest(msgspec.Struct, frozen=True):
    """The bot to become, the task, and the game to play; ``command`` is the bot program's command on this machine."""

    bot: BotRef
    task: Task
    game: str = ""
    command: tuple[str, ...] = ()


def request_for(bot: BotRef, task: Task, game: str = "") -> BotRequest:
    """The request for a bot whose files are on this machine; it does not reveal where the bot came from. Raises
    BotError where its program is not on this machine."""
    slim = msgspec.structs.replace(bot, files=(), origin="")
    return BotRequest(slim, task, game, words_here(bot) if bot.command else ())


def encode_request(request: BotRequest, code: bytes = b"") -> bytes:
    """Encode the request as bytes: two lengths, the request, and the bot's compiled code, if any."""
    line = msgspec.json.encode(request)
    return _LENGTH_STRUCT.pack(len(line), len(code)) + line + code


_decode = msgspec.json.Decoder(BotRequest).decode


def read_request(descriptor: int) -> tuple[BotRequest, bytes]:
    """Read the request and the code, without a byte of what follows. Raises EOFError where the sender is gone."""
    request, code = _LENGTH_STRUCT.unpack(_read_exactly(descriptor, _LENGTH_STRUCT.size))
    return _decode(_read_exactly(descriptor, request)), _read_exactly(descriptor, code)


def encode_code(code: bytes) -> bytes:
    """The message from a process that has compiled a bot: the length of the code, and the code."""
    return len(code).to_bytes(8) + code


def read_code(sent: bytes) -> bytes:
    """The code in the bytes that such a process has sent; empty where they are incomplete."""
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
