"""What a bot's process is asked to do, before the protocol of matches begins: the first thing on its input pipe."""

from __future__ import annotations

import os
import struct
from functools import lru_cache
from typing import Literal

import msgspec

from arena.finding.loading import BotRef

Task = Literal["play", "load", "compile"]
"""To play one match; only to load the bot, and to say in a hello that this went well; or only to compile the bot's
file, and to send the code."""
_LENGTHS = struct.Struct("=II")


class BotRequest(msgspec.Struct, frozen=True):
    """Which bot to become, the files it must not see, for which task, and the game it will play."""

    bot: BotRef
    hidden: tuple[str, ...]
    task: Task
    game: str = ""


def request_for(bot: BotRef, hidden: tuple[str, ...], task: Task, game: str = "") -> BotRequest:
    """The request for a bot. Of the ``hidden`` files (their real paths) it names only those in the bot's own folder,
    whose names the bot can see anyway, and none of the bot's own."""
    folder = os.path.dirname(bot.path) if bot.path else ""
    inside = f"{_real(folder).rstrip('/')}/"
    own = {_real(word) for word in (bot.path, *bot.command)}
    near = [path[len(inside) :] for path in hidden if folder and path.startswith(inside) and path not in own]
    return BotRequest(bot, tuple(os.path.join(folder, path) for path in near), task, game)


def encode_request(request: BotRequest, code: bytes = b"") -> bytes:
    """The request as bytes: two lengths, the request, and the bot's compiled code, where there is any."""
    line = msgspec.json.encode(request)
    return _LENGTHS.pack(len(line), len(code)) + line + code


_real = lru_cache(maxsize=1024)(os.path.realpath)
_decode = msgspec.json.Decoder(BotRequest).decode


def read_request(descriptor: int) -> tuple[BotRequest, bytes]:
    """The request and the code, read without a byte of what follows. Raises EOFError where the sender is gone."""
    request, code = _LENGTHS.unpack(_exactly(descriptor, _LENGTHS.size))
    return _decode(_exactly(descriptor, request)), _exactly(descriptor, code)


def encode_code(code: bytes) -> bytes:
    """What a process sends that was asked to compile a bot: the length of the code, and the code."""
    return len(code).to_bytes(8) + code


def read_code(sent: bytes) -> bytes:
    """The code in all that such a process has sent; empty where it is not complete."""
    size, code = sent[:8], sent[8:]
    return code if int.from_bytes(size) == len(code) else b""


def _exactly(descriptor: int, size: int) -> bytes:
    data = os.read(descriptor, size) if size else b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            raise EOFError
        data += more
    return data
