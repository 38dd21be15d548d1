"""Standings by pair and by seat: intervals are clustered by block, and nothing is said where nothing is known."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import pytest

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.measures.measures import MEASURES
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.breakdown import pairs_table, seats_csv, seats_table
from arena.tournament.standings.standings import Standings, fold_standings
from arena.tournament.standings.standings_text import standings_data


def match(block: int, *seats: tuple[str, int, int], edition: str = "base", game: str = "board") -> MatchRecord:
    """A match with (entrant, money, rank) by seat."""
    return MatchRecord("id", game, edition, block, "s", "end", 9, tuple(SeatRecord(*seat) for seat in seats))


def evening() -> list[MatchRecord]:
    """Two seat orders of ann and ben in each of four blocks; the first seat is better, and so is ann."""
    won = [(30, 10), (20, 8), (12, 4), (40, 2)]
    lost = [(5, 9), (7, 7), (30, 1), (2, 6)]
    records = []
    for block, ((ann, ben), (first, second)) in enumerate(zip(won, lost, strict=True)):
        records.append(match(block, ("ann", ann, 1), ("ben", ben, 2)))
        ranks = (1 + (first < second), 1 + (second < first))
        records.append(match(block, ("ben", first, ranks[0]), ("ann", second, ranks[1])))
    return records


def only(standings: tuple[Standings, ...]) -> Standings:
    (found,) = standings
    return found


def test_the_score_of_a_pair_has_the_interval_of_the_shares_of_its_blocks() -> None:
    pair, mirror = only(fold_standings(evening())).crosstable
    # Ann ranks better in 2, 1½, 1 and 2 of the 2 matches of each block.
    expected = clustered_mean([(2, 2), (1.5, 2), (1, 2), (2, 2)], share=True, step=1)
    assert (pair.entrant, pair.opponent, pair.matches) == ("ann", "ben", 8)
    assert pair.score == expected
    assert mirror.score == expected.mirror(1)
    assert pair.money_difference == clustered_mean([(20 + 4, 2), (12 + 0, 2), (8 - 29, 2), (38 + 4, 2)])


def test_a_pair_that_always_ends_alike_has_the_interval_of_a_share_of_all() -> None:
    records = [match(block, ("ann", 9, 1), ("ben", 1, 2)) for block in range(5)]
    pair, mirror = only(fold_standings(records)).crosstable
    assert pair.score == clustered_mean([(1, 1)] * 5, share=True)
    assert mirror.score == pair.score.mirror(1)
    assert pair.money_difference == Estimate(8, None, None, 5, alike=True)


def test_a_seat_has_the_measures_of_whoever_sat_there_by_block() -> None:
    first, second = only(fold_standings(evening())).seats
    assert [(row.seat, row.matches, row.even_share) for row in (first, second)] == [(0, 8, 0.5), (1, 8, 0.5)]
    assert first["win_rate"] == clustered_mean([(1, 2), (1.5, 2), (2, 2), (1, 2)], share=True, step=1)
    assert first["mean_money"] == clustered_mean([(35, 2), (27, 2), (42, 2), (42, 2)])
    means = [row["beaten"].mean or 0 for row in (first, second)]
    assert sum(means) == pytest.approx(1)


def test_over_tables_of_several_sizes_the_even_share_of_a_seat_is_that_of_its_own_tables() -> None:
    records = [
        match(0, ("ann", 9, 1), ("ben", 1, 2), edition="two"),
        match(0, ("ann", 9, 1), ("ben", 1, 2), ("cat", 0, 3), edition="three"),
    ]
    together = fold_standings(records)[-1]
    assert [(row.seat, row.even_share) for row in together.seats] == [
        (0, pytest.approx(5 / 12)),
        (1, pytest.approx(5 / 12)),
        (2, pytest.approx(1 / 3)),
    ]


def test_over_several_games_seats_and_pairs_have_no_money() -> None:
    records = [*evening(), match(0, ("ann", 90, 1), ("ben", 10, 2), edition="deck", game="cards")]
    together = fold_standings(records)[-1]
    assert list(together.seats[0].values) == [each.name for each in MEASURES if each.by_seat and each.across_games]
    assert "mean_money" not in together.seats[0].values
    assert pairs_table(together).splitlines()[0].split() == ["entrant", "opponent", "matches", "ranked", "better"]
    assert "money" not in seats_table(together)
    line = next(csv.DictReader(StringIO(seats_csv([together]))))
    assert (line["edition"], line["games"], line["seat"]) == ("all", "board cards", "0")
    lines = list(csv.DictReader(StringIO(seats_csv(fold_standings(records)))))
    assert [each["mean_money"] == "" for each in lines] == [each["edition"] == "all" for each in lines]


def test_json_and_csv_of_seats_say_the_same() -> None:
    standings = fold_standings(evening())
    data: Any = standings_data(standings)
    rows = json.loads(json.dumps(data))["base"]["seats"]
    for row, line in zip(rows, csv.DictReader(StringIO(seats_csv(standings))), strict=True):
        assert (row["seat"], row["matches"]) == (int(line["seat"]), int(line["matches"]))
        for name in ("win_rate", "mean_rank", "beaten", "mean_money"):
            assert row[name]["mean"] == float(line[name])
            for end in ("half_width", "low", "high"):
                assert row[name][end] == float(line[f"{name}_{end}"])


def test_tables_show_each_pair_once_from_the_one_that_stands_higher_and_every_seat() -> None:
    standings = only(fold_standings([*evening(), match(3, ("cat", 3, 1), ("dan", 1, 2))]))
    lines = [line.split() for line in pairs_table(standings).splitlines()]
    assert [line[:3] for line in lines[2:]] == [["cat", "dan", "1"], ["ann", "ben", "8"]]
    assert lines[3][3:6] == ["81.2", "(39.6…96.6)", "%"]
    seats = [line.split() for line in seats_table(standings).splitlines()]
    assert seats[0] == [
        "seat",
        "matches",
        "even",
        "share",
        "win",
        "rate",
        "mean",
        "rank",
        "beaten",
        "mean",
        "money",
    ]
    assert [line[:4] for line in seats[2:]] == [["0", "9", "50.0", "%"], ["1", "9", "50.0", "%"]]


def test_tables_leave_out_columns_on_a_narrow_terminal_and_say_which() -> None:
    standings = only(fold_standings(evening()))
    for table in (pairs_table, seats_table):
        whole = table(standings)
        assert table(standings, 200) == whole
        narrow = table(standings, 50)
        assert max(map(len, narrow.splitlines())) <= 50 < max(map(len, whole.splitlines()))
        assert (
            " ".join(narrow.split())
            .partition("Too wide for this terminal: ")[2]
            .endswith(
                "more money; the run's files and --json have all columns."
                if table is pairs_table
                else "mean money; the run's files and --json have all columns."
            )
        )


def test_without_matches_the_tables_say_so() -> None:
    standings = only(fold_standings([], ["ann", "ben"], ["base"]))
    assert pairs_table(standings) == seats_table(standings) == "no match counts yet\n"
