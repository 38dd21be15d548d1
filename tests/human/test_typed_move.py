"""A move named in words at once: all that a conversation would have understood, in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.games import load_game
from arena.games.board import moves
from arena.games.contract import Move, View
from arena.human.game_words import words_for
from arena.human.lexicon import Unclear
from arena.human.question import GameWords
from arena.human.typed_move import as_typed, typed_move
from arena.match.walk.timeline import Timeline
from arena.replay.read import rules_of

GOLDEN = Path(__file__).parents[1] / "golden"
FEW = 12
"""Legal moves of an ask that are looked at."""


def asks(name: str, every: int) -> list[tuple[GameWords, View, tuple[Move, ...]]]:
    """Some asks of a recorded match: how a human plays it, the view, and the legal moves."""
    recall, number = Timeline((GOLDEN / f"{name}.jsonl").read_bytes()), 0
    found: list[tuple[GameWords, View, tuple[Move, ...]]] = []
    header = recall.header
    words = words_for(load_game(header.game), rules_of(header), [seat.entrant for seat in header.seats])
    for phase in recall.phases():
        for index, _ in enumerate(phase.asks):
            number += 1
            if number % every == 0:
                found.append((words, phase.state.view(index), phase.state.legal(index)))
    return found


@pytest.mark.parametrize(("name", "every"), [("eagle-gryphon-4p", 9), ("card-game-4p", 3)])
def test_what_is_typed_for_a_legal_move_means_that_move(name: str, every: int) -> None:
    typed = missed = 0
    for words, view, legal in asks(name, every):
        for move in legal[:FEW]:
            text = as_typed(words, view, move)
            if text is None:
                missed += 1
            else:
                typed += 1
                assert typed_move(words, view, text) == move
    assert typed > 100
    assert missed <= typed / 50, "nearly every move can be typed"


def offers(choices: bool = False) -> tuple[GameWords, View]:
    """The first ask of a match for offers, with ``choices`` the first at which some are proposed."""
    return next(
        (words, view)
        for words, view, _ in asks("eagle-gryphon-4p", 1)
        if type(view).__name__ == "OfferView" and bool(words.asked(view).choices) == choices
    )


def test_lines_stand_behind_each_other() -> None:
    words, view = offers()
    move = typed_move(words, view, "goodwill 2; done")
    assert isinstance(move, moves.Offers)
    assert [(offer.price, offer.placards, offer.clans) for offer in move.offers] == [(2, (), ())]
    assert typed_move(words, view, " GOODWILL 2 ") == move, "what is composed is sent at the end"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected an answer, got nothing"),
        ("goodwill 2;", "expected an answer, got nothing"),
        ("done; goodwill 2", "'done' is a complete answer; nothing may follow it"),
        ("fly", "'fly' is no answer to this ask"),
        ("99", "there is no choice 99; choices are 1 to "),
        ("quit", "'quit' is no answer to this ask"),
    ],
)
def test_what_is_no_answer_is_told(text: str, message: str) -> None:
    words, view = offers()
    with pytest.raises(Unclear) as told:
        typed_move(words, view, text)
    assert message in str(told.value)


def test_a_number_is_the_choice_with_this_number() -> None:
    words, view = offers(choices=True)
    first = words.asked(view).choices[0].typed
    assert typed_move(words, view, "1") == typed_move(words, view, first)
