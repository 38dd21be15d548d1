"""The board game as numbers: its actions, with prices by templates, and its moves for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from msgspec.structs import replace

from arena.coding.coding import EVERY_SEAT, OTHER_SEATS, ActionGroup, Coding
from arena.games.board.answers.closing import cheapest_closing, must_close
from arena.games.board.answers.legal import legal_recruits, triple_fits
from arena.games.board.cards import CARD_KINDS, CARDS, FAMILIES, FAMILY_ID, RECRUITMENT, list_cards
from arena.games.board.moves import (
    GIVE_UP,
    GO_ON,
    PASS,
    STOP_IT,
    TAKE_OVER,
    UNCHANGED,
    Close,
    Discard,
    Lay,
    Offer,
    Offers,
    Open,
    PlaceMarker,
    Recruit,
    Travel,
)
from arena.games.board.presenting.coding.observation import board_fields
from arena.games.board.rules import Rules
from arena.games.board.state import State
from arena.games.contract import Ask, Move

PRICE_HALVES = (1, 2, 3, 4, 6)
"""The prices that an offer may name, in halves of a dividend, rounded down to whole $M."""
PRICE_LABELS = ("½", "1", "1½", "2", "3")
ITEMS = ("promise", *(f"{f} placard" for f in FAMILIES), *(f"{f} clan" for f in FAMILIES))
FAMILY_NAMES = tuple(map(str, FAMILIES))
WITHDRAW_ALL = Offers()
PLAYS: tuple[Move, ...] = (PASS, STOP_IT, TAKE_OVER)
CACHED_LISTS = 4096

Choices = dict[int, Move]


def board_groups(rules: Rules) -> tuple[ActionGroup, ...]:
    """The actions of the board game, in the order of their numbers."""
    offers = product(OTHER_SEATS, ITEMS, PRICE_LABELS)
    travels = product(EVERY_SEAT, FAMILY_NAMES)
    return (
        ActionGroup("place_marker", tuple(f"space {n}" for n in range(len(rules.spaces))), "put the marker there"),
        ActionGroup(
            "turn",
            ("roll or draw", "open", "open and lay"),
            "lay: a clan card of each family of the space",
        ),
        ActionGroup("offer", ("unchanged", "withdraw"), "the own offers"),
        ActionGroup(
            "offer",
            tuple(f"{seat}, {item}, {price}" for seat, item, price in offers),
            "one more offer: see below",
        ),
        ActionGroup("accept", ("no", "yes"), "refuse or accept the offer"),
        ActionGroup("interrupt", ("pass", "stop", "take over"), "play nothing; a STOP; a boss card"),
        ActionGroup("interrupt", tuple(f"lay {family}" for family in FAMILY_NAMES), "lay one clan card"),
        ActionGroup(
            "interrupt",
            tuple(f"{family} placard travels" for family in FAMILY_NAMES),
            "by a wild card if there is no other",
        ),
        ActionGroup(
            "interrupt",
            tuple(f"{family} clan of {seat} travels" for seat, family in travels),
            "likewise",
        ),
        ActionGroup(
            "interrupt, discard", tuple(f"recruit {family}" for family in FAMILY_NAMES), "three recruitment cards"
        ),
        ActionGroup("close", ("go on", "give up", "close"), "the cheapest legal closing"),
        ActionGroup(
            "discard",
            tuple(f"{card} first" for card in CARDS),
            "cards of this kind, then the lowest: see below",
        ),
    )


class BoardCoding(Coding):
    """The coding of the board game for one edition."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(board_groups(rules), board_fields(rules))
        self._rules = rules
        (self._place, self._turn, self._keep, self._offer, self._accept, self._pass) = self.first[:6]
        (self._lay, self._travel, self._travel_clan, self._recruit, self._close, self._discard) = self.first[6:]
        self._by_hook: Mapping[str, Callable[[State, int, Ask], Choices]] = {
            "place_marker": self._marker_choices,
            "turn": self._turn_choices,
            "offer": self._offer_choices,
            "accept": self._accept_choices,
            "interrupt": self._interrupt_choices,
            "close": self._close_choices,
            "discard": self._discard_choices,
        }
        self._listed: dict[tuple[int, ...], tuple[Sequence[Move], Choices]] = {}

    def choices(self, state: Any, index: int) -> Choices:
        ask = state.asks[index]
        return self._by_hook[ask.hook](state, index, ask)

    def finished(self, state: Any, index: int, move: Move) -> Move:
        """The move itself, but an offer with the seat's other open offers."""
        if type(move) is not Offers or not move.offers:
            return move
        (new,) = move.offers
        kept = [each for each in state.offers[state.asks[index].seat] if _without_price(each) != _without_price(new)]
        whole = Offers((*kept, new))
        return whole if kept and state.refusal(index, whole) is None else move

    def nearest_action(self, state: Any, index: int, move: Move, choices: Mapping[int, Move]) -> int | None:
        """Of several offers the first new one, with the nearest price; any closing; of several cards the first that a
        choice begins with."""
        match move:
            case Offers(offers):
                last = self._nearest_offer(offers[-1:], (), choices)  # the new one, if it was played by an action
                if last is not None and last in choices and self.finished(state, index, choices[last]) == move:
                    return last
                return self._nearest_offer(offers, state.offers[state.asks[index].seat], choices)
            case Close():
                return self._close + 2
            case Open(laid):
                return self._turn + 2 if laid and self._turn + 2 in choices else self._turn + 1
            case Lay(clans):
                return self._lay + FAMILY_ID[clans[0]]
            case Discard(cards):
                often = sorted(set(cards), key=lambda card: (-cards.count(card), CARDS.index(card)))
                return next((at for card in often if (at := self._discard + CARDS.index(card)) in choices), None)
        return None

    def _nearest_offer(
        self, offers: Sequence[Offer], standing: Sequence[Offer], choices: Mapping[int, Move]
    ) -> int | None:
        """The action of the first of the ``offers`` that is not ``standing`` and of which an action is like it."""
        if set(offers) <= set(standing):
            return self._keep if offers or not standing else self._keep + 1
        single = [(action, move.offers[0]) for action, move in choices.items() if type(move) is Offers and move.offers]
        for offer in offers:
            alike = [(abs(other.price - offer.price), action) for action, other in single if _same_cards(other, offer)]
            if offer not in standing and alike:
                return min(alike)[1]
        return None

    def _marker_choices(self, state: State, index: int, ask: Ask) -> Choices:
        return {self._place + space: PlaceMarker(space) for space in range(len(self._rules.spaces))}

    def _turn_choices(self, state: State, index: int, ask: Ask) -> Choices:
        moves, hand = state.legal(index), state.hands[ask.seat]
        found = {} if type(moves[0]) is Open else {self._turn: moves[0]}
        if type(moves[-1]) is Open:
            wanted = state.layout.wanted[state.marker]
            useful = tuple(family for place, family in enumerate(FAMILIES) if hand[place] and wanted >> place & 1)
            found[self._turn + 1] = Open()
            if useful:
                found[self._turn + 2] = Open(useful)
        return found

    def _offer_choices(self, state: State, index: int, ask: Ask) -> Choices:
        seat, dividend, players = ask.seat, state.dividend, state.layout.players
        prices = _named_prices(dividend)
        moves = state.legal(index, tuple(prices))
        key = id(moves), dividend, seat, players
        listed = self._listed.get(key)  # lists are shared objects; the entry keeps its list alive
        if listed is None:
            if len(self._listed) >= CACHED_LISTS:
                self._listed.clear()
            self._listed[key] = listed = moves, self.number_moves(moves[2:], seat, players, dividend)
        found = {self._keep: UNCHANGED, **listed[1]}
        if state.offers[seat]:
            found[self._keep + 1] = WITHDRAW_ALL
        return found

    def number_of(self, move: Move, *about: int) -> int | None:
        """The action of a play or of a single offer, seen from a seat of a number of players; of an offer also by the
        dividend."""
        seat, players, *dividend = about
        if type(move) is Offers:
            return self._offer_action(move.offers[0], seat, players, *dividend)
        return self._play_action(move, seat, players)

    def _offer_action(self, offer: Offer, seat: int, players: int, dividend: int) -> int:
        item = 0
        if offer.placards:
            item = 1 + FAMILY_ID[offer.placards[0]]
        elif offer.clans:
            item = 7 + FAMILY_ID[offer.clans[0]]
        other = (offer.to - seat) % players - 1
        return self._offer + (other * len(ITEMS) + item) * len(PRICE_HALVES) + _named_prices(dividend)[offer.price]

    def _accept_choices(self, state: State, index: int, ask: Ask) -> Choices:
        return {self._accept + place: move for place, move in enumerate(state.legal(index))}

    def _interrupt_choices(self, state: State, index: int, ask: Ask) -> Choices:
        return self.number_moves(state.legal(index), ask.seat, state.layout.players)

    def _play_action(self, move: Move, seat: int, players: int) -> int | None:
        match move:
            case Lay(clans):
                return self._lay + FAMILY_ID[clans[0]] if len(clans) == 1 else None
            case Travel(family, None):
                return self._travel + FAMILY_ID[family]
            case Travel(family, int(owner)):
                return self._travel_clan + (owner - seat) % players * len(FAMILIES) + FAMILY_ID[family]
            case Recruit(placard):
                return self._recruit + FAMILY_ID[placard]
        return self._pass + PLAYS.index(move)

    def _close_choices(self, state: State, index: int, ask: Ask) -> Choices:
        found: Choices = {self._close: GO_ON}
        if not must_close(state):
            found[self._close + 1] = GIVE_UP
        hand = state.hands[ask.seat]
        closing = cheapest_closing(state, hand, with_offers=True)
        if closing is not None:
            found[self._close + 2] = closing
        return found

    def _discard_choices(self, state: State, index: int, ask: Ask) -> Choices:
        hand, excess = state.hands[ask.seat], state.excess[ask.seat]
        found: Choices = {}
        for kind in range(CARD_KINDS):
            if hand[kind]:
                first = min(hand[kind], excess)
                others = list_cards(bytes(0 if other == kind else n for other, n in enumerate(hand)))
                cards = sorted([*(CARDS[kind],) * first, *others[: excess - first]], key=CARDS.index)
                move = Discard(tuple(cards))
                if move not in found.values():
                    found[self._discard + kind] = move
        if hand[RECRUITMENT] >= 3 and triple_fits(self._rules, state.cards_only):
            for play in legal_recruits(ask.seat, state.owners):
                assert isinstance(play, Recruit)
                found[self._recruit + FAMILY_ID[play.placard]] = play
        return found


@lru_cache(maxsize=64)
def _named_prices(dividend: int) -> Mapping[int, int]:
    """The prices that an offer may name, in $M, each with its place in PRICE_HALVES: of equal ones the first."""
    prices: dict[int, int] = {}
    for place, halves in enumerate(PRICE_HALVES):
        prices.setdefault(dividend * halves // 2, place)
    return prices


def _same_cards(one: Offer, other: Offer) -> bool:
    """Whether two offers are about the same cards of the same seat."""
    return _without_price(one) == _without_price(other)


def _without_price(offer: Offer) -> Offer:
    """The offer at no price: what it is about."""
    return replace(offer, price=0)
