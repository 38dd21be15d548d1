"""The hooks of the board game, each with its moves, its view, its legal answers, refusals and default.

Answers are judged by the open table, the asked seat and its own hand only, so a bot gets the same verdict from its
view.

To add a hook: write a class for its view in ``views.py``, a record here, a phase in ``position.py``, and the effect of
its answers in ``resolve`` of ``state.py``; then add a row to the game's tables of hooks and moves in ``arena docs
bots`` and ``arena docs replay``, which tests compare.
"""

from __future__ import annotations

from typing import Any

from arena.games.board import moves, views
from arena.games.board.answers import judge, legal, seat
from arena.games.board.answers.closing import legal_closings, must_close
from arena.games.board.answers.legal import Moves, owned_mask
from arena.games.board.cards import RECRUITMENT
from arena.games.board.moves import DRAW, GIVE_UP, GO_ON, PASS, ROLL, UNCHANGED, PlaceMarker
from arena.games.board.position import Position
from arena.games.board.priced_question import Priced
from arena.games.board.rules import Rules
from arena.games.board.table import Asked, free_clan_mask, promised_placards
from arena.games.contract import NO, YES, Hook, Move, No, Question, Yes, by_name

# place_marker ----------------------------------------------------------------------------------------


def _space_moves(asked: Asked) -> Moves:
    return tuple(map(PlaceMarker, range(len(asked.table.layout.rules.spaces))))


# turn ------------------------------------------------------------------------------------------------


def _turn_moves(asked: Asked) -> Moves:
    table = asked.table
    found: Moves = ()
    if judge.refuse_opening(table.layout.rules, sum(asked.hand), table.failed_here) is None:
        found = legal.legal_openings(asked.hand[:6])
    if not table.rolled:
        return (ROLL, *found)
    return found if table.must_deal else (DRAW, *found)


def _no_deal(asked: Asked) -> Move:
    return legal.turn_without_deal(asked.table.rolled, asked.table.must_deal)


# offer -----------------------------------------------------------------------------------------------


def _offer_moves(asked: Priced) -> Moves:
    """Lists only offers of single cards and side promises."""
    table, seat = asked.table, asked.seat
    layout, rules = table.layout, table.layout.rules
    if asked.prices is None:
        grid = layout.grids[table.marker][table.deal]
    else:
        least, step = (table.dividend, table.dividend) if rules.prices == "dividends" else (0, 1)
        grid = legal.price_grid(tuple(asked.prices), least, table.proceeds, step)
    barred = table.travelling
    if table.agreements:
        barred |= promised_placards(table.agreements)
    if seat == table.boss:
        return legal.boss_offers(seat, layout.players, table.owners, barred, grid, rules.side_promises)
    clans = free_clan_mask(table, seat, asked.hand)
    return legal.seat_offers(table.boss, owned_mask(table.owners, seat) & ~barred, clans, grid, rules.side_promises)


# accept: the topic is who made the offer, and the offer ----------------------------------------------


def _answer_moves(asked: Asked) -> Moves:
    return legal.ONLY_NO if judge.refuse_accept(asked, YES) else legal.YES_OR_NO


def _offer_shown(asked: Question[Position, bytes]) -> dict[str, Any]:
    by, offer = asked.topic
    return {"by": by, "offer": offer, "asked": len(asked.table.asks)}


def _to_accept(view: views.AcceptView, rules: Rules) -> Priced:
    return seat.question_of_view(view, rules, (view.by, view.offer))


# interrupt: the topic is who made the play that a STOP would cancel, and the play; or None ------------


def _play_moves(asked: Asked) -> Moves:
    if asked.topic is not None:
        return legal.legal_stops(asked.hand)
    table = asked.table
    return legal.legal_plays(asked.seat, table.boss, asked.hand, table.owners, table.travelling, table.laid)


def _play_shown(asked: Question[Position, bytes]) -> dict[str, Any]:
    return {"last_call": asked.table.to_close is not None}


def _to_interrupt(view: views.InterruptView, rules: Rules) -> Priced:
    play = view.can_stop
    return seat.question_of_view(view, rules, None if play is None else (play.by, play.play))


# close -----------------------------------------------------------------------------------------------

ONLY_GO_ON: Moves = (GO_ON,)
GO_ON_OR_GIVE_UP: Moves = (GO_ON, GIVE_UP)


def _closing_moves(asked: Asked) -> Moves:
    table, hand = asked.table, asked.hand
    return (ONLY_GO_ON if must_close(table) else GO_ON_OR_GIVE_UP) + tuple(legal_closings(table, hand))


# discard ---------------------------------------------------------------------------------------------


def _discard_moves(asked: Asked) -> Moves:
    table, hand = asked.table, asked.hand
    found = legal.legal_discards(hand, table.excess[asked.seat])
    if hand[RECRUITMENT] >= 3 and legal.triple_fits(table.layout.rules, table.cards_only):
        found += legal.legal_recruits(asked.seat, table.owners)
    return found


def _excess_shown(asked: Asked) -> dict[str, Any]:
    return {"excess": asked.table.excess[asked.seat], "cards_only": asked.table.cards_only}


HOOKS = by_name(
    Hook(
        name="place_marker",
        rule="B2.4",
        moves=(moves.PlaceMarker,),
        view=views.MarkerView,
        legal=_space_moves,
        refuse=judge.refuse_marker,
        default=lambda _: PlaceMarker(0),
        question=seat.question_of_view,
    ),
    Hook(
        name="turn",
        rule="B3.1",
        moves=(moves.Open, moves.Roll, moves.Draw),
        view=views.TurnView,
        legal=_turn_moves,
        refuse=judge.refuse_turn,
        default=_no_deal,
        question=seat.question_of_view,
    ),
    Hook(
        name="offer",
        rule="B4.5",
        moves=(moves.Offers, moves.Unchanged),
        view=views.OfferView,
        legal=_offer_moves,
        refuse=judge.refuse_offers,
        idle=UNCHANGED,
        question=seat.question_of_view,
    ),
    Hook(
        name="accept",
        rule="B4.5",
        moves=(Yes, No),
        view=views.AcceptView,
        legal=_answer_moves,
        refuse=judge.refuse_accept,
        idle=NO,
        shows=_offer_shown,
        question=_to_accept,
    ),
    Hook(
        name="interrupt",
        rule="B5",
        moves=(moves.Lay, moves.Travel, moves.TakeOver, moves.Recruit, moves.Stop, moves.Pass),
        view=views.InterruptView,
        legal=_play_moves,
        refuse=judge.refuse_interrupt,
        idle=PASS,
        shows=_play_shown,
        question=_to_interrupt,
    ),
    Hook(
        name="close",
        rule="B4.5",
        moves=(moves.Close, moves.GiveUp, moves.GoOn),
        view=views.CloseView,
        legal=_closing_moves,
        refuse=judge.refuse_closing,
        idle=GO_ON,
        question=seat.question_of_view,
    ),
    Hook(
        name="discard",
        rule="B3.3",
        moves=(moves.Discard, moves.Recruit),
        view=views.DiscardView,
        legal=_discard_moves,
        refuse=judge.refuse_discard,
        default=lambda asked: legal.default_discard(asked.hand, asked.table.excess[asked.seat]),
        shows=_excess_shown,
        question=seat.question_of_view,
    ),
)
