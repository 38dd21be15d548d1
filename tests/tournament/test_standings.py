"""Standings say who won how much, how surely and against whom, from the records alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.measures.measures import beaten_shares
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.standings.standings import Pairing, Standings, StandingsRow, fold_standings
from tests.tournament.estimates import around

T_TWO = 4.303  # Student's t at two degrees of freedom, so for three blocks


def match(
    *seats: tuple[str, int, int], block: int = 0, game: str = "board", edition: str = "base", void: bool = False
) -> MatchRecord:
    """A record from (entrant, money, rank) of each seat."""
    records = tuple(SeatRecord(entrant, money, rank) for entrant, money, rank in seats)
    return MatchRecord("id", game, edition, block, "seed", "played", 10, records, void=void)


def about(number: float) -> Any:
    return pytest.approx(number)


def one_block(mean: float) -> Estimate:
    return Estimate(mean, None, None, 1)


def row(standings: Standings, entrant: str) -> StandingsRow:
    return next(row for row in standings.rows if row.entrant == entrant)


def pairing(standings: Standings, entrant: str, opponent: str) -> Pairing:
    return next(pair for pair in standings.crosstable if (pair.entrant, pair.opponent) == (entrant, opponent))


def random_records(
    seed: int, editions: tuple[str, ...] = ("base", "call"), games: tuple[str, ...] = ("board", "board")
) -> list[MatchRecord]:
    """Matches of five entrants with ties, voids and faults; ``games`` are those of the ``editions``."""
    source = random.Random(seed)
    names = ["ann", "ben", "cat", "dan", "eve"]
    records = []
    for fixture in Schedule(5, [ScheduledEdition(label, 3) for label in editions], 4):
        ranks = source.choice([(1, 2, 3), (1, 1, 3), (1, 1, 1), (2, 1, 2)])
        seats = tuple(
            SeatRecord(
                names[entrant],
                source.randint(-20, 60),
                rank,
                source.choice(["played", "played", "struck-out", "forfeit"]),
                source.choice([{}, {"timeout": 1}, {"illegal": 2, "timeout": 1}]),
            )
            for entrant, rank in zip(fixture.entrants, ranks, strict=True)
        )
        game, label, void = games[fixture.edition], editions[fixture.edition], source.random() < 0.1
        records.append(MatchRecord(fixture.id, game, label, fixture.block, "s", "played", 9, seats, void))
    return records


def test_means_and_intervals_are_those_of_the_blocks() -> None:
    records = [
        match(("ann", 30, 1), ("ben", 10, 2)),
        match(("ben", 20, 2), ("ann", 40, 1)),
        match(("ann", 10, 1), ("ben", 8, 2), block=1),
        match(("ben", 50, 1), ("ann", 20, 2), block=1),
        match(("ann", 30, 1), ("ben", 10, 2), block=2),
        match(("ben", 50, 1), ("ann", 20, 2), block=2),
    ]
    (standings,) = fold_standings(records)
    ann = row(standings, "ann")
    assert (standings.matches, standings.blocks, standings.even_share) == (6, 3, 0.5)
    assert (ann.matches, ann["wins"]) == (6, 4.0)
    # Blocks of 1, 1/2 and 1/2 wins a match, of mean rank 1, 3/2 and 3/2, and of money 35, 15 and 25:
    # error² = (100 + 100 + 0) / (3 * 2).
    assert ann["win_rate"] == clustered_mean([(2, 2), (1, 2), (1, 2)], share=True, step=1)
    assert ann["mean_rank"] == clustered_mean([(2, 2), (3, 2), (3, 2)], bounds=(1, 2), step=1)
    assert ann["mean_money"] == around(25.0, T_TWO * sqrt(100 / 3), 3)


def test_a_shared_win_is_split_among_those_who_share_it() -> None:
    records = [
        match(("ann", 5, 1), ("ben", 5, 1), ("cat", 5, 1), ("dan", 0, 4)),
        match(("ann", 5, 1), ("ben", 5, 1), ("cat", 4, 3), ("dan", 0, 4)),
    ]
    (standings,) = fold_standings(records)
    wins = {row.entrant: row["wins"] for row in standings.rows}
    assert wins == {"ann": about(5 / 6), "ben": about(5 / 6), "cat": about(1 / 3), "dan": 0}
    assert sum(wins.values()) == about(2)


def test_beaten_is_the_share_of_opponents_beaten_with_half_for_equal_ranks() -> None:
    assert beaten_shares((1, 2, 3)) == (1, Fraction(1, 2), 0)
    assert beaten_shares((2, 1)) == (0, 1)
    assert beaten_shares((1, 3, 1, 4)) == (Fraction(5, 6), Fraction(1, 3), Fraction(5, 6), 0)
    assert beaten_shares((1, 1, 1, 1, 1)) == (Fraction(1, 2),) * 5


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_shares_beaten_at_a_table_are_half_its_seats(seats: int) -> None:
    source = random.Random(seats)
    for _ in range(50):
        assert sum(beaten_shares(tuple(source.randint(1, seats) for _ in range(seats)))) == Fraction(seats, 2)


def test_shares_beaten_are_averaged_over_matches_and_clustered_by_block() -> None:
    records = [
        match(("ann", 9, 1), ("ben", 5, 2), ("cat", 1, 3)),
        match(("ann", 5, 2), ("ben", 9, 1), ("cat", 1, 3)),
        match(("ann", 9, 1), ("ben", 9, 1), ("cat", 1, 3), block=1),
        match(("ann", 1, 3), ("ben", 9, 1), ("cat", 5, 2), block=1),
        match(("ann", 1, 2), ("ben", 9, 1), ("cat", 1, 2), block=2),
        match(("ann", 5, 2), ("ben", 1, 3), ("cat", 9, 1), block=2),
    ]
    (standings,) = fold_standings(records)
    # Blocks of 3/4, 3/8 and 3/8 a match: off by 1/4, 1/8 and 1/8; error² = (4 + 1 + 1) / 64 / (3 * 2) = 1/64.
    assert row(standings, "ann")["beaten"] == clustered_mean([(1.5, 2), (0.75, 2), (0.75, 2)], share=True, step=1 / 2)
    assert sum(row["beaten"].mean or 0 for row in standings.rows) == about(3 / 2)


def test_a_void_match_is_reported_and_counts_for_nothing() -> None:
    played = match(("ann", 3, 1), ("ben", 1, 2))
    seats = (SeatRecord("ann", 9, 2, "forfeit", {"crash": 1}), SeatRecord("cat", 9, 1))
    void = MatchRecord("v", "board", "base", 7, "s", "crash", 1, seats, void=True)
    (without,) = fold_standings([played], ["cat"])
    (with_void,) = fold_standings([played, void], ["cat"])
    assert with_void.voids == 1
    assert (with_void.rows, with_void.crosstable) == (without.rows, without.crosstable)
    assert (with_void.matches, with_void.blocks, with_void.even_share) == (1, 1, 0.5)


def test_a_void_match_leaves_blocks_of_several_sizes() -> None:
    records = [
        match(("ann", 2, 1), ("ben", 0, 2)),
        match(("ann", 2, 1), ("ben", 0, 2)),
        match(("ann", 0, 2), ("ben", 8, 1), block=1),
        match(("ann", 0, 2), ("ben", 8, 1), block=1, void=True),
        match(("ann", 2, 1), ("ben", 0, 2), block=2),
        match(("ann", 0, 2), ("ben", 8, 1), block=2),
    ]
    (standings,) = fold_standings(records)
    assert row(standings, "ann")["win_rate"] == clustered_mean([(2, 2), (0, 1), (1, 2)], share=True, step=1)


def test_everybody_named_has_a_row_and_nothing_is_claimed_about_who_did_not_play() -> None:
    (standings,) = fold_standings([match(("ann", 1, 1), ("ben", 0, 2))], ["zoe", "ann", "ben"])
    assert [row.entrant for row in standings.rows] == ["ann", "ben", "zoe"]
    zoe = row(standings, "zoe")
    assert (zoe.matches, zoe["wins"], zoe["win_rate"]) == (0, 0.0, Estimate(None, None, None, 0))
    unknown = Estimate(None, None, None, 0)
    assert pairing(standings, "zoe", "ann") == Pairing("zoe", "ann", 0, unknown, unknown)


@pytest.mark.parametrize("blocks", [1, 2])
def test_one_or_two_blocks_give_no_interval(blocks: int) -> None:
    (standings,) = fold_standings(match(("ann", block + 1, 1), ("ben", 0, 2), block=block) for block in range(blocks))
    assert row(standings, "ann")["mean_money"] == Estimate((blocks + 1) / 2, None, None, blocks)
    assert row(standings, "ann")["win_rate"] == Estimate(1.0, None, None, blocks)


def test_faults_are_counted_by_kind_and_departures_by_how() -> None:
    ways = ["played", "struck-out", "forfeit", "forfeit"]
    faults: list[dict[str, int]] = [{}, {"timeout": 3}, {"illegal": 1, "timeout": 1}, {"crash": 1}]
    records = [
        MatchRecord(
            "m", "board", "base", 0, "s", "played", 9, (SeatRecord("ann", 0, 2, *left), SeatRecord("ben", 1, 1))
        )
        for left in zip(ways, faults, strict=True)
    ]
    (standings,) = fold_standings(records)
    ann, ben = row(standings, "ann"), row(standings, "ben")
    assert (ann["faults"], list(ann.parts["faults"].items())) == (6, [("crash", 1), ("illegal", 1), ("timeout", 4)])
    assert (ann["struck_out"], ann["forfeits"]) == (1, 2)
    assert (ben["faults"], ben.parts["faults"], ben["struck_out"], ben["forfeits"]) == (0, {}, 0, 0)


def test_rows_go_by_win_rate_then_rank_then_money_then_name() -> None:
    records = [
        match(("winner", 9, 1), ("ranked", 5, 2), ("rich", 4, 3), ("poor-b", 3, 4), ("poor-a", 3, 4)),
        match(("winner", 9, 1), ("poor-a", 0, 3), ("poor-b", 0, 3), ("rich", 0, 4), ("ranked", 5, 2)),
    ]
    (standings,) = fold_standings(records, ["absent"])
    assert [row.entrant for row in standings.rows] == ["winner", "ranked", "rich", "poor-a", "poor-b", "absent"]
    assert row(standings, "rich")["mean_rank"] == row(standings, "poor-a")["mean_rank"]


def test_equal_win_rates_are_equal_even_where_their_floats_differ() -> None:
    def shared(entrant: str, money: int, sharers: int, block: int) -> MatchRecord:
        others = ((f"other-{number}", 0, 1) for number in range(sharers - 1))
        return match((entrant, money, 1), *others, block=block)

    split = [shared("split", 9, 6, 0), shared("split", 9, 4, 1)]
    whole = [shared("a-whole", 5, 6, 0), shared("a-whole", 5, 4, 0)]
    (standings,) = fold_standings([*split, *whole])
    assert row(standings, "split")["win_rate"].mean != row(standings, "a-whole")["win_rate"].mean
    ranked = [row.entrant for row in standings.rows if not row.entrant.startswith("other")]
    assert ranked == ["split", "a-whole"]  # by money, as win rates and ranks are equal


def test_the_crosstable_counts_better_ranks_with_half_for_equal_ones() -> None:
    records = [
        match(("ann", 30, 1), ("ben", 10, 2), ("cat", 0, 3)),
        match(("ben", 20, 1), ("ann", 20, 1), ("cat", 0, 3)),
        match(("cat", 9, 1), ("ben", 6, 2), ("ann", 2, 3)),
        match(("ann", 7, 1), ("cat", 1, 2)),
    ]
    (standings,) = fold_standings(records)
    assert pairing(standings, "ann", "ben") == Pairing("ann", "ben", 3, one_block(0.5), one_block(16 / 3))
    assert pairing(standings, "ben", "ann") == Pairing("ben", "ann", 3, one_block(0.5), one_block(-16 / 3))
    assert pairing(standings, "ann", "cat") == Pairing("ann", "cat", 4, one_block(0.75), one_block(49 / 4))
    assert pairing(standings, "cat", "ann").score.mean == 0.25
    order = [row.entrant for row in standings.rows]
    assert [(pair.entrant, pair.opponent) for pair in standings.crosstable] == [
        (x, y) for x in order for y in order if x != y
    ]


def test_two_editions_are_also_taken_together_with_the_blocks_of_one_number_as_one() -> None:
    records = [
        match(("ann", 10, 1), ("ben", 0, 2), block=0, edition="two"),
        match(("ann", 30, 1), ("ben", 0, 2), block=1, edition="two"),
        match(("ann", 20, 1), ("ben", 0, 2), block=2, edition="two"),
        match(("ann", 20, 1), ("ben", 0, 3), ("cat", 1, 2), block=0, edition="three"),
        match(("ann", 60, 1), ("ben", 0, 3), ("cat", 1, 2), block=1, edition="three"),
        match(("ann", 40, 1), ("ben", 0, 3), ("cat", 1, 2), block=2, edition="three"),
    ]
    three, two, both = fold_standings(records)
    assert [three.edition, two.edition, both.edition] == ["three", "two", "all"]
    assert (both.matches, both.blocks) == (6, 3)
    # Block means 15, 45 and 30: error² = (225 + 225 + 0) / (3 * 2) = 75, two degrees of freedom.
    assert row(both, "ann")["mean_money"] == around(30.0, T_TWO * sqrt(75), 3)
    always, more = clustered_mean([(2, 2)] * 3, share=True), around(30.0, T_TWO * sqrt(75), 3)
    assert pairing(both, "ann", "ben") == Pairing("ann", "ben", 6, always, more)
    assert (two.even_share, three.even_share) == (1 / 2, about(1 / 3))
    assert both.even_share == about(6 / 15)


def test_all_editions_together_add_up_conduct_and_voids() -> None:
    records = random_records(3)
    base, call, both = fold_standings(records)
    assert base.voids
    assert both.voids == base.voids + call.voids
    for name in ("ann", "eve"):
        parts = [row(base, name), row(call, name)]
        total = row(both, name)
        assert total["faults"] == sum(part["faults"] for part in parts) > 0
        assert total.parts["faults"]["illegal"] == sum(part.parts["faults"]["illegal"] for part in parts)
        assert total["struck_out"] == sum(part["struck_out"] for part in parts)
        assert total["forfeits"] == sum(part["forfeits"] for part in parts)
        assert total["wins"] == about(sum(part["wins"] for part in parts))


def test_editions_come_in_the_order_asked_for_even_without_a_record() -> None:
    records = random_records(4)
    labels = [each.edition for each in fold_standings(records, editions=["unplayed", "call"])]
    assert labels == ["unplayed", "call", "base", "all"]


def test_one_edition_is_not_shown_twice() -> None:
    assert [each.edition for each in fold_standings(random_records(5, ("base",)))] == ["base"]


def test_no_records_give_empty_standings() -> None:
    assert fold_standings([]) == ()
    (standings,) = fold_standings([], ["ann"], ["base"])
    assert (standings.matches, standings.even_share) == (0, None)
    assert [row.entrant for row in standings.rows] == ["ann"]


@pytest.mark.parametrize("games", [("board", "board"), ("board", "cards")])
def test_the_order_of_records_leaves_no_trace(games: tuple[str, ...]) -> None:
    records = random_records(6, games=games)
    expected = repr(fold_standings(records))
    for seed in range(2):
        random.Random(seed).shuffle(records)
        assert repr(fold_standings(records)) == expected


def test_records_are_read_once_as_a_stream() -> None:
    records = random_records(7)

    def stream() -> Iterator[MatchRecord]:
        yield from records

    assert fold_standings(stream()) == fold_standings(records)


def test_wins_and_scores_add_up_over_the_entrants() -> None:
    for standings in fold_standings(random_records(8)):
        assert sum(row["wins"] for row in standings.rows) == about(standings.matches)
        for pair in standings.crosstable:
            mirror = pairing(standings, pair.opponent, pair.entrant)
            assert pair.score.mean is not None
            assert mirror.score.mean is not None
            assert pair.score.mean + mirror.score.mean == about(1)
            assert pair.score.half_width == about(mirror.score.half_width)
            money, other = pair.money_difference, mirror.money_difference
            assert money is not None
            assert other is not None
            assert money.mean is not None
            assert money == around(-(other.mean or 0), other.half_width, money.clusters)
