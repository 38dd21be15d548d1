"""The table of the board game as the engine's state has it, to be compared with the one folded from events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from arena.games.board import BoardTable, OpenOffer, OpenPlay, TablePlacard, events
from arena.games.board.cards import CARDS, FAMILIES, clans_listed, list_cards
from arena.games.board.moves import Offer
from arena.games.board.position import Phase
from arena.games.contract import Event


def tables_of(
    state: Any, log: Sequence[Event], folded: Mapping[int | None, BoardTable]
) -> dict[int | None, BoardTable]:
    """The whole table (None), and as each seat may see it: without the hands of others."""
    whole = table_of(state, log, folded[None])

    def seen(seat: int | None) -> BoardTable:
        return replace(whole, hands=tuple(hand if each == seat else None for each, hand in enumerate(whole.hands)))

    return {seat: whole if seat is None else seen(seat) for seat in folded}


def table_of(state: Any, log: Sequence[Event], folded: BoardTable) -> BoardTable:
    """The whole table. At the end of a match the state stops counting: there the deal card and the seat on turn are the
    fold's own."""
    over = state.phase is Phase.OVER
    offers = list(map(list, state.offers))
    if state.boss >= 0 and state.phase not in (Phase.OFFER, Phase.ACCEPT):
        assert not offers[state.boss]
        offers[state.boss] = lingering(state.boss, log)
    return BoardTable(
        turn=state.turn,
        on_turn=folded.on_turn if over else state.on_turn if state.turn else None,
        rolled=state.rolled,
        must_deal=state.must_deal,
        marker=None if state.phase is Phase.MARKER else state.marker,
        failed_here=state.failed_here,
        covered=tuple(space for space in range(len(state.layout.rules.spaces)) if state.covered >> space & 1),
        deal=folded.deal if over else state.layout.cards[state.deal],
        placards=tuple(
            TablePlacard(
                family,
                None if state.owners[index] == 255 else state.owners[index],
                CARDS[state.travel_cards[index]] if state.travelling >> index & 1 else None,
            )
            for index, family in enumerate(FAMILIES)
        ),
        hands=tuple(map(list_cards, state.hands)),
        hand_sizes=tuple(map(sum, state.hands)),
        laid=tuple(map(clans_listed, state.laid)),
        draw_pile=len(state.pile) - state.drawn,
        discards=tuple(state.discards),
        money=tuple(state.money),
        boss=None if state.boss < 0 else state.boss,
        tick=state.tick,
        quiet=state.quiet,
        offers=tuple(OpenOffer(by, offer) for by, own in enumerate(offers) for offer in own),
        agreements=tuple(sorted(state.agreements, key=lambda a: (a.partner, a.price, a.placards, a.clans))),
        active=tuple(each for each in range(6) if state.active >> each & 1),
        play=None if state.play is None else OpenPlay(*state.play),
        named=state.to_close,
        ledger=state.ledger,
        over=over,
    )


def lingering(boss: int, log: Sequence[Event]) -> list[Offer]:
    """The Boss's offers after the accept phase: those of this tick that came to nothing, as long as nobody has made a
    play that can be stopped, and no closing has been named."""
    start = next(place for place in reversed(range(len(log))) if isinstance(log[place], events.TickBegan))
    offers: list[Offer] = []
    for event in log[start:]:
        match event:
            case events.Offered(seat, offered) if seat == boss:
                offers = list(offered)
            case events.Agreed(terms):
                made = Offer(terms.partner, terms.price, terms.placards, terms.clans)
                offers = [o for o in offers if o != made and not set(o.placards) & set(terms.placards)]
            case events.Played() | events.Named() | events.NewBoss():
                return []
    return offers
