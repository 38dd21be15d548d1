"""Every legal move can be typed, and the words shown for it mean exactly that move."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from arena.config.editions import bundled_rules, load_edition, load_source
from arena.games import load_game
from arena.human.game_words import words_for
from tests.human.typing import asks, read_line, read_lines

THIRD = Path(__file__).parents[1] / "thirdgame" / "pie.yaml"
EDITIONS = [name for name in bundled_rules() if not load_source(name).abstract]
PER_ASK = 3
"""Moves typed of each ask, drawn where there are more."""


@pytest.mark.parametrize("name", [*EDITIONS, str(THIRD)], ids=lambda name: Path(name).stem)
def test_every_legal_move_can_be_typed(name: str) -> None:
    edition = load_edition(name)
    players = edition.seats[-1] if len(edition.seats) < 3 else edition.seats[-2]
    words = words_for(load_game(edition.game), edition.rules, [f"bot {seat}" for seat in range(players)])
    dice, hooks = random.Random(1), set()
    for state, index, view in asks(edition, players, "typed", 200):
        legal = state.legal(index)
        hooks.add(state.asks[index].hook)
        for move in legal if len(legal) <= PER_ASK else dice.sample(legal, PER_ASK):
            lines = words.typed(view, move)
            assert read_lines(words, view, lines) == move, (lines, view)
    assert hooks == set(load_game(edition.game).hooks)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_numbered_choice_is_legal(name: str) -> None:
    edition = load_edition(name)
    players = edition.seats[0] + 1
    words = words_for(load_game(edition.game), edition.rules, [f"bot {seat}" for seat in range(players)])
    shown = 0
    for state, index, view in asks(edition, players, "chosen", 60):
        asked = words.asked(view)
        for choice in asked.choices:
            move, draft = read_line(asked, choice.typed)
            move = asked.sent(draft) if move is None else move
            assert move is not None
            assert state.refusal(index, move) is None, choice
            shown += 1
    assert shown > 60
