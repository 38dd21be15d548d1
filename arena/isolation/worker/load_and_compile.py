"""Other tasks of a bot's process besides playing: the load check (can the bot be loaded?), and compiling a bot's file.

Both happen in a locked process of their own: a malicious file can bring down even a compiler.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager

from arena.clock import SYSTEM_CLOCK, Clock
from arena.finding.reference import BotRef
from arena.isolation.wire.requests import BotRequest, encode_request, read_code, request_for
from arena.isolation.worker.bot_pipe import BotPipe, wait_for_pipes
from arena.isolation.worker.fork_server import ForkServer
from arena.protocol.messages import Failed, Hello
from arena.protocol.reading import Garbled, read_hello

COMPILE_LIMIT, CODE_LIMIT = 5.0, 8 << 20
"""The maximum time of compiling in seconds, and size of the code in bytes; beyond them the code is compiled anew in
each match."""


def check_load(ref: BotRef, server: ForkServer, limit: float, clock: Clock = SYSTEM_CLOCK) -> str | Hello:
    """The bot's hello, or the reason why it cannot be loaded within ``limit`` seconds."""
    until = clock.now() + limit
    with _process_for(request_for(ref, "load"), server, clock) as pipe:
        incoming = pipe.incoming
        while not incoming.lines and incoming.open and clock.now() < until:
            wait_for_pipes([pipe], until - clock.now())
        if incoming.lines:
            try:
                said = read_hello(incoming.lines[0][0])
            except Garbled as problem:
                return f"bot {ref.name}: {problem}"
            return said.evidence if isinstance(said, Failed) else said
        if not incoming.open:
            return f"bot {ref.name} ended its process while it was loaded"
        return f"bot {ref.name} did not load within {limit:g} s"


def compiled_code(ref: BotRef, server: ForkServer) -> bytes:
    """The bot's code, compiled once for each fork server by a process that executes nothing of it.

    Empty for programs and modules, for bundled bots (the fork server knows them), and where compiling failed.
    """
    if not ref.file or ref.bundled:
        return b""
    key = ref.path, ref.sha256
    if key not in server.codes:
        server.codes[key] = _compile(ref, server)
    return server.codes[key]


def _compile(ref: BotRef, server: ForkServer, clock: Clock = SYSTEM_CLOCK) -> bytes:
    until, sent = clock.now() + COMPILE_LIMIT, b""
    with _process_for(request_for(ref, "compile"), server, clock) as pipe:
        ready = select.poll()
        ready.register(pipe.receiving, select.POLLIN)
        while ready.poll(max(0.0, until - clock.now()) * 1000) and len(sent) <= CODE_LIMIT:
            more = os.read(pipe.receiving, 65_536)
            if not more:
                break
            sent += more
    return read_code(sent)


@contextmanager
def _process_for(request: BotRequest, server: ForkServer, clock: Clock) -> Iterator[BotPipe]:
    """The pipes to a process that was sent this request; the process is ended when the context ends."""
    pipe, pids = BotPipe(clock), tuple[int, ...]()
    try:
        pids = server.spawn([pipe.bots_ends])
        pipe.close_bots_ends()
        pipe.send(encode_request(request))
        yield pipe
    finally:
        try:
            if pids:
                server.end(pids)
        finally:
            pipe.close()
