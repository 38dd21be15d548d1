"""What a step of the engines costs: this checkout ÷ another one, in turns, and the slowest single `legal`.

Each checkout plays in a process of its own, both are given the same matches of four, and each round has new ones.
Printed are CPU microseconds of an ask, here and there, and the median of there ÷ here over the rounds, with its range:
random play that lists the legal moves at each ask, the same with a copy of the state at each ask, with the asked seat's
view at each ask, and with both; then matches of bundled bots, trusted, in milliseconds.

Run: nice python tests/bench/engine.py OTHER_CHECKOUT [ROUNDS]     (9 rounds by default: two minutes)
     nice python tests/bench/engine.py worst [MATCHES]             (10,000 by default: the slowest calls of `legal`)
"""

from __future__ import annotations

import gc
import heapq
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from functools import _lru_cache_wrapper
from operator import itemgetter
from pathlib import Path
from statistics import median
from time import process_time, thread_time
from typing import Any

from arena.commands.bench.speed import BenchTable
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import State
from arena.match.runner import Runner

ROOT = Path(__file__).parents[2]
EDITIONS = ("eagle-gryphon", "card-game")
KINDS = ("legal", "copy", "view", "copy view", "match")
SEATS, ASKS, MATCHES = 4, 12_000, 12
SLOW = 0.0005
"""Seconds from which on a call of ``legal`` is looked at again."""
MICROSECONDS = {"match": 1e3}
"""How many units that are printed a second has; a million where nothing else is said."""


def play_asks(edition: str, kind: str, first: int) -> float:
    """CPU seconds of an ask in random play, from match number ``first`` on."""
    rules = load_edition(edition).rules
    game, asks, number, began = load_game(rules.game), 0, first, process_time()
    pick = random.Random(first).random
    while asks < ASKS:
        state = game.start(rules, SEATS, Chance(f"engine-{number}"), None)
        number += 1
        while state.asks:
            for index in range(len(state.asks)):
                if "copy" in kind:
                    state = state.copy()
                if "view" in kind:
                    state.view(index)
                moves = state.legal(index)
                state.apply(index, moves[int(pick() * len(moves))])
                asks += 1
    return (process_time() - began) / asks


def play_matches(edition: str, first: int) -> float:
    """CPU seconds of a match of bundled bots, trusted."""
    table, runner = BenchTable(load_edition(edition)), Runner()
    runner.play(table.work(first))
    began = process_time()
    for number in range(first + 1, first + 1 + MATCHES):
        runner.play(table.work(number))
    return (process_time() - began) / MATCHES


def answer_orders() -> None:
    """Measure what each line of standard input says: edition, kind, number of the first match."""
    for line in sys.stdin:
        edition, kind, first = json.loads(line)
        seconds = play_matches(edition, first) if kind == "match" else play_asks(edition, kind, first)
        print(seconds, flush=True)


def compare_with(other: Path, rounds: int) -> None:
    """Print the table."""
    processes = [
        subprocess.Popen(
            [sys.executable, __file__, "orders"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
            env=os.environ | {"PYTHONPATH": str(root)},
        )
        for root in (ROOT, other)
    ]

    def seconds(process: subprocess.Popen[str], *order: object) -> float:
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps(order), file=process.stdin, flush=True)
        return float(process.stdout.readline())

    print(f"{'':<28}{'here':>8}{'there':>8}   there ÷ here")
    for edition in EDITIONS:
        for kind in KINDS:
            pairs = [[seconds(each, edition, kind, turn * 1000) for each in processes] for turn in range(1, rounds + 1)]
            ratios = sorted(there / here for here, there in pairs)
            here, there = (median(column) * MICROSECONDS.get(kind, 1e6) for column in zip(*pairs, strict=True))
            spread = f"{median(ratios):6.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
            print(f"{edition:<16}{kind:<12}{here:8.2f}{there:8.2f} {spread}", flush=True)
    for process in processes:
        process.communicate()


def find_worst(edition: str, matches: int) -> None:
    """Print the slowest calls of ``legal`` in random play, as they took when they were made, and what they take of
    their own: with all caches of the game empty, without garbage collection, the least of three times, so that what
    the machine did meanwhile is not in it."""
    rules, pick = load_edition(edition).rules, random.Random(1).random
    game, slow, calls = load_game(rules.game), list[tuple[float, float, str, int]](), 0
    caches = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    caches = [cache for cache in caches if cache.__module__.startswith("arena.games.")]
    for number in range(matches):
        state = game.start(rules, SEATS, Chance(f"worst-{number}"), None)
        while state.asks:
            for index, ask in enumerate(state.asks):
                began = thread_time()
                moves = state.legal(index)
                took = thread_time() - began
                calls += 1
                if took > SLOW:
                    slow.append((took, _own_seconds(state, index, caches), ask.hook, len(moves)))
                state.apply(index, moves[int(pick() * len(moves))])
    print(
        f"{edition}: {matches} matches, {calls} calls of legal, {len(slow)} of them above {SLOW * 1e3} ms", flush=True
    )
    for text, place in (("the slowest as they were made", 0), ("the slowest of their own", 1)):
        print(f"  {text}")
        for took, own, hook, listed in heapq.nlargest(3, slow, key=itemgetter(place)):
            print(f"    {took * 1e3:5.2f} ms, of its own {own * 1e3:5.2f} ms: {hook}, {listed} moves", flush=True)


def _own_seconds(state: State, index: int, caches: Sequence[Any]) -> float:
    gc.disable()
    least = 1.0
    for _ in range(3):
        for cache in caches:
            cache.cache_clear()
        began = thread_time()
        state.legal(index)
        least = min(least, thread_time() - began)
    gc.enable()
    return least


def main(arguments: list[str]) -> None:
    """Do what the arguments say."""
    match arguments:
        case ["orders"]:
            answer_orders()
        case ["worst", *matches]:
            for edition in EDITIONS:
                find_worst(edition, int(matches[0]) if matches else 10_000)
        case [other, *rounds]:
            compare_with(Path(other).resolve(), int(rounds[0]) if rounds else 9)
        case _:
            raise SystemExit("which other checkout of arena? or: worst")


if __name__ == "__main__":
    main(sys.argv[1:])
