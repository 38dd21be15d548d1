"""The game of many seats: its figures are those of the definition, and made-up truths are found."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import sqrt

import numpy
import pytest

from arena.errors import UserError
from arena.metagame.best_reply import find_best_replies
from arena.metagame.invasions import find_invasions, resampled_means
from arena.metagame.least_regret import _own_payoffs, _payoff_differences, find_least_regret
from arena.metagame.meta_findings import MetaFindings
from arena.metagame.meta_game import MetaGame, MixtureMatches, fold_meta_game
from arena.metagame.mixture_cells import MOST_MIXTURES, MixtureCells, mixture_text
from arena.metagame.payoff import Payoff, seat_payoffs
from arena.metagame.payoff_arrays import heuristic_payoff_table, pair_records, payoff_tensor
from arena.metagame.population import largest_gain, look_at_population, population_text, single_bot
from arena.tournament.inference.student_t import t_quantile_975
from tests.metagame.made_up_games import CIRCLE, drawn_game, game_of, payoffs_by_pairs, random_payoffs


def generator(seed: int = 1) -> numpy.random.Generator:
    return numpy.random.Generator(numpy.random.PCG64(seed))


def random_game(bots: int = 3, seats: int = 4, seed: int = 1, payoff: Payoff = Payoff.MONEY) -> MetaGame:
    return game_of(random_payoffs(bots, seats, generator(seed)), bots, seats, payoff)


def payoff_of(game: MetaGame, bot: int, opponents: tuple[int, ...]) -> float:
    """What the game says of a bot at a table, looked up by counting."""
    table = heuristic_payoff_table(game)
    counts = [(bot, *opponents).count(each) for each in range(len(game.bots))]
    (row,) = [row for row in table.tolist() if row[: len(game.bots)] == counts]
    return float(row[len(game.bots) + bot])


def test_matches_are_added_up_by_block_bot_and_mixture() -> None:
    tables = numpy.array([[1, 0, 1], [0, 1, 1], [2, 2, 2]])
    payoffs = numpy.array([[5.0, 1, 7], [3, 4, 8], [1, 2, 3]])
    game = fold_meta_game("abc", Payoff.MONEY, MixtureMatches(tables, payoffs, numpy.array([0, 1, 0]), 2))
    assert payoff_of(game, 0, (1, 1)) == 2
    assert payoff_of(game, 1, (0, 1)) == 6
    assert payoff_of(game, 2, (2, 2)) == 2
    assert numpy.isnan(payoff_of(game, 0, (0, 0)))
    (mixture,) = numpy.flatnonzero((game.cells.counts == [1, 2, 0]).all(axis=1))
    assert game.matches[mixture] == 2
    estimate = game.cell_estimate(int(game.cells.number[mixture, 1]))
    assert (estimate.mean, estimate.clusters, estimate.low) == (6, 2, None)


def test_payoffs_of_seats() -> None:
    money, ranks = numpy.array([[10, 20, 20, 2]]), numpy.array([[3, 1, 1, 4]])
    found = {payoff: seat_payoffs(payoff, money, ranks)[0].tolist() for payoff in Payoff}
    assert found[Payoff.LEAD] == [-3, 7, 7, -11]
    assert found[Payoff.MONEY] == [10, 20, 20, 2]
    assert found[Payoff.BEATEN] == pytest.approx([1 / 3, 5 / 6, 5 / 6, 0])
    assert found[Payoff.WIN] == [0, 0.5, 0.5, 0]


def test_what_a_bot_expects_is_the_mean_over_opponents_drawn_one_by_one() -> None:
    game = random_game()
    shares = numpy.array([0.5, 0.2, 0.3])
    for bot, found in enumerate(game.expected(shares)):
        expected = sum(
            shares[list(opponents)].prod() * payoff_of(game, bot, opponents)
            for opponents in product(range(3), repeat=3)
        )
        assert found == pytest.approx(expected)


def test_newtons_method_has_the_payoffs_of_the_game_and_their_derivatives() -> None:
    game, shares, step = random_game(), numpy.array([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3]]), 1e-6
    payoffs = _own_payoffs(game, range(3))
    differences, slopes = _payoff_differences(payoffs, shares)
    expected = numpy.array([game.expected(each) for each in shares])
    assert differences == pytest.approx(numpy.column_stack([expected[:, :2] - expected[:, 2:], [0, 0]]))
    for bot in range(3):
        more, less = (_payoff_differences(payoffs, shares + sign * step * single_bot(3, bot))[0] for sign in (1, -1))
        assert slopes[:, :, bot] == pytest.approx((more - less) / 2 / step, abs=1e-6)


def test_the_lead_of_copies_among_themselves_needs_no_match() -> None:
    tables, payoffs = numpy.array([[0, 0, 1]]), numpy.array([[2.0, 1, -3]])
    lead, money = (
        fold_meta_game("ab", payoff, MixtureMatches(tables, payoffs, numpy.zeros(1, int), 1))
        for payoff in (Payoff.LEAD, Payoff.MONEY)
    )
    missing = [[mixture_text("ab", game.cells.counts[at]) for at in game.missing] for game in (lead, money)]
    assert missing == [["a + 2 b"], ["3 a", "a + 2 b", "3 b"]]
    assert lead.expected(single_bot(2, 0)).tolist() == [0, -3]


def test_too_many_mixtures_are_refused() -> None:
    with pytest.raises(UserError, match=f"40 bots at tables of 6 have 8,145,060 mixtures, at most {MOST_MIXTURES:,}"):
        MixtureCells(40, 6)


def test_a_single_gain_has_students_interval() -> None:
    blocks = generator().normal(0, 1, (12, 1))
    influence = (blocks - blocks.mean()) / 12
    found = largest_gain(numpy.array([0.9]), influence)
    reach = t_quantile_975(11) * blocks.std(ddof=1) / sqrt(12)
    assert (found.mean, found.low, found.high) == pytest.approx((0.9, 0.9 - reach, 0.9 + reach), abs=0.02)


def test_intervals_of_regret_hold_the_true_regret_as_often_as_they_say() -> None:
    random, held, runs = generator(), 0, 200
    for _ in range(runs):
        truth = game_of(random_payoffs(4, 3, random), 4, 3)
        shares = random.dirichlet(numpy.ones(4))
        true = look_at_population(truth, shares).regret.mean
        regret = look_at_population(drawn_game(truth, 20, 1.5, random), shares).regret
        assert true is not None
        assert regret.low is not None
        assert regret.high is not None
        held += regret.low <= true <= regret.high
    assert 0.92 <= held / runs <= 0.99


def test_the_equilibrium_of_a_circle_is_the_even_mixture() -> None:
    game = game_of(payoffs_by_pairs(CIRCLE, 4), 3, 4, Payoff.LEAD)
    (found,) = find_least_regret(game)
    assert found.shares == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert (found.regret, found.average) == pytest.approx((0, 0))


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 4), (4, 3), (5, 2)])
def test_in_random_games_nobody_gains_in_a_population_of_least_regret(bots: int, seats: int) -> None:
    for seed in range(5):
        game = random_game(bots, seats, seed)
        found = find_least_regret(game)
        assert found
        for each in found:
            expected = game.expected(numpy.array(each.shares))
            assert sum(each.shares) == pytest.approx(1)
            assert expected.max() - numpy.dot(each.shares, expected) < 1e-6


def test_a_prisoners_dilemma_has_a_pure_equilibrium_and_hawk_and_dove_a_mixed_one() -> None:
    dilemma = game_of(payoffs_by_pairs(numpy.array([[3.0, 0], [5, 1]]), 2), 2, 2)
    assert [each.shares for each in find_least_regret(dilemma)] == [(0, 1)]
    hawks = game_of(payoffs_by_pairs(numpy.array([[-1.0, 4], [0, 2]]), 2), 2, 2)
    assert [each.shares for each in find_least_regret(hawks)] == [pytest.approx((2 / 3, 1 / 3))]


def test_a_circle_is_found_with_its_order_and_nobody_is_best() -> None:
    gains = numpy.zeros((4, 4))
    gains[:3, :3], gains[:3, 3], gains[3, :3] = CIRCLE, 2, -2
    truth = game_of(payoffs_by_pairs(gains, 4), 4, 4, Payoff.LEAD)
    seen = drawn_game(truth, 30, 0.8, generator())
    resampled = resampled_means(seen)
    (cycle,) = find_invasions(seen, resampled).cycles
    assert cycle.bots == (0, 1, 2)
    assert cycle.share > 0.95
    replies = find_best_replies(seen, resampled)
    assert replies.nobody_is
    assert replies.opponents == len(MixtureCells(4, 3).counts)


def test_in_an_order_the_best_is_best_against_everybody_and_there_is_no_cycle() -> None:
    strength = numpy.array([2.0, 1, 0])
    truth = game_of(payoffs_by_pairs(strength[:, None] - strength, 4), 3, 4, Payoff.LEAD)
    seen = drawn_game(truth, 30, 0.5, generator())
    resampled = resampled_means(seen)
    graph, replies = find_invasions(seen, resampled), find_best_replies(seen, resampled)
    assert graph.cycles == []
    assert {(each.invader, each.resident): each.succeeds for each in graph.invasions} == {
        (one, two): one < two for one in range(3) for two in range(3) if one != two
    }
    assert (replies.nobody_is, replies.may_be_best) == (False, [0])
    assert replies.best == (10 - replies.best[1], replies.best[1], 0)


def test_of_cycles_only_the_shortest_are_named() -> None:
    gains = numpy.zeros((5, 5))
    for one, two in ((0, 1), (1, 2), (2, 3), (3, 0), (3, 1), (4, 0)):
        gains[one, two], gains[two, one] = 1, -1
    game = game_of(payoffs_by_pairs(gains, 3), 5, 3, Payoff.LEAD, blocks=3)
    cycles = find_invasions(game, resampled_means(game)).cycles
    assert [(each.bots, each.share) for each in cycles] == [((1, 2, 3), 1.0)]


def test_bots_of_missing_mixtures_are_left_out_of_populations_of_least_regret() -> None:
    whole = random_game(3, 3)
    lacking = whole.cells.number[(whole.cells.counts == [1, 1, 1]).all(axis=1)].ravel()
    seats = whole.seats.copy()
    seats[:, lacking] = 0
    found = MetaFindings("e", "$M", replace(whole, seats=seats), (("a",), ("b",), ("c",)))
    assert found.missing == ["a + b + c"]
    assert found.members == [0, 1]
    assert {each.shares[2] for each in found.least_regret} == {0}
    assert found.population().regret.mean is None
    assert found.population({"a": 1}).regret.mean is not None


def test_the_payoff_tensor_has_every_order_of_every_mixture() -> None:
    game = random_game(3, 3)
    tensor = payoff_tensor(game)
    assert tensor is not None
    assert tensor.shape == (3, 3, 3, 3)
    for table in product(range(3), repeat=3):
        for seat, bot in enumerate(table):
            assert tensor[(seat, *table)] == payoff_of(game, bot, table[:seat] + table[seat + 1 :])
    assert payoff_tensor(game_of(random_payoffs(8, 7, generator()), 8, 7)) is None


def test_pairs_are_one_bot_among_copies_by_block() -> None:
    game = random_game(2, 3)
    records = list(pair_records(game))
    assert [(each.strategy, each.partner, each.scenario) for each in records] == [
        (one, two, "block 0") for one, two in ("aa", "bb", "ab", "ba")
    ]
    assert records[2].utility == records[2].advantage == payoff_of(game, 0, (1, 1))


def test_populations_and_shares_in_words() -> None:
    assert population_text("abc", (1 / 3, 1 / 3, 1 / 3)) == "all equally often"
    assert population_text("abc", (0.25, 0, 0.75)) == "75 % c, 25 % a"
    assert population_text("abc", (0, 1, 0)) == "b"
    with pytest.raises(UserError, match="no bot 'bb'"):
        random_game().shares_of({"bb": 1})
    with pytest.raises(UserError, match="the share of a: expected a number from 0, got -1"):
        random_game().shares_of({"a": -1})
    with pytest.raises(UserError, match="expected a population in which a bot has a share above 0"):
        random_game().shares_of({"a": 0})
