"""How many rollouts a search bot makes in 100 ms of CPU time: ``strategist`` beside the playouts of catanatron's bots.

``strategist`` answers the questions of a match of ``magnate`` with 1,000 playouts each; its playouts are counted, with
all that it does besides them. A playout of catanatron (its ``MCTSPlayer`` and ``GreedyPlayoutsPlayer``, which the
package of 3.2.1 leaves out) is a copy of the game that is played on at random to its end; here it begins in the middle
of a match between four bots that play at random. The tree around it is not counted. ``whole`` is arena's rollout to the
end of the match, with a ``magnate`` in each seat: what would be alike. The three take turns; each line is the median
over rounds, with its range.

Run: nice python tests/bench/search_speed.py [ROUNDS]      (the extra ``peers``; 5 rounds by default: half a minute)
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any

from arena.bundled import Magnate, Strategist
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.playout import PlayedOut, play_out
from arena.rollouts import Policy

SEATS, SECONDS, TICKS = 4, 1.0, 150
RULES = load_edition("eagle-gryphon").rules


class Counting(Strategist):
    """Counts its playouts."""

    made = 0

    def worth(self, ended: PlayedOut) -> float:
        Counting.made += 1
        return super().worth(ended)


def search_lines(number: int) -> float:
    """Playouts of ``strategist`` a second, in a match of this number."""
    state = load_game("board").start(RULES, SEATS, Chance(f"speed {number}"), None)
    policy, searching = Policy(Magnate, RULES, SEATS), Policy(Counting, RULES, SEATS, options={"playouts": 1000})
    spent, before = 0.0, Counting.made
    while state.asks and spent < SECONDS:
        for index in range(len(state.asks)):
            began = process_time()
            searching.answer(state, index)
            spent += process_time() - began
            policy.play(state, index, None)
    return (Counting.made - before) / spent


def play_whole(number: int) -> float:
    """Rollouts a second from the middle of a match to its end."""
    policy = Policy(Magnate, RULES, SEATS)
    begun = play_out(load_game("board").start(RULES, SEATS, Chance(f"speed {number}"), None), policy, 200).state
    return rate(lambda: play_out(begun, policy))


def play_catan(number: int) -> float:
    """Playouts of catanatron a second."""
    catan: Any = import_module("catanatron")
    game, pick = (
        catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=number + 1),
        random.Random(number),
    )

    def decide(player: Any, game: Any, moves: list[Any]) -> Any:
        return moves[pick.randrange(len(moves))]

    for _ in range(TICKS):
        game.play_tick(decide_fn=decide)
    return rate(lambda: game.copy().play(decide_fn=decide))


def rate(play: Callable[[], object]) -> float:
    """How often it plays in a second."""
    made, began = 0, process_time()
    while (spent := process_time() - began) < SECONDS:
        play()
        made += 1
    return made / spent


def main(rounds: int = 5) -> None:
    """Print the table."""
    found: dict[str, list[float]] = {"strategist": [], "whole": [], "catanatron": []}
    for number in range(rounds):
        for name, measure in zip(found, (search_lines, play_whole, play_catan), strict=True):
            found[name].append(measure(number) / 10)
    for name, rates in found.items():
        print(f"{name:12}{median(rates):8.1f} in 100 ms ({min(rates):.1f} to {max(rates):.1f})")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:2]))
