"""A table of results and its writers: text, Markdown, JSON, CSV."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import tabulate

import arena
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column, rows_data, table_csv
from arena.tournament.tables.table_text import fit_table, letters_wide, markdown_table, text_table, too_wide

LETTERS = "ab ±–…%1.|_ü"
RATED = ResultTable(
    (
        ResultColumn("place", "#"),
        ResultColumn("name", "name", left=True),
        estimate_column("share", "share\nof wins", share=True),
        estimate_column("lead", "lead", signed=True),
        ResultColumn("level", parts=("first", "last")),
        ResultColumn("change", parts=("value", "before")),
        ResultColumn("new"),
    ),
    [
        (
            1,
            "=ann",
            Estimate(0.5, 0.4, 0.6, 9),
            Estimate(0.04, -1.0, 1.08, 9),
            [1, 2],
            {"value": 0.5, "place": 3},
            True,
        ),
        (2, "ben", Estimate(0.25, 0.1, 0.7, 9), Estimate(12.0, None, None, 1), None, None, False),
        (3, "cy", None, Estimate(None, None, None, 0), [2, 3], {"value": None, "place": 2}, None),
    ],
)


def shuffled(seed: int, rows: int) -> ResultTable:
    """A table of texts, some of whose headings have two lines."""
    drawn = random.Random(seed)

    def text(most: int) -> str:
        return "".join(drawn.choices(LETTERS, k=drawn.randrange(1, most))).strip() or "x"

    heads = [text(9) if drawn.random() < 0.7 else f"{text(9)}\n{text(5)}" for _ in range(drawn.randrange(1, 6))]
    columns = tuple(ResultColumn(str(at), head, left=drawn.random() < 0.5) for at, head in enumerate(heads))
    return ResultTable(columns, [[text(14) for _ in columns] for _ in range(rows)])


def test_text_and_markdown_are_laid_out_as_tabulate_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabulate, "WIDE_CHARS_MODE", False)
    for seed in range(60):
        table = shuffled(seed, seed % 5)
        align = ["left" if column.left else "right" for column in table.columns] if table.rows else None
        rows = [[cell.replace("|", "\\|").replace("_", "\\_") for cell in row] for row in table.rows]
        for look, made, cells in (
            ("simple", text_table(table), table.rows),
            ("github", markdown_table(table), rows),
        ):
            expected = tabulate.tabulate(cells, table.headings, look, disable_numparse=True, colalign=align)
            assert made == expected, (seed, look)


def test_people_read_numbers_with_their_intervals() -> None:
    assert text_table(RATED.for_people()).splitlines() == [
        "  #  name                 share      lead",
        "                        of wins",
        "---  ------  ------------------  --------",
        "  1  =ann          50.0 ±10.0 %  0.0 ±1.0",
        "  2  ben     25.0 (10.0…70.0) %     +12.0",
        "  3  cy                       –         –",
    ]


def test_a_group_of_rows_ends_with_a_free_line() -> None:
    table = ResultTable((ResultColumn("a", "a"),), [["1"], ["2"]], ends=(0,))
    assert text_table(table, padding=0) == "a\n-\n1\n\n2"


def test_letters_that_are_two_columns_wide_take_the_room_of_two_in_a_terminal() -> None:
    table = ResultTable((ResultColumn("a", "a", left=True), ResultColumn("b", "b")), [["你好", "1"], ["ben", "2"]])
    lines = text_table(table).splitlines()
    assert {letters_wide(line) for line in lines[1:]} == {letters_wide(lines[1])}
    assert {len(line) for line in markdown_table(table).splitlines()} == {len(markdown_table(table).splitlines()[0])}


def test_programs_read_the_same_values_in_json_and_csv() -> None:
    ann, ben, cy = rows_data(RATED)
    assert ann["share"] == {"mean": 0.5, "half_width": 0.1, "low": 0.4, "high": 0.6, "clusters": 9}
    assert (ann["level"], ann["change"], ann["new"]) == ([1, 2], {"value": 0.5, "place": 3}, True)
    assert (ben["level"], ben["change"], ben["new"], cy["share"]) == (None, None, False, None)
    lines = table_csv(RATED).splitlines()
    assert lines[0] == (
        "place,name,share,share_half_width,share_low,share_high,lead,lead_half_width,lead_low,lead_high,"
        "first,last,value,before,new"
    )
    assert lines[1].startswith("1,'=ann,0.500000,0.100000,0.400000,0.600000,0.040000,")
    assert lines[1].endswith(",1,2,0.500000,3,true")
    assert lines[2].endswith(",12.000000,,,,,,,,false")
    assert lines[3] == "3,cy,,,,,,,,,2,3,,2,"
    (flat, *_) = rows_data(RATED.pick(["name", "share"]), flat=True)
    assert flat == {"name": "=ann", "share": 0.5, "share_half_width": 0.1, "share_low": 0.4, "share_high": 0.6}


def test_columns_are_left_out_in_their_order_until_a_table_fits() -> None:
    whole = RATED.for_people()
    leave = [("lead",), ("share",)]
    wide = len(text_table(whole).splitlines()[2])
    assert fit_table(whole, wide, leave) == fit_table(whole, None, leave)
    narrower = fit_table(whole, wide - 1, leave)
    assert narrower.keys == ("place", "name", "share")
    assert too_wide(whole, narrower, "--json has all") == "Too wide for this terminal: lead; --json has all."
    assert fit_table(whole, 1, leave).keys == ("place", "name")
    assert too_wide(whole, fit_table(whole, 1, leave), "so") == "Too wide for this terminal: share of wins, lead; so."


@pytest.mark.parametrize(
    ("words", "writer"),
    [("csv.writer", ["tournament/tables/csv_cells.py"]), ("tabulate(", ["cli/output/terminal.py"]), ("<table", [])],
)
def test_one_file_writes_each_form_of_a_table(words: str, writer: list[str]) -> None:
    root = Path(arena.__file__).parent
    found = [str(path.relative_to(root)) for path in root.rglob("*.py") if words in path.read_text(encoding="utf-8")]
    assert found == writer
