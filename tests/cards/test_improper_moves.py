"""Moves whose fields hold what they must not, and moves of another game, are refused with a rule's number, by the
engine as by a view, and never with another exception."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import IllegalMove
from arena.games.board import moves as board
from arena.games.cards.cards import Card, Color
from arena.games.cards.moves import (
    ENOUGH_MOVES,
    NO_BARGAIN,
    PASS,
    Discard,
    Drop,
    Lead,
    NameColor,
    Pass,
    Play,
    Propose,
    Request,
    Shift,
    Want,
)
from arena.games.contract import YES

from .scenario import Scenario, fresh, shift

HAND = "blue +1, blue pota, blue reverse, blue move 2, wild pota"
TABLE: dict[str, Any] = {"color": "blue", "centre": "blue +1, blue +2", "fronts": {2: "blue pota"}}


def at(question: str) -> Scenario:
    """A table at which this is asked, first of seat 1 or of the Boss."""
    if question in ("lead", "name"):
        return Scenario({0: HAND if question == "lead" else ""})
    if question == "discard":
        return Scenario({0: HAND}, **TABLE).all_out()
    table = Scenario({1: HAND}, **TABLE)
    match question:
        case "answer":
            table.proposes(PASS)
        case "request":
            table.answer(NO_BARGAIN)
        case "accept":
            table.requests("positive", 1)
        case "play":
            table.no_bargain()
        case "move":
            table.plays("blue move 2")
    return table


QUESTIONS = ("lead", "name", "propose", "answer", "request", "accept", "play", "move", "discard")
RULE_OF = {
    "lead": "C3.1",
    "name": "C3.1",
    "play": "C3.2",
    "move": "C3.2",
    "discard": "C6.2",
    **dict.fromkeys(("propose", "answer", "request", "accept"), "C4.2"),
}
JUNK: tuple[Any, ...] = (
    None,
    True,
    1,
    -1,
    2.0,
    10**30,
    "",
    "blue +1",
    "blue",
    b"",
    (),
    [],
    {},
    object(),
    Card,
    YES,
    PASS,
)


def check(table: Scenario, move: Any, *rules: str) -> None:
    before = table.view(table.seats_asked[0])
    refusal = table.state.refusal(0, move)
    assert refusal is not None, move
    assert refusal.rule in rules, (move, refusal)
    assert before.refusal(table.rules, move) == refusal
    with pytest.raises(IllegalMove):
        table.state.apply(0, move, table.log)
    assert table.view(table.seats_asked[0]) == before


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_no_move_or_a_move_of_the_board_game(question: str) -> None:
    table = at(question)
    aliens = (
        board.Pass(),
        board.Discard((Card.BLUE_PLUS_1,)),  # type: ignore[arg-type]
        board.Offers(()),
        board.PlaceMarker(1),
        board.Roll(),
        Play,
        *JUNK[:-2],
    )
    for move in aliens:
        check(table, move, RULE_OF[question])


@pytest.mark.parametrize("question", QUESTIONS)
def test_moves_with_one_improper_field(question: str) -> None:
    """Every field of every move of the game in turn: whatever is in it, it is refused or it is what it should be."""
    table = at(question)
    for junk in JUNK:
        moves = (
            Lead(junk),
            NameColor(junk),
            Play(junk),
            Play(junk, 1),
            Play(Card.BLUE_POTA, junk),
            Play(Card.BLUE_MOVE_2, None, junk),
            Play(Card.BLUE_MOVE_2, None, (junk,)),
            Play(Card.BLUE_MOVE_2, None, (Shift(junk),)),
            Play(Card.BLUE_MOVE_2, None, (Shift(Card.BLUE_POTA, junk, 1),)),
            Drop(junk),
            Pass(junk),
            Shift(junk),
            Shift(Card.BLUE_POTA, junk, 1),
            Shift(Card.BLUE_POTA, 2, junk),
            Request(junk),
            Request(Want.POSITIVE, junk),
            Request(Want.PASS, junk),
            Request(junk, 1),
            Discard(junk),
            Discard((junk,)),
            Propose(junk),
        )
        for move in (*moves, *map(Propose, moves)):  # type: ignore[arg-type]
            refusal = table.state.refusal(0, move)
            assert table.view(table.seats_asked[0]).refusal(table.rules, move) == refusal
            if refusal is not None:
                assert refusal.rule[0] == "C"
                continue
            action = move.action if isinstance(move, Propose) else move
            for name in action.__struct_fields__:
                value = getattr(action, name)
                assert type(value) in (Card, Color, Want, int, bool, tuple, type(None)), move
            table.state.copy().apply(0, move)


@pytest.mark.parametrize("color", ["purple", "blue", 1, None])
def test_C3_1_a_colour_is_one_of_three(color: Any) -> None:
    check(at("name"), NameColor(color), "C3.1")


@pytest.mark.parametrize("double", [1, 0, "yes", None])
def test_C3_4_a_double_pass_is_yes_or_no(double: Any) -> None:
    check(at("play"), Pass(double), "C3.2")


@pytest.mark.parametrize("seat", [True, 1.0, "1", (1,), object()])
def test_C3_3_a_seat_is_a_whole_number(seat: Any) -> None:
    check(at("play"), Play(Card.BLUE_POTA, seat), "C3.2")
    check(at("move"), Shift(Card.BLUE_POTA, 2, seat), "C3.2")
    check(at("move"), Shift(Card.BLUE_POTA, seat, 0), "C3.2")
    check(at("propose"), Propose(Play(Card.BLUE_POTA, seat)), "C4.2")


@pytest.mark.parametrize("seat", [-1, 4, 10**30, -(10**30)])
def test_C3_3_that_sits_at_the_table(seat: int) -> None:
    check(at("play"), Play(Card.BLUE_POTA, seat), "C3.3")
    check(at("move"), Shift(Card.BLUE_POTA, 2, seat), "C3.3")
    check(at("move"), Shift(Card.BLUE_POTA, seat, 0), "C3.3")
    check(at("propose"), Propose(Play(Card.BLUE_MOVE_2, None, (shift("blue pota", seat, 0),))), "C3.3")


@pytest.mark.parametrize("want", ["pass", "nonsense", None, Want])
def test_C4_2_what_the_boss_wants_is_one_of_the_kinds_there_are(want: Any) -> None:
    check(at("request"), Request(want), "C4.2")
    check(at("request"), Request(want, 1), "C4.2")


def test_C4_2_values_are_whole_numbers() -> None:
    for least in (True, 1.0, "1", None):
        check(at("request"), Request(Want.POSITIVE, least), "C4.2")  # type: ignore[arg-type]


@pytest.mark.parametrize("cards", ["", [], {}, None, 0, ("blue +1",), [Card.BLUE_PLUS_1], (None,), (0,)])
def test_C6_2_what_is_discarded_are_cards(cards: Any) -> None:
    check(at("discard"), Discard(cards), "C6.2")


def test_C6_2_a_thousand_cards_are_too_many() -> None:
    check(at("discard"), Discard((Card.BLUE_PLUS_1,) * 1000), "C6.2")


def test_C4_2_a_thousand_moves_are_too_many() -> None:
    many = (shift("blue +1"),) * 1000
    check(at("propose"), Propose(Play(Card.BLUE_MOVE_2, None, many)), "C4.2")


def test_C4_2_an_action_within_an_action_is_none() -> None:
    for inner in (Propose(PASS), ENOUGH_MOVES, NO_BARGAIN, shift("blue +1"), Discard(), Lead(Card.BLUE_PLUS_1)):
        check(at("propose"), Propose(inner), "C4.2")  # type: ignore[arg-type]


def test_an_ask_that_there_is_not_cannot_be_answered() -> None:
    state = fresh(4)
    for index in (-1, 1, 10**30):
        with pytest.raises(IllegalMove, match="there is no ask"):
            state.apply(index, PASS)
