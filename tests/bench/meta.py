"""How often what ``arena meta`` says of a game of many seats is true.

    nice python tests/bench/meta.py [RUNS]     (1,000 of each kind by default)
    python tests/bench/meta.py tools           (needs: pip install open_spiel negmas)

Draws matches from made-up games whose payoffs are known (4 bots, 4 seats), with normal noise and with skewed noise
(exponential), half of which is common to a block. Prints how often the 95 % intervals of regret hold the true regret,
for populations of several bots and of one; how often the bound of populations of least regret holds; how often a cycle
of three bots is found, how often one is shown in a field that has an order; and how often it is said that nobody is
best against everybody, where that is so and where one bot is best, or two are equal. *Effect*: what a bot of the circle
gains, in errors of the mean of a cell. With ``tools``, OpenSpiel and NegMAS read a game instead, and their numbers are
compared with those of arena.
"""

from __future__ import annotations

import sys
from importlib import import_module

import numpy
from tabulate import tabulate

from arena.metagame.best_reply import find_best_replies
from arena.metagame.invasions import find_invasions, resampled_means
from arena.metagame.least_regret import find_least_regret
from arena.metagame.mixture_cells import Array
from arena.metagame.payoff import Payoff
from arena.metagame.payoff_arrays import among_copies_matrix, heuristic_payoff_table, pair_records, payoff_tensor
from arena.metagame.population import look_at_population, single_bot
from tests.metagame.made_up_games import CIRCLE, drawn_game, game_of, payoffs_by_pairs, random_payoffs

BOTS, SEATS, NOISE = 4, 4, 1.5
SURE_SHARE = 0.95


def regret_rates(blocks: int, skewed: bool, runs: int) -> list[float]:
    """In percent, how often intervals hold the regret of populations of all bots, of one bot that is not best among its
    copies, and of one that is; and how often bounds of populations of least regret hold."""
    random = numpy.random.Generator(numpy.random.PCG64(blocks))
    held, tried = numpy.zeros(4), numpy.zeros(4)
    for _ in range(runs):
        truth = game_of(random_payoffs(BOTS, SEATS, random), BOTS, SEATS)
        seen = drawn_game(truth, blocks, NOISE, random, skewed)
        mixed = random.dirichlet(numpy.ones(BOTS))
        for shares in (mixed, single_bot(BOTS, 0)):
            true, regret = look_at_population(truth, shares).regret.mean, look_at_population(seen, shares).regret
            assert true is not None
            assert regret.low is not None
            assert regret.high is not None
            kind = 0 if shares is mixed else 1 if true > 0 else 2
            tried[kind] += 1
            held[kind] += regret.low - 1e-9 <= true <= regret.high + 1e-9
        for found in find_least_regret(seen)[:3]:
            true = look_at_population(truth, numpy.array(found.shares)).regret.mean
            assert true is not None
            assert found.bound is not None
            tried[3] += 1
            held[3] += true <= found.bound + 1e-9
    return [*(100 * held / numpy.maximum(tried, 1)).tolist()]


def field_gains(kind: str, effect: float) -> Array:
    """What bots gain from each other in a field with a circle, with an order, or where two equal bots are best."""
    gains = numpy.zeros((BOTS, BOTS))
    if kind == "circle":
        gains[:3, :3] = effect * CIRCLE
        gains[:3, 3], gains[3, :3] = 2 * effect, -2 * effect
    else:
        strength = numpy.array([2, 2, 1, 0] if kind == "two equal" else [3, 2, 1, 0], dtype=float) * effect
        gains = strength[:, None] - strength
    return gains


