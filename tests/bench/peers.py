"""How fast is arena beside other game engines? Plays at random in arena's two games and in its peers, in turns in one
process, and prints what arena's decisions a second are ÷ the peer's: the median over rounds, with its range.

In each round every engine plays whole matches until it has used SECONDS of CPU time; then the same once more with a
copy of the state at each decision, as a search bot makes them. Each round begins with another engine. So what slows
the machine slows all of them. All use their public interface in Python, and one core.

A decision is one move that one player chooses, uniformly, among all legal moves, which the engine lists:

* arena (``board``: eagle-gryphon, ``cards``: card-game; 4 seats): an ask, forced or not: ``legal``, ``apply``;
  ``copy``.
* OpenSpiel (hanabi and hearts with 4 players, gin rummy, backgammon and bargaining with 2): a node at which a player
  moves, forced or not: ``legal_actions``, ``apply_action``; ``clone``. Chance is drawn by ``sample_action`` and counts
  as time, not as decisions, as it does in arena.
* catanatron (4 players): a ``play_tick``, forced or not, whose moves are listed when the one before is played;
  ``copy``.
* python-chess: a ply: ``legal_moves``, ``push``, up to mate, stalemate or 75 quiet moves; ``copy`` without the moves
  before.

The last column of arena's own table has the matches of bundled bots, one after another, in a second of CPU time: no
peer has tournaments of its own with which they could be compared.

Run: nice python tests/bench/peers.py [--only NAME ...] [--rounds N] [--seconds S] [--json]     (the extra ``peers``;
two minutes)
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from statistics import median
from time import process_time
from types import ModuleType
from typing import Any

from arena.commands.bench.speed import BenchTable, play_randomly
from arena.config.editions import load_source, resolve_edition
from arena.engine import engine_in_use
from arena.match.runner import Runner

PlayGame = Callable[[int, bool], int]
"""Plays the game of this number, with or without copies, and returns its decisions."""

GAMES = {"board": "eagle-gryphon", "cards": "card-game"}
SEATS = 4
OPEN_SPIEL = {
    "hanabi": "hanabi(players=4)",
    "hearts": "hearts",
    "gin_rummy": "gin_rummy",
    "backgammon": "backgammon",
    "bargaining": "bargaining",
}
OTHERS = ("catanatron", "chess")
PEERS = (*OPEN_SPIEL, *OTHERS)
PACKAGES = {**dict.fromkeys(OPEN_SPIEL, "pyspiel"), "catanatron": "catanatron", "chess": "chess"}
"""The module that each peer needs."""
QUIET_MOVES = 150
"""Plies without a capture or a move of a pawn after which a game of chess is drawn."""


def import_peer(name: str) -> ModuleType:
    """The module of a peer. Ends with a message where it is missing."""
    try:
        return import_module(PACKAGES[name])
    except ImportError as problem:
        raise SystemExit(
            f'{name} cannot be played: {problem}. Install all peers with: pip install "arena-negotiation[peers]"'
        ) from None


def arena_game(game: str) -> PlayGame:
    """One of arena's games."""
    edition = resolve_edition(load_source(GAMES[game]), (), None, ())
    return lambda number, copy: play_randomly(edition, SEATS, number, copy)


def open_spiel_game(name: str) -> PlayGame:
    """One of OpenSpiel's games."""
    spiel: Any = import_peer(name)
    game = spiel.load_game(OPEN_SPIEL[name])

    def play(number: int, copy: bool) -> int:
        state, pick, decisions = game.new_initial_state(), random.Random(number).random, 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(spiel.sample_action(state.chance_outcomes(), pick())[0])
                continue
            if copy:
                state.clone()
            moves = state.legal_actions()
            state.apply_action(moves[int(pick() * len(moves))])
            decisions += 1
        return decisions

    return play


def catanatron_game(name: str) -> PlayGame:
    """Catan, as catanatron plays it."""
    catan: Any = import_peer(name)
    limit: int = import_module("catanatron.game").TURNS_LIMIT

    def play(number: int, copy: bool) -> int:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=number + 1)
        pick, decisions = random.Random(number).random, 0

        def decide(player: Any, game: Any, moves: list[Any]) -> Any:
            return moves[int(pick() * len(moves))]

        while game.winning_color() is None and game.state.num_turns < limit:
            if copy:
                game.copy()
            game.play_tick(decide_fn=decide)
            decisions += 1
        return decisions

    return play


def chess_game(name: str) -> PlayGame:
    """Chess, as python-chess plays it."""
    chess: Any = import_peer(name)

    def play(number: int, copy: bool) -> int:
        board, pick, decisions = chess.Board(), random.Random(number).random, 0
        while board.halfmove_clock < QUIET_MOVES and (moves := list(board.legal_moves)):
            if copy:
                board.copy(stack=False)
            board.push(moves[int(pick() * len(moves))])
            decisions += 1
        return decisions

    return play


