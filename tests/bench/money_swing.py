"""How far money still moves in the card game: what `schemer` judges its chance to win by.

Matches of ``usurper`` are played, and the money of all seats is noted at the end of each round. A seat's chance to win
is taken to be as exp(money / scale) is to the sum of this over all seats. Printed is, by the number of rounds to come,
the scale under which the real winners were likeliest, beside the one that `schemer` counts with.

Run: nice python tests/bench/money_swing.py [PLAYERS [MATCHES]]     (6 players, 900 matches by default: four minutes)
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy

from arena.bundled import Schemer, Usurper
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.chance import Chance
from arena.rollouts import Policy

swing: Callable[[int, int], float] = import_module(Schemer.__module__).swing
SCALES = (100, 150, 200, 250, 300, 350, 400, 500, 600, 700, 800, 1000, 1200, 1500, 2000, 2500, 3000)


def surprise(money: Any, won: Any, scale: float) -> float:
    """The mean of -log of the chance that the winners had; ``money`` and ``won`` have a row for each match, a column
    for each seat, and shared wins count in parts."""
    chances = numpy.exp((money - money.max(1, keepdims=True)) / scale)
    chances /= chances.sum(1, keepdims=True)
    return float(-(won * numpy.log(chances + 1e-12)).sum() / len(won))


def main(players: int = 6, matches: int = 900) -> None:
    """Play the matches and print a line for each number of rounds to come."""
    rules, game = load_edition("card-game").rules, load_game("cards")
    policy = Policy(Usurper, rules, players)
    noted = defaultdict[int, list[tuple[Any, Any]]](list)
    for match in range(matches):
        state: Any = game.start(rules, players, Chance(f"money swing {match}"), None)
        policy.renew(None)
        rounds = dict[int, Any]()
        while state.asks:
            rounds.setdefault(state.layout.rounds - state.round + 1, numpy.array(state.money, dtype=float))
            for index in range(len(state.asks)):
                policy.play(state, index, None)
        assert state.outcome is not None
        final = numpy.array(state.outcome.money)
        won = (final == final.max()) / (final == final.max()).sum()
        for left, money in rounds.items():
            noted[left].append((money, won))
    for left, rows in sorted(noted.items())[:-1]:  # before the first round all have the same
        money, won = (numpy.array(column) for column in zip(*rows, strict=True))
        best = min(SCALES, key=lambda scale: surprise(money, won, scale))
        print(f"{left} rounds to come: ${best}; schemer: ${swing(players, left):.0f}", flush=True)


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:3]))
