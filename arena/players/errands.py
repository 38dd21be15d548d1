"""What a bot's process does besides playing: it loads a bot, to see whether it can be, or compiles it, or forks those
that play.

Also that is done in a locked process: a compiler can be brought down by what it reads.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from arena.players.boot import BOT, PROGRAM, ZYGOTE, Boot, boot_for, letter, read_parcel
from arena.players.channel import Channel, attend
from arena.players.host import Host
from arena.players.loading import BotRef, bundled_bots
from arena.players.zygote import Zygote, can_fork
from arena.protocol.messages import Failed
from arena.protocol.reading import Garbled, read_hello

COMPILE_LIMIT, CODE_LIMIT = 5.0, 8 << 20
"""Seconds that compiling may take, and bytes that the code may have; else each match compiles for itself."""

ZYGOTES, IDLE = 32, 400
"""Zygotes that a host keeps; and for how many looks for one a zygote must not have been used to make room."""


def try_isolated(ref: BotRef, host: Host, hidden: tuple[str, ...], limit: float) -> str | tuple[str, ...]:
    """The hooks that a bot names in its hello, or why it cannot be loaded, as a process of its own finds within
    ``limit`` seconds."""
    until = perf_counter() + limit
    with _sent(boot_for(ref, hidden, "load"), host) as channel:
        while not channel.incoming and not channel.ended and not channel.endless and perf_counter() < until:
            attend([channel], until - perf_counter())
        if channel.incoming:
            try:
                said = read_hello(channel.incoming[0][0])
            except Garbled as problem:
                return f"bot {ref.name}: {problem}"
            return said.evidence if isinstance(said, Failed) else said.hooks
        if channel.ended or channel.endless:
            return f"bot {ref.name} ended its process while it was loaded"
        return f"bot {ref.name} did not load within {limit:g} s"


def code_of(ref: BotRef, host: Host, hidden: tuple[str, ...]) -> bytes:
    """The bot's code, compiled once for each host by a process that executes nothing of it; empty where there is none:
    for programs, modules, bundled bots (the host knows them), and where it failed."""
    if not ref.path or ref.command:
        return b""
    key = ref.path, ref.sha256
    if key not in host.codes:
        bundled = ref.path in map(os.path.abspath, bundled_bots().values())
        host.codes[key] = b"" if bundled else _compile(ref, host, hidden)
    return host.codes[key]


def _compile(ref: BotRef, host: Host, hidden: tuple[str, ...]) -> bytes:
    until, sent = perf_counter() + COMPILE_LIMIT, b""
    with _sent(boot_for(ref, hidden, "compile"), host) as channel:
        ready = select.poll()
        ready.register(channel.receiving, select.POLLIN)
        while ready.poll(max(0.0, until - perf_counter()) * 1000) and len(sent) <= CODE_LIMIT:
            more = os.read(channel.receiving, 65_536)
            if not more:
                break
            sent += more
    return read_parcel(sent)


def zygote_of(ref: BotRef, host: Host, hidden: tuple[str, ...], game: str) -> Zygote | None:
    """The zygote of the bot for this game, one in each host. None where it can have none, as programs, which take their
    processes over; where the bot plays for the first time; and where there are too many others in use. Raises
    ArenaError."""
    if ref.command or not can_fork(host.policy):
        return None
    boot = boot_for(ref, hidden, "fork", game)
    told = letter(boot)
    host.asked += 1
    key = told, host.rehearsals  # who was forked before a rehearsal does not know what it taught
    zygote = host.zygotes.pop(key, None)
    if zygote is None:
        if told not in host.met:
            host.met.add(told)
            return None
        for other, old in list(host.zygotes.items()):
            if other[1] != host.rehearsals or (len(host.zygotes) >= ZYGOTES and host.asked - old.used > IDLE):
                end_zygote(old, host)
        if len(host.zygotes) >= ZYGOTES:
            return None
        zygote = Zygote()
        try:
            (process,) = host.spawn([(zygote.theirs, zygote.theirs, 2)], [ZYGOTE])
        finally:
            zygote.hand_over()
        zygote.begin(process, letter(boot, code_of(ref, host, hidden)))
    host.zygotes[key] = zygote
    zygote.used = host.asked
    return zygote


def end_zygote(zygote: Zygote, host: Host) -> None:
    """End a zygote that is gone, or not wanted any more. Raises ArenaError."""
    for key in [key for key, other in host.zygotes.items() if other is zygote]:
        del host.zygotes[key]
        zygote.close()
        host.end([zygote.process])


@contextmanager
def _sent(boot: Boot, host: Host) -> Iterator[Channel]:
    """The pipes to a process on this errand, which is ended in the end."""
    channel, process = Channel(), tuple[int, ...]()
    try:
        process = host.spawn([channel.theirs], [PROGRAM if boot.bot.command else BOT])
        channel.hand_over()
        channel.send(letter(boot))
        yield channel
    finally:
        try:
            if process:
                host.end(process)
        finally:
            channel.close()
