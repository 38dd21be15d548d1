"""What the log of the card game alone shows, by hand as it were: cards come from the deck that chance laid out, seats
do what they have agreed to, and rounds settle as the cards on the table say."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arena.games.cards import CARDS, CardsTable, events
from arena.games.cards.moves import Drop, Pass, Play, Propose, Want
from arena.games.contract import Chanced, Event

from .cases import CASES, Case, edition_of, game_of, played, rules_of
from .try_laws import Laws

CARD_GAME = [case for case in CASES if edition_of(case).game == "cards"]
law = Laws(CARD_GAME)


@lru_cache(maxsize=1)
def steps(case: Case) -> tuple[tuple[CardsTable, Event, CardsTable], ...]:
    """Every event of two matches with the table before and after it."""
    found = []
    for match in played(case)[:2]:
        fold: Any = game_of(case).fold(rules_of(case), case.players, None)
        for event in match.log:
            before = fold.table
            fold.follow(event)
            found.append((before, event, fold.table))
    return tuple(found)


@law
def law_C1_the_folded_table_never_loses_a_card(case: Case) -> None:
    deck = rules_of(case).deck
    drawing = False
    for _, event, table in steps(case):
        drawing = isinstance(event, events.Reshuffled) or (drawing and not isinstance(event, events.Drew))
        hands = [hand for hand in table.hands if hand is not None]
        assert tuple(map(len, hands)) == table.hand_sizes
        assert sum(table.discards) + len(table.face_down) == table.discard_pile
        held = sum(map(len, (*hands, table.centre, *table.fronts)))
        if not drawing:
            assert held + table.deck + table.discard_pile + table.exes + table.third_x == sum(deck.counts()) + deck.x


@law
def law_C6_3_cards_come_from_the_top_of_the_deck_that_chance_laid_out(case: Case) -> None:
    deck: list[Any] = []
    taken: list[Any] = []  # drawn, but the log has not yet said so
    coming: list[Any] = []
    for before, event, table in steps(case):
        match event:
            case Chanced("deck", index, tuple(value)):
                coming = list(value)
                if index == (0,):
                    deck = coming
            case events.Reshuffled(_, third_x):
                pile = [card for card, count in zip(CARDS, before.discards, strict=True) for _ in range(count)]
                assert sorted(coming) == sorted([*pile, *before.face_down, *["x"] * third_x])
                assert "x" not in deck
                taken, deck = [*taken, *deck], coming
            case events.XOpened(_, multiplier):
                top = deck.index("x")
                taken, deck = [*taken, *deck[:top]], deck[top + 1 :]
                assert multiplier == table.multiplier == before.multiplier + 1
            case events.Drew(_, count, cards):
                missing = count - len(taken)
                assert sorted([*taken, *deck[:missing]]) == sorted(cards)
                taken, deck = [], deck[missing:]
                assert table.deck == len(deck)


@law
def law_C3_cards_are_played_in_turn_in_the_colour_and_among_seats_that_are_in(case: Case) -> None:
    for before, event, _ in steps(case):
        match event:
            case events.RoundBegan(number, boss):
                assert number == before.round + 1
                assert before.boss is None or boss == (before.boss + 1) % case.players
            case events.Led(seat) | events.ColorNamed(seat):
                assert seat == before.boss
                hand = before.hands[seat]
                assert hand is not None
                assert isinstance(event, events.Led) or not any(card.worth for card in hand)
            case events.Played(seat, card, to):
                assert before.passes[seat] < 2
                assert card.color in (before.color, None)
                assert to is None or before.passes[to] < 2
            case events.Shifted(_, _, source, to):
                assert all(place is None or before.passes[place] < 2 for place in (source, to))
            case events.Passed(seat, disks):
                assert before.passes[seat] < disks <= 2
        if isinstance(event, events.Played | events.Passed | events.Dropped) and before.moving is None:
            assert event.seat == before.on_turn


@law
def law_C4_a_seat_does_what_it_became_a_Cousin_for(case: Case) -> None:
    bargain: Any = None
    for before, event, table in steps(case):
        match event:
            case events.Proposed() | events.Requested():
                bargain = table.bargain
            case events.Refused():
                bargain = None
            case events.CousinMade(seat):
                assert bargain is not None
                assert before.tokens > 0
                assert seat not in (*before.cousins, before.boss)
                assert before.passes[seat] < 2
            case events.Played() | events.Dropped() | events.Passed():
                assert bargain is not None or not isinstance(event, events.Dropped)
                if bargain is not None:
                    assert event.seat in table.cousins
                    assert keeps(event, bargain.offer, before.boss)
                bargain = None


def keeps(event: Any, offer: Any, boss: int | None) -> bool:
    """Whether what a seat does is what it offered, or of the kind it was asked for."""
    worth = event.card.worth if isinstance(event, events.Played) else 0
    match offer:
        case Propose(Pass()):
            return isinstance(event, events.Passed)
        case Propose(Play(card, to)):
            return isinstance(event, events.Played) and (event.card, event.to) == (card, to)
        case Propose(Drop(card)):
            return isinstance(event, events.Dropped) and event.card == card
    match offer.want:
        case Want.PASS:
            return isinstance(event, events.Passed)
        case Want.REVERSE:
            return isinstance(event, events.Dropped) and bool(event.card.is_reverse)
        case Want.POTA:
            return isinstance(event, events.Played) and event.card.is_pota and event.to == boss
        case Want.POSITIVE:
            return bool(worth >= offer.least)
        case Want.NEGATIVE:
            return bool(worth <= -offer.least)
        case _:
            return not isinstance(event, events.Dropped)


@law
def law_C5_a_round_pays_shares_of_its_value_and_takes_no_more_than_there_is(case: Case) -> None:
    for before, event, table in steps(case):
        if not isinstance(event, events.Settled):
            continue
        assert set(before.passes) == {2}
        for seat, front in enumerate(before.fronts):
            shares = sum(card.is_pota for card in front) + (seat in before.cousins) + (seat == before.boss)
            due = shares * before.value * (-1) ** sum(card.is_reverse for card in front)
            assert event.amounts[seat] == max(due, -before.money[seat])
            assert table.money[seat] == before.money[seat] + event.amounts[seat]
