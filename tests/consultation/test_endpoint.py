"""Chat endpoints: what is sent, what is read, what is tried again, and what is given up."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from time import monotonic
from typing import Any

import msgspec
import pytest

from arena.consultation.backend import CUT_OFF_FINISH, OTHER_FINISH, Completion, ModelUnreachable, ReachProblem
from arena.consultation.backends import Backends
from arena.consultation.call_record import REFUSED_FINISH, SUSPENDED_FINISH, UNPAID_FINISH, UNREACHABLE_FINISH
from arena.consultation.endpoint import ChatEndpoints, chat_attempt, chat_endpoints, chat_wire
from arena.consultation.endpoint.chat_attempt import ChatAttempt, FailedAttempt
from arena.consultation.endpoint.chat_endpoints import MOST_CUT_OFF
from arena.consultation.endpoint.connection_limit import FIRST_LIMIT, MOST_FAILED, ConnectionLimit
from arena.consultation.endpoint.connection_pools import PROXY_VARIABLE, ConnectionPools
from arena.consultation.model_spec import ModelSpec, SchemaMode
from arena.errors import UserError
from tests.consultation import fake_endpoint as fake
from tests.consultation.asking import NUMBER, request

OWN_FINISHES = (UNREACHABLE_FINISH, UNPAID_FINISH, REFUSED_FINISH, SUSPENDED_FINISH, CUT_OFF_FINISH)
DRIPPING = fake.streamed(*"word" * 100, pause=0.02)
KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_endpoints, "FIRST_WAIT", 0.001)
    monkeypatch.setenv("TEST_MODEL_KEY", KEY)


def ask(server: fake.Server, wanted: dict[str, Any] | None = None, **more: Any) -> Completion:
    """What the model behind the endpoint answers."""
    model = ModelSpec(**{"url": server.url, "model": "m-1", "gap": 5, "total": 5, "attempts": 2, **more})
    with closing(ChatEndpoints()) as endpoints:
        return endpoints.complete("fast", model, request("hello", wanted))


@pytest.mark.parametrize("act", [fake.whole("Hi there"), fake.streamed("Hi", " ", "there")])
def test_an_answer_is_read_in_one_piece_and_as_a_stream(act: fake.Act) -> None:
    with fake.endpoint(act) as server:
        answer = ask(server, key_env="TEST_MODEL_KEY")
    assert (answer.text, answer.finish, answer.tokens[0]) == ("Hi there", "stop", 11)
    assert 0 <= answer.seconds < 5
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
        *((fake.whole("hi", each), OTHER_FINISH) for each in OWN_FINISHES),
        (fake.streamed("hi", finish=UNREACHABLE_FINISH), OTHER_FINISH),
        (fake.whole("hi", "eos" * 1000), OTHER_FINISH),
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
        fake.raw(b'{"choices": [' + b"{}," * 700 + b"{}]}"),
        fake.streamed("broken", " off", whole_stream=False),
        fake.streamed("broken", " off", finish="error"),
        fake.bomb,
        fake.raw(b'{"choices":[{"message":{"content":"' + b"x" * 100_000 + b'"},"finish_reason":"stop"}]}'),
    ],
    ids=["429", "500", "503", "408", "html", "empty", "error", "many parts", "broken off", "failed", "bomb", "huge"],
)
def test_what_may_pass_is_tried_again_and_given_up_in_the_end(act: fake.Act, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_attempt, "LARGEST_ANSWER", 64 << 10)
    monkeypatch.setattr(chat_wire, "MOST_PARTS", 700)
    with fake.endpoint(act, fake.whole("at last")) as server:
        assert ask(server).text == "at last"
    with fake.endpoint(act) as server:
        with pytest.raises(ModelUnreachable, match="tried 2 times") as raised:
            ask(server)
        assert not raised.value.lasting
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (fake.hang, "no byte in 0.1 s"),
        (fake.drip, "no whole answer in 0.2 s"),
        (fake.drip_header, "no whole answer in 0.2 s"),
        (fake.comments, "no whole answer in 0.2 s"),
    ],
    ids=["hang", "drip", "drip header", "drip comments"],
)
def test_no_call_takes_longer_than_its_two_deadlines(act: fake.Act, told: str) -> None:
    with fake.endpoint(act, fake.whole("at last")) as server:
        began = monotonic()
        with pytest.raises(ModelUnreachable) as raised:
            ask(server, gap=0.1, total=0.2, attempts=1)
        assert monotonic() - began < 2
        assert raised.value.begun == 1
        assert (str(raised.value), raised.value.problem) == (told, ReachProblem.SILENT)
        assert ask(server).text == "at last"


def test_an_answer_that_is_still_being_written_when_the_time_is_over_is_cut_off_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with fake.endpoint(DRIPPING) as server:
        answer = ask(server, gap=0.15, total=0.2, attempts=6)
        assert (answer.finish, answer.failed, len(server.asked)) == (CUT_OFF_FINISH, 0, 1)
    monkeypatch.setattr(chat_attempt, "USUAL_WRITING", 1000)  # so slow that it may have too much to do
    with fake.endpoint(DRIPPING) as server:
        answer = ask(server, gap=0.15, total=0.2, attempts=6)
        assert len(server.asked) == MOST_CUT_OFF
    assert (answer.finish, answer.failed, answer.tokens) == (CUT_OFF_FINISH, MOST_CUT_OFF - 1, (0, 0))
    assert answer.text.startswith("word")
    with fake.endpoint(DRIPPING) as server, closing(ChatEndpoints()) as endpoints:
        model = ModelSpec(url=server.url, gap=0.15, total=0.2)
        answer = endpoints.complete("fast", model, request(), lambda: False)
        assert (answer.finish, answer.failed, len(server.asked)) == (CUT_OFF_FINISH, 0, 1)
    with fake.endpoint(DRIPPING, fake.whole("at last")) as server:
        assert (ask(server, gap=0.15, total=0.2).text, len(server.asked)) == ("at last", 2)


def test_an_answer_that_is_too_long_is_cut_off_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_attempt, "LARGEST_ANSWER", 80 << 10)
    with fake.endpoint(fake.streamed(*["word"] * 2000)) as server:
        answer = ask(server)
        assert (answer.finish, answer.text[:8], len(server.asked)) == (CUT_OFF_FINISH, "wordword", 1)
    with (
        fake.endpoint(fake.streamed(*[KEY] * 2000)) as server,
        pytest.raises(ModelUnreachable, match="repeats the key"),
    ):
        ask(server, key_env="TEST_MODEL_KEY")


@pytest.mark.parametrize(
    ("act", "failed"),
    [
        (fake.hang, 1),
        (fake.streamed("broken", " off", whole_stream=False), 1),
        (fake.raw(b'{"choices": []}'), 1),
        (fake.status(504), 1),
        (fake.status(503), 0),
        (fake.status(429), 0),
    ],
)
def test_attempts_that_may_have_cost_something_are_counted(act: fake.Act, failed: int) -> None:
    with fake.endpoint(act, fake.whole("at last")) as server:
        assert ask(server, gap=0.2).failed == failed
    with fake.endpoint(act) as server, closing(ChatEndpoints()) as endpoints:
        model = ModelSpec(url=server.url, gap=0.2, attempts=3)
        with pytest.raises(ModelUnreachable) as raised:
            endpoints.complete("fast", model, request(), lambda: False)
        assert (raised.value.begun, len(server.asked)) == ((1, 1) if failed else (0, 3))
    with closing(ChatEndpoints()) as endpoints, pytest.raises(ModelUnreachable) as raised:
        endpoints.complete("fast", ModelSpec(url="http://127.0.0.1:1/v1", attempts=2), request())
    assert raised.value.begun == 0


@pytest.mark.parametrize(
    ("act", "problem"),
    [
        (fake.status(401), ReachProblem.KEY_REFUSED),
        (fake.status(403), ReachProblem.KEY_REFUSED),
        (fake.status(402), ReachProblem.UNPAID),
        (fake.status(403, "your input was flagged"), ReachProblem.REFUSED),
        (fake.status(204), ReachProblem.NO_COMPLETION),
        (fake.status(307, Location="http://127.0.0.1:1/"), ReachProblem.NO_COMPLETION),
        (fake.status(404), ReachProblem.NOT_FOUND),
        (fake.status(400), ReachProblem.REFUSED),
        (fake.status(429), ReachProblem.OVERLOADED),
        (fake.status(500), ReachProblem.NO_COMPLETION),
        (fake.raw(b"<html>gateway</html>"), ReachProblem.NO_COMPLETION),
        (fake.whole(f"I was told {KEY}"), ReachProblem.NO_COMPLETION),
    ],
)
def test_a_failure_is_of_a_kind(act: fake.Act, problem: ReachProblem) -> None:
    with fake.endpoint(act) as server:
        with pytest.raises(ModelUnreachable) as raised:
            ask(server, attempts=1, key_env="TEST_MODEL_KEY")
        assert raised.value.problem is problem


def test_an_endpoint_says_when_it_wants_to_be_asked_again() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    waits = []
    for told in ("7", "0.5", date, "soon", "-3", "nan"):
        act = fake.status(429, Retry_After=told)
        with fake.endpoint(act) as server, closing(ConnectionPools()) as pools:
            with pytest.raises(FailedAttempt) as failed:
                ChatAttempt(pools, ModelSpec(url=server.url), "").send(request())
            waits.append(round(failed.value.wait, 1))
    assert waits[:2] == [7, 0.5]
    assert 97 < waits[2] <= 100
    assert waits[3:] == [0, 0, 0]


@pytest.mark.parametrize(
    "usage", ["null", "{}", '{"prompt_tokens": null, "completion_tokens": "9"}', '{"prompt_tokens": true}']
)
def test_tokens_that_an_endpoint_does_not_count_are_none(usage: str) -> None:
    answer = '{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":' + usage + "}"
    with fake.endpoint(fake.raw(answer.encode())) as server:
        told = ask(server).tokens
    assert (told, [type(each) for each in told]) == ((0, 0), [int, int])


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
                ask(server, key_env="TEST_MODEL_KEY", gap=0.1, total=0.15)
            except ModelUnreachable as problem:
                shown = traceback.TracebackException.from_exception(problem, capture_locals=True)
                told.append("".join(shown.format()) + repr(problem))
    dead = server.url
    with closing(ChatEndpoints()) as endpoints:
        with pytest.raises(ModelUnreachable) as raised:
            endpoints.complete("fast", ModelSpec(url=dead, attempts=1, key_env="TEST_MODEL_KEY"), request())
        told.append(str(raised.value))
    assert len(told) == 6
    assert KEY not in "".join(told) + caplog.text
    assert "127.0.0.1" not in told[-1]


def test_the_extra_is_named_where_the_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpcore2", None)
    with closing(Backends()) as backends, pytest.raises(UserError, match=r'"arena-negotiation\[models\]"'):
        backends.complete("fast", ModelSpec(url="http://models.invalid"), request())


def test_environment_proxies_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with fake.endpoint(fake.whole("direct")) as server:
        assert ask(server).text == "direct"


def test_a_proxy_for_models_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with fake.endpoint(fake.whole("by proxy")) as proxy:
        address = proxy.url.removesuffix("/v1").replace("://", "://ann:pass%20word@")
        monkeypatch.setenv(PROXY_VARIABLE, address)
        with closing(ChatEndpoints()) as endpoints:
            answer = endpoints.complete("fast", ModelSpec(url="http://models.invalid/v1", attempts=1), request())
    assert answer.text == "by proxy"
    ((path, headers, _),) = proxy.asked
    assert path == "http://models.invalid/v1/chat/completions"
    assert headers["Proxy-Authorization"] == "Basic " + b64encode(b"ann:pass word").decode()


@pytest.mark.parametrize("address", ["proxy:3128", "socks5://proxy", "http://", "http://proxy:x", "http://[::1"])
def test_a_proxy_must_be_an_address(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(PROXY_VARIABLE, address)
    with pytest.raises(UserError, match="ARENA_MODEL_PROXY: expected the address of a proxy"):
        ChatEndpoints()


def test_the_time_of_a_call_is_that_of_the_attempt_that_succeeded() -> None:
    with fake.endpoint(fake.hang, fake.whole("late")) as server:
        began = monotonic()
        answer = ask(server, gap=0.3)
        took = monotonic() - began
    assert took >= 0.3
    assert answer.seconds <= took - 0.3


def test_no_more_calls_are_open_than_the_endpoint_bears() -> None:
    model: dict[str, Any] = {"gap": 2.0, "total": 2.0, "connections": 3}
    open_now, most, lock = [0], [0], threading.Lock()

    def act(handler: fake.Handler) -> None:
        with lock:
            open_now[0] += 1
            most[0] = max(most[0], open_now[0])
        handler.server.over.wait(0.03)
        with lock:
            open_now[0] -= 1
        fake.whole("ok")(handler)

    with fake.endpoint(act) as server, closing(ChatEndpoints()) as endpoints:
        spec = ModelSpec(url=server.url, **model)
        with ThreadPoolExecutor(10) as threads:
            done = list(threads.map(lambda n: endpoints.complete("fast", spec, request(str(n))).text, range(12)))
    assert done == ["ok"] * 12
    assert most[0] == 3


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


def test_calls_that_meet_the_same_overload_halve_the_limit_once() -> None:
    limit = ConnectionLimit(16)
    for _ in range(2):
        before = limit.limit
        assert all(limit.acquire() for _ in range(before))
        for _ in range(before):
            limit.release(overloaded=True, succeeded=False)
        assert limit.limit == before // 2


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


@pytest.mark.parametrize("act", [fake.hang, fake.drip, fake.drip_header])
def test_closing_cuts_off_calls_under_way(act: fake.Act) -> None:
    with fake.endpoint(act) as server, ThreadPoolExecutor(1) as threads:
        endpoints = ChatEndpoints()
        call = threads.submit(endpoints.complete, "fast", ModelSpec(url=server.url), request())
        while not server.asked:
            threading.Event().wait(0.01)
        endpoints.close()
        with pytest.raises(ModelUnreachable, match="is being stopped"):
            call.result(timeout=2)
        with pytest.raises(ModelUnreachable, match="is being stopped"):
            endpoints.complete("late", ModelSpec(url=server.url), request())


def test_a_model_that_refuses_requests_is_asked_on() -> None:
    with fake.endpoint(fake.status(400, "too long")) as server, closing(ChatEndpoints()) as endpoints:
        for _ in range(MOST_FAILED + 2):
            with pytest.raises(ModelUnreachable, match="too long"):
                endpoints.complete("fast", ModelSpec(url=server.url), request())
        assert len(server.asked) == MOST_FAILED + 2
