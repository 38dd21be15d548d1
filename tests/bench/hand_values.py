"""What a seat's cards bring until the end of a match of the board game: what ``prospects`` counts.

Matches of ``magnate`` and ``dealmaker``, seated at random, are played, and at a quarter of all beginnings of turns the
hands are noted. What each seat earns from there on, less the mean of all seats, is fitted by least squares to what it
holds, less the mean: so the values are differences between seats. Printed are they with 95 % intervals, and which part
of the variance they explain, for four parts of the match.

Run: nice python tests/bench/hand_values.py [PLAYERS [MATCHES]]     (4 players, 3,000 matches by default: half a minute)
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy

from arena.bundled import Dealmaker, Magnate
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board.table import NOBODY_SEAT
from arena.games.chance import Chance
from arena.rollouts import Policy

NAMES = ("clan card", "family", "recruitment", "boss", "stop", "placard", "turn", "travel card")
PARTS = ((0, 3), (3, 6), (6, 9), (9, 15))
"""Deal cards, from and before, counted from 0."""
NOTED = 0.25


def hold(state: Any, players: int) -> Any:
    """What each seat holds, a row for each, less the mean of all."""
    rows = []
    for seat, hand in enumerate(state.hands):
        own = [owner == seat for owner in state.owners]
        families = sum(has or held > 0 for has, held in zip(own, hand[:6], strict=True))
        clans, turn = sum(hand[:6]), state.on_turn == seat
        rows.append([clans, families, hand[13], hand[14], hand[15], sum(own), turn, sum(hand[6:13])])
    table = numpy.array(rows, dtype=float)
    return table - table.mean(0)


def main(players: int = 4, matches: int = 3000) -> None:
    """Play the matches and print a line for each part."""
    rules, game, rng = load_edition("eagle-gryphon").rules, load_game("board"), Random(5)
    policies = [Policy(cls, rules, players) for cls in (Magnate, Dealmaker)]
    noted: list[tuple[int, Any, Any]] = []
    for match in range(matches):
        seats = [rng.choice(policies) for _ in range(players)]
        state: Any = game.start(rules, players, Chance(f"hand values {match}"), None)
        for policy in policies:
            policy.renew(None)
        found, turn = [], 0
        while state.asks:
            if state.boss == NOBODY_SEAT and state.turn > turn and state.asks[0].hook == "turn":
                turn = state.turn
                if rng.random() < NOTED:
                    found.append((state.deal, hold(state, players), numpy.array(state.money, dtype=float)))
            for index in range(len(state.asks)):
                seats[state.asks[index].seat].play(state, index, None)
        assert state.outcome is not None
        for deal, held, money in found:
            earned = numpy.array(state.outcome.money) - money
            noted.append((deal, held, earned - earned.mean()))
    for first, last in PARTS:
        part = [(held, earned) for deal, held, earned in noted if first <= deal < last]
        held, earned = (numpy.concatenate(column) for column in zip(*part, strict=True))
        inverse = numpy.linalg.inv(held.T @ held)
        values = inverse @ held.T @ earned
        rest = (earned - held @ values).var()
        errors = 1.96 * numpy.sqrt(numpy.diag(inverse) * rest)
        columns = (f"{name} {value:.2f} ±{error:.2f}" for name, value, error in zip(NAMES, values, errors, strict=True))
        print(f"deals {first + 1} to {last}: {', '.join(columns)}; explained {1 - rest / earned.var():.2f}", flush=True)


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:3]))
