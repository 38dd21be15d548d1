"""The laws of imagining that :mod:`arena.testing` offers: a game from outside passes them, and each kind of broken one
is told what is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.games import contract
from arena.games.board import GAME as BOARD
from arena.games.cards import GAME as CARDS
from arena.games.chance import Chance
from arena.games.contract import Game, Imagined
from arena.testing import check_game_imagining
from tests.thirdgame import pie
from tests.thirdgame.pie import Pie, PieView, Rules
from tests.thirdgame.test_third_game import HERE

RULES: Rules = load_edition(str(HERE / "pie.yaml")).rules
Imagine = Callable[[PieView, Rules, Random], Pie]


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_from_outside_passes(players: int) -> None:
    check_game_imagining(pie.GAME, RULES, players)


def test_the_games_of_arena_pass() -> None:
    check_game_imagining(BOARD, load_edition("eagle-gryphon").rules, 3, 1)
    check_game_imagining(CARDS, load_edition("card-game").rules, 3, 1)


def other_hands(view: PieView, rules: Rules, rng: Random) -> Pie:
    """Forgets what the seat itself knows."""
    state = pie.imagine(view, rules, rng)
    state.hands = tuple(rng.randrange(rules.worth + 1) for _ in state.hands)
    return state


def answered(view: PieView, rules: Rules, rng: Random) -> Pie:
    """Begins in the middle of a phase."""
    state = pie.imagine(view, rules, rng)
    if len(state.asks) > 1:
        state.answers[0] = contract.NO
        state.waiting -= 1
    return state


def always_the_same(view: PieView, rules: Rules, rng: Random) -> Pie:
    """Takes everybody else's worth to be 0."""
    state = pie.imagine(view, rules, rng)
    state.hands = tuple(worth if seat == view.seat else 0 for seat, worth in enumerate(state.hands))
    return state


def by_global_numbers(view: PieView, rules: Rules, rng: Random) -> Pie:
    """Draws with the generator that is everybody's."""
    return pie.imagine(view, rules, Random(random.random()))


def by_the_object(view: PieView, rules: Rules, rng: Random) -> Pie:
    """Of a view that has been sent it draws otherwise than of the view in this process."""
    return pie.imagine(view, rules, Random(id(view) % 1009 + rng.randrange(7)))


BROKEN: tuple[tuple[Imagine, str], ...] = (
    (other_hands, "consistent: the seat would see"),
    (answered, "consistent: some asks of the phase are answered already"),
    (always_the_same, "varied: 12 imagined states hide the same"),
    (by_global_numbers, "own seed"),
    (by_the_object, "the view alone"),
)


@pytest.mark.parametrize(("imagine", "message"), BROKEN, ids=lambda each: getattr(each, "__name__", ""))
def test_a_broken_one_is_told_which_law_it_breaks(
    imagine: Imagine, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace_game(pie.GAME, monkeypatch, imagine=imagine)
    with pytest.raises(AssertionError, match=message):
        check_game_imagining(broken, RULES, 3)


def replace_game(game: Game, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Game:
    """The game with changes; to its views it is the game until the end of the test."""
    for hook in game.hooks.values():
        monkeypatch.setitem(contract._GAMES_CACHE, hook.view, game)
    changed = replace(game, **changes)  # makes itself known to its views
    assert all(contract._GAMES_CACHE[hook.view] is changed for hook in game.hooks.values())
    return changed


def test_a_game_that_recalls_nothing_weighs_all_states_alike() -> None:
    state = pie.GAME.start(RULES, 3, Chance("recalled"), None)
    drawn = state.view(0).recall(RULES, Random(1), (), 4)
    assert [each.weight for each in drawn] == [1.0] * 4
    assert drawn[0].state.look() == state.look()
    assert all(isinstance(each, Imagined) for each in drawn)