def peer_game(name: str) -> PlayGame:
    """The game of a peer."""
    if name in OPEN_SPIEL:
        return open_spiel_game(name)
    return {"catanatron": catanatron_game, "chess": chess_game}[name](name)


class Rates:
    """Decisions a second of CPU time, by engine and with copies or without: a figure for each round. ``matches`` are
    those of tournaments of bundled bots, by game."""

    def __init__(self, games: dict[str, PlayGame]) -> None:
        self.games = games
        self.decisions = {(name, copy): list[float]() for name in games for copy in (False, True)}
        self.matches = {game: list[float]() for game in GAMES}
        self._tables = {
            game: BenchTable(resolve_edition(load_source(rules), (), None, ())) for game, rules in GAMES.items()
        }
        self._runner = Runner()
        self._played = dict.fromkeys(games, 0)

    def round(self, number: int, seconds: float) -> None:
        """Play one round."""
        names = list(self.games)
        first = number % len(names)
        for copy in (False, True):
            for name in names[first:] + names[:first]:
                self.decisions[name, copy].append(self._rate(seconds, partial(self._play, name, copy)))
        for game, rates in self.matches.items():
            rates.append(self._rate(seconds, partial(self._match, game)))

    def _play(self, name: str, copy: bool) -> int:
        self._played[name] += 1
        return self.games[name](self._played[name], copy)

    def _match(self, game: str) -> int:
        self._played[game] += 1
        self._runner.play(self._tables[game].work(self._played[game]))
        return 1

    def _rate(self, seconds: float, play: Callable[[], int]) -> float:
        """What ``play`` counts, a second of CPU time."""
        counted, began = 0, process_time()
        while (used := process_time() - began) < seconds:
            counted += play()
        return counted / used

    def ratios(self, game: str, peer: str, copy: bool) -> list[float]:
        """Arena's rate in ``game`` ÷ the peer's, round by round."""
        return [a / b for a, b in zip(self.decisions[game, copy], self.decisions[peer, copy], strict=True)]


def with_range(values: list[float]) -> str:
    """The median, and the smallest and largest value."""
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def print_tables(rates: Rates, peers: list[str], rounds: int) -> None:
    """Print the ratios, and arena's own rates."""
    print(f"engine {engine_in_use()}, CPython {platform.python_version()}, {rounds} rounds\n")
    if peers:
        print("| arena ÷ peer | board game | with copies | card game | with copies | of the peer |")
        print("| ------------ | ---------- | ----------- | --------- | ----------- | ----------- |")
    for peer in peers:
        cells = [with_range(rates.ratios(game, peer, copy)) for game in GAMES for copy in (False, True)]
        print(f"| {peer} | {' | '.join(cells)} | {median(rates.decisions[peer, False]):,.0f} |")
    print("\n| arena | decisions/s | with copies | matches/s of bundled bots |")
    print("| ----- | ----------- | ----------- | ------------------------- |")
    for game in GAMES:
        own = [f"{median(rates.decisions[game, copy]):,.0f}" for copy in (False, True)]
        matches = rates.matches[game]
        print(f"| {game} | {' | '.join(own)} | {median(matches):.1f} ({min(matches):.1f} to {max(matches):.1f}) |")


def as_json(rates: Rates, peers: list[str], rounds: int) -> str:
    """Everything that was measured, round by round."""
    found = {
        "engine": engine_in_use(),
        "python": platform.python_version(),
        "rounds": rounds,
        "decisions_a_second": {
            name: {"plain": rates.decisions[name, False], "with_copies": rates.decisions[name, True]}
            for name in rates.games
        },
        "matches_a_second": rates.matches,
        "ratios": {
            peer: {
                game: {"plain": rates.ratios(game, peer, False), "with_copies": rates.ratios(game, peer, True)}
                for game in GAMES
            }
            for peer in peers
        },
    }
    return json.dumps(found, indent=2)


def main(arguments: list[str]) -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    options.add_argument("--only", nargs="*", choices=PEERS, default=PEERS, help="the peers to play; none: arena alone")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--seconds", type=float, default=0.5, help="CPU seconds of each engine in a round")
    options.add_argument("--json", action="store_true", help="print every round as JSON")
    chosen = options.parse_args(arguments)
    peers = list(dict.fromkeys(chosen.only))
    rates = Rates({**{game: arena_game(game) for game in GAMES}, **{name: peer_game(name) for name in peers}})
    for game in rates.games.values():
        game(0, True)  # what is loaded at first
    for number in range(chosen.rounds):
        rates.round(number, chosen.seconds)
    if chosen.json:
        print(as_json(rates, peers, chosen.rounds))
    else:
        print_tables(rates, peers, chosen.rounds)


if __name__ == "__main__":
    main(sys.argv[1:])
