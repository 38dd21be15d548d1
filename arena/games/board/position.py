"""The whole position, hidden parts included, and the few primitives every phase is made of."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Self

from arena.games.board.cards import CARDS, FAMILY_ID, NO_CARDS, NO_CLANS, TRAVEL, Family, list_cards
from arena.games.board.events import Drew, Laid, Reshuffled
from arena.games.board.moves import Offer, Play
from arena.games.board.rules import Layout
from arena.games.board.table import NOBODY_SEAT, Table
from arena.games.board.views import ClosedDeal, NamedClosing, OpenOffer
from arena.games.chance import Chance
from arena.games.contract import Ask, Chanced, Event, Move, View
from arena.games.hand_counts import add_counts, change_count, lay_out, put_in_order
from arena.games.phase_state import Phased, ask_every_seat

Log = list[Event] | None


class Phase(IntEnum):
    """The phase of the match that the open asks belong to."""

    MARKER = 0
    TURN = 1
    DISCARD = 2
    LATE_DISCARD = 3
    OFFER = 4
    ACCEPT = 5
    INTERRUPT = 6
    STOP = 7
    CLOSE = 8
    LAST_CALL = 9
    OVER = 10


class Termination(StrEnum):
    """Why a match ends: the end roll or the last deal card (B7.3), or no turns left (B3.5)."""

    END_ROLL = "end roll"
    LAST_DEAL = "last deal"
    MAX_TURNS = "max turns"


class Position(Table, Phased):
    """A match in progress. Every attribute but ``answers``, ``hands`` and ``money`` holds an immutable value, so
    :meth:`copy` is a handful of assignments.

    ``hands`` and ``discards`` are counts by kind; ``pile`` is the order of the draw pile, drawn from index ``drawn``
    on; ``travel_cards`` holds the kind of card that lies on each travelling placard; ``queue`` are plays that wait to
    take effect in initiative order, ``play`` the one that a STOP question is about, ``queue_of`` the phase that the
    queue belongs to, ``to_close`` the closing named before a last call; ``offered`` are all terms offered under this
    Boss, and while seats are asked to accept, the last of them are the new ones of this tick; ``fresh`` says whether
    something new has happened in this tick (B4.9); ``played`` holds, for each time that all seats were asked for plays
    in this tick, the seats whose plays took effect, in that order.
    """

    __slots__ = (
        "answers",
        "asks",
        "chance",
        "discards",
        "drawn",
        "fresh",
        "hands",
        "initiative",
        "ledger",
        "listed",
        "listed_for",
        "money",
        "new_boss",
        "offered",
        "on_turn",
        "phase",
        "pile",
        "play",
        "played",
        "queue",
        "queue_of",
        "quiet",
        "reshuffles",
        "shown",
        "side_orders",
        "termination",
        "tick",
        "to_close",
        "travel_cards",
        "turn",
        "waiting",
    )

    def begin(self, layout: Layout, chance: Chance) -> None:
        """Fill in every attribute: nothing has been dealt yet. This is no ``__init__``, so that a copy costs less."""
        players = layout.players
        self.layout = layout
        self.chance = chance
        self.phase = Phase.MARKER
        self.asks: tuple[Ask, ...] = ()
        self.answers: list[Move | None] = []
        self.waiting = 0
        self.shown: View | None = None
        self.listed: tuple[Move, ...] = ()
        self.listed_for = 0
        self.hands: list[bytes] = [NO_CARDS] * players
        self.money = [0] * players
        self.discards = NO_CARDS
        self.pile = b""
        self.drawn = 0
        self.reshuffles = 0
        self.owners = b""
        self.travelling = 0
        self.travel_cards = bytes(6)
        self.laid = (NO_CLANS,) * players
        self.offers: tuple[tuple[Offer, ...], ...] = ((),) * players
        self.agreements = ()
        self.offered: tuple[OpenOffer, ...] = ()
        self.active = 0
        self.marker = 0
        self.covered = 0
        self.deal = 0
        self.turn = 0
        self.on_turn = 0
        self.rolled = False
        self.must_deal = False
        self.failed_here = False
        self.excess = (0,) * players
        self.cards_only = False
        self.boss = NOBODY_SEAT
        self.tick = 0
        self.quiet = 0
        self.fresh = False
        self.new_boss = False
        self.initiative: tuple[int, ...] = ()
        self.side_orders = 0
        self.queue: tuple[tuple[int, Move], ...] = ()
        self.queue_of = Phase.INTERRUPT
        self.play: tuple[int, Play] | None = None
        self.played: tuple[tuple[int, ...], ...] = ()
        self.to_close: NamedClosing | None = None
        self.ledger: tuple[ClosedDeal, ...] = ()
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
        new.discards = self.discards
        new.pile = self.pile
        new.drawn = self.drawn
        new.reshuffles = self.reshuffles
        new.owners = self.owners
        new.travelling = self.travelling
        new.travel_cards = self.travel_cards
        new.laid = self.laid
        new.offers = self.offers
        new.agreements = self.agreements
        new.offered = self.offered
        new.active = self.active
        new.marker = self.marker
        new.covered = self.covered
        new.deal = self.deal
        new.turn = self.turn
        new.on_turn = self.on_turn
        new.rolled = self.rolled
        new.must_deal = self.must_deal
        new.failed_here = self.failed_here
        new.excess = self.excess
        new.cards_only = self.cards_only
        new.boss = self.boss
        new.tick = self.tick
        new.quiet = self.quiet
        new.fresh = self.fresh
        new.new_boss = self.new_boss
        new.initiative = self.initiative
        new.side_orders = self.side_orders
        new.queue = self.queue
        new.queue_of = self.queue_of
        new.play = self.play
        new.played = self.played
        new.to_close = self.to_close
        new.ledger = self.ledger
        new.termination = self.termination
        return new

    def ask_everyone(self, phase: Phase, hook: str) -> None:
        """Ask every seat the same question, in seat order."""
        self.ask(phase, ask_every_seat(hook, self.layout.players))

    def spend(self, seat: int, kind: int, count: int = 1) -> None:
        """Move cards from a hand to the discard pile."""
        self.hands[seat] = change_count(self.hands[seat], kind, -count)
        self.discards = change_count(self.discards, kind, count)

    def lay(self, seat: int, families: tuple[Family, ...], log: Log) -> None:
        """Lay clan cards from a hand face up (B5.1): that counts as new, and the seat becomes active (B8)."""
        hand, laid = bytearray(self.hands[seat]), bytearray(self.laid[seat])
        for family in families:
            index = FAMILY_ID[family]
            hand[index] -= 1
            laid[index] += 1
        self.hands[seat] = bytes(hand)
        self.laid = (*self.laid[:seat], bytes(laid), *self.laid[seat + 1 :])
        self.active |= 1 << seat
        self.fresh = True
        if log is not None:
            log.append(Laid(seat, families))

    def draw(self, seat: int, count: int, log: Log) -> None:
        """Draw cards; the shuffled discard pile replaces an empty draw pile (B3.2)."""
        hand, before = bytearray(self.hands[seat]), self.hands[seat]
        for _ in range(count):
            if self.drawn == len(self.pile) and not self._reshuffle(log):
                break
            hand[self.pile[self.drawn]] += 1
            self.drawn += 1
        self.hands[seat] = bytes(hand)
        if log is not None:
            got = bytes(now - then for now, then in zip(hand, before, strict=True))
            log.append(Drew(seat, sum(got), list_cards(got)))

    def _reshuffle(self, log: Log) -> bool:
        count = sum(self.discards)
        if not count:
            return False
        self.reshuffles += 1
        self.shuffle_in(self.discards, log)
        self.discards = NO_CARDS
        if log is not None:
            log.append(Reshuffled(count))
        return True

    def draw_anew(self, chance: Chance) -> None:
        """Let all future chance follow ``chance``: rolls, shuffles, initiatives, and the order of the draw pile."""
        self.chance = chance
        left = self.pile[self.drawn :]
        order = chance.permutation(len(left), "draw pile", self.reshuffles, self.drawn)
        self.pile = self.pile[: self.drawn] + put_in_order(left, order)

    def shuffle_in(self, counts: bytes, log: Log) -> None:
        """Make a shuffled draw pile of the cards in ``counts``."""
        cards = lay_out(counts)
        order = self.chance.permutation(len(cards), "deck", self.reshuffles)
        self.pile, self.drawn = put_in_order(cards, order), 0
        if log is not None:
            log.append(Chanced("deck", (self.reshuffles,), tuple(CARDS[kind].value for kind in self.pile)))

    def next_space(self, steps: int) -> int:
        """The space ``steps`` uncovered spaces clockwise of the marker (B3.1)."""
        space, spaces = self.marker, len(self.layout.rules.spaces)
        while steps:
            space = (space + 1) % spaces
            if not self.covered >> space & 1:
                steps -= 1
        return space

    def return_clans(self, seat: int) -> None:
        """Take a seat's laid clan cards back into its hand (B6.1)."""
        hand, laid = self.hands[seat], self.laid[seat]
        self.hands[seat] = add_counts(hand[:TRAVEL], laid) + hand[TRAVEL:]
        self.laid = (*self.laid[:seat], NO_CLANS, *self.laid[seat + 1 :])
