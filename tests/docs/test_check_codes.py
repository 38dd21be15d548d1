"""The codes of what a check finds are all described, with whether they are wrong."""

from __future__ import annotations

import re

import pytest

from arena.commands.bots.findings import FindingCode
from arena.commands.docs.topics import topic_text

ROW = re.compile(r"^\| `?([a-z -]+?)`? +\| (yes|no) +\|", re.MULTILINE)
WRONG = {"a kind of fault", FindingCode.PUT_OUT, FindingCode.NOT_REPEATING}


@pytest.fixture
def described() -> dict[str, str]:
    return dict(ROW.findall(topic_text("bots")))


def test_every_code_is_described_and_no_other(described: dict[str, str]) -> None:
    assert set(described) == {"a kind of fault", *map(str, FindingCode)}


def test_it_is_said_which_of_them_are_wrong(described: dict[str, str]) -> None:
    assert {code for code, wrong in described.items() if wrong == "yes"} == set(WRONG)
