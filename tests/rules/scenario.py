"""Scenarios: a position of the board game written down in a few words, and played on move by move.

Cards are written as ``"clan red, 2 stop"``, families as ``"red blue"``. Placards nobody is given lie aside; cards
nobody is given are in the draw pile, in kind order. Unless said otherwise seat 0 is on turn, the marker stands
on space 0 (red, yellow, blue and two of magenta, orange, green; 6 dividends) and initiative goes by seat number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.errors import IllegalMove
from arena.games.board import GAME
from arena.games.board.cards import CARD_ID, CARDS, FAMILIES, FAMILY_ID, Card, Family, clans_listed, list_cards
from arena.games.board.events import Fizzled
from arena.games.board.moves import (
    GO_ON,
    PASS,
    STOP_IT,
    UNCHANGED,
    Agreement,
    Close,
    GiveUp,
    Lay,
    Offer,
    Offers,
    Open,
    PlaceMarker,
    Travel,
)
from arena.games.board.phases import turn
from arena.games.board.state import State
from arena.games.board.views import BoardView
from arena.games.chance import Chance, ScriptedChance
from arena.games.contract import NO, YES, Event, Move

Script = Mapping[tuple[str | int, ...], int | tuple[int, ...]]


def families(text: str) -> tuple[Family, ...]:
    """``"red blue"``."""
    return tuple(map(Family, text.split()))


def cards(text: str) -> tuple[Card, ...]:
    """``"clan red, 2 stop"``, in kind order."""
    found: list[Card] = []
    for part in filter(None, map(str.strip, text.split(","))):
        count, _, name = part.partition(" ")
        found += [Card(name)] * int(count) if count.isdigit() else [Card(part)]
    return tuple(sorted(found, key=CARD_ID.__getitem__))


def counts(text: str) -> bytes:
    """The counts by kind of a list of cards."""
    return bytes(map(cards(text).count, CARDS))


def offer(to: int, price: int, placards: str = "", clans: str = "") -> Offer:
    """An offer's terms."""
    return Offer(to, price, families(placards), families(clans))


def agreed(partner: int, price: int, placards: str = "", clans: str = "") -> Agreement:
    """An agreement's terms."""
    return Agreement(partner, price, families(placards), families(clans))


def close(placards: str = "", clans: str = "", *partners: Agreement) -> Close:
    """A closing with the Boss's own cards and the partners'."""
    return Close(families(placards), families(clans), partners)


def lay(clans: str) -> Lay:
    """A play of clan cards."""
    return Lay(families(clans))


def travel(family: str, clan_of: int | None = None, wild: bool = False) -> Travel:
    """A play of a travel card."""
    return Travel(Family(family), clan_of, wild)


def edition(name: str, *variants: str, **changes: Any) -> Any:
    """The rules of an edition with variants and single keys."""
    return _edition(name, variants, json.dumps(changes))


@cache
def _edition(name: str, variants: tuple[str, ...], changes: str) -> Any:
    return load_edition(name, variants, json.loads(changes)).rules


