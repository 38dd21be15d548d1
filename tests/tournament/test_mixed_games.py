"""Standings of a tournament that mixes games: money stays within its game, shares of opponents beaten go across."""

from __future__ import annotations

import csv
import random
from io import StringIO
from typing import Any

import pytest

from arena.errors import UserError
from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.breakdown import crosstable_csv
from arena.tournament.standings.standings import Standings, StandingsRow, fold_standings
from arena.tournament.standings.standings_text import (
    standings_caption,
    standings_csv,
    standings_data,
    standings_markdown,
    standings_table,
    standings_tables,
)
from arena.tournament.tables.table_text import paragraph

NOTHING = {"mean": None, "half_width": None, "low": None, "high": None, "clusters": 0}


def match(game: str, edition: str, block: int, *seats: tuple[str, int, int]) -> MatchRecord:
    """A record from (entrant, money, rank) of each seat."""
    records = tuple(SeatRecord(entrant, money, rank) for entrant, money, rank in seats)
    return MatchRecord("id", game, edition, block, "seed", "played", 10, records)


def evening() -> list[MatchRecord]:
    """Three blocks of two editions of board and one of cards. Ann is first or last, Ben mostly second; most money over
    everything is Ben's."""
    return [
        match("board", "base-3p", 0, ("ann", 90, 1), ("ben", 80, 2), ("cat", 10, 3)),
        match("board", "base-3p", 1, ("cat", 90, 1), ("ben", 80, 2), ("ann", 10, 3)),
        match("board", "base-3p", 2, ("ann", 90, 1), ("ben", 80, 2), ("cat", 10, 3)),
        match("board", "call-3p", 0, ("ann", 90, 1), ("ben", 80, 2), ("cat", 10, 3)),
        match("board", "call-3p", 1, ("cat", 20, 2), ("ben", 30, 1), ("ann", 10, 3)),
        match("board", "call-3p", 2, ("ann", 90, 1), ("ben", 80, 2), ("cat", 10, 3)),
        match("cards", "deck-3p", 0, ("ann", 900000, 1), ("ben", 800000, 2), ("cat", -5, 3)),
        match("cards", "deck-3p", 1, ("cat", 700000, 1), ("ben", 600000, 2), ("ann", 0, 3)),
        match("cards", "deck-3p", 2, ("ben", 700000, 1), ("cat", 500000, 2), ("ann", 0, 3)),
    ]


def row(standings: Standings, entrant: str) -> StandingsRow:
    return next(row for row in standings.rows if row.entrant == entrant)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def test_there_are_standings_of_each_edition_of_each_game_with_several_and_of_all() -> None:
    found = [(each.edition, each.games) for each in fold_standings(evening())]
    assert found == [
        ("base-3p", ("board",)),
        ("call-3p", ("board",)),
        ("deck-3p", ("cards",)),
        ("board", ("board",)),
        ("all", ("board", "cards")),
    ]


def test_editions_of_one_game_have_no_table_beside_all() -> None:
    board = [record for record in evening() if record.game == "board"]
    assert [each.edition for each in fold_standings(board)] == ["base-3p", "call-3p", "all"]


def test_editions_and_games_come_in_the_order_asked_for() -> None:
    records = [*evening(), match("cards", "other-2p", 0, ("ann", 1, 1), ("ben", 0, 2))]
    found = [each.edition for each in fold_standings(records, editions=["deck-3p", "call-3p"])]
    assert found == ["deck-3p", "call-3p", "base-3p", "other-2p", "cards", "board", "all"]


def test_all_editions_of_a_game_add_up_its_money_and_go_by_win_rate() -> None:
    board = fold_standings(evening())[3]
    assert [row.entrant for row in board.rows] == ["ann", "ben", "cat"]
    assert row(board, "ben")["mean_money"].mean == (80 + 80 + 80 + 80 + 30 + 80) / 6
    assert (board.matches, board.blocks) == (6, 3)
    assert all(pair.money_difference is not None for pair in board.crosstable)


def test_all_games_go_by_opponents_beaten_and_know_no_money() -> None:
    together = fold_standings(evening())[-1]
    assert [row.entrant for row in together.rows] == ["ben", "ann", "cat"]
    means = [row["beaten"].mean for row in together.rows]
    assert means == [pytest.approx(5.5 / 9), pytest.approx(5 / 9), pytest.approx(3 / 9)]
    assert row(together, "ann")["wins"] == 5 > row(together, "ben")["wins"]
    assert all(row["mean_money"] == Estimate(None, None, None, 0) for row in together.rows)
    assert all(pair.money_difference is None and pair.score.mean is not None for pair in together.crosstable)


