"""A rule that changes what deals pay is written in the rules alone: whatever prints an amount prints the right one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.games.board.rules import Rules
from tests.changed_copy import ChangedCopy, with_bank_fee

pytestmark = pytest.mark.slow

FEE = 3
RULES: Rules = load_edition("eagle-gryphon").rules
PAGE = """
import sys
from pathlib import Path
import msgspec
from arena.web.viewer.match_data import match_data
print(msgspec.json.encode(match_data(Path(sys.argv[1]).read_bytes())).decode())
"""
TABLE = """
import sys
from pathlib import Path
from arena.games.board import GAME
from arena.games.board.presenting.human.table_text import BoardDrawn
from arena.games.chance import Chance
from arena.replay.read import read_replay_lines, rules_of
rules = rules_of(read_replay_lines(Path(sys.argv[1]).read_bytes())[0])
view = GAME.start(rules, 3, Chance("1"), None).view(0)
table = BoardDrawn(rules, ["a", "b", "c"])
print(view.deal, view.marker, *(table.worth(view, space) for space in range(len(rules.spaces))))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ChangedCopy:
    """The copy with the rule."""
    return with_bank_fee(tmp_path_factory.mktemp("fee") / "copy")


COMMANDS = ("verify", "show", "show --deals", "picture")


@pytest.fixture(scope="module", autouse=True)
def printed(copy: ChangedCopy) -> dict[str, str]:
    """What each of the commands prints of a match with the rule."""
    match = ("match", "fair", "greedy", "hard", "--rules", "eagle-gryphon", "--rule", f"bank_fee={FEE}")
    rest = [[word, "fee.jsonl", *options] for word, *options in map(str.split, COMMANDS)]
    ran = copy.run_each((*match, "--seed", 5, "--trust", "-o", "fee.jsonl"), *rest)
    assert [code for code, _, _ in ran] == [0] * len(ran), ran
    return dict(zip(COMMANDS, (out for _, out, _ in ran[1:]), strict=True))


def closed(copy: ChangedCopy) -> list[dict[str, Any]]:
    """The deals that were closed, as the replay has them."""
    lines = (copy.folder / "fee.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line.get("event") == "closed"]


def pays(space: int, number: int) -> int:
    """What a deal pays under the rule."""
    return max(RULES.spaces[space].dividends * RULES.deals[number] - FEE, 0)


def test_the_replay_verifies_and_its_deals_pay_less(copy: ChangedCopy, printed: dict[str, str]) -> None:
    assert printed["verify"].startswith("fee.jsonl: verified\n")
    deals = closed(copy)
    assert len(deals) > 3
    assert [deal["proceeds"] for deal in deals] == [pays(deal["space"], deal["number"]) for deal in deals]
    result = json.loads((copy.folder / "fee.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert sum(seat["money"] for seat in result["seats"]) == sum(deal["proceeds"] for deal in deals)


def test_the_sentences_say_it(copy: ChangedCopy, printed: dict[str, str]) -> None:
    deals, story = closed(copy), printed["show"]
    told = re.findall(r"The deal on space \d+ closes: \$(\d+)M, .*? keeps \$(\d+)M", story)
    assert told == [(str(deal["proceeds"]), str(deal["proceeds"] - sum(deal["paid"]))) for deal in deals]
    table = printed["show --deals"]
    assert all(f"${deal['proceeds']}M" in table for deal in deals)


def test_the_table_for_a_human_says_it(copy: ChangedCopy) -> None:
    number, _, *worth = copy.run_python(TABLE, "fee.jsonl").split()
    assert worth == [f"${pays(space, int(number))}" for space in range(len(RULES.spaces))]


def test_the_page_is_given_it(copy: ChangedCopy) -> None:
    data = json.loads(copy.run_python(PAGE, "fee.jsonl"))
    for deal in data["about"]["deals"]:
        assert deal["pays"] == [pays(space, deal["number"]) for space in range(len(RULES.spaces))]
    table, splits = data["course"]["first"], 0
    for frame in data["course"]["frames"]:
        table |= frame.get("set", {})
        for name, (start, gone, come) in frame.get("splice", {}).items():
            table[name] = [*table[name][:start], *come, *table[name][start + gone :]]
        if table["boss"] is not None:
            splits += 1
            assert sum(table["amounts"]) == pays(table["marker"], table["deal"])
    assert splits > 20
    assert [sum(deal["amounts"]) for deal in table["ledger"]] == [deal["proceeds"] for deal in closed(copy)]


def test_the_picture_and_the_ledger_say_it(copy: ChangedCopy, printed: dict[str, str]) -> None:
    best = max(closed(copy), key=lambda deal: deal["proceeds"])
    drawn = printed["picture"]  # of the deal that paid most
    assert f"closes for ${best['proceeds']}M and keeps ${best['proceeds'] - sum(best['paid'])}M" in drawn
    program = (
        "import sys, msgspec; from pathlib import Path; from arena.replay.ledger_events import tables_in; "
        "print(msgspec.json.encode(tables_in(Path(sys.argv[1]).read_bytes())['deals']).decode())"
    )
    rows = [row for row in json.loads(copy.run_python(program, "fee.jsonl")) if row["outcome"] == "closed"]
    assert [(row["proceeds"], row["kept"]) for row in rows] == [
        (deal["proceeds"], deal["proceeds"] - sum(deal["paid"])) for deal in closed(copy)
    ]
