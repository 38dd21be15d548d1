"""For every hook: which answers are legal, why one is refused, and what is played for a silent seat.

Judged from the open table, the asked seat and its own hand alone, so that a view gives a bot the very same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.board import judge, legal, moves
from arena.games.board.cards import RECRUITMENT
from arena.games.board.closing import can_fill, closings, must_close
from arena.games.board.legal import Moves, owned
from arena.games.board.moves import DRAW, GIVE_UP, GO_ON, PASS, ROLL, UNCHANGED, PlaceMarker
from arena.games.board.table import Table, free_clan_mask, promised_placards
from arena.games.board.views import (
    AcceptView,
    CloseView,
    DiscardView,
    InterruptView,
    MarkerView,
    OfferView,
    TurnView,
)
from arena.games.contract import NO, YES, Hook, Move, No, Refusal, Yes

HOOKS: dict[str, Hook] = {
    hook.name: hook
    for hook in (
        Hook("place_marker", (moves.PlaceMarker,), MarkerView),
        Hook("turn", (moves.Open, moves.Roll, moves.Draw), TurnView),
        Hook("offer", (moves.Offers, moves.Unchanged), OfferView, UNCHANGED),
        Hook("accept", (Yes, No), AcceptView, NO),
        Hook(
            "interrupt",
            (moves.Lay, moves.Travel, moves.TakeOver, moves.Recruit, moves.Stop, moves.Pass),
            InterruptView,
            PASS,
        ),
        Hook("close", (moves.Close, moves.GiveUp, moves.GoOn), CloseView, GO_ON),
        Hook("discard", (moves.Discard, moves.Recruit), DiscardView),
    )
}
RULES_OF = {
    "place_marker": "B2.4",
    "turn": "B3.1",
    "offer": "B4.5",
    "accept": "B4.5",
    "interrupt": "B5",
    "close": "B4.5",
    "discard": "B3.3",
}


def legal_answers(table: Table, seat: int, hand: bytes, hook: str, topic: Any, prices: Sequence[int] | None) -> Moves:
    """Every legal answer, each once; offers only single-card ones and side promises at ``prices`` (in $M; where
    None, one and two dividends)."""
    if hook == "offer":
        return _offers(table, seat, hand, prices)
    if hook == "accept":
        by, offer = topic
        return legal.ONLY_NO if judge.refuse_accept(table, seat, hand, by, offer, YES) else legal.YES_OR_NO
    if hook == "interrupt":
        if topic is not None:
            return legal.stops(hand)
        return legal.plays(seat, table.boss, hand, table.owners, table.travelling, table.laid)
    if hook == "close":
        return _closings(table, hand)
    if hook == "turn":
        return _turns(table, hand)
    if hook == "discard":
        found = legal.discards(hand, table.excess[seat])
        if hand[RECRUITMENT] >= 3 and not table.cards_only and table.layout.rules.triple_at_limit != "no":
            found += legal.recruits(seat, table.owners)
        return found
    return tuple(PlaceMarker(space) for space in range(len(table.layout.rules.spaces)))


def _offers(table: Table, seat: int, hand: bytes, prices: Sequence[int] | None) -> Moves:
    rules = table.layout.rules
    if prices is None:
        grid = table.layout.grids[table.marker][table.deal]
    else:
        step = table.dividend if rules.prices == "dividends" else 1
        least = step if rules.prices == "dividends" else 0
        grid = tuple(sorted({p for p in prices if least <= p <= table.proceeds and p % step == 0}))
    barred = table.travelling
    if table.agreements:
        barred |= promised_placards(table.agreements)
    if seat == table.boss:
        return legal.boss_offers(seat, table.layout.players, table.owners, barred, grid, rules.side_promises)
    clans = free_clan_mask(table, seat, hand)
    return legal.seat_offers(table.boss, owned(table.owners, seat) & ~barred, clans, grid, rules.side_promises)


ONLY_GO_ON: Moves = (GO_ON,)
GO_ON_OR_GIVE_UP: Moves = (GO_ON, GIVE_UP)


def _closings(table: Table, hand: bytes) -> Moves:
    if not can_fill(table, hand):
        return GO_ON_OR_GIVE_UP
    return (ONLY_GO_ON if must_close(table) else GO_ON_OR_GIVE_UP) + tuple(closings(table, hand))


def _turns(table: Table, hand: bytes) -> Moves:
    found: Moves = ()
    if judge.refuse_opening(table, hand) is None:
        found = legal.openings(hand[:6])
    if not table.rolled:
        return (ROLL, *found)
    return found if table.must_deal else (DRAW, *found)


def refuse_answer(table: Table, seat: int, hand: bytes, hook: str, topic: Any, move: Move) -> Refusal | None:
    """Why ``move`` is no legal answer, or None."""
    kind = type(move)
    if hook == "offer":
        if kind is moves.Offers:
            return judge.refuse_offers(table, seat, hand, move)  # type: ignore[arg-type]
        return None if kind is moves.Unchanged else _wrong_kind(hook, move)
    if kind not in HOOKS[hook].moves:
        return _wrong_kind(hook, move)
    if hook == "accept":
        by, offer = topic
        return judge.refuse_accept(table, seat, hand, by, offer, move)
    if hook == "interrupt":
        return judge.refuse_play(table, seat, hand, move) if topic is None else judge.refuse_stop(hand, move)
    if hook == "close":
        return judge.refuse_closing(table, hand, move)
    if hook == "turn":
        return judge.refuse_turn(table, hand, move)
    if hook == "discard":
        return judge.refuse_discard(table, seat, hand, move)
    return judge.refuse_marker(table, move)  # type: ignore[arg-type]


def _wrong_kind(hook: str, move: Move) -> Refusal:
    expected = ", ".join(kind.__name__ for kind in HOOKS[hook].moves)
    return Refusal(RULES_OF[hook], f"{hook} is answered by {expected}, not by {type(move).__name__}")


def default_answer(table: Table, seat: int, hand: bytes, hook: str) -> Move:
    """What is played for a seat that gives no answer: nothing where that is possible, else roll, then draw, or
    open where a variant forbids drawing; the fewest and lowest cards; space 0."""
    idle = HOOKS[hook].idle
    if idle is not None:
        return idle
    if hook == "turn":
        return ROLL if not table.rolled else moves.Open() if table.must_deal else DRAW
    if hook == "discard":
        return legal.fewest(hand, table.excess[seat])
    return PlaceMarker(0)