def test_over_all_games_the_blocks_of_one_number_are_one_cluster() -> None:
    together = fold_standings(evening())[-1]
    assert together.blocks == 3
    # Ann has 3, 0 and 2 of 3 opponents beaten in the blocks.
    assert row(together, "ann")["beaten"] == clustered_mean([(3, 3), (0, 3), (2, 3)], share=True, step=1 / 2)


def test_equal_shares_beaten_are_parted_by_win_rate_and_never_by_money() -> None:
    records = [
        match("board", "base-3p", 0, ("steady", 9, 2), ("bold", 1, 1), ("x", 0, 3)),
        match("cards", "deck-3p", 0, ("steady", 9, 2), ("x", 1, 1), ("bold", 0, 3)),
    ]
    together = fold_standings(records)[-1]
    assert [row.entrant for row in together.rows] == ["bold", "x", "steady"]
    same = [
        match("board", "base-2p", 0, ("zoe", 9, 1), ("abe", 9, 1)),
        match("cards", "deck-2p", 0, ("zoe", 9, 1), ("abe", 0, 1)),
    ]
    assert [row.entrant for row in fold_standings(same)[-1].rows] == ["abe", "zoe"]


def test_one_label_cannot_stand_for_two_games() -> None:
    records = [
        match("board", "base-2p", 0, ("ann", 1, 1), ("ben", 0, 2)),
        match("cards", "base-2p", 0, ("ann", 1, 1), ("ben", 0, 2)),
    ]
    with pytest.raises(UserError, match="'base-2p' has matches of several games: board and cards"):
        fold_standings(records)


def test_captions_say_what_is_counted_and_in_which_unit_money_is() -> None:
    base, _, deck, board, together = fold_standings(evening())
    assert standings_caption(base).startswith(
        "base-3p: 3 matches of board in 3 blocks, 0 void; money in $M. Ordered by win rate, "
    )
    assert standings_caption(deck).startswith("deck-3p: 3 matches of cards in 3 blocks, 0 void; money in $. ")
    assert standings_caption(board).startswith(
        "board: 6 matches of all editions of board in 3 blocks, 0 void; money in $M. "
    )
    assert "Even share: win rate 33.3 %, beaten 50.0 %." in standings_caption(base)
    expected = "all: 9 matches of all editions of board and cards in 3 blocks, 0 void. Ordered by beaten, then win rate"
    assert standings_caption(together).startswith(expected)


def test_of_several_tables_the_last_alone_has_the_whole_caption() -> None:
    found = fold_standings(evening())
    *others, last = standings_tables(found)
    assert found[-1].edition == "all"
    assert last == standings_table(found[-1])
    assert last.endswith(f"{paragraph(standings_caption(found[-1]), None)}\n")
    for table, standings in zip(others, found[:-1], strict=True):
        rows, below = table.split("\n\n")
        assert rows == standings_table(standings).split("\n\n")[0]
        assert below.startswith(f"{standings.edition}: ")
        assert "±" not in below
        assert "esign factor" not in below
    assert list(standings_tables([])) == []


def test_tables_over_several_games_have_no_column_of_money() -> None:
    *single, together = fold_standings(evening())
    for shown in (standings_table, standings_markdown):
        assert all("mean money" in shown(each) for each in single)
        assert "money" not in shown(together)
    lines = standings_table(together).splitlines()
    assert " ".join(lines[0].split()) == "# entrant matches win rate mean rank beaten matchpoints"
    # In blocks of 3, Ben has 0, 1 and 1 wins, ranks of 6, 5 and 5 together, and 1.5, 2 and 2 beaten.
    assert " ".join(lines[2].split()) == "1 ben 9 22.2 (5.3…59.4) % 1.78 ±0.38 61.1 ±19.1 % –"


def test_files_hold_nothing_for_money_over_several_games() -> None:
    standings = fold_standings(evening())
    data: Any = standings_data(standings)
    assert {name: each["unit"] for name, each in data.items()} == {
        "base-3p": "$M",
        "call-3p": "$M",
        "deck-3p": "$",
        "board": "$M",
        "all": None,
    }
    assert data["all"]["games"] == ["board", "cards"]
    assert data["all"]["rows"][0]["mean_money"] == NOTHING
    assert {pair["money_difference"] for pair in data["all"]["crosstable"]} == {None}
    lines = read(standings_csv(standings))
    assert {line["games"] for line in lines if line["edition"] == "all"} == {"board cards"}
    for line in [*lines, *read(crosstable_csv(standings))]:
        for key in ("mean_money", "money_difference"):
            assert (line.get(key) == "") == (line["edition"] == "all" and key in line)


def test_the_order_of_records_leaves_no_trace_in_the_bytes() -> None:
    records = evening()

    def rendered() -> str:
        standings = fold_standings(records)
        return standings_csv(standings) + crosstable_csv(standings) + "".join(map(standings_table, standings))

    expected = rendered()
    for seed in range(5):
        random.Random(seed).shuffle(records)
        assert rendered() == expected
