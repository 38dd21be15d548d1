"""A second bookkeeping of the card game: cards, tokens, disks and money followed from the log alone, by hand as it
were. It also draws the cards itself, from the decks that chance laid out."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena.games.cards import events
from arena.games.cards.cards import CARDS, Card, X, front_listed
from arena.games.cards.moves import Pass, Play, Propose
from arena.games.contract import Chanced, Event

WORTH = {f"{color} {worth:+}": worth for color in ("blue", "green", "red") for worth in (*range(-5, -1), *range(1, 5))}
CENTRE = -1


class Follower:
    """Hands, the deck, the discard pile with what of it was seen, what lies on the table, disks, tokens, money."""

    def __init__(self, players: int, rules: Any) -> None:
        self.players, self.rules = players, rules
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        self.table: dict[int, Counter[str]] = {place: Counter() for place in range(-1, players)}
        self.discards: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.deck: list[str] = []
        self.next_deck: list[str] = []
        self.taken: list[str] = []  # drawn, but the log has not yet said so
        self.exes = 0
        self.disk = rules.deck.x == 3
        self.disks = [0] * players
        self.cousins: set[int] = set()
        self.money = [rules.start_money] * players
        self.boss, self.round, self.color = -1, 0, ""
        self.offer: Any = None

    def follow(self, event: Event) -> None:
        """One event."""
        match event:
            case Chanced("deck", index, value):
                assert isinstance(value, tuple)
                if index == (0,):
                    self.deck = list(map(str, value))
                else:
                    assert "x" not in self.deck
                    self.taken, self.deck = [*self.taken, *self.deck], []
                    self.next_deck = list(map(str, value))
            case events.Reshuffled(count, third_x):
                assert third_x == self.disk
                pile = list(self.discards.elements()) + ["x"] * third_x
                assert sorted(pile) == sorted(self.next_deck)
                assert count == len(pile)
                self.deck, self.disk = self.next_deck, False
                self.discards.clear()
                self.seen.clear()
            case events.XOpened(_, multiplier):
                top = self.deck.index("x")
                self.taken, self.deck = [*self.taken, *self.deck[:top]], self.deck[top + 1 :]
                self.exes += 1
                assert multiplier == 2 + self.exes
            case events.Drew(seat, count, cards):
                missing = count - len(self.taken)
                self.taken, self.deck = [*self.taken, *self.deck[:missing]], self.deck[missing:]
                assert sorted(self.taken) == sorted(cards)
                assert count == len(cards)
                self.hands[seat].update(cards)
                self.taken = []
            case events.RoundBegan(number, boss):
                assert number == self.round + 1
                assert self.round == 0 or boss == (self.boss + 1) % self.players
                self.round, self.boss, self.color = number, boss, ""
            case events.Led(seat, card):
                assert seat == self.boss
                self.color = card.split()[0]
                move(card, self.hands[seat], self.table[CENTRE])
            case events.ColorNamed(seat, color):
                assert seat == self.boss
                assert not [card for card in WORTH if self.hands[seat][card]]
                self.color = color
            case events.Settled(number, boss, value, amounts):
                assert (number, boss) == (self.round, self.boss)
                self.settle(value, amounts)
            case events.Discarded(seat, count, cards):
                assert 0 < count == len(cards) <= self.rules.discards_between_rounds
                for card in cards:
                    move(card, self.hands[seat], self.discards)
            case _:
                self.follow_turn(event)

    def follow_turn(self, event: Event) -> None:
        """One event of a seat's turn."""
        match event:
            case events.Proposed(_, action):
                self.offer = Propose(action)
            case events.Requested(to, want, least):
                assert self.may_become_cousin(to)
                self.offer = (to, want, least)
            case events.Refused():
                assert self.offer is not None
                self.offer = None
            case events.CousinMade(seat):
                assert self.offer is not None
                assert self.may_become_cousin(seat)
                self.cousins.add(seat)
            case events.Played(seat, card, to):
                self.check_agreed(event)
                assert self.disks[seat] < 2
                assert card.split()[0] in (self.color, "wild")
                assert to is None or self.disks[to] < 2
                if "move" in card:
                    self.discard(card, self.hands[seat])
                else:
                    move(card, self.hands[seat], self.table[CENTRE if to is None else to])
            case events.Shifted(_, card, source, to):
                assert source is None or self.disks[source] < 2
                lying = self.table[CENTRE if source is None else source]
                if to is None:
                    self.discard(card, lying)
                else:
                    assert self.disks[to] < 2
                    move(card, lying, self.table[to])
            case events.Dropped(seat, card):
                self.check_agreed(event)
                self.discard(card, self.hands[seat])
            case events.Passed(seat, disks):
                self.check_agreed(event)
                assert self.disks[seat] < disks <= 2
                self.disks[seat] = disks

    def may_become_cousin(self, seat: int) -> bool:
        """Whether there is a token and the seat may have it."""
        free = len(self.cousins) < self.rules.cousins[self.players]
        return free and seat not in self.cousins and seat != self.boss and self.disks[seat] < 2

    def check_agreed(self, event: Event) -> None:
        """What a seat does is what it has become a Cousin for, where it was for something."""
        offer, self.offer = self.offer, None
        match offer:
            case Propose(Pass()):
                assert isinstance(event, events.Passed)
            case Propose(Play(card, to, _)):
                assert isinstance(event, events.Played)
                assert (event.card, event.to) == (card, to)
            case Propose(action):
                assert isinstance(event, events.Dropped)
                assert event.card == action.card
            case (seat, want, least):
                self.check_kind(event, seat, want, least)
            case None:
                assert not isinstance(event, events.Dropped)

    def check_kind(self, event: Event, seat: int, want: str, least: int) -> None:
        """The same for a kind of action."""
        assert getattr(event, "seat", None) == seat
        card = str(getattr(event, "card", ""))
        match want:
            case "pass":
                assert isinstance(event, events.Passed)
            case "reverse":
                assert isinstance(event, events.Dropped)
                assert "reverse" in card
            case "pota":
                assert isinstance(event, events.Played)
                assert "pota" in card
                assert event.to == self.boss
            case "positive":
                assert isinstance(event, events.Played)
                assert WORTH[card] >= least
            case "negative":
                assert isinstance(event, events.Played)
                assert WORTH[card] <= -least
            case _:
                assert want == "gift"
                assert not isinstance(event, events.Dropped)

    def discard(self, card: str, source: Counter[str]) -> None:
        """A card that everybody sees onto the pile."""
        move(card, source, self.discards)
        self.seen[card] += 1

    def settle(self, value: int, amounts: tuple[int, ...]) -> None:
        """The end of a round: what it is worth and what everybody gets is worked out once more."""
        assert self.disks == [2] * self.players
        worth = self.rules.factor * (2 + self.exes) * sum(WORTH[card] for card in self.table[CENTRE].elements())
        if self.rules.limit is not None:
            limit = self.rules.limit[self.players]
            worth = min(limit, worth) if worth > 0 else max(-limit, worth)
        assert value == worth
        for seat in range(self.players):
            front = list(self.table[seat].elements())
            shares = sum("pota" in card for card in front) + (seat in self.cousins) + (seat == self.boss)
            due = shares * worth * (-1) ** sum("reverse" in card for card in front)
            assert amounts[seat] == (due if due >= 0 else -min(-due, self.money[seat]))
            self.money[seat] += amounts[seat]
        for lying in self.table.values():
            for card in list(lying.elements()):
                self.discard(card, lying)
        self.disks, self.cousins, self.color = [0] * self.players, set(), ""

    def check(self, state: Any) -> None:
        """That the engine's position is the same."""
        assert [positive(hand) for hand in self.hands] == list(map(counts, state.hands))
        assert positive(self.discards) == counts(state.discards)
        assert positive(self.seen) == counts(state.known)
        assert self.deck == ["x" if kind == X else CARDS[kind] for kind in state.deck[state.drawn :]]
        if self.color:
            first = CARDS.index(Card(f"{self.color} +1"))
            centre = {CARDS[first + place]: count for place, count in enumerate(state.spread.centre) if count}
            assert positive(self.table[CENTRE]) == centre
            for seat in range(self.players):
                front = front_listed(state.color, state.spread.fronts[seat])
                assert sorted(self.table[seat].elements()) == sorted(front)
        assert (self.exes, self.disk) == (state.exes, state.third_x)
        assert self.disks == list(state.passes)
        assert self.cousins == {seat for seat in range(self.players) if state.cousins >> seat & 1}
        assert self.money == state.money

    @property
    def cards(self) -> int:
        """All cards that are followed, X cards too."""
        held = [*self.hands, *self.table.values(), self.discards]
        return sum(map(Counter.total, held)) + len(self.deck) + self.exes + self.disk


def move(card: str, source: Counter[str], target: Counter[str]) -> None:
    """One card from here to there."""
    assert source[card] > 0, card
    source[card] -= 1
    target[card] += 1


def positive(counter: Counter[str]) -> dict[str, int]:
    """The cards of which there are any."""
    return {card: count for card, count in counter.items() if count}


def counts(cards: bytes) -> dict[str, int]:
    """The same from counts by kind."""
    return {CARDS[kind]: count for kind, count in enumerate(cards) if count}
