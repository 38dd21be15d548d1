"""Chat endpoints: what is sent, what is read, what is tried again, and what is given up."""

from __future__ import annotations

import logging
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic
from typing import Any

import msgspec
import pytest

from arena.consultation.backend import Completion, ModelUnreachable
from arena.consultation.endpoint import ChatEndpoints, chat_endpoints
from arena.consultation.endpoint.connection_limit import FIRST_LIMIT, MOST_FAILED, ConnectionLimit
from arena.consultation.model_spec import ModelSpec, SchemaMode
from tests.consultation import fake_endpoint as fake
from tests.consultation.asking import NUMBER, request

KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_endpoints, "FIRST_WAIT", 0.001)
    monkeypatch.setenv("TEST_MODEL_KEY", KEY)


def ask(server: fake.Server, wanted: dict[str, Any] | None = None, **more: Any) -> Completion:
    """What the model behind the endpoint answers."""
    model = ModelSpec(**{"url": server.url, "model": "m-1", "gap": 0.15, "total": 0.3, "attempts": 2, **more})
    with closing(ChatEndpoints()) as endpoints:
        return endpoints.complete("fast", model, request("hello", wanted))


@pytest.mark.parametrize("act", [fake.whole("Hi there"), fake.streamed("Hi", " ", "there")])
def test_an_answer_is_read_in_one_piece_and_as_a_stream(act: fake.Act) -> None:
    with fake.endpoint(act) as server:
        answer = ask(server, key_env="TEST_MODEL_KEY")
    assert (answer.text, answer.finish, answer.tokens[0]) == ("Hi there", "stop", 11)
    assert 0 <= answer.seconds < 0.3
    ((path, headers, body),) = server.asked
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["messages"] == [{"role": "user", "content": "hello"}]
    assert (body["model"], body["max_tokens"], body["temperature"], body["stream"]) == ("m-1", 100, 0.0, True)


def test_a_schema_is_asked_for_natively_or_in_words() -> None:
    with fake.endpoint(fake.whole("{}")) as server:
        ask(server, NUMBER, schema=SchemaMode.NATIVE)
        ask(server, NUMBER, stream=False)
    native, words = (body for _, _, body in server.asked)
    assert native["response_format"]["json_schema"]["schema"] == NUMBER
    assert len(native["messages"]) == 1
    assert "response_format" not in words
    assert "stream" not in words
    assert '"required":["n"]' in words["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("act", "finish"),
    [
        (fake.whole("cut", "length"), "length"),
        (fake.streamed("cut", finish="length"), "length"),
        (fake.whole("", "content_filter"), "content_filter"),
        (fake.raw(b'{"choices":[{"message":{"refusal":"no"},"finish_reason":"stop"}]}'), "refusal"),
    ],
)
def test_why_an_answer_ended_is_told(act: fake.Act, finish: str) -> None:
    with fake.endpoint(act) as server:
        assert ask(server).finish == finish


@pytest.mark.parametrize(
    "act",
    [
        fake.status(429, "slow down", Retry_After="0"),
        fake.status(500),
        fake.status(503, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"),
        fake.status(408),
        fake.raw(b"<html>gateway</html>"),
        fake.raw(b'{"choices": []}'),
        fake.raw(b'{"error": {"message": "overloaded"}}'),
        fake.streamed("broken", " off", whole_stream=False),
        fake.hang,
        fake.drip,
        fake.bomb,
        fake.raw(b'{"choices":[{"message":{"content":"' + b"x" * (17 << 20) + b'"}}]}'),
    ],
    ids=["429", "500", "503", "408", "html", "empty", "error", "broken off", "hang", "drip", "bomb", "huge"],
)
def test_what_may_pass_is_tried_again_and_given_up_in_the_end(act: fake.Act) -> None:
    with fake.endpoint(act, fake.whole("at last")) as server:
        assert ask(server, total=0.3 if act in (fake.hang, fake.drip) else 5.0).text == "at last"
    with fake.endpoint(act) as server:
        with pytest.raises(ModelUnreachable, match="tried 2 times") as raised:
            ask(server, total=0.3 if act in (fake.hang, fake.drip) else 5.0)
        assert not raised.value.lasting
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (fake.status(401, f"Incorrect key {KEY} provided"), "HTTP 401: Incorrect key … provided"),
        (fake.status(404, "no model m-1\nhere"), "HTTP 404: no model m-1 here"),
        (fake.status(400), "HTTP 400"),
        (fake.status(302, Location="http://127.0.0.1:1/"), "HTTP 302"),
    ],
)
def test_what_does_not_pass_is_given_up_at_once(act: fake.Act, told: str) -> None:
    with fake.endpoint(act) as server:
        with pytest.raises(ModelUnreachable) as raised:
            ask(server, key_env="TEST_MODEL_KEY")
        assert (str(raised.value), raised.value.lasting) == (told, True)
        assert len(server.asked) == 1


