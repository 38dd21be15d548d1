"""Figures of the card game's ledger, of a match so small that each is computed by hand."""

from __future__ import annotations

import pytest

from arena.games.cards.cards import Card, Color
from arena.games.cards.log.ledger_rows import (
    ActionKind,
    ActionRow,
    Answer,
    BargainKind,
    BargainRow,
    RoundRow,
    ShareRow,
)
from arena.ledger.ledger_fold import GameLedger
from tests.ledger.by_hand import ledger, match, means


def share(seat: int, amount: int, boss: bool = False, cousin: bool = False) -> ShareRow:
    return ShareRow(
        round=1, seat=seat, boss=boss, cousin=cousin, potas=0, reverses=0, shares=1, due=amount, amount=amount
    )


def bargain(number: int, kind: BargainKind, by: int, to: int, want: str, answer: Answer, token: int) -> BargainRow:
    return BargainRow(
        bargain=number,
        round=1,
        turn=number + 1,
        kind=kind,
        by=by,
        to=to,
        seat=1,
        want=want,
        card=None,
        front=None,
        least=3 if want == "positive" else 0,
        answer=answer,
        token=token,
    )


@pytest.fixture(scope="module")
def found() -> GameLedger:
    """A round of three: ann leads, and bob becomes a Cousin with his second bargain."""
    turned = ActionRow(round=1, turn=3, seat=2, kind=ActionKind.PASS)
    played = ActionRow(round=1, turn=2, seat=1, kind=ActionKind.PLAY, card=Card.RED_PLUS_2)
    rows = {
        "rounds": [
            RoundRow(
                round=1,
                boss=0,
                color=Color.RED,
                led=Card.RED_PLUS_3,
                turns=5,
                tokens=1,
                total=5,
                multiplier=2,
                value=10,
                amounts=(10, 20, -5),
            )
        ],
        "shares": [share(0, 10, boss=True), share(1, 20, cousin=True), share(2, -5)],
        "bargains": [
            bargain(1, BargainKind.PROPOSAL, 1, 0, "play", Answer.NO, 0),
            bargain(2, BargainKind.REQUEST, 0, 1, "positive", Answer.YES, 10),
            bargain(3, BargainKind.REQUEST, 0, 2, "positive", Answer.DEFAULT, 0),
        ],
        "actions": [
            ActionRow(round=1, turn=1, seat=0, kind=ActionKind.LEAD, card=Card.RED_PLUS_3),
            played,
            turned,
            ActionRow(round=2, turn=1, seat=1, kind=ActionKind.LEAD, card=Card.BLUE_PLUS_2),
        ],
    }
    return ledger((match("ann", "bob", "cy", game="cards"), rows))


def test_shares_earn_by_role(found: GameLedger) -> None:
    assert means(found, "rounds", "ann", "boss")["round"] == 10
    assert means(found, "rounds", "bob", "cousin") == {
        "rounds": 1,
        "shares": 1,
        "round": 20,
        "gained": 1,
        "lost": 0,
        "earned": 20,
    }
    assert means(found, "rounds", "cy", "other")["lost"] == 1
    assert means(found, "boss", "ann") == {"rounds": 1, "value": 10, "tokens": 1, "turns": 5}


def test_bargains_are_counted_for_both_sides(found: GameLedger) -> None:
    request = means(found, "bargains", "ann", "request", "positive")
    assert (request["made"], request["accepted"], request["token"]) == (2, 0.5, 10)
    assert means(found, "bargains", "bob", "request", "positive") == {
        "made": 0,
        "put": 1,
        "says_yes": 1,
        "no_answer": 0,
    }
    assert means(found, "bargains", "cy", "request", "positive")["no_answer"] == 1
    assert means(found, "bargains", "bob", "proposal", "play")["accepted"] == 0
    assert means(found, "turns", "ann", "request", 3) == {"made": 1, "accepted": 1, "least": 3}


def test_tokens_go_from_the_boss_to_its_cousin(found: GameLedger) -> None:
    assert means(found, "tokens", "ann", "bob") == {"worth": 10, "tokens": 1, "each": 10}
    assert means(found, "tokens", "bob", "ann") == {"worth": 0, "tokens": 0}


def test_cards_are_told_without_their_colour_and_earn_what_their_round_did(found: GameLedger) -> None:
    two = means(found, "cards", "bob", "+2")
    assert (two["led"], two["played"], two["earned"]) == (1, 1, 20)  # the second round was not settled
    assert means(found, "cards", "ann", "+3")["earned"] == 10
    assert means(found, "actions", "cy", "pass") == {"times": 1}
