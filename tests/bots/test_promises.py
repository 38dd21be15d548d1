"""Side promises (B4.4): when a seat may sell its peace, when a Boss does well to buy it, and that bundled bots do both
and keep their word."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board import strategy
from arena.games.board.cards import Card, Family
from arena.games.board.moves import Agreement, Offer, Offers
from arena.games.board.rules import Rules
from arena.games.board.spaces import Space
from arena.games.board.views import AcceptView, BoardView, OfferView, OpenOffer, Placard
from arena.games.chance import Chance
from arena.testing import play

RED, YELLOW, BLUE = Family.RED, Family.YELLOW, Family.BLUE
SELLERS = {"fair", "hard"}
BUYERS = {"dealmaker", "hard", "hoarder"}


def rules_of(name: str = "eagle-gryphon", *variants: str) -> Rules:
    rules = load_edition(name, variants).rules
    assert isinstance(rules, Rules)
    return rules


def offer_views(rules: Rules) -> Iterator[OfferView]:
    """Of a match of random play."""
    chooser = random.Random(5)
    state = load_game("board").start(rules, 4, Chance("promises"), None)
    while state.asks:
        index = state.pending[0]
        if isinstance(view := state.view(index), OfferView):
            yield view
        state.apply(index, chooser.choice(state.legal(index)))


def asked(*sold: int, hand: tuple[Card, ...] = (), agreements: tuple[Agreement, ...] = ()) -> AcceptView:
    """Seat 0, the Boss of a deal of $12M that needs red and yellow, is asked about the last of the promises that seats
    2, 3, … sell. Red is its own, yellow belongs to seat 1."""
    view: BoardView = next(offer_views(rules_of()))
    owners = {RED: 0, YELLOW: 1}
    offers = tuple(OpenOffer(seat, Offer(0, price)) for seat, price in enumerate(sold, 2))
    changed: dict[str, Any] = {
        "seat": 0,
        "boss": 0,
        "space": Space(4, (RED, YELLOW)),
        "proceeds": 12,
        "placards": tuple(Placard(family, owners.get(family)) for family in Family),
        "laid": ((), (), (), ()),
        "hand": hand,
        "offers": offers,
        "agreements": agreements,
    }
    last = offers[-1]
    return AcceptView(**asdict(view) | changed | {"by": last.by, "offer": last.offer})


@pytest.mark.parametrize("name", ["eagle-gryphon", "outline"])
def test_peace_is_a_legal_offer_without_cards(name: str) -> None:
    rules, sold = rules_of(name), 0
    for view in offer_views(rules):
        for offer in strategy.peace(view, rules, 2.5):
            assert strategy.is_promise(offer)
            assert view.refusal(rules, Offers((offer,))) is None
            sold += 1
        assert view.seat != view.boss or not strategy.peace(view, rules, 2.5)
    assert sold


def test_peace_is_not_for_sale_where_promises_are_forbidden_or_would_not_be_paid() -> None:
    rules, active = rules_of(), rules_of("eagle-gryphon", "active-to-be-paid")
    view = next(view for view in offer_views(rules) if view.seat != view.boss and not view.active)
    assert strategy.peace(view, rules, 1)
    assert not strategy.peace(view, replace(rules, side_promises=False), 1)
    assert not strategy.peace(view, active, 1)
    assert strategy.peace(replace(view, active=(view.seat,)), active, 1)


def test_who_has_an_agreement_has_no_peace_to_sell() -> None:
    rules = rules_of()
    view = next(view for view in offer_views(rules) if view.seat != view.boss)
    for terms in (Agreement(view.seat, 3, (RED,)), Agreement(view.seat, 1)):
        assert not strategy.peace(replace(view, agreements=(terms,)), rules, 1)


def test_a_deal_is_exposed_unless_clan_cards_in_hand_stand_in() -> None:
    assert strategy.exposed(asked(1))
    assert strategy.exposed(asked(1, hand=(Card.CLAN_RED,)))
    assert not strategy.exposed(asked(1, hand=(Card.CLAN_RED, Card.CLAN_YELLOW)))


def test_the_boss_buys_peace_for_an_exposed_deal_within_its_means() -> None:
    assert strategy.worth_buying(asked(1), 1)
    assert not strategy.worth_buying(asked(2), 1)
    assert not strategy.worth_buying(asked(1, hand=(Card.CLAN_RED, Card.CLAN_YELLOW)), 1)


def test_of_several_promises_the_cheapest_are_bought_and_what_is_bought_counts() -> None:
    assert strategy.worth_buying(asked(2, 1), 2)
    assert not strategy.worth_buying(asked(1, 2), 2)
    assert strategy.worth_buying(asked(1, 2), 3)
    assert not strategy.worth_buying(asked(5, 1, agreements=(Agreement(1, 2),)), 2)


def test_a_boss_with_a_stop_buys_none_and_neither_from_a_partner() -> None:
    assert not strategy.worth_buying(asked(1, hand=(Card.STOP,)), 5)
    assert not strategy.worth_buying(asked(1, agreements=(Agreement(2, 3, (BLUE,)),)), 5)
    owner = replace(asked(1), by=1, offer=Offer(0, 1), offers=(OpenOffer(1, Offer(0, 1)),))
    assert not strategy.worth_buying(owner, 5)


@cache
def promises() -> tuple[Counter[str], Counter[str], int]:
    """Of some matches: by bot how often it bought and sold a promise, and how often a seller then played a travel card
    or a boss card in the same negotiation."""
    bought, sold, broken = Counter[str](), Counter[str](), 0
    names = sorted(SELLERS | BUYERS)
    for match in range(8):
        seats = [names[(seat + match) % 4] for seat in range(4)]
        boss, bound = -1, set[int]()
        for line in map(json.loads, play(*seats, seed=f"promises/{match}").replay.splitlines()):
            match line:
                case {"event": "opened" | "new boss", "seat": boss}:
                    bound = set()
                case {"event": "agreed", "agreement": {"partner": partner, **rest}} if rest.keys() == {"price"}:
                    bought[seats[boss]] += 1
                    sold[seats[partner]] += 1
                    bound.add(partner)
                case {"event": "played", "seat": seat, "play": {"move": "travel"}}:
                    broken += seat in bound
    return bought, sold, broken


def test_bundled_bots_sell_their_peace_and_buy_that_of_others() -> None:
    bought, sold, _ = promises()
    assert set(bought) == BUYERS
    assert set(sold) == SELLERS


def test_a_bundled_bot_that_has_sold_its_peace_plays_no_travel_card_against_the_deal() -> None:
    assert promises()[2] == 0
