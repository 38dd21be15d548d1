"""The hooks of the card game, each with its moves, its view, its legal answers, refusals and default.

Answers are judged by the open table, the asked seat and its own hand only, so a bot gets the same verdict from its
view.

To add a hook: write a class for its view in ``views.py``, a record here, a phase in ``position.py``, and the effect of
its answers in ``resolve`` of ``state.py``; then add a row to the game's tables of hooks and moves in ``arena docs
bots`` and ``arena docs replay``, which tests compare.
"""

from __future__ import annotations

from typing import Any

from arena.games.cards import moves, views
from arena.games.cards.answers import judge, legal, seat
from arena.games.cards.answers.legal import Moves
from arena.games.cards.moves import KEEP_ALL, NO_BARGAIN, PASS, Propose
from arena.games.cards.rules import Rules
from arena.games.cards.table import Asked
from arena.games.contract import NO, Hook, Move, No, Yes, by_name

# offer -----------------------------------------------------------------------------------------------


def _offer_moves(asked: Asked) -> Moves:
    """The legal requests of the Boss, or proposals of the seat on turn (of a move card with one move each)."""
    table, seat = asked.table, asked.seat
    return legal.legal_requests(table) if seat == table.boss else legal.legal_proposals(table, seat, asked.hand)


# accept: the topic is the bargain --------------------------------------------------------------------


def _answer_moves(asked: Asked) -> Moves:
    offer = asked.topic.offer
    able = type(offer) is Propose or legal.can_fulfil(asked.table, asked.seat, asked.hand, offer)
    return legal.YES_OR_NO if able else legal.ONLY_NO


def _to_accept(view: views.AcceptView, rules: Rules) -> Asked:
    return seat.question_of_view(view, rules, view.bargain)


# play ------------------------------------------------------------------------------------------------


def _play_moves(asked: Asked) -> Moves:
    table = asked.table
    return legal.further_moves(table) if table.moves_left else legal.legal_plays(table, asked.seat, asked.hand)


def _default_play(asked: Asked) -> Move:
    """A pass, or under a bargain the first legal action in card order; for a move card one move, then enough."""
    return PASS if asked.table.bound is None and not asked.table.moves_left else _play_moves(asked)[0]


# discard ---------------------------------------------------------------------------------------------


def _discard_moves(asked: Asked) -> Moves:
    return legal.legal_discards(asked.hand, asked.table.layout.rules.discards_between_rounds)


def _most_shown(asked: Asked) -> dict[str, Any]:
    return {"most": asked.table.layout.rules.discards_between_rounds}


HOOKS = by_name(
    Hook(
        name="lead",
        rule="C3.1",
        moves=(moves.Lead, moves.NameColor),
        view=views.LeadView,
        legal=lambda asked: legal.legal_leads(asked.hand),
        refuse=judge.refuse_lead,
        default=lambda asked: legal.legal_leads(asked.hand)[0],
        question=seat.question_of_view,
    ),
    Hook(
        name="offer",
        rule="C4.2",
        moves=(moves.Propose, moves.Request, moves.NoBargain),
        view=views.OfferView,
        legal=_offer_moves,
        refuse=judge.refuse_offer,
        idle=NO_BARGAIN,
        question=seat.question_of_view,
    ),
    Hook(
        name="accept",
        rule="C4.2",
        moves=(Yes, No),
        view=views.AcceptView,
        legal=_answer_moves,
        refuse=judge.refuse_accept,
        idle=NO,
        question=_to_accept,
    ),
    Hook(
        name="play",
        rule="C3.2",
        moves=(moves.Play, moves.Drop, moves.Pass, moves.Shift, moves.Enough),
        view=views.PlayView,
        legal=_play_moves,
        refuse=judge.refuse_play,
        default=_default_play,
        question=seat.question_of_view,
    ),
    Hook(
        name="discard",
        rule="C6.2",
        moves=(moves.Discard,),
        view=views.DiscardView,
        legal=_discard_moves,
        refuse=judge.refuse_discard,
        idle=KEEP_ALL,
        shows=_most_shown,
        question=seat.question_of_view,
    ),
)
