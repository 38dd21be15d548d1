"""The page on standings of ladders names what is printed and written, and nothing else."""

from __future__ import annotations

import re

import pytest

from arena.ladder.export.ladder_tables import OF_LADDER, OF_SEASON, SEASON_COLUMNS
from arena.ladder.presenting.standings_cells import StandingsColumn
from arena.ladder.presenting.standings_figures import ladder_standings_csv
from arena.ladder.rating.standing import LadderStandings, StandingsBasis, Unrated
from arena.ratings.rate import Basis

from .pages import FLAT, codes, rows, section

NAME = "ladder-standings"


def test_every_column_of_the_table_is_described_in_order() -> None:
    assert [row[0].strip("`") for row in rows(NAME, "The table")] == list(StandingsColumn)


def test_every_reason_for_having_no_rating_is_described() -> None:
    told = codes(section(NAME, "Who is rated"))
    assert {why for why in Unrated if why is not Unrated.UNSOLVED} <= told


def test_every_column_of_the_csv_is_described() -> None:
    whole = StandingsBasis(
        *("x", 1, False, "board", "x", "$M", 4, Basis.ORDER, "", 0, 0, 0, 0, "", 0, 0),
        *((), (), 24, 0.02, None, True, ()),
    )
    heads = ladder_standings_csv(LadderStandings(whole, (), (), None)).strip().split(",")
    told = codes(section(NAME, "The table"))
    assert {head for head in heads if not re.search("_(half_width|low|high)$", head)} <= told
    assert {"rating_half_width", "rating_low", "rating_high"} <= told & set(heads)


@pytest.mark.parametrize(
    ("file", "columns"),
    [("seasons.csv", SEASON_COLUMNS), *((file, table.columns) for file, table in {**OF_LADDER, **OF_SEASON}.items())],
)
def test_every_column_that_is_exported_is_described_in_order(file: str, columns: tuple[str, ...]) -> None:
    (line,) = re.findall(rf"- `{re.escape(file)}`: (.*?)(?= - `|  ?## |$)", " ".join(section(NAME, "Export").split()))
    assert tuple(re.findall("`([a-z0-9_]+)`", line)) == columns
    assert FLAT[NAME].count(f"- `{file}`") == 1
