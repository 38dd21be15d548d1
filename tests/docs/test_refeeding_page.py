"""``arena docs refeeding`` is played, and prints what the page shows."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from arena.match.feeding.answer_difference import Likeness

from .pages import codes, section
from .walk import in_order, is_printed, shown_by

PAGE = "refeeding"


@pytest.mark.slow
def test_the_page_is_played(arena: Any) -> None:
    played = []
    for kind, block in in_order(PAGE):
        if kind == "python":
            namespace: dict[str, Any] = {}
            exec(block, namespace)
            namespace["test_it_still_answers_as_it_did"]()
            continue
        for command, shown in shown_by(block):
            program, *words = shlex.split(command)
            assert program == "arena"
            ran = arena(*words)
            assert ran.code == int("--bot" in words), (command, ran)
            assert is_printed(shown, ran.out, ran.err), (command, ran)
            played.append(words[0])
    assert played == ["match", "refeed", "refeed", "refeed"]


def test_it_lists_every_code() -> None:
    table = section(PAGE, "Where it stops")
    assert set(codes(table)) >= {code.value for code in Likeness if not code.is_fault}


def test_the_python_block_is_the_test_of_the_page() -> None:
    assert [kind for kind, _ in in_order(PAGE)] == ["console", "console", "python"]
