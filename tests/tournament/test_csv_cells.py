"""No text in a table is a formula for a spreadsheet, and whoever reads the table has every text as it was."""

from __future__ import annotations

import csv
import random
import re
from io import StringIO

import pytest

from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.provenance import Provenance
from arena.tournament.standings.standings import fold_standings
from arena.tournament.standings.standings_text import standings_csv
from arena.tournament.tables.csv_cells import FORMULA_BEGINNINGS, safe_cell, text_of

FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    '=HYPERLINK("x")',
    "-",
    "--1",
    "-1e",
    "- 1",
    "+1",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_a_spreadsheet_would_compute_begins_with_an_apostrophe(text: str) -> None:
    assert safe_cell(text) == f"'{text}"
    assert text_of(f"'{text}") == text


@pytest.mark.parametrize(
    "cell", ["-1.5", "-3", "-0.000001", "-1e-07", -1.5, -3, None, True, "", "greedy", "a=b", "1-2", "'tis", "–"]
)
def test_numbers_and_all_other_texts_are_written_as_they_are(cell: object) -> None:
    assert safe_cell(cell) is cell


def test_every_text_is_read_as_it_was_written() -> None:
    dice = random.Random(5)
    texts = ["".join(dice.choices("'=+-@\t\r\n1.ea,\"", k=dice.randint(0, 4))) for _ in range(20_000)]
    cells = [str(safe_cell(text)) for text in texts]
    assert [text_of(cell) for cell in cells] == texts
    assert not [
        cell for cell in cells if cell[:1] in tuple(FORMULA_BEGINNINGS) and not re.fullmatch(r"-[0-9.e-]+", cell)
    ]


def test_an_entrant_who_is_called_like_a_formula_is_one_in_no_table_and_keeps_its_label_s_place() -> None:
    seats = tuple(
        SeatRecord(entrant=name, money=money, rank=rank) for name, money, rank in (("=1+1", 3, 1), ("greedy", -2, 2))
    )
    record = MatchRecord("e/b0000/0-1", "board", "e", 0, "s", "turns", 9, seats)
    standings = fold_standings([record])
    text = standings_csv(standings, Provenance("root", 1))
    rows = list(csv.DictReader(StringIO(text)))
    assert {row["entrant"] for row in rows} == {"'=1+1", "greedy"}
    assert {row["mean_money"] for row in rows if row["entrant"] == "greedy"} == {"-2.000000"}
