"""Scenarios: a position of the card game written down in a few words, and played on move by move.

Cards are written as ``"blue +1, 2 red pota"``, in the deck also as ``"x"``, top first. Cards nobody is given are in the
deck, in card order and without X cards. Unless said otherwise four sit at the table, seat 0 is the Boss of the first
round and is asked to lead; with a colour the round is under way and the Boss's left neighbour is on turn.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.errors import IllegalMove
from arena.games.cards import GAME
from arena.games.cards.cards import (
    CARD_ID,
    CARDS,
    COLORS,
    FRONT_PLACES,
    NO_FRONT,
    NO_VALUES,
    SUIT_KINDS,
    Card,
    Color,
    X,
    centre_listed,
    front_listed,
    list_cards,
)
from arena.games.cards.moves import (
    ENOUGH_MOVES,
    NO_BARGAIN,
    PASS,
    PASS_TWICE,
    Action,
    Discard,
    Drop,
    Lead,
    NameColor,
    Play,
    Propose,
    Request,
    Shift,
    Want,
)
from arena.games.cards.phases import rounds
from arena.games.cards.state import State
from arena.games.cards.views import CardsView
from arena.games.chance import Chance, ScriptedChance
from arena.games.contract import NO, YES, Event, Move
from arena.games.hand_counts import change_count

Script = Mapping[tuple[str | int, ...], int | tuple[int, ...]]


def cards(text: str) -> tuple[Card, ...]:
    """``"blue +1, 2 red pota"``, in card order."""
    found: list[Card] = []
    for part in filter(None, map(str.strip, text.split(","))):
        count, _, name = part.partition(" ")
        found += [Card(name)] * int(count) if count.isdigit() else [Card(part)]
    return tuple(sorted(found, key=CARD_ID.__getitem__))


def counts(text: str) -> bytes:
    """The counts by kind of a list of cards."""
    return bytes(map(cards(text).count, CARDS))


def play(card: str, to: int | None = None, *shifts: Shift) -> Play:
    """Playing a card; a move card in a proposal with its moves."""
    return Play(Card(card), to, shifts)


def drop(card: str) -> Drop:
    """Discarding a card without effect."""
    return Drop(Card(card))


def shift(card: str, source: int | None = None, to: int | None = None) -> Shift:
    """One move of a move card."""
    return Shift(Card(card), source, to)


def edition(*variants: str, **changes: Any) -> Any:
    """The rules of the card game with variants and single keys."""
    return _edition(variants, repr(changes))


@cache
def _edition(variants: tuple[str, ...], changes: str) -> Any:
    return load_edition("card-game", variants, literal_eval(changes)).rules


class Scenario:
    """A position and what is played from it."""

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        *variants: str,
        players: int = 4,
        boss: int = 0,
        number: int = 1,
        color: str | None = None,
        on_turn: int | None = None,
        centre: str = "",
        fronts: Mapping[int, str] | None = None,
        passes: Mapping[int, int] | None = None,
        cousins: tuple[int, ...] = (),
        money: Mapping[int, int] | None = None,
        exes: int = 0,
        third_x: bool = True,
        discards: str = "",
        deck: str | None = None,
        shuffled: Mapping[int, str] | None = None,
        composition: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> None:
        """``number`` is the round's; ``centre`` and ``fronts`` lie on the table, ``exes`` X cards are open;
        ``discards`` lie face up; ``shuffled`` is what the deck looks like after the first, second … reshuffle;
        ``composition`` changes what cards there are. Other keys change rules.
        """
        if composition is not None:
            changes["deck"] = composition
        self.players, self.rules, self.log = players, edition(*variants, **changes), list[Event]()
        state = GAME.start(self.rules, players, ScriptedChance("scenario", {("boss",): boss}), None)
        assert isinstance(state, State)
        self.state = state
        state.hands = [counts((hands or {}).get(seat, "")) for seat in range(players)]
        state.money = [(money or {}).get(seat, have) for seat, have in enumerate(state.money)]
        state.discards = state.known = counts(discards)
        state.exes, state.third_x, state.round = exes, third_x, number
        if color is not None:
            state.color = COLORS.index(Color(color))
            laid = [front(color, (fronts or {}).get(seat, "")) for seat in range(players)]
            state.spread = state.spread._replace(centre=values(color, centre), fronts=tuple(laid))
            state.passes = bytes((passes or {}).get(seat, 0) for seat in range(players))
            state.cousins = sum(1 << seat for seat in cousins)
            state.tokens -= len(cousins)
            state.on_turn = boss if on_turn is None else (on_turn - 1) % players
            rounds.next_turn(state, None)
        self._fill_deck(deck)
        for count, text in (shuffled or {}).items():
            self._script_shuffle(count, text)

    def _fill_deck(self, deck: str | None) -> None:
        state = self.state
        if deck is not None:
            state.deck = kinds(deck)
        else:
            rest = list(self.rules.deck.counts())
            on_table = [
                CARD_ID[card] for card in (*self.centre, *(c for seat in range(self.players) for c in self.front(seat)))
            ]
            for held in (*state.hands, state.discards, bytes(map(on_table.count, range(len(CARDS))))):
                rest = [left - count for left, count in zip(rest, held, strict=True)]
            assert min(rest) >= 0, "more cards than there are"
            state.deck = bytes(kind for kind, count in enumerate(rest) for _ in range(count))
        state.drawn = 0

    def _script_shuffle(self, number: int, text: str) -> None:
        """A reshuffle puts these cards on top of each other: the pile is laid out in card order, the X behind it."""
        wanted, chance = list(kinds(text)), self.state.chance
        assert isinstance(chance, ScriptedChance)
        places = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
        order = [0] * len(wanted)
        for sorted_place, place in enumerate(places):
            order[place] = sorted_place
        chance.script["deck", number] = tuple(order)

    # what is asked

    @property
    def asked(self) -> str:
        """What is asked now: lead, propose, answer, request, accept, play, move, discard, over."""
        return self.state.phase.name.lower()

    @property
    def seats_asked(self) -> tuple[int, ...]:
        """The seats asked now, in the order of the asks."""
        return tuple(ask.seat for ask in self.state.asks)

    @property
    def on_turn(self) -> int:
        """Whose turn it is."""
        return self.state.on_turn

    def legal(self, seat: int | None = None) -> tuple[Move, ...]:
        """The legal moves of a seat (of the only one asked)."""
        return self.state.legal(self._index(seat))

    def view(self, seat: int | None = None) -> Any:
        """The view of a seat (of the only one asked)."""
        view = self.state.view(self._index(seat))
        assert isinstance(view, CardsView)
        return view

    def _index(self, seat: int | None) -> int:
        if seat is None:
            assert len(self.state.asks) == 1
            return 0
        return self.seats_asked.index(seat)

    # what is answered

    def answer(self, move: Move, *asked: str) -> Scenario:
        """The answer of the only seat asked, to one of these questions."""
        assert not asked or self.asked in asked, f"{self.asked} is asked, not {asked}"
        self.state.apply(self._index(None), move, self.log)
        return self

    def refused(self, move: Move, seat: int | None = None) -> str:
        """The number of the rule that refuses ``move``; fails where it is legal."""
        with pytest.raises(IllegalMove) as raised:
            self.state.apply(self._index(seat), move, self.log)
        return raised.value.rule

    def allows(self, move: Move) -> bool:
        """Whether the only seat asked may answer this."""
        return self.state.refusal(self._index(None), move) is None

    def leads(self, card: str) -> Scenario:
        """The Boss leads a card."""
        return self.answer(Lead(Card(card)), "lead")

    def names(self, color: str) -> Scenario:
        """The Boss names a colour."""
        return self.answer(NameColor(Color(color)), "lead")

    def proposes(self, action: Action) -> Scenario:
        """The seat on turn offers the Boss an action for a token."""
        return self.answer(Propose(action), "propose")

    def requests(self, want: str, least: int = 0) -> Scenario:
        """The Boss offers the seat on turn a token for a kind of action; the seat itself has offered nothing."""
        if self.asked == "propose":
            self.answer(NO_BARGAIN)
        return self.answer(Request(Want(want), least), "request")

    def says_yes(self) -> Scenario:
        """The offer on the table is accepted."""
        return self.answer(YES, "answer", "accept")

    def says_no(self) -> Scenario:
        """The offer on the table is refused."""
        return self.answer(NO, "answer", "accept")

    def no_bargain(self) -> Scenario:
        """Nobody offers anything (any more) before the seat on turn acts."""
        while self.asked in ("propose", "request"):
            self.answer(NO_BARGAIN)
        assert self.asked == "play"
        return self

    def turn(self, seat: int) -> Scenario:
        """Makes sure that it is the turn of ``seat``."""
        assert self.on_turn == seat
        return self

    def plays(self, card: str, to: int | None = None) -> Scenario:
        """The seat on turn plays a card, without more bargaining."""
        return self.no_bargain().answer(play(card, to))

    def drops(self, card: str) -> Scenario:
        """The seat on turn discards a card without effect, as agreed."""
        return self.no_bargain().answer(drop(card))

    def moves(self, card: str, source: int | None = None, to: int | None = None) -> Scenario:
        """The next move of the move card in use."""
        return self.answer(shift(card, source, to), "move")

    def enough(self) -> Scenario:
        """No more moves."""
        return self.answer(ENOUGH_MOVES, "move")

    def passes(self, *seats: int) -> Scenario:
        """The seat on turn (or each of ``seats``, in this order) turns one disk, without more bargaining."""
        for seat in seats or (self.on_turn,):
            self.turn(seat).no_bargain().answer(PASS)
        return self

    def passes_twice(self, *seats: int) -> Scenario:
        """The seat on turn (or each of ``seats``, in this order) turns both disks."""
        for seat in seats or (self.on_turn,):
            self.turn(seat).no_bargain().answer(PASS_TWICE)
        return self

    def all_out(self) -> Scenario:
        """Everybody turns the disks there are still to turn; the round is over."""
        number = self.state.round
        while self.state.round == number and self.asked in ("propose", "request", "play"):
            self.no_bargain().answer(PASS if self.state.passes[self.on_turn] else PASS_TWICE)
        return self

    def discards(self, chosen: Mapping[int, str] | None = None) -> Scenario:
        """Between rounds the seats named discard cards, the others none."""
        assert self.asked == "discard"
        for index, seat in enumerate(self.seats_asked):
            self.state.apply(index, Discard(cards((chosen or {}).get(seat, ""))), self.log)
        return self

    # what lies where

    def hand(self, seat: int) -> tuple[Card, ...]:
        """A hand, in card order."""
        return list_cards(self.state.hands[seat])

    def front(self, seat: int) -> tuple[Card, ...]:
        """What lies in front of a seat, in card order."""
        return front_listed(self.state.color, self.state.spread.fronts[seat])

    @property
    def centre(self) -> tuple[Card, ...]:
        """The cards in the centre, in card order."""
        return centre_listed(self.state.color, self.state.spread.centre)

    @property
    def discard_pile(self) -> tuple[Card, ...]:
        """The discard pile, in card order."""
        return list_cards(self.state.discards)

    @property
    def deck(self) -> tuple[str, ...]:
        """What is left to draw, top first."""
        return tuple("x" if kind == X else CARDS[kind].value for kind in self.state.deck[self.state.drawn :])

    def said(self, kind: type[Event]) -> list[Any]:
        """The events of a kind so far."""
        return [event for event in self.log if isinstance(event, kind)]

    @property
    def told(self) -> list[str]:
        """What happened so far in sentences."""
        say = GAME.tell(self.rules, ("Amy", "Bill", "Cora", "Dan", "Eve", "Finn")[: self.players])
        return [said for event in self.log if (said := say(event)) is not None]


def kinds(deck: str) -> bytes:
    """A deck, top first: ``"x, blue +1"``."""
    names = list(filter(None, map(str.strip, deck.split(","))))
    return bytes(X if name == "x" else CARD_ID[Card(name)] for name in names)


def values(color: str, text: str) -> bytes:
    """The counts of the values in the centre."""
    found = NO_VALUES
    for card in cards(text):
        assert card.color == color
        assert card.worth
        found = change_count(found, CARD_ID[card] % SUIT_KINDS, 1)
    return found


def front(color: str, text: str) -> bytes:
    """The counts of what lies in front of a seat."""
    found = NO_FRONT
    for card in cards(text):
        assert card.color in (color, None)
        place = FRONT_PLACES[CARD_ID[card]]
        assert place is not None
        found = change_count(found, place, 1)
    return found


def settled(
    centre: str, fronts: Mapping[int, str] | None = None, *variants: str, **more: Any
) -> tuple[int, tuple[int, ...]]:
    """What a blue round with this on the table settles at, and what each seat receives."""
    table = Scenario(
        None, *variants, color="blue", centre=centre, fronts=fronts, money=dict.fromkeys(range(6), 1000), **more
    )
    deal = table.all_out().state.ledger[-1]
    return deal.value, deal.amounts


def fresh(players: int, /, *variants: str, seed: str = "set-up", script: Script | None = None, **changes: Any) -> State:
    """A match just set up, the Boss not yet asked."""
    chance = Chance(seed) if script is None else ScriptedChance(seed, script)
    state = GAME.start(edition(*variants, **changes), players, chance, None)
    assert isinstance(state, State)
    return state
