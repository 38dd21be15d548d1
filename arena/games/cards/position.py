"""The whole position, hidden parts included, and the few primitives every phase is made of."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Self

from arena.games.cards.cards import CARD_KINDS, CARDS, NO_CARDS, X, list_cards
from arena.games.cards.events import Drew, Reshuffled, XOpened
from arena.games.cards.moves import Bargain, Shift
from arena.games.cards.rules import Layout
from arena.games.cards.table import UNKNOWN_VALUE, Table, empty_spread
from arena.games.cards.views import Deal
from arena.games.chance import Chance
from arena.games.contract import Ask, Chanced, Event, Move, View
from arena.games.hand_counts import change_count, lay_out, put_in_order, tally_cards
from arena.games.phase_state import Phased

Log = list[Event] | None


class Phase(IntEnum):
    """The phase of the match that the open asks belong to."""

    LEAD = 0
    PROPOSE = 1
    ANSWER = 2
    REQUEST = 3
    ACCEPT = 4
    PLAY = 5
    MOVE = 6
    DISCARD = 7
    OVER = 8


class Termination(StrEnum):
    """Why a match ends: every seat has been Boss as often as C2.1 says (C7.1)."""

    LAST_ROUND = "last round"


class Position(Table, Phased):
    """A match in progress. Every attribute but ``answers``, ``hands`` and ``money`` holds an immutable value, so
    :meth:`copy` is a handful of assignments.

    ``hands`` and ``discards`` are counts by kind, ``known`` are the counts of the discards that everybody saw; ``deck``
    is the order of the draw pile, drawn from index ``drawn`` on; ``third_x`` says whether an X lies under the disk;
    ``moved`` are the moves made with the move card in use.
    """

    __slots__ = (
        "answers",
        "asks",
        "chance",
        "deck",
        "discards",
        "drawn",
        "hands",
        "known",
        "ledger",
        "listed",
        "listed_for",
        "money",
        "moved",
        "phase",
        "reshuffles",
        "round",
        "shown",
        "termination",
        "third_x",
        "waiting",
    )

    def begin(self, layout: Layout, chance: Chance) -> None:
        """Fill in every attribute: nothing has been dealt yet. This is no ``__init__``, so that a copy costs less."""
        players = layout.players
        self.layout = layout
        self.chance = chance
        self.phase = Phase.LEAD
        self.asks: tuple[Ask, ...] = ()
        self.answers: list[Move | None] = []
        self.waiting = 0
        self.shown: View | None = None
        self.listed: tuple[Move, ...] = ()
        self.listed_for = 0
        self.hands: list[bytes] = [NO_CARDS] * players
        self.money = [layout.rules.start_money] * players
        self.deck = b""
        self.drawn = 0
        self.reshuffles = 0
        self.discards = NO_CARDS
        self.known = NO_CARDS
        self.exes = 0
        self.third_x = False
        self.round = 0
        self.boss = 0
        self.on_turn = 0
        self.color = UNKNOWN_VALUE
        self.spread = empty_spread(players)
        self.passes = bytes(players)
        self.tokens = 0
        self.cousins = 0
        self.bound = None
        self.moving = UNKNOWN_VALUE
        self.moves_left = 0
        self.moved: tuple[Shift, ...] = ()
        self.ledger: tuple[Deal, ...] = ()
        self.termination: Termination | None = None

    def copy(self) -> Self:
        """An independent position in the same state."""
        new = type(self)()
        new.layout = self.layout
        new.chance = self.chance
        new.phase = self.phase
        new.asks = self.asks
        new.answers = self.answers.copy()
        new.waiting = self.waiting
        new.shown = None
        new.listed = self.listed
        new.listed_for = self.listed_for
        new.hands = self.hands.copy()
        new.money = self.money.copy()
        new.deck = self.deck
        new.drawn = self.drawn
        new.reshuffles = self.reshuffles
        new.discards = self.discards
        new.known = self.known
        new.exes = self.exes
        new.third_x = self.third_x
        new.round = self.round
        new.boss = self.boss
        new.on_turn = self.on_turn
        new.color = self.color
        new.spread = self.spread
        new.passes = self.passes
        new.tokens = self.tokens
        new.cousins = self.cousins
        new.bound = self.bound
        new.moving = self.moving
        new.moves_left = self.moves_left
        new.moved = self.moved
        new.ledger = self.ledger
        new.termination = self.termination
        return new

    def ask_to_accept(self, phase: Phase, seat: int, bargain: Bargain) -> None:
        """Ask one seat whether it accepts a bargain."""
        self.ask(phase, (Ask(seat, "accept", bargain),))

    def spend(self, seat: int, kind: int) -> None:
        """Remove a card from a hand; the caller decides where it goes."""
        self.hands[seat] = change_count(self.hands[seat], kind, -1)

    def discard(self, kind: int) -> None:
        """Add a card to the discard pile, face up."""
        self.discards = change_count(self.discards, kind, 1)
        self.known = change_count(self.known, kind, 1)

    def draw(self, seat: int, count: int, log: Log) -> None:
        """Draw cards; an X is laid open and replaced (C6.3), an empty deck is replaced by the discards (C6.4)."""
        drawn = self.drawn
        cards = self.deck[drawn : drawn + count]
        if len(cards) == count and X not in cards:
            self.drawn = drawn + count
        else:
            cards = self._draw_singly(seat, count, log)
        hand = bytearray(self.hands[seat])
        for kind in cards:
            hand[kind] += 1
        self.hands[seat] = bytes(hand)
        if log is not None:
            log.append(Drew(seat, len(cards), list_cards(tally_cards(cards, CARD_KINDS))))

    def _draw_singly(self, seat: int, count: int, log: Log) -> bytes:
        """The kinds of the next cards that are not an X, drawn one after another; fewer if no cards are left."""
        found = bytearray()
        while len(found) < count:
            if self.drawn == len(self.deck) and not self._reshuffle(log):
                break
            kind = self.deck[self.drawn]
            self.drawn += 1
            if kind != X:
                found.append(kind)
                continue
            self.exes += 1
            if log is not None:
                log.append(XOpened(seat, self.multiplier))
        return bytes(found)

    def draw_anew(self, chance: Chance) -> None:
        """Let all future chance follow ``chance``: shuffles, and the order of the deck, with each X that has not been
        drawn within its own part of it (C2.3)."""
        self.chance = chance
        left = self.deck[self.drawn :]
        cards = bytes(kind for kind in left if kind != X)
        order = chance.permutation(len(cards), "deck left", self.reshuffles, self.drawn)
        cards = put_in_order(cards, order)
        for number, part in enumerate(self.parts_of_exes(len(left))):
            place = part[chance.below(len(part), "x left", number, self.reshuffles, self.drawn)]
            cards = cards[:place] + bytes([X]) + cards[place:]
        self.deck = self.deck[: self.drawn] + cards

    def parts_of_exes(self, size: int) -> list[range]:
        """For each X not drawn yet, the range of its possible positions among the ``size`` cards left in the deck: the
        first in the upper half, the second in the lower (C2.3); anywhere once a third was shuffled in (C6.4). Insert
        the X cards in this order: each range counts those inserted before."""
        x = self.layout.rules.deck.x
        left = x - self.exes - self.third_x
        if x == 3 and not self.third_x:
            return [range(size - left + put + 1) for put in range(left)]
        rest = sum(self.layout.rules.deck.counts()) - self.layout.players * self.layout.hand
        border = max(0, size - (rest - rest // 2) - (x > 1))
        return [range(border), range(border, size)][2 - left if x > 1 else 0 :][:left]

    def _reshuffle(self, log: Log) -> bool:
        """Make the discards the deck, the first time with the X from under the disk (C6.4); False if there are none."""
        cards = lay_out(self.discards)
        third, self.third_x = self.third_x, False
        if third:
            cards += bytes([X])
        if not cards:
            return False
        self.reshuffles += 1
        order = self.chance.permutation(len(cards), "deck", self.reshuffles)
        self.deck, self.drawn = put_in_order(cards, order), 0
        self.discards = self.known = NO_CARDS
        if log is not None:
            log.append(Chanced("deck", (self.reshuffles,), deck_names(self.deck)))
            log.append(Reshuffled(len(cards), third))
        return True


def deck_names(deck: bytes) -> tuple[str, ...]:
    """The names of a deck's cards, top first, as they are written to the log."""
    return tuple("x" if kind == CARD_KINDS else CARDS[kind].value for kind in deck)
