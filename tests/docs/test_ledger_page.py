"""The page of the ledger says of every figure and key what the program says."""

from __future__ import annotations

import re

import pytest

from arena.commands.ledger.ledger_files import VALUE_TYPES
from arena.ledger.figure import COMMON_KEYS, KEY_MEANINGS, MET_COUNT, SEAT_CASES, FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.game_tables import ledger_tables
from arena.ledger.gift_table import GIFTS_TABLE
from arena.ledger.ledger_fold import VALUE_COLUMNS
from arena.ledger.other_games import COLUMNS_TABLE
from tests.docs.pages import FLAT, GAMES, codes, rows, section

PARTS = {"board": "The board game", "cards": "The card game"}
ALL = [
    *((game, table) for game in GAMES for table in ledger_tables(game).tables),
    ("", GIFTS_TABLE),
    ("", COLUMNS_TABLE),
]


def line_of(figure: LedgerFigure, game: str) -> str:
    money = GAMES[game].unit if game else "money"
    unit = money if figure.unit is LedgerUnit.MONEY else figure.unit.value
    return f"- `{figure.name}`, *{figure.heading}* ({unit}; n: {figure.of}): {figure.definition}"


@pytest.mark.parametrize(("game", "table"), ALL, ids=[f"{game}-{table.name}" for game, table in ALL])
def test_every_figure_is_defined_on_the_page_as_in_the_program(game: str, table: FigureTable) -> None:
    text = section("ledger", PARTS[game]) if game else FLAT["ledger"]
    found = re.split(rf"(?:^|\n| )### {table.name}\s", text)[1]
    flat = " ".join(re.split(r"(?:\n| )##+ ", found)[0].split())
    told = [f"{table.heading}. By {', '.join(f'`{key}`' for key in table.keys)}."]
    notes = [table.note] if table.note else []
    assert flat == " ".join([*told, *(line_of(figure, game) for figure in table.figures), *notes])


@pytest.mark.parametrize(("game", "table"), ALL, ids=[f"{game}-{table.name}" for game, table in ALL])
def test_every_figure_is_a_quotient_of_sums_that_there_are(game: str, table: FigureTable) -> None:
    sums = set(table.sums.__struct_fields__)
    names = [figure.name for figure in table.figures]
    assert len(set(names)) == len(names)
    assert set(table.told) <= set(names)
    assert set(table.over) < set(table.keys)
    for rule in table.by_rule:
        assert rule.key in table.keys
        assert set(rule.figures) <= set(names)
    for figure in table.figures:
        assert {figure.total, figure.cases, figure.divisor} <= sums | {SEAT_CASES}
        assert bool(figure.weight) == ("÷" in figure.definition), "a figure that weighs its cases says so"
        assert (figure.cases == MET_COUNT) <= table.of_pairs
        assert figure.definition.endswith(".")
        assert figure.definition.count(". ") <= 2, "one or two sentences, and how several cards are counted"


def test_every_key_and_column_is_described() -> None:
    flat = " ".join(section("ledger", "Columns").split())
    assert flat == " ".join(f"- `{key}`: {meaning}" for key, meaning in KEY_MEANINGS.items())
    used = {key for _, table in ALL for key in table.keys}
    assert set(KEY_MEANINGS) == used | set(COMMON_KEYS)
    described = [row[0].strip("`") for row in rows("ledger", "Rows")]
    assert tuple(described) == VALUE_COLUMNS == tuple(name for name, _ in VALUE_TYPES)
    assert {unit.value for unit in LedgerUnit} - {"money"} <= codes(section("ledger", "Rows"))
