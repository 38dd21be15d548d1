"""For every hook: which answers are legal, why one is refused, and what is played for a silent seat.

Judged from the open table, the asked seat and its own hand alone, so that a view gives a bot the very same.
"""

from __future__ import annotations

from typing import Any

from arena.games.cards import judge, legal, moves
from arena.games.cards.legal import Moves
from arena.games.cards.moves import KEEP_ALL, NO_BARGAIN, PASS
from arena.games.cards.proper import is_proper
from arena.games.cards.table import Table
from arena.games.cards.views import AcceptView, DiscardView, LeadView, OfferView, PlayView
from arena.games.contract import NO, Hook, Move, No, Refusal, Yes

HOOKS: dict[str, Hook] = {
    hook.name: hook
    for hook in (
        Hook("lead", (moves.Lead, moves.NameColor), LeadView),
        Hook("offer", (moves.Propose, moves.Request, moves.NoBargain), OfferView, NO_BARGAIN),
        Hook("accept", (Yes, No), AcceptView, NO),
        Hook("play", (moves.Play, moves.Drop, moves.Pass, moves.Shift, moves.Enough), PlayView),
        Hook("discard", (moves.Discard,), DiscardView, KEEP_ALL),
    )
}
RULES_OF = {"lead": "C3.1", "offer": "C4.2", "accept": "C4.2", "play": "C3.2", "discard": "C6.2"}


def legal_answers(table: Table, seat: int, hand: bytes, hook: str, topic: Any) -> Moves:
    """Every legal answer, each once; proposals of a move card only with one move each."""
    if hook == "play":
        return legal.further_moves(table) if table.moves_left else legal.plays(table, seat, hand)
    if hook == "offer":
        return legal.requests(table) if seat == table.boss else legal.proposals(table, seat, hand)
    if hook == "accept":
        offer = topic.offer
        able = isinstance(offer, moves.Propose) or legal.can_fulfil(table, seat, hand, offer)
        return legal.YES_OR_NO if able else legal.ONLY_NO
    if hook == "discard":
        return legal.discards(hand, table.layout.rules.discards_between_rounds)
    return legal.leads(hand)


def refuse_answer(table: Table, seat: int, hand: bytes, hook: str, topic: Any, move: Move) -> Refusal | None:
    """Why ``move`` is no legal answer, or None."""
    if type(move) not in HOOKS[hook].moves:
        expected = ", ".join(kind.__name__ for kind in HOOKS[hook].moves)
        return Refusal(RULES_OF[hook], f"{hook} is answered by {expected}, not by {type(move).__name__}")
    if not is_proper(move):
        return Refusal(RULES_OF[hook], f"a field of {type(move).__name__} holds what it must not")
    if hook == "play":
        return judge.refuse_play(table, seat, hand, move)
    if hook == "offer":
        return judge.refuse_offer(table, seat, hand, move)
    if hook == "accept":
        return judge.refuse_accept(table, seat, hand, topic, move)
    if hook == "discard":
        return judge.refuse_discard(table, hand, move)  # type: ignore[arg-type]
    return judge.refuse_lead(hand, move)  # type: ignore[arg-type]


def default_answer(table: Table, seat: int, hand: bytes, hook: str) -> Move:
    """What is played for a seat that gives no answer: nothing where that is possible; the first card or colour in card
    order; a pass, or under a bargain the first action in card order; with a move card one move, then enough."""
    idle = HOOKS[hook].idle
    if idle is not None:
        return idle
    if hook == "lead":
        return legal.leads(hand)[0]
    if table.moves_left:
        return legal.further_moves(table)[0]
    return PASS if table.bound is None else legal.plays(table, seat, hand)[0]
