"""Models are tried before a run: what is found out about each, and what is told to do next."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.consultation.backends import Backends
from arena.consultation.model_check import KeyState, ModelReport, check_models
from arena.consultation.model_spec import ModelSpec, SchemaMode, TokenLimit, TokenPrice
from tests.consultation import fake_endpoint as fake

GOOD = json.dumps({"greeting": "Good evening, all.", "sentences": 1, "ready": True})
PROSE = "Good evening, all. I hope we shall find many deals together."
NATIVE, PROMPT = SchemaMode.NATIVE, SchemaMode.PROMPT
KEY = "sk-very-secret-0123456789"


def checked(act: fake.Act, both: bool = False, **more: Any) -> ModelReport:
    """The report on the model behind an endpoint that acts so."""
    with fake.endpoint(act) as server, closing(Backends()) as backend:
        model = ModelSpec(**{"url": server.url, "model": "m-1", "gap": 5, "total": 5, "attempts": 1, **more})
        (report,) = check_models({"fast": model}, backend, both)
        return report


def test_a_model_that_works_is_asked_once_or_in_both_ways() -> None:
    act = fake.by_schema(PROSE, native=GOOD, words=GOOD)
    once, twice = checked(act, schema=NATIVE), checked(act, schema=NATIVE, both=True)
    assert (once.works, once.reached, once.problem, once.kept) == (True, True, "", (NATIVE,))
    assert (twice.works, twice.kept) == (True, (NATIVE, PROMPT))
    assert once.tokens == (11, 7)
    assert once.speed == pytest.approx(7 / once.seconds)


@pytest.mark.parametrize(
    ("written", "act", "advised"),
    [
        (NATIVE, fake.by_schema(PROSE, words=GOOD), "write models.fast.schema: prompt"),
        (PROMPT, fake.by_schema(PROSE, native=GOOD), "write models.fast.schema: native"),
    ],
)
def test_a_schema_that_is_silently_ignored_is_told_with_the_way_that_works(
    written: SchemaMode, act: fake.Act, advised: str
) -> None:
    report = checked(act, schema=written)
    assert not report.works
    assert report.reached
    assert "it ignores the schema (no JSON" in report.problem
    assert report.advice == advised
    assert report.kept == tuple({NATIVE, PROMPT} - {written})


def test_an_endpoint_that_refuses_schemas_is_asked_in_words() -> None:
    def act(handler: fake.Handler) -> None:
        native = "response_format" in handler.server.asked[-1][2]
        (fake.status(400, "response_format?") if native else fake.whole(GOOD))(handler)

    report = checked(act, schema=NATIVE)
    assert report.problem == "with schema: native, the endpoint refuses it"
    assert report.advice == "write models.fast.schema: prompt"
    assert checked(act, schema=PROMPT, both=True).works


def test_an_endpoint_that_wants_other_parameters_is_told_by_key() -> None:
    def act(handler: fake.Handler) -> None:
        asked = handler.server.asked[-1][2]
        if "max_tokens" in asked:
            fake.status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")(handler)
        elif "temperature" in asked:
            fake.status(400, "'temperature' does not support 0.0 with this model.")(handler)
        else:
            assert asked["max_completion_tokens"] == 1000
            fake.whole(GOOD)(handler)

    newer = {"token_limit": TokenLimit.MAX_COMPLETION_TOKENS}
    assert checked(act).advice == "write models.fast.token_limit: max_completion_tokens"
    assert checked(act, **newer).advice == "write models.fast.temperature: false"
    assert checked(act, **newer, temperature=False).works


def test_a_native_way_that_also_works_is_noted() -> None:
    report = checked(fake.by_schema(PROSE, native=GOOD, words=GOOD), both=True)
    assert any("models.fast.schema: native" in note for note in report.notes)


def test_a_model_that_keeps_to_no_schema_is_of_no_use() -> None:
    for said, told in ((PROSE, "unreadable"), ('{"greeting": "Hi"}', "off-schema"), ("", "empty")):
        report = checked(fake.whole(said))
        assert report.problem.startswith(told)
        assert "choose a model that can write JSON" in report.advice
        assert report.kept == ()


@pytest.mark.parametrize(
    ("act", "more", "reached", "key", "problem", "advice"),
    [
        (fake.whole(GOOD), {"key_env": "NO_SUCH_KEY"}, False, KeyState.MISSING, "NO_SUCH_KEY is not set", "export NO"),
        (fake.status(401, f"bad {KEY}"), {"key_env": "TEST_KEY"}, True, KeyState.REFUSED, "bad …", "into TEST_KEY"),
        (fake.status(401, "who?"), {}, True, KeyState.REFUSED, "HTTP 401: who?", "models.fast.key_env: VARIABLE"),
        (fake.status(404, "no m-1"), {}, True, KeyState.NONE, "no m-1", "correct models.fast.model"),
        (fake.status(400, "no streams"), {}, True, KeyState.NONE, "no streams", "models.fast.stream: false"),
        (fake.status(429), {"key_env": "TEST_KEY"}, True, KeyState.UNKNOWN, "HTTP 429", "models.fast.connections"),
        (fake.hang, {"gap": 0.1}, False, KeyState.NONE, "no byte in 0.1 s", "models.fast.total"),
        (fake.raw(b"<html>"), {}, True, KeyState.NONE, "no chat completion", "models.fast.url"),
        (fake.whole(GOOD[:9], "length"), {}, True, KeyState.NONE, "truncated", "max_tokens"),
        (fake.whole(GOOD), {"url": "http://127.0.0.1:1/v1"}, False, KeyState.NONE, "refused", "start the endpoint"),
        (fake.whole(GOOD), {"url": "scripted", "model": "rud"}, False, KeyState.NONE, "'rude'?", "models.fast.model"),
    ],
)
def test_each_failure_says_what_to_do_next(
    act: fake.Act,
    more: dict[str, Any],
    reached: bool,
    key: KeyState,
    problem: str,
    advice: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)
    report = checked(act, **more)
    assert not report.works
    assert (report.reached, report.key) == (reached or more.get("url") == "scripted", key)
    assert problem in report.problem
    assert advice in report.advice
    assert KEY not in str(report)


def test_an_endpoint_that_counts_no_tokens_is_noted() -> None:
    report = checked(fake.by_schema(GOOD, counts=False), price=TokenPrice(1, 2))
    assert report.works
    assert report.speed is None
    (note,) = report.notes
    assert note.startswith("it does not count tokens (usage): each call counts as the most that it may take")
    assert note.endswith("; try models.fast.stream: false")


def test_a_key_that_would_travel_unencrypted_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)
    with fake.endpoint(fake.whole(GOOD)) as proxy:
        monkeypatch.setenv("ARENA_MODEL_PROXY", proxy.url.removesuffix("/v1"))
        with closing(Backends()) as backend:
            model = ModelSpec(url="http://models.invalid/v1", key_env="TEST_KEY")
            (report,) = check_models({"far": model}, backend)
    assert report.works
    assert any("unencrypted" in note for note in report.notes)
    assert not any("unencrypted" in note for note in checked(fake.whole(GOOD), key_env="TEST_KEY").notes)


def write_tournament(folder: Path, url: str) -> None:
    (folder / "talk.yaml").write_text(
        "name: talk\nentrants: [greedy, ./not-there.py]\neditions: [outline]\n"
        "limits: {ask: 10, match: null}\nmodels:\n  plain: {url: scripted}\n"
        f"  fast: {{url: '{url}', model: m-1, gap: 0.5, total: 1, attempts: 1}}\n"
    )


def test_the_command_prints_a_table_and_what_fails(arena: Any, tmp_path: Path) -> None:
    with fake.endpoint(fake.by_schema(PROSE, native=GOOD)) as server:
        write_tournament(tmp_path, server.url)
        ran = arena("models", "check", "talk.yaml")
        mended = arena("models", "check", "talk.yaml", "--model", "fast", "--set", "models.fast.schema=native")
    assert (ran.code, ran.err) == (1, "asking plain\nasking fast\n")
    lines = ran.out.splitlines()
    assert lines[0].split() == ["model", "works", "reached", "key", "schema", "kept", "tokens/s", "price"]
    assert lines[2].split() == ["plain", "yes", "yes", "none", "prompt", "–", "known"]
    assert lines[3].split()[:5] == ["fast", "NO", "yes", "none", "native"]
    assert lines[5].startswith("fast fails: with schema: prompt, it ignores the schema")
    assert "next: write models.fast.schema: native" in lines
    assert mended.code == 0
    assert "plain" not in mended.out


def test_the_command_prints_json_and_names_nearest_models(arena: Any, tmp_path: Path) -> None:
    write_tournament(tmp_path, "http://127.0.0.1:1/v1")
    ran = arena("models", "check", "talk.yaml", "--json")
    assert ran.code == 1
    assert [(each["name"], each["works"]) for each in json.loads(ran.out)] == [("plain", True), ("fast", False)]
    assert "did you mean 'plain'?" in arena("models", "check", "talk.yaml", "--model", "plian").err
    none = arena("models", "check", "quick")
    assert (none.code, "names no models" in none.err) == (2, True)
