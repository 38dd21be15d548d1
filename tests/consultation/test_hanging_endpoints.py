"""Endpoints that hang: no thread waits past its deadlines, wherever it waits, and all that wait soon give up."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from time import monotonic, process_time
from typing import Any

import pytest

from arena.consultation.backend import ModelUnreachable, ReachProblem
from arena.consultation.endpoint import ChatEndpoints, chat_endpoints
from arena.consultation.endpoint.chat_wire import StreamedAnswer
from arena.consultation.endpoint.connection_limit import MOST_FAILED, ConnectionLimit
from arena.consultation.model_spec import ModelSpec
from tests.consultation import fake_endpoint as fake
from tests.consultation.asking import request


@pytest.fixture
def lookup_begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Name lookups hang until the test is over; the event is set when one has begun."""
    begun, over, look_up = threading.Event(), threading.Event(), socket.getaddrinfo

    def hang(*asked: Any, **more: Any) -> Any:
        begun.set()
        over.wait(30)
        return look_up(*asked, **more)

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    yield begun
    over.set()


def given_up(endpoints: ChatEndpoints, **spec: Any) -> ModelUnreachable:
    """How a call that gets no answer ends."""
    with pytest.raises(ModelUnreachable) as raised:
        endpoints.complete("fast", ModelSpec(**{"attempts": 1, **spec}), request())
    return raised.value


def test_a_name_lookup_keeps_to_the_deadlines(lookup_begun: threading.Event) -> None:
    with closing(ChatEndpoints()) as endpoints:
        began = monotonic()
        problem = given_up(endpoints, url="http://127.0.0.1:1/v1", gap=0.1, total=0.2)
        assert monotonic() - began < 5
    assert lookup_begun.is_set()
    assert (str(problem), problem.problem) == ("no connection in 0.1 s", ReachProblem.NO_CONNECTION)


def test_closing_ends_a_name_lookup(lookup_begun: threading.Event) -> None:
    assert_closing_ends("http://127.0.0.1:1/v1", lambda: lookup_begun.wait(30))


def test_closing_ends_a_handshake() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as accepted:

        def wait_for_hello() -> None:
            accepted.enter_context(silent.accept()[0]).recv(1)

        assert_closing_ends(f"https://127.0.0.1:{silent.getsockname()[1]}/v1", wait_for_hello)


def assert_closing_ends(url: str, wait_for_call: Callable[[], object]) -> None:
    """A call of the address ends soon after its endpoints are closed."""
    endpoints = ChatEndpoints()
    with ThreadPoolExecutor(1) as threads:
        call = threads.submit(given_up, endpoints, url=url)
        wait_for_call()
        began = monotonic()
        endpoints.close()
        assert call.result().problem is ReachProblem.STOPPED
    assert monotonic() - began < 5  # a connection may take 10 s


def test_a_handshake_keeps_to_the_deadlines() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, closing(ChatEndpoints()) as endpoints:
        problem = given_up(endpoints, url=f"https://127.0.0.1:{silent.getsockname()[1]}/v1", gap=0.1)
    assert str(problem) == "no connection in 0.1 s"


def test_the_host_is_not_told() -> None:
    act = fake.status(400, "no LOCALHOST here, nor on localhost.example")
    with fake.endpoint(act) as server, closing(ChatEndpoints()) as endpoints:
        problem = given_up(endpoints, url=server.url.replace("127.0.0.1", "localhost"))
    assert str(problem) == "HTTP 400: no … here, nor on ….example"


def test_calls_that_wait_for_one_another_are_given_up_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_endpoints, "FIRST_WAIT", 0.001)
    with fake.endpoint(fake.hang) as server, closing(ChatEndpoints()) as endpoints, ThreadPoolExecutor(16) as threads:
        spec = {"url": server.url, "gap": 0.05, "total": 0.05, "attempts": 6}
        problems = list(threads.map(lambda _: given_up(endpoints, **spec).problem, range(16)))
        asked = len(server.asked)
        assert given_up(endpoints, **spec).problem is ReachProblem.RESTING
    assert ReachProblem.RESTING in problems
    assert set(problems) <= {ReachProblem.RESTING, ReachProblem.SILENT, ReachProblem.NO_CONNECTION}
    assert asked <= 32  # of 96 attempts


def test_calls_older_than_a_rest_neither_go_on_nor_prolong_it() -> None:
    limit = ConnectionLimit(4)
    older = limit.begin_call()
    assert older is not None
    for _ in range(MOST_FAILED):
        begun = limit.begin_call()
        assert begun is not None
        limit.end_call(begun, False)
    assert limit.begin_call() is None
    assert limit.wait(9, older)
    assert not limit.acquire(older)
    limit.end_call(older, True)  # it was under way, and shows that the model can be reached
    assert limit.begin_call() is not None


def test_failures_before_a_pause_do_not_count() -> None:
    limit = ConnectionLimit(4, patience=0.0)
    for _ in range(2):
        begun = limit.begin_call()
        assert begun is not None
        limit.note_failed_attempt()
        assert not limit.wait(0, begun)
        limit.end_call(begun, None)


def test_a_stream_is_read_over_one_connection() -> None:
    ports = []

    def act(handler: fake.Handler) -> None:
        ports.append(handler.client_address[1])
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for event in ('{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}', "[DONE]"):
            handler.wfile.write(f"{len(event) + 8:x}\r\ndata: {event}\n\n\r\n".encode())
            handler.wfile.flush()
        handler.wfile.write(b"0\r\n\r\n")

    with fake.endpoint(act) as server, closing(ChatEndpoints()) as endpoints:
        for _ in range(3):
            assert endpoints.complete("fast", ModelSpec(url=server.url), request()).text == "hi"
    assert len(ports) == 3
    assert len(set(ports)) == 1


def test_a_long_line_in_small_parts_is_read_in_little_time() -> None:
    def seconds(length: int) -> float:
        answer = StreamedAnswer()
        answer.feed(b"data: " + b" " * length)
        began = process_time()
        for _ in range(1000):
            answer.feed(b" ")
        return process_time() - began

    short = min(seconds(4 << 10) for _ in range(5))
    assert min(seconds(4 << 20) for _ in range(5)) < 100 * short, "copied for each part: a thousand times as long"
