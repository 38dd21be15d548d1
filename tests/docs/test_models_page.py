"""``arena docs models`` has every key with its default, and shows what ``arena models check`` prints."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.consultation.endpoint.chat_attempt import REFUSED_STATUSES, RETRIED_STATUSES
from arena.consultation.endpoint.chat_endpoints import FIRST_WAIT, LONGEST_ASKED_WAIT, LONGEST_WAIT, MOST_CUT_OFF
from arena.consultation.endpoint.chat_wire import SLOWEST_WRITING, USUAL_WRITING
from arena.consultation.endpoint.connection_limit import FIRST_LIMIT, MOST_FAILED, REST_SECONDS
from arena.consultation.endpoint.connection_pools import PROXY_VARIABLE
from arena.consultation.model_spec import LARGEST_ANSWER, CallBudget, CallBudgets, ModelSpec
from arena.consulting.answer_schema import CHECKED_KEYWORDS, DEEPEST_SCHEMA, FREE_KEYWORDS
from arena.players.consult_desk import LARGEST_CONSULT, checked_consult
from tests.consultation import fake_endpoint as fake

from .pages import FLAT, blocks, codes, rows, section

PAGE = "models"


@pytest.mark.parametrize(("heading", "struct"), [("Models", ModelSpec), ("Budgets", CallBudgets)])
def test_every_key_is_described_with_its_default(heading: str, struct: type[msgspec.Struct]) -> None:
    fields = msgspec.structs.fields(struct)
    described = rows(PAGE, heading)
    assert [row[0].strip("`") for row in described] == [field.name for field in fields]
    for row, field in zip(described, fields, strict=True):
        if field.required:
            assert row[2] == "–"
        elif isinstance(field.default, bool):
            assert row[2].strip("`") == str(field.default).lower()
        elif isinstance(field.default, int | float | str):
            assert row[2].strip("`") == (
                f"{field.default:g}" if isinstance(field.default, float) else str(field.default) or "none"
            )


def test_budgets_limit_what_the_page_says() -> None:
    assert {field.name for field in msgspec.structs.fields(CallBudget)} <= codes(section(PAGE, "Budgets"))


def test_every_keyword_of_a_schema_is_named() -> None:
    named = codes(section(PAGE, "Ask in a bot"))
    assert {*CHECKED_KEYWORDS, *FREE_KEYWORDS} <= named
    assert f"at most {DEEPEST_SCHEMA} levels deep" in FLAT[PAGE]
    assert f"more than {LARGEST_CONSULT:,} bytes" in FLAT[PAGE]


def test_the_request_of_the_page_can_be_sent() -> None:
    (code,) = blocks(PAGE, "python")
    names: dict[str, Any] = {}
    exec(code, names)
    assert checked_consult(names["request"]) == names["request"]


def test_numbers_are_those_of_the_code() -> None:
    text = FLAT[PAGE]
    assert f"status {', '.join(map(str, RETRIED_STATUSES))}, or from 500" in text
    assert f"There are {FIRST_LIMIT} at first" in text
    assert f"a stream above {LARGEST_ANSWER // 1_000_000} MB" in text
    assert (FIRST_WAIT * 2, LONGEST_WAIT, LONGEST_ASKED_WAIT, REST_SECONDS, MOST_FAILED) == (1, 60, 300, 60, 3)
    assert (SLOWEST_WRITING, USUAL_WRITING, MOST_CUT_OFF) == (1, 10, 3)
    assert f"status {', '.join(map(str, REFUSED_STATUSES))}, 403 of a moderation" in text
    assert PROXY_VARIABLE in text


def test_the_check_prints_what_the_page_shows(arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEEP_KEY", raising=False)
    (tmp_path / "talk.yaml").write_text(blocks(PAGE, "yaml tournament")[0])
    good = json.dumps({"greeting": "Good evening.", "sentences": 1, "ready": True})
    with fake.endpoint(fake.by_schema("Good evening.", native=good)) as server:
        ran = arena("models", "check", "talk.yaml", "--set", f"models.fast.url={server.url}")
    assert ran.code == 1
    (shown,) = blocks(PAGE, "text")
    speed = re.compile(r"(native +)\d+ +")
    assert speed.sub(r"\1", ran.out) == speed.sub(r"\1", shown)
