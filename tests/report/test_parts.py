"""Parts of the report: rows as CSV, faults, maps, and what every figure means."""

from __future__ import annotations

import csv
from io import StringIO

from arena.pages.html_table import EventPlace
from arena.tournament.tables.result_table import keyed_table
from arena.web.report.sections.faults_section import FaultEvent, faults_section
from arena.web.report.sections.report_page import file_name, pack_text
from arena.web.report.sections.report_parts import Sheet


def test_rows_are_csv_as_the_standard_says() -> None:
    sheet = Sheet(
        "x",
        keyed_table(("name", "n", "mean"), [['a "b", c', 3, 0.5], ["two\nlines", None, -0.0000001], ["yes", True, 2]]),
    )
    text = sheet.text()
    assert text.endswith("\r\n")
    assert '"a ""b"", c",3,0.500000\r\n"two\nlines",,0.000000\r\n' in text
    assert list(csv.reader(StringIO(text, newline=""))) == [
        ["name", "n", "mean"],
        ['a "b", c', "3", "0.500000"],
        ["two\nlines", "", "0.000000"],
        ["yes", "true", "2"],
    ]


def test_faults_are_counted_and_those_that_are_not_listed_are_told() -> None:
    place = EventPlace("e/b0000/0-1", 17, None, "arena view run e/b0000/0-1 --at 17")
    event = FaultEvent(place, "e", "bad", "illegal", "turn", "B3.1", "no")
    section = faults_section(
        {"bad": {"illegal": 3, "late": 1}, "worse": {"dead": 9}}, [event], 12, {"bad": 0, "worse": 1}
    )
    counted, listed = section.parts
    assert counted.sheet is not None
    assert list(counted.sheet.table.rows) == [["worse", "dead", 9], ["bad", "illegal", 3], ["bad", "late", 1]]
    assert counted.grid is not None
    assert [field.text for field in counted.grid.lines[1].fields] == ["bad", "–", "3", "1", "4"]
    assert listed.notes == ["12 more are not listed."]
    assert faults_section({}, [], 0, {}).missing == ["There were no faults."]


def test_the_same_text_is_packed_to_the_same_letters() -> None:
    assert pack_text("a" * 1000) == pack_text("a" * 1000)
    assert len(pack_text("a" * 1000)) < 60


def test_names_of_files_are_plain() -> None:
    assert file_name("standings-../x<y>") == "standings-..-x-y-.csv"
