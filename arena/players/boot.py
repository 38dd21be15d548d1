"""The words between a worker, its host, and the host's children before the protocol begins.

A worker asks its host to spawn, to adopt, to end and to rehearse; what a child is to be it is told by letter, past
the host: which bot to become, and for which errand.
"""

from __future__ import annotations

import os
import struct
from functools import lru_cache
from typing import Literal

import msgspec

from arena.players.loading import BotRef

Errand = Literal["play", "fork", "load", "compile"]
"""To play; to fork processes that play, as a zygote; only to be loaded and to say in a hello that this went well; or
only to be compiled and to send the code."""
SPAWN, ADOPT, END, REHEARSE = b"s", b"a", b"e", b"r"
BOT, PROGRAM, ZYGOTE = range(3)
"""What is spawned: programs have other limits, zygotes are not watched, since they execute nothing of a bot."""
BORN = struct.Struct("=Bi")
"""What a process that a zygote has forked says of itself: for which place it was asked for, and its number."""
ENDED = struct.Struct("=iidi")
"""How a child ended."""
SEATS = 64
"""Children that can be asked for at once."""
_LENGTHS = struct.Struct("=II")


class Boot(msgspec.Struct, frozen=True):
    """Which bot to become, the files it must not see, for which errand, and the game it will play."""

    bot: BotRef
    hidden: tuple[str, ...]
    errand: Errand
    game: str = ""


def boot_for(bot: BotRef, hidden: tuple[str, ...], errand: Errand, game: str = "") -> Boot:
    """Of the ``hidden`` files (their real paths) the child is told only those in its own folder, whose names it can see
    anyway; none of them is its own."""
    folder = os.path.dirname(bot.path) if bot.path else ""
    inside = f"{_real(folder).rstrip('/')}/"
    own = {_real(word) for word in (bot.path, *bot.command)}
    near = [path[len(inside) :] for path in hidden if folder and path.startswith(inside) and path not in own]
    return Boot(bot, tuple(os.path.join(folder, path) for path in near), errand, game)


def letter(boot: Boot, code: bytes = b"") -> bytes:
    """What the child is sent: two lengths, the boot, and the bot's code, where it has been compiled."""
    line = msgspec.json.encode(boot)
    return _LENGTHS.pack(len(line), len(code)) + line + code


_real = lru_cache(maxsize=1024)(os.path.realpath)
_decode = msgspec.json.Decoder(Boot).decode


def read_letter(descriptor: int) -> tuple[Boot, bytes]:
    """The boot and the code, not a byte more is read. Raises EOFError where the sender is gone."""
    boot, code = _LENGTHS.unpack(_exactly(descriptor, _LENGTHS.size))
    return _decode(_exactly(descriptor, boot)), _exactly(descriptor, code)


def parcel(code: bytes) -> bytes:
    """What a child sends that has compiled a bot: its length, and the code."""
    return len(code).to_bytes(8) + code


def read_parcel(sent: bytes) -> bytes:
    """The code in all that the child has sent; empty where it is not whole."""
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