def test_a_key_that_is_not_there_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_MODEL_KEY")
    with (
        fake.endpoint(fake.hang) as server,
        pytest.raises(ModelUnreachable, match="TEST_MODEL_KEY is not set") as raised,
    ):
        ask(server, key_env="TEST_MODEL_KEY")
    assert raised.value.lasting
    assert server.asked == []


def test_no_error_log_or_traceback_has_the_key_or_the_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told = []
    for act in (fake.status(401, KEY), fake.status(500, KEY), fake.hang, fake.raw(KEY.encode()), fake.drip):
        with fake.endpoint(act) as server:
            try:
                ask(server, key_env="TEST_MODEL_KEY")
            except ModelUnreachable as problem:
                told.append("".join(traceback.format_exception(problem)) + repr(problem))
    dead = server.url
    with closing(ChatEndpoints()) as endpoints:
        with pytest.raises(ModelUnreachable) as raised:
            endpoints.complete("fast", ModelSpec(url=dead, attempts=1, key_env="TEST_MODEL_KEY"), request())
        told.append(str(raised.value))
    assert len(told) == 6
    assert KEY not in "".join(told) + caplog.text
    assert "127.0.0.1" not in told[-1]


def test_environment_proxies_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with fake.endpoint(fake.whole("direct")) as server:
        assert ask(server).text == "direct"


def test_the_time_of_a_call_is_that_of_the_attempt_that_succeeded() -> None:
    with fake.endpoint(fake.hang, fake.whole("late")) as server:
        began = monotonic()
        answer = ask(server, total=0.3)
    assert answer.seconds < 0.14 < monotonic() - began


def test_no_more_calls_are_open_than_the_endpoint_bears() -> None:
    model: dict[str, Any] = {"gap": 2.0, "total": 2.0, "connections": 3}
    with fake.endpoint(fake.slow("ok", 0.03)) as server, closing(ChatEndpoints()) as endpoints:
        spec = ModelSpec(url=server.url, **model)
        with ThreadPoolExecutor(10) as threads:
            done = list(threads.map(lambda n: endpoints.complete("fast", spec, request(str(n))).text, range(12)))
    assert done == ["ok"] * 12
    assert server.most == 3


def test_the_limit_grows_with_success_and_is_halved_by_overload() -> None:
    limit = ConnectionLimit(16)
    assert limit.limit == FIRST_LIMIT
    for _ in range(FIRST_LIMIT):
        assert limit.acquire()
        limit.release(overloaded=False, succeeded=True)
    assert limit.limit == FIRST_LIMIT + 1
    assert limit.acquire()
    limit.release(overloaded=True, succeeded=False)
    assert limit.limit == (FIRST_LIMIT + 1) // 2


def test_a_model_that_stays_out_of_reach_is_not_asked_for_a_while() -> None:
    with fake.endpoint(fake.status(500)) as server, closing(ChatEndpoints()) as endpoints:
        spec = ModelSpec(url=server.url, attempts=1)
        for _ in range(MOST_FAILED + 3):
            with pytest.raises(ModelUnreachable):
                endpoints.complete("fast", spec, request())
        assert len(server.asked) == MOST_FAILED
        with pytest.raises(ModelUnreachable):
            endpoints.complete("other", msgspec.structs.replace(spec, model="other"), request())
        assert len(server.asked) == MOST_FAILED + 1


def test_closing_ends_calls_that_wait() -> None:
    with fake.endpoint(fake.status(429, Retry_After="100")) as server:
        endpoints, ended = ChatEndpoints(), threading.Event()

        def call() -> None:
            with pytest.raises(ModelUnreachable, match="is being stopped"):
                endpoints.complete("fast", ModelSpec(url=server.url), request())
            ended.set()

        threading.Thread(target=call, daemon=True).start()
        while not server.asked:
            threading.Event().wait(0.01)
        endpoints.close()
        assert ended.wait(2)
