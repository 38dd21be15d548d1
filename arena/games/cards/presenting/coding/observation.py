"""What a seat of the card game observes: its view as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.coding.coding import (
    MOST_SEATS,
    ObservedField,
    by_seat,
    earned_field,
    hook_field,
    number_field,
    players_field,
    seat_field,
    seat_flag,
    seat_flags,
)
from arena.games.cards import views
from arena.games.cards.cards import CARD_ID, CARD_KINDS, COLORS, FRONT_PLACES, SUIT_KINDS, Card, count_cards
from arena.games.cards.moves import Drop, Pass, Play, Propose, Request, Want
from arena.games.cards.rules import Rules
from arena.games.cards.views import CardsView
from arena.games.contract import View

HOOK_NUMBERS: Mapping[type[View], int] = {
    views.LeadView: 0,
    views.OfferView: 1,
    views.AcceptView: 2,
    views.PlayView: 3,
    views.DiscardView: 4,
}
PLACES = SUIT_KINDS + 1
"""A suit's 13 kinds in card order, and the wild POTA."""
WANTS = tuple(Want)
MONEY, PILE, CARD_COUNT, LEAST = 250, 100, 4, 5
NO_PLACE = (0,) * PLACES
PLACE_FLAGS = tuple(tuple(int(place == other) for other in range(PLACES)) for place in range(PLACES))


def card_place(card: Card) -> int:
    """The card's place in its suit; 13 for the wild POTA."""
    kind = CARD_ID[card]
    return SUIT_KINDS if kind == CARD_KINDS - 1 else kind % SUIT_KINDS


def _colors(view: CardsView) -> tuple[int, ...]:
    return tuple(int(color is view.color) for color in COLORS)


def _centre(view: CardsView) -> list[int]:
    counts = [0] * 8
    for card in view.centre:
        counts[CARD_ID[card] % SUIT_KINDS] += 1
    return counts


def _fronts(view: CardsView) -> list[int]:
    counts = [0] * (3 * MOST_SEATS)
    for seat, front in enumerate(by_seat(view.fronts, view, ())):
        for card in front:
            counts[3 * seat + (FRONT_PLACES[CARD_ID[card]] or 0)] += 1
    return counts


def _request_numbers(request: Request | None) -> tuple[float, ...]:
    if request is None:
        return (0,) * (len(WANTS) + 1)
    return (*[int(want is request.want) for want in WANTS], request.least / LEAST)


def _proposal_numbers(view: CardsView) -> Sequence[float]:
    """What the seat on turn has proposed: pass once, pass twice, play, discard; the card; in front of whom, or whose
    card it moves first; what it moves first."""
    kind, place, of, moved = (0, 0, 0, 0), NO_PLACE, seat_flag(None, view), NO_PLACE
    if view.bargain is not None and type(view.bargain.offer) is Propose:
        match view.bargain.offer.action:
            case Pass(double):
                kind = (int(not double), int(double), 0, 0)
            case Drop(card):
                kind, place = (0, 0, 0, 1), PLACE_FLAGS[card_place(card)]
            case Play(card, to, shifts):
                kind, place = (0, 0, 1, 0), PLACE_FLAGS[card_place(card)]
                of = seat_flag(shifts[0].source if shifts else to, view)
                moved = PLACE_FLAGS[card_place(shifts[0].card)] if shifts else NO_PLACE
    return (*kind, *place, *of, *moved)


def _asked_request(view: CardsView) -> tuple[float, ...]:
    offer = None if view.bargain is None else view.bargain.offer
    return _request_numbers(offer if isinstance(offer, Request) else None)


def _moving(view: CardsView) -> Sequence[int]:
    return PLACE_FLAGS[card_place(view.moving)][10:13] if view.moving is not None else (0, 0, 0)


def cards_fields(rules: Rules) -> tuple[ObservedField, ...]:
    """The observation of the card game, in the order of its numbers."""
    return (
        hook_field(HOOK_NUMBERS),
        players_field(),
        ObservedField("round", 2, 12, "the round, and of how many", lambda v: (v.round, v.rounds), ("round", "rounds")),
        seat_field("boss", "the Boss"),
        seat_field("on_turn", "the seat on turn"),
        ObservedField("color", len(COLORS), 1, "the colour of the round: blue, green, red", _colors, ("color",)),
        ObservedField("centre", 8, CARD_COUNT, "cards in the centre: +1 to +4, -5 to -2", _centre, ("centre",)),
        ObservedField(
            "fronts",
            18,
            CARD_COUNT,
            "by seat: reverse, POTA and wild POTA cards in front",
            _fronts,
            ("fronts", "seat", "players"),
        ),
        ObservedField(
            "passes",
            6,
            2,
            "by seat: disks turned",
            lambda v: by_seat(v.passes, v),
            ("passes", "seat", "players"),
        ),
        number_field("tokens", 5, "the Boss's Cousin tokens"),
        ObservedField(
            "cousins",
            6,
            1,
            "the seats that are Cousins",
            lambda v: seat_flags(v.cousins, v),
            ("cousins", "seat", "players"),
        ),
        ObservedField(
            "value",
            2,
            MONEY,
            "what a share is worth; the multiplier × 50",
            lambda v: (v.value, 50 * v.multiplier),
            ("value", "multiplier"),
        ),
        ObservedField(
            "hand",
            CARD_KINDS,
            CARD_COUNT,
            "own cards by kind",
            lambda v: count_cards(v.hand),
            ("hand",),
        ),
        ObservedField(
            "hand_sizes",
            6,
            20,
            "cards by seat",
            lambda v: by_seat(v.hand_sizes, v),
            ("hand_sizes", "seat", "players"),
        ),
        number_field("money", 4 * MONEY, "own money"),
        earned_field(4 * MONEY, "by seat: what settled rounds brought"),
        ObservedField(
            "piles",
            2,
            PILE,
            "cards to draw, cards discarded",
            lambda v: (v.deck, v.discard_pile),
            ("deck", "discard_pile"),
        ),
        ObservedField(
            "discards",
            CARD_KINDS,
            CARD_COUNT,
            "discards that all saw, by kind",
            lambda v: v.discards[:CARD_KINDS],
            ("discards",),
        ),
        number_field("third_x", 1, "an X lies under the disk"),
        ObservedField(
            "proposal",
            4 + 2 * PLACES + 6,
            1,
            "`accept`: what is proposed: see below",
            _proposal_numbers,
            ("bargain", "seat", "players"),
        ),
        ObservedField(
            "request",
            7,
            1,
            "`accept`: positive, negative, POTA, reverse, pass, gift; the least ÷ 5",
            _asked_request,
            ("bargain",),
        ),
        ObservedField(
            "bound",
            7,
            1,
            "what the seat on turn is bound to do, likewise",
            lambda v: _request_numbers(v.bound),
            ("bound",),
        ),
        ObservedField("moving", 3, 1, "the move card in use: 1, 2 or 3", _moving, ("moving",)),
        number_field("moves_left", 3, "moves that it still allows"),
    )
