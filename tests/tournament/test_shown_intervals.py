"""What tables, JSON and CSV show of intervals where blocks are too few, or a share is 0 or 100 % in all of them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest

from arena.tournament.records import MatchRecord, SeatRecord
from arena.tournament.render import caption, standings_csv, standings_data, standings_markdown, standings_table
from arena.tournament.standings import Standings, fold_standings

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
    told = caption(standings)
    assert " opponents beaten. No ± (95 % interval) with fewer than 3 blocks: they tell too little. " in told
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


# In 10 blocks: 0.05^(1/10) = e^(-2.99573 / 10) = 0.741134, so a share of 0 or 100 % has ±25.8866 %.


@pytest.mark.parametrize("shown", [standings_table, standings_markdown])
def test_tables_show_how_far_a_share_of_0_or_100_percent_may_lie_from_there_but_not_money_or_ranks(
    shown: Callable[[Standings], str],
) -> None:
    standings = played(10)
    assert rows(shown(standings)) == [
        "1 top 20 100.0 ±25.9 % 1.00 ±0.00 100.0 ±25.9 % 9.0 ±0.0 –",
        "2 middle 20 0.0 ±25.9 % 2.00 ±0.00 50.0 ±0.0 % 1.0 ±0.0 –",
        "3 bottom 20 0.0 ±25.9 % 3.00 ±0.00 0.0 ±25.9 % 0.0 ±0.0 –",
    ]
    assert " ± is half of a 95 % interval clustered by block. " in caption(standings)


def test_json_has_the_bound_for_shares_of_0_or_100_percent_alone() -> None:
    found = json_rows(played(10))
    bound = {"half_width": 0.258866, "clusters": 10}
    sure = {"half_width": 0.0, "clusters": 10}
    assert {name: found["bottom"][name] for name in ESTIMATES} == {
        "win_rate": {"mean": 0.0, **bound},
        "mean_rank": {"mean": 3.0, **sure},
        "beaten": {"mean": 0.0, **bound},
        "mean_money": {"mean": 0.0, **sure},
    }
    assert {name: found["top"][name] for name in ESTIMATES} == {
        "win_rate": {"mean": 1.0, **bound},
        "mean_rank": {"mean": 1.0, **sure},
        "beaten": {"mean": 1.0, **bound},
        "mean_money": {"mean": 9.0, **sure},
    }
    assert (found["middle"]["beaten"], found["middle"]["mean_money"]) == (
        {"mean": 0.5, **sure},
        {"mean": 1.0, **sure},
    )


def test_csv_has_the_bound_for_shares_of_0_or_100_percent_alone() -> None:
    found = csv_rows(played(10))
    for entrant, mean in (("bottom", "0.000000"), ("top", "1.000000")):
        for name in ("win_rate", "beaten"):
            assert (found[entrant][name], found[entrant][f"{name}_half_width"]) == (mean, "0.258866")
    for line in found.values():
        for name in ("mean_rank", "mean_money"):
            assert line[f"{name}_half_width"] == "0.000000"


def test_a_single_win_brings_back_the_interval_from_the_blocks() -> None:
    # Bottom has half a win in one of 20 matches: R = 1/40; residuals 1/2 - 2/40 = 9/20 and nine times -1/20;
    # variance 10/9 * (81 + 9)/400 / 400 = 1/1600, so error = 1/40, and t at nine degrees of freedom is 2.262.
    found = json_rows(played(10, bottom_wins=1))["bottom"]["win_rate"]
    assert found == {"mean": 0.025, "half_width": round(2.262 / 40, 6), "clusters": 10}
