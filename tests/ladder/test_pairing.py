"""Which tables a ladder plays next: whoever is new, whoever cannot be told apart, and always a share for everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import log
from time import process_time

import numpy
import pytest

from arena.errors import UserError
from arena.ladder.rating.pairing import ChosenTable, PairingPlayer, PairingRules, choose_tables
from arena.ladder.rating.promise import Promise
from arena.ladder.rating.settled_pairs import SettledCounts, count_settled_pairs, equal_zone, pairs_of
from arena.ratings.scale import RatingScale
from tests.ladder.made_up import MadeUp, called

WANTED = PairingRules(newcomer_tables=24, indifference=0.02)
SURE, UNSURE = 0.0004, 0.01
"""Variances of log-worths: a difference has ±0.06, or ±0.28."""


def players(count: int, tables: int = 100, teams: Sequence[str] = ()) -> list[PairingPlayer]:
    """So many players who have played so many tables; of these teams, if there are any."""
    return [PairingPlayer(called(at), teams[at] if teams else "", tables) for at in range(count)]


def scale(values: Sequence[float], variance: Sequence[float] | float = SURE, blocks: int = 400) -> RatingScale:
    """The players on a scale."""
    size = len(values)
    spread = numpy.diag(numpy.broadcast_to(numpy.array(variance, dtype=float), (size,)))
    counts = numpy.full(size, blocks)
    return RatingScale(
        tuple(map(called, range(size))), numpy.array(values, dtype=float), spread, counts, counts.astype(float)
    )


def choose(
    who: Sequence[PairingPlayer],
    scales: Sequence[RatingScale] = (),
    count: int = 40,
    *,
    met: Mapping[tuple[str, str], int] | None = None,
    seats: int = 4,
    wanted: PairingRules = WANTED,
    seed: str = "seed",
) -> list[ChosenTable]:
    """The tables that are chosen."""
    return choose_tables(who, met or {}, scales, seats, count, wanted, seed)


def seats_of(chosen: Sequence[ChosenTable]) -> Counter[str]:
    """How many tables each name has."""
    return Counter(name for each in chosen for name in each.names)


def together(chosen: Sequence[ChosenTable], one: int, two: int) -> int:
    """At how many tables both sit."""
    return sum({called(one), called(two)} <= set(each.names) for each in chosen)


@cache
def season(chosen: bool) -> MadeUp:
    """A season of eighteen, of whom two are equal (8 and 16) and one joins after ten rounds (17)."""
    worths = [*numpy.linspace(-2.4, 2.4, 16).tolist(), -2.4 + 8 * 4.8 / 15, 0.5]
    made = MadeUp(worths, 3, chosen=chosen, joins={17: 10}, wanted=PairingRules(12, 0.05))
    made.play(12)
    return made


def test_every_table_has_distinct_players_of_different_teams() -> None:
    teams = ["x", "x", "x", "y", "y", "", "", "z", "z", "w"]
    team = {each.name: each.team for each in players(10, teams=teams)}
    for tables in (0, 100):
        chosen = choose(players(10, tables, teams), [scale([0.0] * 10, UNSURE)], 60)
        assert len(chosen) == 60
        for each in chosen:
            assert len(set(each.names)) == 4
            taken = [team[name] for name in each.names if team[name]]
            assert len(set(taken)) == len(taken)


def test_the_same_input_gives_the_same_tables_in_whatever_order_it_comes() -> None:
    made = scale(numpy.linspace(-1, 1, 12).tolist(), UNSURE)
    met = {(called(one), called(two)): one * two % 5 for one, two in combinations(range(12), 2)}
    who = [*players(10), *(replace(each, tables=3) for each in players(12)[10:])]
    turned = RatingScale(made.names[::-1], made.values[::-1], made.covariance[::-1, ::-1], made.blocks, made.equal)
    one = choose(who, [made], met=met)
    assert one == choose(who[::-1], [turned], met=dict(reversed(met.items())))
    assert one != choose(who, [made], met=met, seed="another")


def test_new_versions_play_first_until_they_have_as_many_tables_as_make_them_ordinary() -> None:
    who = [*players(20), PairingPlayer("new:1", "", 10)]
    chosen = choose(who, [scale(numpy.linspace(-2, 2, 20).tolist())], 40)
    assert all("new:1" in each.names for each in chosen[:14])
    assert [each.why for each in chosen[:2]] == [f"new:1 is new (table {at} of its first 24)" for at in (11, 12)]
    assert sum("is new" in each.why for each in chosen) == 14


def test_new_versions_meet_many_others_and_do_not_share_tables_where_there_is_time() -> None:
    who = [*players(30), PairingPlayer("new:1", "", 0), PairingPlayer("new:2", "", 0)]
    chosen = choose(who, [scale(numpy.linspace(-2, 2, 30).tolist())], 100)
    of_new = [each for each in chosen if "is new" in each.why]
    assert len(of_new) == 48
    assert not any({"new:1", "new:2"} <= set(each.names) for each in of_new[:-1])
    for new in ("new:1", "new:2"):
        assert len({name for each in chosen if new in each.names for name in each.names}) > 20


def test_many_new_versions_share_tables_where_time_is_short() -> None:
    who = [*players(10), *(PairingPlayer(f"new{at}:1", "", 0) for at in range(10))]
    chosen = choose(who, [scale([0.0] * 10, UNSURE)], 24)
    counts = seats_of(chosen)
    tables = [counts[f"new{at}:1"] for at in range(10)]
    assert min(tables) > 3
    assert max(tables) - min(tables) <= 2


def test_a_season_begins_with_as_many_tables_for_each() -> None:
    counts = seats_of(choose(players(30, tables=0), (), 30))
    assert set(counts.values()) == {4}


def test_pairs_that_are_not_told_apart_sit_together() -> None:
    values = numpy.linspace(-3, 3, 24)
    values[13] = values[12] + 0.03
    chosen = choose(players(24), [scale(values.tolist())], 24)
    assert together(chosen, 12, 13) > 10 > max(together(chosen, 12, other) for other in (0, 5, 20, 23))
    assert chosen[0].why == f"{called(12)} and {called(13)} do not yet differ significantly"


def test_a_table_is_chosen_for_all_its_pairs_together() -> None:
    values = [*numpy.linspace(-4, -1, 12).tolist(), *numpy.linspace(1, 4, 12).tolist()]
    values[20:24] = [2.0, 2.05, 2.1, 2.15]
    first = choose(players(24), [scale(values, [SURE] * 20 + [UNSURE] * 4)], 24)[0]
    assert set(first.names) == {called(at) for at in (20, 21, 22, 23)}
    assert "nor 5 other pairs of the table" in first.why


def test_where_everybody_is_settled_everybody_plays_on_equally_often() -> None:
    chosen = choose(players(24), [scale(numpy.linspace(-6, 6, 24).tolist())], 24)
    assert {each.why for each in chosen} == {"everybody plays on"}
    assert set(seats_of(chosen).values()) == {4}


def test_as_good_as_equal_ones_get_no_more_tables_than_others() -> None:
    values = numpy.linspace(-6, 6, 24)
    values[13] = values[12]
    assert seats_of(choose(players(24), [scale(values.tolist(), SURE * 4)], 24))[called(12)] > 4
    chosen = choose(players(24), [scale(values.tolist(), SURE / 10)], 24)
    assert set(seats_of(chosen).values()) == {4}


def test_everybody_plays_in_every_round_and_nobody_more_than_four_times_the_mean_for_an_open_pair() -> None:
    values = numpy.linspace(-3, 3, 40)
    values[20] = values[21]
    counts = seats_of(choose(players(40), [scale(values.tolist())], 40))
    assert min(counts[called(at)] for at in range(40)) >= 1
    assert max(counts.values()) <= 16 + 4


def test_whom_one_has_met_seldom_is_met_first() -> None:
    met = {(called(one), called(two)): 0 if (one + two) % 2 else 20 for one, two in combinations(range(16), 2)}
    chosen = choose(players(16), [scale(numpy.linspace(-6, 6, 16).tolist())], 12, met=met, seats=2)
    assert all(met[min(each.names), max(each.names)] == 0 for each in chosen)


def test_who_is_on_no_scale_though_it_is_not_new_plays_on_and_eats_no_tables() -> None:
    who = [*players(20), PairingPlayer("always-last:1", "", 60)]
    counts = seats_of(choose(who, [scale([0.0] * 20, UNSURE)], 21))
    assert 1 <= counts["always-last:1"] <= 4


def test_scales_that_nothing_connects_are_brought_together() -> None:
    made = scale(numpy.linspace(-1, 1, 16).tolist(), UNSURE)
    chosen = choose(players(16), [made.scale_of(range(8)), made.scale_of(range(8, 16))], 24)
    assert any(len({int(name[3:6]) < 8 for name in each.names}) == 2 for each in chosen)


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ([], "a table of 4 needs 4 versions that may play, but there are 0: submit or enable 4 more"),
        (players(3), r"there are 3 \(bot000:1, bot001:1, bot002:1\): submit or enable 1 more"),
        (
            players(9, teams=["x"] * 7 + ["y", ""]),
            "but the 9 that may play are of 3 .* and 3 more.*bots of 1 more team",
        ),
        ([*players(5), *players(1)], "got bot000:1 twice"),
    ],
)
def test_where_no_table_can_be_filled_one_line_says_what_is_missing(who: list[PairingPlayer], said: str) -> None:
    with pytest.raises(UserError, match=said):
        choose(who)


def test_the_zone_is_that_of_shares_and_every_pair_is_settled_by_an_interval_of_half_its_width() -> None:
    assert equal_zone(0.02) == pytest.approx(log(0.52 / 0.48))
    for apart in numpy.linspace(0, 0.3, 31).tolist():
        variance = (equal_zone(0.05) / 2 / 1.97) ** 2 / 2
        pairs = pairs_of(scale([0.0, apart], variance), 0.05)
        assert pairs.apart[0, 1] or pairs.equal[0, 1]


def test_pairs_are_counted_as_apart_equal_open_and_unrated() -> None:
    made = scale([0.0, 0.0, 1.0, 1.1], [SURE / 10, SURE / 10, SURE, UNSURE])
    names = [*made.names, "unknown:1"]
    assert count_settled_pairs([made], names, 0.02) == SettledCounts(apart=4, equal=1, open=1, unrated=4)
    assert count_settled_pairs([made], names[:2], 0.02) == SettledCounts(0, 1, 0, 0)
    few = scale([0.0, 5.0], SURE, blocks=2)
    assert count_settled_pairs([few], few.names, 0.02).open == 1


def test_a_promise_is_what_the_variances_of_open_pairs_fall_by() -> None:
    made = scale([0.0, 0.1, 0.3, 2.0], [0.02, 0.03, 0.01, 0.02])
    names, old = list(made.names), numpy.zeros(4, dtype=bool)
    promise = Promise(names, old, [made], 0.02, 4)
    before = promise.of_pairs()
    weights = promise._weights(equal_zone(0.02))
    told = promise._information(numpy.array([0.05]), numpy.array([-0.1]))[0]
    apart = numpy.array([1.0, -1.0, 0.0, 0.0])
    after = numpy.linalg.inv(numpy.linalg.inv(made.covariance) + told * numpy.outer(apart, apart))

    def whole(covariance: numpy.ndarray) -> float:
        own = numpy.diagonal(covariance)
        return float((weights * (own[:, None] + own[None, :] - 2 * covariance)).sum() / 2)

    assert before[0, 1] == pytest.approx(whole(made.covariance) - whole(after))
    promise.seat([0, 1, 2, 3])
    assert (promise.of_pairs()[numpy.triu_indices(4, 1)] < before[numpy.triu_indices(4, 1)]).all()


def test_pairs_of_a_season_are_told_apart_sooner_than_by_meeting_all_alike() -> None:
    known = {chosen: season(chosen).known(0.05).apart[season(chosen).outside(0.05)].mean() for chosen in (True, False)}
    assert known[True] > known[False] + 0.01


def test_a_newcomer_is_known_after_a_round_and_everybody_plays_in_each() -> None:
    made = season(True)
    assert made.seats_of(10, 11)[17] >= 12
    assert season(False).seats_of(10, 11)[17] <= 6
    assert all(made.seats_of(at, at + 1)[:17].min() >= 1 for at in range(12))
    assert made.tables[:17].max() < 3 * made.tables[:17].mean()


def test_twice_the_players_and_tables_take_at_most_16_times_as_long() -> None:
    def seconds(count: int, tables: int) -> float:
        values = numpy.random.default_rng(1).normal(size=count)
        who, made = players(count), scale(values.tolist(), UNSURE)
        begun = process_time()
        assert len(choose(who, [made], tables)) == tables
        return process_time() - begun

    few = min(seconds(40, 50) for _ in range(3))
    assert min(seconds(80, 100) for _ in range(2)) < 16 * few, "6 times as long is usual"
