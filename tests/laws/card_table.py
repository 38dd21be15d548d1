"""The table of the card game as the engine's state has it, to be compared with the one folded from events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.games.cards import CardsTable, events
from arena.games.cards.cards import CARD_ID, CARDS, COLORS, Card, centre_listed, front_listed, list_cards
from arena.games.cards.position import Phase
from arena.games.contract import Chanced, Event


def tables_of(
    state: Any, log: Sequence[Event], folded: Mapping[int | None, CardsTable]
) -> dict[int | None, CardsTable]:
    """The whole table (None), and as each seat may see it."""
    return {seat: table_of(state, seat, log, table) for seat, table in folded.items()}


def table_of(state: Any, seat: int | None, log: Sequence[Event], folded: CardsTable) -> CardsTable:
    """The whole table. A seat that makes no use of the moves left shows it by no event (C3.3): until the next one the
    fold has the turn and the move card as they were."""
    between = state.phase in (Phase.DISCARD, Phase.OVER)
    on_turn = None if between else state.on_turn
    moving, moves_left, moved = CARDS[state.moving] if state.moving >= 0 else None, state.moves_left, state.moved
    if moving is None and folded.moving is not None:
        last = [event for event in log if not isinstance(event, Chanced)][-1]
        assert isinstance(last, events.Shifted)
        assert folded.on_turn == last.seat
        assert 0 < folded.moves_left == folded.moving.moves - len(folded.moved)
        seats = [each for each, disks in enumerate(state.passes) if disks < 2]
        lying = sum(state.spread.centre) + sum(sum(state.spread.fronts[each]) for each in seats)
        assert lying > sum(shift.to in seats for shift in folded.moved), "nothing was left to move"
        on_turn, moving, moves_left, moved = folded.on_turn, folded.moving, folded.moves_left, folded.moved
    return CardsTable(
        round=state.round,
        boss=state.boss,
        color=None if state.color < 0 else COLORS[state.color],
        on_turn=on_turn,
        centre=centre_listed(state.color, state.spread.centre),
        fronts=tuple(front_listed(state.color, front) for front in state.spread.fronts),
        passes=tuple(state.passes),
        tokens=state.tokens,
        cousins=tuple(each for each in range(6) if state.cousins >> each & 1),
        exes=state.exes,
        multiplier=state.multiplier,
        value=state.value,
        hands=tuple(list_cards(hand) if seat in (None, each) else None for each, hand in enumerate(state.hands)),
        hand_sizes=tuple(map(sum, state.hands)),
        deck=len(state.deck) - state.drawn,
        third_x=state.third_x,
        discard_pile=sum(state.discards),
        discards=tuple(state.known),
        face_down=face_down(seat, log),
        money=tuple(state.money),
        bargain=state.asks[0].topic if state.phase in (Phase.ANSWER, Phase.ACCEPT) else None,
        bound=state.bound,
        moving=moving,
        moves_left=moves_left,
        moved=moved,
        ledger=state.ledger,
        over=state.phase is Phase.OVER,
    )


def face_down(seat: int | None, log: Sequence[Event]) -> tuple[Card, ...]:
    """What ``seat`` (None: anybody) has discarded face down since the last shuffle, in card order."""
    cards: list[Card] = []
    for event in log:
        if isinstance(event, events.Reshuffled):
            cards = []
        elif isinstance(event, events.Discarded) and seat in (None, event.seat):
            cards += event.cards
    return tuple(sorted(cards, key=CARD_ID.__getitem__))
