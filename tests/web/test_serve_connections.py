"""Clients that hold connections without asking anything keep nobody else out."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn.server import ServerState

from arena.web.serve import connections
from arena.web.serve.connections import BrowserConnection, connection_limit

HALF, WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
Client = tuple[StreamReader, StreamWriter]
Connect = Callable[[bytes], Awaitable[Client]]


async def page(request: Request) -> PlainTextResponse:
    await request.body()
    return PlainTextResponse("here")


def run(told: Callable[[Connect], Awaitable[None]]) -> None:
    """Have ``told`` done with a server; it is given what connects to it and sends something."""

    async def with_server() -> None:
        state = ServerState()
        config = uvicorn.Config(
            Starlette(routes=[Route("/", page, methods=["GET", "POST"])]), log_config=None, lifespan="off", ws="none"
        )
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: BrowserConnection(config, state, {}), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        opened = list[StreamWriter]()

        async def connect(words: bytes) -> Client:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            opened.append(writer)
            writer.write(words)
            return reader, writer

        await asyncio.wait_for(told(connect), 20)
        for writer in opened:
            writer.close()
        server.close()
        assert len(state.connections) <= connection_limit()

    asyncio.run(with_server())


async def is_closed(client: Client) -> bool:
    try:
        return await client[0].read(1) == b""
    except ConnectionError:
        return True


def test_half_a_request_is_waited_for_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)

    async def told(connect: Connect) -> None:
        silent, half, good = await connect(b""), await connect(HALF), await connect(WHOLE)
        assert (await good[0].readline()).startswith(b"HTTP/1.1 200")
        await good[0].readuntil(b"here")
        good[1].write(HALF)
        for client in (silent, half, good):
            assert await is_closed(client)

    run(told)


def test_whoever_has_waited_longest_makes_room_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 20)

    async def told(connect: Connect) -> None:
        held = [await connect(HALF) for _ in range(50)]
        for _ in range(5):
            good = await connect(WHOLE)
            assert (await good[0].readline()).startswith(b"HTTP/1.1 200")
        assert await is_closed(held[0])
        held[-1][1].write(b"a: b\r\n\r\n")
        assert (await held[-1][0].readline()).startswith(b"HTTP/1.1 200")

    run(told)


def test_a_body_that_never_ends_is_read_no_longer_than_an_answer_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.02)
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n"

    async def told(connect: Connect) -> None:
        slow = await connect(head)
        for _ in range(200):
            slow[1].write(b"x")
            await asyncio.sleep(0.01)
            if slow[0].at_eof() or slow[1].is_closing():
                break
        else:
            raise AssertionError("it was read for ever")
        assert await is_closed(slow)

    run(told)
