"""The laws of imagining what is hidden, for any game (:attr:`arena.games.contract.Game.imagine`).

A state imagined from a view is *consistent*: in it the seat gets exactly this view. It comes *from the view alone*: of
two matches in which a seat has the same view, the same is imagined. It is *varied*: where something else may be hidden,
not always the same is imagined. And it has *its own seed*: it depends on the given generator and on no other.
"""

from __future__ import annotations

import random
from random import Random
from typing import Any

import msgspec

from arena.games.chance import Chance
from arena.games.contract import ONLOOKER, Event, Game, State, View

DRAWS = 12
"""How many states are imagined to see whether they vary."""
FUTURE_ASKS = 40
"""How far imagined states are played on to be compared."""
LONGEST_MATCH = 1_000_000
"""The number of asks after which a match counts as endless."""


def check_imagining(state: State, index: int, rules: Any, seed: int = 0) -> None:
    """Check the laws at the ask ``state.asks[index]`` of a match under ``rules``; ``seed`` is for the generators.

    Raises AssertionError with a sentence that says which law is broken, and how.
    """
    view = state.view(index)
    _check_consistent(state, index, view, rules, seed)
    first, again = (_observe_state(view.imagine(rules, Random(seed))) for _ in range(2))
    before = random.getstate()
    random.seed(f"of somebody else {seed}")
    mixed = _observe_state(view.imagine(rules, Random(seed)))
    random.setstate(before)
    assert first == again == mixed, "own seed: the same numbers from the generator give another state"
    read = msgspec.json.decode(msgspec.json.encode(view), type=type(view))
    assert _observe_state(read.imagine(rules, Random(seed))) == first, (
        "the view alone: a copy of the view, as it comes over the wire, gives another state with the same numbers"
    )
    drawn = [view.imagine(rules, Random(f"{seed}/{number}")) for number in range(DRAWS)]
    for other in drawn[:2]:
        assert _observe_state(other.view(index).imagine(rules, Random(seed))) == first, (
            "the view alone: of another match with the same view another state is imagined with the same numbers"
        )
    kinds = {_hidden(each) for each in drawn}
    assert len(kinds) > 1 or kinds == {_hidden(state)}, (
        f"varied: {DRAWS} imagined states hide the same, and the match itself hides something else"
    )


def check_game_imagining(game: Game, rules: Any, players: int, matches: int = 3) -> None:
    """Check the laws throughout ``matches`` of random play, of ``players`` seats under ``rules``, at the first asks of
    each hook and at every twentieth ask; and that imagined states can be played to the end.

    Raises AssertionError with a sentence that says which law is broken, and how.
    """
    for match in range(matches):
        rng, asked = Random(match), dict[str, int]()
        state = game.start(rules, players, Chance(f"imagining {match}"), None)
        while state.asks:
            index = state.pending[0]
            hook = state.asks[index].hook
            asked[hook] = asked.get(hook, 0) + 1
            if asked[hook] <= 3 or asked[hook] % 20 == 0:
                check_imagining(state, index, rules, match)
            if asked[hook] == 1:
                imagined = state.view(index).imagine(rules, rng)
                play_random_moves(imagined, rng, LONGEST_MATCH)
                assert imagined.outcome is not None, "consistent: an imagined match does not end"
            state.apply(index, rng.choice(state.legal(index)))


def _check_consistent(state: State, index: int, view: View, rules: Any, seed: int) -> None:
    imagined = view.imagine(rules, Random(seed))
    ask = view.ask(rules)
    assert imagined.asks == state.asks, f"consistent: asks {imagined.asks}, expected {state.asks}"
    assert imagined.asks[index] == ask, f"consistent: the view says it is about {ask}, not {imagined.asks[index]}"
    assert imagined.pending == tuple(range(len(state.asks))), "consistent: some asks of the phase are answered already"
    assert imagined.view(index) == view, f"consistent: the seat would see {imagined.view(index)}, expected {view}"
    assert imagined.legal(index) == state.legal(index), "consistent: other moves are legal"
    assert imagined.default(index) == state.default(index), "consistent: another move is the default"
    for seat in (ask.seat, ONLOOKER):
        assert imagined.look(seat) == state.look(seat), f"consistent: seat {seat} would see something else"
    assert imagined.outcome is None, "consistent: the match is over"


def _observe_state(state: State) -> object:
    """What a state holds, as far as it can be seen: by all seats now, and by playing it on."""
    future = state.copy()
    events = tuple(play_random_moves(future, Random(1), FUTURE_ASKS))
    return _hidden(state), state.asks, state.pending, events, future.look()


def _hidden(state: State) -> tuple[View, ...]:
    """What each seat may know."""
    return tuple(state.look(seat) for seat in range(state.look().players))


def play_random_moves(state: State, rng: Random, asks: int) -> list[Event]:
    """Answer so many asks, or all to the end, by random legal moves in ``state`` itself. Returns the events."""
    log: list[Event] = []
    while state.asks and asks > 0:
        index = state.pending[0]
        state.apply(index, rng.choice(state.legal(index)), log)
        asks -= 1
    return log