class Scenario:
    """A position and what is played from it."""

    def __init__(
        self,
        name: str = "eagle-gryphon",
        *variants: str,
        placards: Iterable[str] = ("red", "yellow", "blue", "magenta"),
        hands: Mapping[int, str] | None = None,
        marker: int = 0,
        deal: int = 1,
        covered: Iterable[int] = (),
        on_turn: int = 0,
        discards: str = "",
        pile: str | None = None,
        die: int | None = None,
        end: Mapping[int, int] | None = None,
        initiative: Callable[[int], tuple[int, ...]] | None = None,
        **changes: Any,
    ) -> None:
        """``placards`` by seat, one entry each; ``deal`` the number of the top deal card; ``die`` is what turn 1 rolls,
        ``end`` what the end roll of a deal card shows; ``initiative`` orders a tick. Other keys change rules.
        """
        held = [families(text) for text in placards]
        self.players = len(held)
        self.rules = edition(name, *variants, **changes)
        script: dict[tuple[str | int, ...], int | tuple[int, ...]] = {}
        for tick in range(1, 40):
            order = tuple(range(self.players)) if initiative is None else initiative(tick)
            script |= {("initiative", number, tick): order for number in range(1, 6)}
        script |= {("side initiative", number): tuple(range(self.players)) for number in range(5)}
        script |= {("end", number): face - 1 for number, face in (end or {}).items()}
        if die is not None:
            script["die", 1] = die - 1
        state = GAME.start(self.rules, self.players, ScriptedChance("scenario", script), None)
        assert isinstance(state, State)
        self.state, self.log = state, list[Event]()
        owner = {family: seat for seat, owned in enumerate(held) for family in owned}
        state.owners = bytes(owner.get(family, 255) for family in FAMILIES)
        state.hands = [counts((hands or {}).get(seat, "")) for seat in range(self.players)]
        state.discards = counts(discards)
        self._fill_pile(pile)
        state.marker, state.deal = marker, state.layout.cards.index(deal)
        state.covered = sum(1 << space for space in covered)
        turn.begin_turn(state, on_turn, self.log)

    def _fill_pile(self, pile: str | None) -> None:
        state = self.state
        if pile is not None:
            state.pile = bytes(CARD_ID[Card(name.strip())] for name in filter(None, pile.split(",")))
        else:
            rest = list(self.rules.deck.counts())
            for held in (*state.hands, state.discards):
                rest = [left - count for left, count in zip(rest, held, strict=True)]
            assert min(rest) >= 0, "more cards than there are"
            state.pile = bytes(kind for kind, count in enumerate(rest) for _ in range(count))
        state.drawn = 0

    # what is asked

    @property
    def asked(self) -> str:
        """The hook asked now; ``"stop"`` for a STOP question, ``"last call"``, ``"late discard"``, ``"over"``."""
        state = self.state
        if not state.asks:
            return "over"
        ask = state.asks[0]
        if ask.topic is not None and ask.hook == "interrupt":
            return "stop"
        if ask.hook == "interrupt" and state.to_close is not None:
            return "last call"
        return "late discard" if state.cards_only else ask.hook

    @property
    def seats_asked(self) -> tuple[int, ...]:
        """The seats asked now, in the order of the asks."""
        return tuple(ask.seat for ask in self.state.asks)

    @property
    def questions(self) -> list[tuple[int, int, Offer]]:
        """Offers asked about: addressee, who made it, the offer."""
        return [(ask.seat, *ask.topic) for ask in self.state.asks]

    def legal(self, seat: int | None = None) -> tuple[Move, ...]:
        """The legal moves of a seat (of the only one asked)."""
        return self.state.legal(self._index(seat))

    def view(self, seat: int | None = None) -> Any:
        """The view of a seat (of the only one asked)."""
        view = self.state.view(self._index(seat))
        assert isinstance(view, BoardView)
        return view

    def _index(self, seat: int | None) -> int:
        if seat is None:
            assert len(self.state.asks) == 1
            return 0
        return self.seats_asked.index(seat)

    # what is answered

    def answer(self, answers: Mapping[int, Move], idle: Move) -> Scenario:
        """Answer a whole phase: the moves given by seat, ``idle`` for the others."""
        assert set(answers) <= set(self.seats_asked)
        for index, seat in enumerate(self.seats_asked):
            self.state.apply(index, answers.get(seat, idle), self.log)
        return self

    def play(self, move: Move) -> Scenario:
        """The answer of the only seat asked."""
        return self.answer({self.seats_asked[0]: move}, move) if len(self.state.asks) == 1 else self._only(move)

    def _only(self, move: Move) -> Scenario:
        raise AssertionError(f"{len(self.state.asks)} seats are asked, {move} answers for one")

    def refused(self, move: Move, seat: int | None = None) -> str:
        """The number of the rule that refuses ``move``; fails where it is legal."""
        index = self._index(seat)
        with pytest.raises(IllegalMove) as raised:
            self.state.apply(index, move, self.log)
        return raised.value.rule

    def open(self, clans: str = "") -> Scenario:
        """The seat on turn opens the deal, laying clan cards."""
        return self.play(Open(families(clans)))

    def offers(self, made: Mapping[int, Iterable[Offer]] | None = None) -> Scenario:
        """The offer phase: the full sets of those named."""
        assert self.asked == "offer"
        return self.answer({seat: Offers(tuple(them)) for seat, them in (made or {}).items()}, UNCHANGED)

    def accepts(self, *yes: int) -> Scenario:
        """The accept phase: the seats named say yes to everything they are asked, the others no."""
        assert self.asked == "accept"
        return self.answer(dict.fromkeys(yes, YES), NO)

    def accepts_of(self, *by: int) -> Scenario:
        """The accept phase: every offer made by one of these seats is accepted, no other."""
        assert self.asked == "accept"
        for index, (_, maker, _) in enumerate(self.questions):
            self.state.apply(index, YES if maker in by else NO, self.log)
        return self

    def plays(self, moves: Mapping[int, Move] | None = None) -> Scenario:
        """The interrupt phase, or the last call."""
        assert self.asked in ("interrupt", "last call")
        return self.answer(moves or {}, PASS)

    def stops(self, *seats: int) -> Scenario:
        """The STOP question."""
        assert self.asked == "stop"
        return self.answer(dict.fromkeys(seats, STOP_IT), PASS)

    def go_on(self) -> Scenario:
        """The Boss neither closes nor gives up."""
        assert self.asked == "close"
        return self.play(GO_ON)

    def idle_tick(self) -> Scenario:
        """A whole tick in which nobody does anything."""
        return self.offers().plays().go_on()

    def agree(self, partner: int, price: int, placards: str = "", clans: str = "") -> Scenario:
        """The Boss offers, the partner accepts; on to the interrupt phase."""
        return self.offers({self.state.boss: [offer(partner, price, placards, clans)]}).accepts(partner)

    def give_up(self) -> Scenario:
        """The Boss gives up."""
        assert self.asked == "close"
        return self.play(GiveUp())

    # what lies where

    def hand(self, seat: int) -> tuple[Card, ...]:
        """A hand, in kind order."""
        return list_cards(self.state.hands[seat])

    def laid(self, seat: int) -> tuple[Family, ...]:
        """The clan cards in front of a seat."""
        return clans_listed(self.state.laid[seat])

    @property
    def discards(self) -> tuple[Card, ...]:
        """The discard pile, in kind order."""
        return list_cards(self.state.discards)

    def owner(self, family: str) -> int | None:
        """Who owns a placard; None: it lies aside."""
        owner = self.state.owners[FAMILY_ID[Family(family)]]
        return None if owner == 255 else owner

    def travels(self, family: str) -> bool:
        """Whether a placard travels."""
        return bool(self.state.travelling >> FAMILY_ID[Family(family)] & 1)

    def open_offers(self, seat: int) -> tuple[Offer, ...]:
        """What a seat offers now."""
        return self.state.offers[seat]

    def said(self, kind: type[Event]) -> list[Any]:
        """The events of a kind so far."""
        return [event for event in self.log if isinstance(event, kind)]

    @property
    def fizzled(self) -> list[int]:
        """The seats whose plays and yeses fizzled so far."""
        return [event.seat for event in self.log if isinstance(event, Fizzled)]


def pair(name: str = "eagle-gryphon", *variants: str, **more: object) -> Scenario:
    """Space 1 (orange and green): the Boss has orange, seat 1 green, seats 2 and 3 the others."""
    settings = {"placards": ("orange", "green", "red blue", "yellow magenta"), "marker": 1, **more}
    return Scenario(name, *variants, **settings)  # type: ignore[arg-type]


def fresh(name: str, players: int, seed: str = "set-up", script: Script | None = None, **changes: Any) -> State:
    """A match just set up, the marker not yet placed."""
    chance = Chance(seed) if script is None else ScriptedChance(seed, script)
    state = GAME.start(edition(name, **changes), players, chance, None)
    assert isinstance(state, State)
    return state


def placed(state: State, space: int = 0) -> State:
    """The same with the marker placed."""
    state.apply(0, PlaceMarker(space))
    return state
