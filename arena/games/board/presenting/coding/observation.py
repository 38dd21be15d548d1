"""What a seat of the board game observes: its view as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

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
from arena.games.board import views
from arena.games.board.cards import CARD_KINDS, FAMILIES, FAMILY_ID, Family, clans_counted, count_cards
from arena.games.board.moves import Recruit, TakeOver, Travel
from arena.games.board.rules import Rules
from arena.games.board.spaces import Space
from arena.games.board.views import BoardView
from arena.games.contract import View

HOOK_NUMBERS: Mapping[type[View], int] = {
    views.MarkerView: 0,
    views.TurnView: 1,
    views.OfferView: 2,
    views.AcceptView: 3,
    views.InterruptView: 4,
    views.CloseView: 5,
    views.DiscardView: 6,
}
TERMS = 13
"""Numbers for the terms between two seats: six placards, six clan cards, the price."""
MONEY, HAND, PILE, DISCARDS = 50, 12, 100, 10

Terms = tuple[int, int, Sequence[Family], Sequence[Family]]
"""A partner, a price, placards and clan cards."""


@lru_cache(maxsize=256)
def _space_numbers(space: Space) -> tuple[int, ...]:
    return (*family_flags(space.required), *family_flags(space.families))


def family_flags(families: Iterable[Family]) -> list[int]:
    """Six flags, of which those of the families are set."""
    flags = [0] * len(FAMILIES)
    for family in families:
        flags[FAMILY_ID[family]] = 1
    return flags


def _space_flags(spaces: Iterable[int], count: int) -> list[int]:
    flags = [0] * count
    for space in spaces:
        flags[space] = 1
    return flags


def _placards(view: BoardView) -> list[int]:
    found: list[int] = []
    for placard in view.placards:
        found += seat_flag(placard.owner, view)
    return found


def _laid(view: BoardView) -> list[int]:
    found: list[int] = []
    for clans in by_seat(view.laid, view, ()):
        found += clans_counted(clans)
    return found


def _by_partner(all_terms: Iterable[Terms], view: BoardView) -> list[int]:
    """For each partner, the own seat first, the cards of all these terms and the sum of their prices."""
    found = [0] * (TERMS * MOST_SEATS)
    for partner, price, placards, clans in all_terms:
        place = (partner - view.seat) % view.players * TERMS
        for family in placards:
            found[place + FAMILY_ID[family]] = MONEY  # a flag, divided by the scale of prices
        for family in clans:
            found[place + len(FAMILIES) + FAMILY_ID[family]] = MONEY
        found[place + TERMS - 1] += price
    return found


def _agreements(view: BoardView) -> list[int]:
    return _by_partner(((each.partner, each.price, each.placards, each.clans) for each in view.agreements), view)


def _offers_by_boss(view: BoardView) -> list[int]:
    offers = [each.offer for each in view.offers if each.by == view.boss]
    return _by_partner(((offer.to, offer.price, offer.placards, offer.clans) for offer in offers), view)


def _offers_to_boss(view: BoardView) -> list[int]:
    found = [(each.by, each.offer) for each in view.offers if each.by != view.boss]
    return _by_partner(((by, offer.price, offer.placards, offer.clans) for by, offer in found), view)


def _asked_offer(view: BoardView) -> Sequence[float]:
    if not isinstance(view, views.AcceptView):
        return (0,) * (MOST_SEATS + TERMS)
    offer = view.offer
    flags = (*family_flags(offer.placards), *family_flags(offer.clans))
    return (*seat_flag(view.by, view), *flags, offer.price / MONEY)


def _stoppable_play(view: BoardView) -> Sequence[int]:
    open_play = view.can_stop
    if open_play is None:
        return (0,) * (2 * MOST_SEATS + 3 + len(FAMILIES))
    play, kind, of = open_play.play, (0, 0, 0), seat_flag(None, view)
    families: list[int] = family_flags(())
    match play:
        case Travel(family, clan_of):
            kind, families, of = (1, 0, 0), family_flags([family]), seat_flag(clan_of, view)
        case Recruit(placard):
            kind, families = (0, 1, 0), family_flags([placard])
        case TakeOver():
            kind = (0, 0, 1)
    return (*seat_flag(open_play.by, view), *kind, *families, *of)


def _moment(view: BoardView) -> tuple[bool, ...]:
    last_call = isinstance(view, views.InterruptView) and view.last_call
    cards_only = isinstance(view, views.DiscardView) and view.cards_only
    flags = (view.rolled, view.must_deal, view.failed_here, view.fresh, view.new_boss, last_call, cards_only)
    return (*flags, view.closing is not None)


def board_fields(rules: Rules) -> tuple[ObservedField, ...]:
    """The observation of the board game, in the order of its numbers."""
    spaces = len(rules.spaces)
    return (
        hook_field(HOOK_NUMBERS),
        players_field(),
        number_field("turn", rules.max_turns, "the turn"),
        seat_field("on_turn", "the seat on turn"),
        ObservedField(
            "marker", spaces, 1, "the marker's space", lambda v: _space_flags((v.marker,), spaces), ("marker",)
        ),
        ObservedField(
            "uncovered",
            spaces,
            1,
            "uncovered spaces",
            lambda v: _space_flags(v.uncovered, spaces),
            ("uncovered",),
        ),
        ObservedField(
            "space",
            12,
            1,
            "families it requires, and that may take part",
            lambda v: _space_numbers(v.space),
            ("space",),
        ),
        ObservedField(
            "needs",
            2,
            6,
            "investors it needs, its dividends",
            lambda v: (v.space.needs, v.space.dividends),
            ("space",),
        ),
        number_field("deal", 15, "the deal card"),
        ObservedField(
            "worth",
            2,
            MONEY,
            "a dividend, and the proceeds",
            lambda v: (v.dividend, v.proceeds),
            ("dividend", "proceeds"),
        ),
        ObservedField("placards", 36, 1, "by family: its owner", _placards, ("placards", "seat", "players")),
        ObservedField(
            "travelling",
            6,
            1,
            "placards that travel",
            lambda v: [int(p.travelling) for p in v.placards],
            ("placards",),
        ),
        ObservedField("hand", CARD_KINDS, 4, "own cards by kind", lambda v: count_cards(v.hand), ("hand",)),
        ObservedField(
            "hand_sizes",
            6,
            HAND,
            "cards by seat",
            lambda v: by_seat(v.hand_sizes, v),
            ("hand_sizes", "seat", "players"),
        ),
        number_field("money", 4 * MONEY, "own money"),
        earned_field(4 * MONEY, "by seat: what closed deals brought"),
        number_field("draw_pile", PILE, "cards to draw"),
        ObservedField("discards", CARD_KINDS, DISCARDS, "discards by kind", lambda v: v.discards, ("discards",)),
        seat_field("boss", "the Boss; zeros outside a negotiation"),
        number_field("tick", rules.max_ticks, "the tick"),
        number_field("quiet", rules.quiet_ticks, "quiet ticks so far"),
        ObservedField(
            "active",
            6,
            1,
            "seats that have played a card",
            lambda v: seat_flags(v.active, v),
            ("active", "seat", "players"),
        ),
        ObservedField("laid", 36, 4, "by seat: laid clan cards by family", _laid, ("laid", "seat", "players")),
        ObservedField(
            "agreements",
            78,
            MONEY,
            "by partner: placards, clan cards, sum of prices",
            _agreements,
            ("agreements", "seat", "players"),
        ),
        ObservedField(
            "boss_offers",
            78,
            MONEY,
            "the Boss's open offers, likewise",
            _offers_by_boss,
            ("offers", "boss", "seat", "players"),
        ),
        ObservedField(
            "seat_offers",
            78,
            MONEY,
            "open offers to the Boss, likewise",
            _offers_to_boss,
            ("offers", "boss", "seat", "players"),
        ),
        ObservedField(
            "asked_offer",
            19,
            1,
            "`accept`: who offers, placards, clan cards, price ÷ 50",
            _asked_offer,
            ("offer", "by", "seat", "players"),
        ),
        ObservedField(
            "stoppable",
            21,
            1,
            "what a STOP cancels: seat; travel, recruit, boss; family; whose clan card",
            _stoppable_play,
            ("can_stop", "seat", "players"),
        ),
        ObservedField(
            "moment",
            8,
            1,
            "`rolled`, `must_deal`, `failed_here` … `closing`: see below",
            _moment,
            ("rolled", "must_deal", "failed_here", "fresh", "new_boss", "last_call", "cards_only", "closing"),
        ),
        ObservedField(
            "excess",
            1,
            HAND,
            "`discard`: cards that must go",
            lambda v: (getattr(v, "excess", 0),),
            ("excess",),
        ),
    )
