"""What tables, JSON and CSV show of intervals where blocks are too few, or a share is 0 or 100 % in all of them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest

from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.standings import Standings, fold_standings
from arena.tournament.standings.standings_text import (
    standings_caption,
    standings_csv,
    standings_data,
    standings_markdown,
    standings_table,
)

ESTIMATES = ("win_rate", "mean_rank", "beaten", "mean_money")


def played(blocks: int, bottom_wins: int = 0) -> Standings:
    """Two matches a block: Top is always first, Bottom always last and Middle between them, except that Bottom shares
    the first rank with Top in one match of each of the first ``bottom_wins`` blocks. Money is 9, 1 and 0 throughout."""
    records = []
    for block in range(blocks):
        for number in range(2):
            ranks = (1, 3, 1) if number == 0 and block < bottom_wins else (1, 2, 3)
            seats = zip(("top", "middle", "bottom"), (9, 1, 0), ranks, strict=True)
            records.append(
                MatchRecord("id", "board", "base", block, "s", "end", 9, tuple(SeatRecord(*seat) for seat in seats))
            )
    (standings,) = fold_standings(records)
    return standings


def rows(table: str) -> list[str]:
    """The lines of the entrants, each with single spaces."""
    return [" ".join(line.replace("|", " ").split()) for line in table.partition("\n\n")[0].splitlines()[2:]]


def json_rows(standings: Standings) -> dict[str, Any]:
    data: Any = standings_data([standings])
    return {row["entrant"]: row for row in data["base"]["rows"]}


def csv_rows(standings: Standings) -> dict[str, dict[str, str]]:
    return {line["entrant"]: line for line in csv.DictReader(StringIO(standings_csv([standings])))}


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize("shown", [standings_table, standings_markdown])
def test_tables_of_one_or_two_blocks_have_no_interval_and_say_why(
    shown: Callable[[Standings], str], blocks: int
) -> None:
    standings = played(blocks)
    assert rows(shown(standings)) == [
        f"1 top {2 * blocks} 100.0 % 1.00 100.0 % 9.0 –",
        f"2 middle {2 * blocks} 0.0 % 2.00 50.0 % 1.0 –",
        f"3 bottom {2 * blocks} 0.0 % 3.00 0.0 % 0.0 –",
    ]
    told = standings_caption(standings)
    assert " beaten 50.0 %. No ± (95 % interval) with fewer than 3 blocks: too few. " in told
    assert "clustered by block" not in told


def test_files_of_two_blocks_have_means_but_no_interval() -> None:
    standings = played(2, bottom_wins=1)
    for row in json_rows(standings).values():
        for name in ESTIMATES:
            assert row[name]["mean"] is not None
            assert (row[name]["half_width"], row[name]["clusters"]) == (None, 2)
    for line in csv_rows(standings).values():
        for name in ESTIMATES:
            assert float(line[name]) >= 0
            assert line[f"{name}_half_width"] == ""


# Blocks of 2 matches that are all alike count as 1 + 1/4 of independent ones: 20 matches as 16. Of a share of 0 the
# interval ends at t² / (16 + t²), where t = 2.262 at nine degrees of freedom: at 24.2304 %.


@pytest.mark.parametrize("shown", [standings_table, standings_markdown])
def test_tables_show_how_far_a_share_of_0_or_100_percent_may_lie_from_there_but_no_interval_of_money(
    shown: Callable[[Standings], str],
) -> None:
    standings = played(10)
    assert rows(shown(standings)) == [
        "1 top 20 100.0 (75.8…100.0) % 1.00 (1.00…1.48) 100.0 (75.8…100.0) % 9.0 –",
        "2 middle 20 0.0 (0.0…24.2) % 2.00 ±0.49 50.0 ±24.6 % 1.0 –",
        "3 bottom 20 0.0 (0.0…24.2) % 3.00 (2.52…3.00) 0.0 (0.0…24.2) % 0.0 –",
    ]
    assert " ± is half of a 95 % interval clustered by block; (low…high) are its ends. " in standings_caption(standings)


BOUND = 0.242304


def estimate(mean: float, low: float | None, high: float | None) -> dict[str, float | None]:
    half_width = None if low is None or high is None else round((high - low) / 2, 6)
    return {"mean": mean, "half_width": half_width, "low": low, "high": high, "clusters": 10}


def test_json_has_bounds_for_shares_and_ranks_that_are_alike_in_all_blocks_but_none_for_money() -> None:
    found = json_rows(played(10))
    assert {name: found["bottom"][name] for name in ESTIMATES} == {
        "win_rate": estimate(0, 0, BOUND),
        "mean_rank": {**estimate(3, 2.515392, 3), "half_width": BOUND},
        "beaten": estimate(0, 0, BOUND),
        "mean_money": estimate(0, None, None),
    }
    assert {name: found["top"][name] for name in ESTIMATES} == {
        "win_rate": estimate(1, 1 - BOUND, 1),
        "mean_rank": {**estimate(1, 1, 1.484608), "half_width": BOUND},
        "beaten": estimate(1, 1 - BOUND, 1),
        "mean_money": estimate(9, None, None),
    }


def test_csv_has_the_same_bounds_as_json() -> None:
    data, lines = json_rows(played(10)), csv_rows(played(10))
    for entrant, line in lines.items():
        for name in ESTIMATES:
            for end in ("half_width", "low", "high"):
                told = line[f"{name}_{end}"]
                assert (float(told) if told else None) == data[entrant][name][end]


def test_with_a_single_win_the_interval_of_a_share_does_not_become_much_wider() -> None:
    without = json_rows(played(10))["bottom"]["win_rate"]
    found = json_rows(played(10, bottom_wins=1))["bottom"]["win_rate"]
    assert found["mean"] == 0.025
    assert 0 < found["low"] < found["mean"] < found["high"] < 1.1 * without["high"]