def field_rates(kind: str, effect: float, blocks: int, skewed: bool, runs: int) -> list[float]:
    """In percent, how often a cycle is found, how often it is shown (in 95 % of resamples), and how often it is said
    that nobody is best against everybody."""
    random = numpy.random.Generator(numpy.random.PCG64(blocks + 1))
    gains = field_gains(kind, effect * NOISE / blocks**0.5)
    truth = game_of(payoffs_by_pairs(gains, SEATS), BOTS, SEATS, Payoff.LEAD)
    found, shown, nobody = 0, 0, 0
    for _ in range(runs):
        seen = drawn_game(truth, blocks, NOISE, random, skewed)
        resampled = resampled_means(seen)
        cycles = find_invasions(seen, resampled).cycles
        wanted = [each for each in cycles if kind != "circle" or set(each.bots) == {0, 1, 2}]
        found += bool(wanted)
        shown += any(each.share >= SURE_SHARE for each in wanted)
        nobody += find_best_replies(seen, resampled).nobody_is
    return [100 * each / runs for each in (found, shown, nobody)]


def compare_with_tools() -> None:
    """Print how far the numbers of OpenSpiel and NegMAS, from what arena writes, are from those of arena."""
    random = numpy.random.Generator(numpy.random.PCG64(1))
    game = drawn_game(game_of(random_payoffs(BOTS, SEATS, random), BOTS, SEATS), 10, NOISE, random)
    shares = random.dirichlet(numpy.ones(BOTS))
    tensor, expected = payoff_tensor(game), game.expected(shares)
    assert tensor is not None
    egt = "open_spiel.python.egt"
    table = import_module(f"{egt}.heuristic_payoff_table").from_heuristic_payoff_table(heuristic_payoff_table(game))
    read = import_module("pyspiel").create_tensor_game(list(tensor))
    found = [("OpenSpiel's tensor game", import_module(f"{egt}.utils").game_payoffs_array(read), tensor)]
    ranks = [
        import_module(f"{egt}.alpharank").compute(payoffs, use_inf_alpha=True, inf_alpha_eps=0.01)[2]
        for payoffs in ([table] * SEATS, list(tensor))
    ]
    found.append(("alpha-rank of the table and of the tensor", *ranks))
    dynamics = import_module(f"{egt}.dynamics")
    change = dynamics.MultiPopulationDynamics(tensor, dynamics.replicator)(numpy.tile(shares, SEATS))
    found.append(("replicator dynamics", change[:BOTS], shares * (expected - shares @ expected)))
    records = import_module("pandas").DataFrame(pair_records(game))
    negmas = import_module("negmas.tournaments.analysis")
    pairs = negmas.build_payoff_table(records, metric="utility").matrix
    found.append(("NegMAS's matrix", pairs, among_copies_matrix(game)))
    assert negmas.analyze_tournament(records, metric="utility").payoff is not None
    rows = [[name, float(numpy.abs(one - two).max())] for name, one, two in found]
    print(tabulate(rows, ["what", "largest difference"]))


def main(runs: int) -> None:
    """Print both tables."""
    kinds = [(blocks, skewed) for skewed in (False, True) for blocks in (10, 20, 40, 100)]
    rows = [["skewed" if skewed else "normal", blocks, *regret_rates(blocks, skewed, runs)] for blocks, skewed in kinds]
    heads = ["noise", "blocks", "regret, mixed %", "one bot %", "one bot, 0 %", "bound %"]
    print(tabulate(rows, heads, floatfmt=".1f"), end="\n\n")
    fields = [("circle", effect) for effect in (3.0, 4.0, 5.0)] + [("order", 1.0), ("order", 3.0), ("two equal", 3.0)]
    rows = [
        ["skewed" if skewed else "normal", blocks, kind, effect, *field_rates(kind, effect, blocks, skewed, runs)]
        for kind, effect in fields
        for blocks, skewed in ((20, False), (100, False), (20, True))
    ]
    heads = ["noise", "blocks", "field", "effect", "cycle found %", "shown %", "nobody best %"]
    print(tabulate(rows, heads, floatfmt=".1f"))


if __name__ == "__main__":
    if sys.argv[1:] == ["tools"]:
        compare_with_tools()
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
