"""What chance could have brought instead in the board game: the first seat, cards, rolls (B2.3, B3.1, B3.2, B7.3).

The features are numbers that should correlate with money still to come. *Now* weights them by what one dividend is
worth at the moment, in $M; *later* by what all deals to come are worth on average, in units of $100M. Placards and
initiative orders are random too, but no feature says who gains by them, so their luck stays in the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from arena.games.board import events
from arena.games.board.answers.seat import layout_of
from arena.games.board.cards import (
    BOSS,
    CARD_ID,
    CARD_KINDS,
    FAMILIES,
    FAMILY_ID,
    RECRUITMENT,
    STOP,
    TRAVEL,
    WILD,
    Card,
)
from arena.games.board.moves import Recruit, TakeOver, Travel
from arena.games.board.rules import Layout, Rules
from arena.games.chances import ChanceEvent, Gain
from arena.games.contract import Chanced, Event
from arena.games.identity import SameObject

FIRST_TURNS = tuple(f"first turn {place} seats before" for place in range(6))
CARDS_OF = ("clan", "travel", "recruitment", "boss", "stop", "family in hand or front", "recruitment triple", "placard")
FEATURES = (
    *FIRST_TURNS,
    *(f"{each}, {when}" for each in CARDS_OF for when in ("now", "later")),
    "next deal",
    "deals to come",
    "on turn",
    "on turn: proceeds",
    "on turn: proceeds by need",
    "on turn: proceeds of own families",
    "on turn: proceeds of complete families",
    "not on turn: proceeds of own placards",
    "not on turn: proceeds of own families",
)
FEATURE_NUMBERS = {name: number for number, name in enumerate(FEATURES)}
(
    CLAN_FEATURE,
    TRAVEL_FEATURE,
    RECRUITMENT_FEATURE,
    BOSS_FEATURE,
    STOP_FEATURE,
    FAMILY_FEATURE,
    TRIPLE_FEATURE,
    PLACARD_FEATURE,
) = (FEATURE_NUMBERS[f"{each}, now"] for each in CARDS_OF)
NEXT_DEAL, COMING_DEALS = FEATURE_NUMBERS["next deal"], FEATURE_NUMBERS["deals to come"]
ON_TURN = FEATURE_NUMBERS["on turn"]
OFF_TURN = FEATURE_NUMBERS["not on turn: proceeds of own placards"]
LATER_SCALE = 100


@lru_cache(maxsize=32)
def _to_come(same: SameObject[Layout]) -> tuple[float, ...]:
    return to_come(same.it)


def to_come(layout: Layout) -> tuple[float, ...]:
    """By deal index, the average worth of this deal and all later ones together, in $M; a last entry of 0 follows."""
    spaces = layout.rules.spaces
    found = [0.0]
    for deal in reversed(range(len(layout.cards))):
        ends = sum(len(ending_faces(layout, deal, space)) for space in range(len(spaces))) / 6 / len(spaces)
        mean = sum(layout.proceeds[space][deal] for space in range(len(spaces))) / len(spaces)
        found.append(mean + (1 - ends) * found[-1])
    return tuple(reversed(found))


def ending_faces(layout: Layout, deal: int, space: int) -> Sequence[int]:
    """The faces of the die that end the match after the deal of index ``deal`` on ``space`` (B7.3, B8)."""
    rules, number = layout.rules, layout.cards[deal]
    if deal == len(layout.cards) - 1:
        return range(1, 7)
    if rules.end_sum is None:
        return sorted(set(rules.end_rolls.get(number, ())))
    if number < rules.end_sum.since:
        return ()
    more = rules.spaces[space].dividends if rules.end_sum.add == "dividends" else layout.values[deal]
    return [face for face in range(1, 7) if face + more >= rules.end_sum.reach]


class BoardChances:
    """Follows one match, as :class:`arena.games.contract.Chances` describes. ``piles`` are the draw piles that still
    hold cards; each has its cards in order, next card first, and their counts by kind. There are two only while a new
    pile replaces an old one."""

    features: ClassVar[tuple[str, ...]] = FEATURES

    def __init__(self, rules: Rules, players: int) -> None:
        self.layout, self.players = layout_of(rules, players), players
        self.rest = _to_come(SameObject(self.layout))
        self.hands = [bytearray(CARD_KINDS) for _ in range(players)]
        self.piles: list[tuple[Iterator[int], bytearray]] = []
        self.owners: list[int | None] = [None] * len(FAMILIES)
        self.covered = 0
        self.marker = self.deal = self.space = 0
        self.on_turn = self.boss = 0
        self.clearing = False

    def follow(self, event: Event) -> Iterator[ChanceEvent]:
        """Apply ``event``; yield the random events that it decides. Raises ValueError if it cannot happen now."""
        match event:
            case Chanced(name, _, value):
                yield from self._chance(name, value)
            case events.Drew(seat, _, cards):
                yield from self._draw(seat, cards)
            case events.PlacardDealt(placard, owner):
                self.owners[FAMILY_ID[placard]] = owner
            case events.TurnBegan(turn, seat):
                self.on_turn = seat
                if turn == 1:
                    yield self._first(seat)
            case events.MarkerMoved(space):
                self._mark(space)
            case _:
                self._cards(event)
                self._deals(event)

    def _chance(self, name: str, value: int | tuple[int | str, ...]) -> Iterator[ChanceEvent]:
        if name == "deck" and isinstance(value, tuple):
            order = [CARD_ID[Card(str(card))] for card in value]
            counts = bytearray(CARD_KINDS)
            for kind in order:
                counts[kind] += 1
            self.piles.append((iter(order), counts))
        elif name == "die" and isinstance(value, int):
            yield self._roll(value)
        elif name == "end" and isinstance(value, int):
            yield self._end(value)

    def _mark(self, space: int) -> None:
        self.marker = space
        if self.clearing:  # a deal is done, and the match goes on (B7.2)
            self.clearing = False
            self.covered |= 1 << self.space
            self.deal += 1

    def _first(self, first: int) -> ChanceEvent:
        """The choice of the first seat: each is equally likely, by lot or by the names of dealt placards (B2.3)."""
        players = self.players
        gains = [
            tuple(Gain(seat, (seat - start) % players, 1.0) for seat in range(players)) for start in range(players)
        ]
        return ChanceEvent("first seat", (1,) * players, gains, first)

    def _draw(self, seat: int, cards: tuple[Card, ...]) -> Iterator[ChanceEvent]:
        """A random event for each card drawn: every card left in the pile is equally likely."""
        hand = self.hands[seat]
        expected = sorted(CARD_ID[card] for card in cards)
        drawn: list[int] = []
        for _ in cards:
            while self.piles and not any(self.piles[0][1]):
                del self.piles[0]
            if not self.piles:
                raise ValueError(f"{len(cards)} cards drawn by seat {seat}, the draw pile has {len(drawn)}")
            order, counts = self.piles[0]
            kind = next(order)
            yield self._card(seat, hand, counts, kind)
            counts[kind] -= 1
            hand[kind] += 1
            drawn.append(kind)
        if sorted(drawn) != expected:
            raise ValueError(f"seat {seat} drew other cards than lay on the draw pile")

    def _card(self, seat: int, hand: bytearray, pile: bytearray, came: int) -> ChanceEvent:
        """The random event of drawing one card; cards that add the same to the features count as one outcome."""
        had = self._families(seat, hand)
        missing = [family for family in range(6) if not had >> family & 1]
        clans, new = sum(pile[:TRAVEL]), sum(pile[family] for family in missing)
        now, later = self._worth()
        triple = (TRIPLE_FEATURE,) if hand[RECRUITMENT] % 3 == 2 else ()
        brings = (
            (CLAN_FEATURE, FAMILY_FEATURE),
            (CLAN_FEATURE,),
            (TRAVEL_FEATURE,),
            (RECRUITMENT_FEATURE, *triple),
            (BOSS_FEATURE,),
            (STOP_FEATURE,),
        )
        travels = sum(pile[TRAVEL:RECRUITMENT])
        ways = (new, clans - new, travels, pile[RECRUITMENT], pile[BOSS], pile[STOP])
        gains = [[Gain(seat, f + i, w) for f in each for i, w in enumerate((now, later))] for each in brings]
        if came < TRAVEL:
            outcome = 0 if came in missing else 1
        else:
            outcome = 2 if came < RECRUITMENT else 3 + came - RECRUITMENT
        return ChanceEvent("card", ways, gains, outcome)

    def _families(self, seat: int, hand: bytearray | bytes) -> int:
        """The mask of the families that a seat could bring into a deal, by its placards or cards in ``hand``."""
        mask = self._placards(seat)
        for family in range(6):
            if hand[family]:
                mask |= 1 << family
        return mask

    def _placards(self, seat: int) -> int:
        return sum(1 << family for family, owner in enumerate(self.owners) if owner == seat)

    def _worth(self, deal: int | None = None) -> tuple[float, float]:
        at = self.deal if deal is None else deal
        return float(self.layout.values[at]), self.rest[at] / LATER_SCALE

    def _roll(self, roll: int) -> ChanceEvent:
        """The random event of the roll that moves the marker (B3.1)."""
        spaces = [self._next(self.marker, self.covered, steps) for steps in range(1, 7)]
        gains = [self._marked(space, self.on_turn, self.deal) for space in spaces]
        return ChanceEvent("die", (1,) * 6, gains, roll - 1)

    def _next(self, space: int, covered: int, steps: int) -> int:
        count = len(self.layout.rules.spaces)
        while steps:
            space = (space + 1) % count
            steps -= not covered >> space & 1
        return space

    def _marked(self, space: int, on_turn: int, deal: int) -> list[Gain]:
        """What each seat's features gain from a marker on ``space``, with ``on_turn`` on turn and this deal index."""
        layout = self.layout
        filled, needs = layout.filled[space], layout.needs[space]
        proceeds = layout.proceeds[space][deal]
        gains = []
        for seat in range(self.players):
            own = filled[self._families(seat, self.hands[seat])]
            if seat == on_turn:
                amounts = (proceeds, proceeds * needs, proceeds * own / needs, proceeds * (own >= needs))
                gains += [Gain(seat, ON_TURN + 1 + place, float(amount)) for place, amount in enumerate(amounts)]
            else:
                others = (proceeds * filled[self._placards(seat)] / needs, proceeds * own / needs)
                gains += [Gain(seat, OFF_TURN + place, amount) for place, amount in enumerate(others)]
        return gains

    def _end(self, roll: int) -> ChanceEvent:
        """The random event of the roll that may end the match (B7.3); if it goes on, all features get their worth."""
        ending = ending_faces(self.layout, self.deal, self.space)
        gains = self._going_on()
        return ChanceEvent("end", (len(ending), 6 - len(ending)), ((), gains), int(roll not in ending))

    def _going_on(self) -> list[Gain]:
        """The gains if the match goes on: every feature as it will be at the next deal."""
        deal = self.deal + 1
        now, later = self._worth(deal)
        last = self.on_turn if self.layout.rules.turn_order == "fixed" else self.boss
        on_turn = (last + 1) % self.players
        gains = self._marked(self._next(self.marker, self.covered | 1 << self.space, 1), on_turn, deal)
        gains.append(Gain(on_turn, ON_TURN, now))
        for seat in range(self.players):
            hand = self.hands[seat]
            recruitment = hand[RECRUITMENT]
            counts: tuple[tuple[int, int], ...] = (
                (CLAN_FEATURE, sum(hand[:TRAVEL])),
                (TRAVEL_FEATURE, sum(hand[TRAVEL:RECRUITMENT])),
                (RECRUITMENT_FEATURE, recruitment),
                (BOSS_FEATURE, hand[BOSS]),
                (STOP_FEATURE, hand[STOP]),
                (FAMILY_FEATURE, self._families(seat, hand).bit_count()),
                (TRIPLE_FEATURE, recruitment // 3),
                (PLACARD_FEATURE, self.owners.count(seat)),
            )
            for feature, count in counts:
                gains += [Gain(seat, feature, count * now), Gain(seat, feature + 1, count * later)]
            gains += [Gain(seat, NEXT_DEAL, now), Gain(seat, COMING_DEALS, later)]
        return gains

    def _cards(self, event: Event) -> None:
        """Update the hands after any event but a draw. Raises ValueError if a hand lacks a card it gives away."""
        match event:
            case events.Laid(seat, clans):
                self._spend(seat, (FAMILY_ID[family] for family in clans))
            case events.Returned(seat, clans):
                for family in clans:
                    self.hands[seat][FAMILY_ID[family]] += 1
            case events.Stopped(seat):
                self._spend(seat, (STOP,))
            case events.Played(seat, Travel(family, _, wild)):
                self._spend(seat, (WILD if wild else TRAVEL + FAMILY_ID[family],))
            case events.Played(seat, TakeOver()):
                self._spend(seat, (BOSS,))
            case events.Played(seat, Recruit()):
                self._spend(seat, (RECRUITMENT,) * 3)
            case events.Discarded(seat, cards) if not self.clearing:  # else they have been laid before
                self._spend(seat, (CARD_ID[card] for card in cards))

    def _spend(self, seat: int, kinds: Iterable[int]) -> None:
        for kind in kinds:
            self.hands[seat][kind] -= 1

    def _deals(self, event: Event) -> None:
        """Keep the deals and the owners of placards up to date."""
        match event:
            case events.Recruited(seat, placard):
                self.owners[FAMILY_ID[placard]] = seat
            case events.Opened(seat):
                self.boss = seat
            case events.NewBoss(seat):
                self.boss = seat
            case events.Closed(_, space):
                self.space, self.clearing = space, True
            case _:
                pass
