"""Sentences about events: who buys and who sells follows from who is the Boss then."""

from __future__ import annotations

from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.games.board import GAME, events
from arena.games.board.cards import Family
from arena.games.board.moves import Agreement, Offer, Offers
from arena.games.board.sentences import tell_ask

RULES = load_edition("eagle-gryphon").rules
NAMES = ("Ann", "Ben", "Cat")
RED, BLUE = RULES.names[Family.RED], RULES.names[Family.BLUE]
TO_BEN = Offer(1, 2, (Family.RED,))
TO_ANN = Offer(0, 5, (), (Family.BLUE,))


def test_what_the_boss_offers_is_to_buy_and_what_others_offer_it_is_to_sell() -> None:
    say = GAME.tell(RULES, NAMES)
    say(events.Opened(0, 3, 12))
    assert say(events.Offered(0, (TO_BEN,))) == f"  Ann (0) offers Ben (1) $2M for its {RED}."
    assert say(events.Offered(1, (TO_ANN,))) == f"  Ben (1) offers Ann (0) {BLUE} (clan card) for $5M."
    assert say(events.Offered(1, (Offer(0, 1),))) == "  Ben (1) offers Ann (0) goodwill for $1M."
    assert say(events.Offered(0, (Offer(1, 1),))) == "  Ann (0) offers Ben (1) $1M for its goodwill."


def test_it_turns_round_with_a_new_boss() -> None:
    say = GAME.tell(RULES, NAMES)
    say(events.Opened(0, 3, 12))
    say(events.NewBoss(1))
    assert say(events.Offered(0, (TO_BEN,))) == f"  Ann (0) offers Ben (1) {RED} for $2M."
    assert say(events.Offered(1, (TO_ANN,))) == f"  Ben (1) offers Ann (0) $5M for its {BLUE} (clan card)."


def test_several_offers_name_each_addressee_once() -> None:
    say = GAME.tell(RULES, NAMES)
    say(events.Opened(0, 3, 12))
    made = events.Offered(0, (TO_BEN, Offer(1, 1), Offer(2, 3, (Family.BLUE,))))
    assert say(made) == f"  Ann (0) offers Ben (1) $2M for its {RED}; $1M for its goodwill; Cat (2) $3M for its {BLUE}."


def test_a_seat_withdraws_only_what_it_has_open() -> None:
    say = GAME.tell(RULES, NAMES)
    say(events.Opened(0, 3, 12))
    assert say(events.Offered(1, ())) == "  Ben (1) offers nothing."
    say(events.Offered(1, (TO_ANN,)))
    say(events.TickBegan(2))
    assert say(events.Offered(1, ())) == "  Ben (1) withdraws all offers."
    assert say(events.Offered(1, ())) == "  Ben (1) withdraws all offers.", "the same line, told to another seat"
    say(events.Offered(0, (TO_BEN,)))
    say(events.TickBegan(3))
    assert say(events.Offered(0, ())) == "  Ann (0) offers nothing.", "what the Boss offers lapses by itself"


@pytest.mark.parametrize(
    "ended",
    [
        events.NewBoss(2),
        events.Agreed(Agreement(1, 5, (), (Family.BLUE,))),
        events.Travelled(Family.BLUE, 1),
    ],
)
def test_offers_that_have_ended_are_not_withdrawn(ended: Any) -> None:
    say = GAME.tell(RULES, NAMES)
    for event in (events.Opened(0, 3, 12), events.Laid(1, (Family.BLUE,)), events.Offered(1, (TO_ANN,)), ended):
        say(event)
    assert say(events.Offered(1, ())) == "  Ben (1) offers nothing."


def test_a_closed_deal_is_told_by_its_space_because_cards_and_deals_are_counted_apart() -> None:
    closed = events.Closed(5, 8, 0, 12, (0, 4, 5))
    said = "The deal on space 8 closes: $12M, Ann (0) keeps $3M, Ben (1) $4M, Cat (2) $5M."
    assert GAME.tell(RULES, NAMES)(closed) == said


def test_an_answer_is_told_as_of_the_boss_whom_its_seat_saw() -> None:
    class Seen:
        boss = 0

    assert tell_ask.tell_move(Offers((TO_BEN,)), Seen, RULES, NAMES) == f"offers Ben (1) $2M for its {RED}"  # type: ignore[arg-type]
    assert tell_ask.tell_move(Offers(), Seen, RULES, NAMES) == "offers nothing"  # type: ignore[arg-type]
