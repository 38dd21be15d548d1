"""The card game as numbers: its actions, and its moves for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any

from arena.coding.coding import EVERY_SEAT, ActionGroup, Coding
from arena.games.cards.cards import CARD_ID, CARD_KINDS, CARDS, COLOR_ID, COLORS, FRONT_PLACES, SUIT_KINDS, Card
from arena.games.cards.moves import (
    KEEP_ALL,
    Discard,
    Drop,
    Enough,
    Lead,
    NameColor,
    NoBargain,
    Pass,
    Play,
    Propose,
    Request,
    Shift,
    Want,
)
from arena.games.cards.presenting.coding.observation import card_place, cards_fields
from arena.games.cards.rules import Rules
from arena.games.contract import Move, No, Yes

VALUES = ("+1", "+2", "+3", "+4", "-5", "-4", "-3", "-2")
MOVE_CARDS = ("move 1", "move 2", "move 3")
FRONT_CARDS = ("reverse", "POTA", "wild POTA")
SUIT_CARDS = (*VALUES, "reverse", "POTA", *MOVE_CARDS, "wild POTA")
FRONT_PLAYS = tuple(f"{card} to {seat}" for seat, card in product(EVERY_SEAT, FRONT_CARDS))
FRONT_SHIFTS = tuple(
    f"{card} of {source} to {to}" for source, card, to in product(EVERY_SEAT, FRONT_CARDS, ("discards", *EVERY_SEAT))
)
SHIFTS = (*(f"{value} from the centre" for value in VALUES), *FRONT_SHIFTS)
REQUESTS = (
    *((Want.POSITIVE, least) for least in (1, 2, 3, 4)),
    *((Want.NEGATIVE, least) for least in (2, 3, 4, 5)),
    *((want, 0) for want in (Want.POTA, Want.REVERSE, Want.PASS, Want.GIFT)),
)
"""What a Boss may request, and at least how large."""
REQUEST_LABELS = tuple(f"request {want} {least}" if least else f"request {want}" for want, least in REQUESTS)
ACTIONS = ("pass", "pass twice")


def cards_groups() -> tuple[ActionGroup, ...]:
    """The actions of the card game, in the order of their numbers."""
    untargeted = (*VALUES, *MOVE_CARDS)
    return (
        ActionGroup(
            "lead", tuple(str(card) for card in CARDS if CARD_ID[card] % SUIT_KINDS < 8 and card.color), "lead it"
        ),
        ActionGroup("lead", tuple(map(str, COLORS)), "name the colour"),
        ActionGroup("offer", ("no bargain",), "offer no bargain"),
        ActionGroup("offer", tuple(f"propose {each}" for each in ACTIONS), "propose to pass"),
        ActionGroup("offer", tuple(f"propose {each}" for each in VALUES), "propose to play it into the centre"),
        ActionGroup("offer", tuple(f"propose {each}" for each in FRONT_PLAYS), "propose to play it there"),
        ActionGroup("offer", tuple(f"propose discarding {each}" for each in SUIT_CARDS), "propose to discard it"),
        ActionGroup("offer", SHIFTS, "by the lowest move card"),
        ActionGroup("offer", REQUEST_LABELS, "request it, of at least this size"),
        ActionGroup("accept", ("no", "yes"), "refuse or accept the bargain"),
        ActionGroup("play", ACTIONS, "turn one disk, or both"),
        ActionGroup("play", untargeted, "play it"),
        ActionGroup("play", FRONT_PLAYS, "play it there"),
        ActionGroup("play", tuple(f"discard {each}" for each in SUIT_CARDS), "discard it, under a bargain"),
        ActionGroup("play", SHIFTS, "the move card's next move"),
        ActionGroup("play", ("enough",), "no further move"),
        ActionGroup("discard", ("nothing",), "keep all cards"),
        ActionGroup("discard", tuple(f"a {card}" for card in CARDS), "discard one card of the kind"),
        ActionGroup(
            "discard", tuple(f"every {card}" for card in CARDS), "discard those of the kind, as many as one may"
        ),
    )


class CardsCoding(Coding):
    """The coding of the card game for one edition."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(cards_groups(), cards_fields(rules))
        self._most = rules.discards_between_rounds
        (self._lead, self._color, self._no_bargain, self._propose_pass, self._propose_value) = self.first[:5]
        (self._propose_front, self._propose_drop, self._propose_shift, self._request, self._accept) = self.first[5:10]
        (self._pass, self._play, self._front, self._drop, self._shift, self._enough) = self.first[10:16]
        (self._keep, self._discard, self._discard_every) = self.first[16:]

    def choices(self, state: Any, index: int) -> dict[int, Move]:
        ask = state.asks[index]
        if ask.hook == "discard":
            return self._discard_choices(state.hands[ask.seat])
        return self.number_moves(state.legal(index), ask.seat, state.layout.players)

    def nearest_action(self, state: Any, index: int, move: Move, choices: Mapping[int, Move]) -> int | None:
        """The action of the same number, whatever move card it takes; of several discards the first kind."""
        if type(move) is Discard:
            kind = CARD_ID[move.cards[0]]
            every = self._discard_every + kind
            return every if move.cards.count(move.cards[0]) > 1 and every in choices else self._discard + kind
        return self.number_of(move, state.asks[index].seat, state.layout.players)

    def _discard_choices(self, hand: bytes) -> dict[int, Move]:
        found: dict[int, Move] = {self._keep: KEEP_ALL}
        if self._most:
            for kind in range(CARD_KINDS):
                if hand[kind]:
                    found[self._discard + kind] = _discard_of(kind, 1)
                    if (every := min(hand[kind], self._most)) > 1:
                        found[self._discard_every + kind] = _discard_of(kind, every)
        return found

    def number_of(self, move: Move, *about: int) -> int:
        """The action of a move that is no discard, seen from a seat of a number of players."""
        seat, players = about
        match move:
            case Play(card, None):
                place = card_place(card)
                return self._play + (place if place < 8 else place - 2)
            case Play(card, int(to)):
                return self._front + _front_number(card, (to - seat) % players)
            case Pass(double):
                return self._pass + double
            case Drop(card):
                return self._drop + card_place(card)
            case Shift():
                return self._shift + _shift_number(move, seat, players)
            case Enough():
                return self._enough
            case Propose(action):
                return self._proposal(action, seat, players)
            case Request(want, least):
                return self._request + REQUESTS.index((want, least))
            case NoBargain():
                return self._no_bargain
            case Lead(card):
                return self._lead + CARD_ID[card] // SUIT_KINDS * 8 + card_place(card)
            case NameColor(color):
                return self._color + COLOR_ID[color]
        assert isinstance(move, Yes | No)
        return self._accept + isinstance(move, Yes)

    def _proposal(self, action: Play | Drop | Pass, seat: int, players: int) -> int:
        match action:
            case Pass(double):
                return self._propose_pass + double
            case Drop(card):
                return self._propose_drop + card_place(card)
            case Play(_, None, (shift, *_)):
                return self._propose_shift + _shift_number(shift, seat, players)
            case Play(card, None):
                return self._propose_value + card_place(card)
            case Play(card, to):
                assert to is not None
                return self._propose_front + _front_number(card, (to - seat) % players)


@lru_cache(maxsize=256)
def _discard_of(kind: int, count: int) -> Discard:
    """The discard of so many cards of a kind: one object, whose fields the engine checks once."""
    return Discard((CARDS[kind],) * count)


def _front_number(card: Card, seat: int) -> int:
    return seat * len(FRONT_CARDS) + (FRONT_PLACES[CARD_ID[card]] or 0)


def _shift_number(shift: Shift, seat: int, players: int) -> int:
    if shift.source is None:
        return CARD_ID[shift.card] % SUIT_KINDS
    to = 0 if shift.to is None else 1 + (shift.to - seat) % players
    return len(VALUES) + _front_number(shift.card, (shift.source - seat) % players) * (1 + len(EVERY_SEAT)) + to
