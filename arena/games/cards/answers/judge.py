"""Why the rules refuse a move, hook by hook: the rule's number and a sentence, for any move of a legal class."""

from __future__ import annotations

from arena.games.cards.answers.legal import can_fulfil, can_shift, legal_leads
from arena.games.cards.cards import CARD_ID, CARD_MOVES, CARDS, FRONT_PLACES, SUIT_KINDS, WILD, Card
from arena.games.cards.moves import (
    Action,
    Discard,
    Drop,
    Enough,
    Lead,
    NameColor,
    Pass,
    Play,
    PlayMove,
    Propose,
    Request,
    Shift,
    Want,
)
from arena.games.cards.table import Asked, Spread, Table, is_value
from arena.games.contract import Move, Refusal, Yes


def refuse_lead(asked: Asked, move: Lead | NameColor) -> Refusal | None:
    """Why this lead is illegal (C3.1): a positive or negative card must be led; a seat without one names a colour."""
    hand = asked.hand
    if type(move) is NameColor:
        if isinstance(legal_leads(hand)[0], Lead):
            return Refusal("C3.1", "a Boss with a positive or negative card must lead one")
        return None
    kind = CARD_ID[move.card]
    if kind == WILD or not is_value(kind):
        return Refusal("C3.1", f"{move.card} is neither a positive nor a negative card")
    return None if hand[kind] else _not_in_hand(move.card)


def _not_in_hand(card: Card) -> Refusal:
    return Refusal("C3.2", f"there is no {card} in the hand")


def refuse_play(asked: Asked, move: PlayMove) -> Refusal | None:
    """Why this answer on a turn is illegal (C3.2 to C3.4, under a bargain C4.2)."""
    table = asked.table
    if table.moves_left:
        return _refuse_move(table, move)
    if type(move) is Shift or type(move) is Enough:
        return Refusal("C3.3", "no move card is in use")
    bound = table.bound
    if type(move) is Drop and (bound is None or bound.want is not Want.REVERSE):
        return Refusal("C4.3", "a card is discarded only under a bargain that says so")
    if type(move) is Play and move.shifts:
        return Refusal("C3.3", "the moves of a move card are asked for one at a time; shifts are for proposals")
    refused = _refuse_action(asked, move)
    if refused is None and bound is not None and not _fulfils_request(table, move, bound):
        return Refusal("C4.2", f"the bargain was for {request_text(bound)}")
    return refused


def _refuse_move(table: Table, move: Move) -> Refusal | None:
    if type(move) is Shift:
        return refuse_shift(table, table.spread, move)
    if type(move) is not Enough:
        return Refusal("C3.3", f"{CARDS[table.moving]} is in use: its next move, or enough")
    if table.moves_left == CARD_MOVES[table.moving]:
        return Refusal("C3.3", "a move card makes at least one move")
    return None


def _refuse_action(asked: Asked, action: Action) -> Refusal | None:
    """Why the seat cannot do this at all, under a bargain or not (C3.2 to C3.4)."""
    table = asked.table
    if type(action) is Pass:
        if action.double and table.passes[asked.seat]:
            return Refusal("C3.4", "only one disk is left to turn")
        return None
    kind = CARD_ID[action.card]
    if kind != WILD and kind // SUIT_KINDS != table.color:
        return Refusal("C3.2", f"{action.card} is not of the colour of the round")
    if not asked.hand[kind]:
        return _not_in_hand(action.card)
    if CARD_MOVES[kind] and not can_shift(table):
        return Refusal("C3.3", "there is nothing to move")
    return None if type(action) is Drop else _refuse_target(table, action, kind)


def _refuse_target(table: Table, play: Play, kind: int) -> Refusal | None:
    if play.shifts and not CARD_MOVES[kind]:
        return Refusal("C3.3", f"{play.card} moves nothing")
    if FRONT_PLACES[kind] is None:
        if play.to is not None:
            return Refusal("C3.3", f"{play.card} is not played in front of a seat")
        return None
    if play.to is None:
        return Refusal("C3.3", f"{play.card} is played in front of a seat")
    return _refuse_seat(table, play.to)


def _refuse_seat(table: Table, seat: int) -> Refusal | None:
    if not 0 <= seat < table.layout.players:
        return Refusal("C3.3", f"there is no seat {seat}")
    if table.passes[seat] >= 2:
        return Refusal("C3.4", f"seat {seat} is out: nothing is laid in front of it or taken from there")
    return None


def refuse_shift(table: Table, spread: Spread, shift: Shift) -> Refusal | None:
    """Why a move is illegal (C3.3): of a value card from centre to discards, or a POTA or reverse card from a seat."""
    kind = CARD_ID[shift.card]
    if kind != WILD and kind // SUIT_KINDS != table.color:
        return Refusal("C3.3", f"no {shift.card} is on the table")
    place = FRONT_PLACES[kind]
    if shift.source is None:
        if kind == WILD or not is_value(kind) or not spread.centre[kind % SUIT_KINDS]:
            return Refusal("C3.3", f"no {shift.card} lies in the centre")
        if shift.to is not None:
            return Refusal("C3.3", "a card from the centre goes to the discard pile")
        return None
    if (refused := _refuse_seat(table, shift.source)) is not None:
        return refused
    if place is None or not spread.fronts[shift.source][place]:
        return Refusal("C3.3", f"no {shift.card} lies in front of seat {shift.source}")
    if spread.fronts[shift.source][place] <= spread.moved[shift.source][place]:
        return Refusal("C3.3", f"this {shift.card} has been moved already; a move card moves different cards")
    if shift.to is None:
        return None
    if shift.to == shift.source:
        return Refusal("C3.3", "a move takes the card to another seat")
    return _refuse_seat(table, shift.to)


def _fulfils_request(table: Table, action: Action, bound: Request) -> bool:
    """Whether the action is of the kind that was agreed (C4.2)."""
    match bound.want:
        case Want.GIFT:
            return True
        case Want.PASS:
            return type(action) is Pass
        case Want.REVERSE:
            return type(action) is Drop and action.card.is_reverse
        case Want.POTA:
            return type(action) is Play and action.card.is_pota and action.to == table.boss
        case Want.POSITIVE:
            return type(action) is Play and action.card.worth >= bound.least
        case Want.NEGATIVE:
            return type(action) is Play and action.card.worth <= -bound.least


def request_text(request: Request) -> str:
    """What the Boss asks for in a request, in words."""
    match request.want:
        case Want.POSITIVE:
            return f"a positive card of at least +{request.least}"
        case Want.NEGATIVE:
            return f"a negative card of at most -{request.least}"
        case Want.POTA:
            return "a POTA in front of the Boss"
        case Want.REVERSE:
            return "discarding a reverse card"
        case Want.PASS:
            return "passing"
        case Want.GIFT:
            return "nothing"


def refuse_offer(asked: Asked, move: Move) -> Refusal | None:
    """Why this proposal of the seat on turn, or request of the Boss, is illegal (C4.1, C4.2)."""
    if type(move) is Propose:
        if asked.seat == asked.table.boss:
            return Refusal("C4.2", "the Boss requests a kind of action; proposals are made to it")
        return _refuse_proposal(asked, move)
    if type(move) is Request:
        if asked.seat != asked.table.boss:
            return Refusal("C4.1", "only the Boss gives tokens; a seat proposes an action")
        return _refuse_request(asked.table, move)
    return None


def _refuse_proposal(asked: Asked, propose: Propose) -> Refusal | None:
    """Why a proposal is illegal (C4.2): it is one exact action the seat can do, with a move card's moves in order."""
    table, action = asked.table, propose.action
    refused = _refuse_action(asked, action)
    if refused is not None or type(action) is not Play:
        return refused
    moves = action.card.moves
    if not moves:
        return None
    if not 1 <= len(action.shifts) <= moves:
        return Refusal("C4.2", f"{action.card} is proposed with its exact moves, 1 to {moves}")
    spread = table.spread
    for shift in action.shifts:
        if (refused := refuse_shift(table, spread, shift)) is not None:
            return refused
        spread = spread.apply_shift(shift)
    return None


def _refuse_request(table: Table, request: Request) -> Refusal | None:
    """Why this request is illegal (C4.2): it must be a kind of action that exists in this deck."""
    values = table.layout.wanted.get(request.want)
    if values is None and request.least:
        return Refusal("C4.2", f"{request_text(request)} has no value: least is 0")
    if values is not None and request.least not in values:
        return Refusal("C4.2", f"no {request.want} card has the value {request.least}; there are {list(values)}")
    if request not in table.layout.requests[1]:
        return Refusal("C4.2", f"no card of this deck could be for {request_text(request)}")
    if request.want is Want.POTA and table.passes[table.boss] >= 2:
        return Refusal("C3.4", "the Boss is out: nothing is laid in front of it")
    return None


def refuse_accept(asked: Asked, move: Move) -> Refusal | None:
    """Why a yes is illegal (C4.2): a seat accepts only what it can do, the Boss anything. The topic is the bargain."""
    offer = asked.topic.offer
    if type(move) is not Yes or type(offer) is not Request:
        return None
    if not can_fulfil(asked.table, asked.seat, asked.hand, offer):
        return Refusal("C4.2", f"the hand does not allow {request_text(offer)}")
    return None


def refuse_discard(asked: Asked, move: Discard) -> Refusal | None:
    """Why these discards are illegal (C6.2): too many cards, or cards that are not in the hand."""
    most = asked.table.layout.rules.discards_between_rounds
    if len(move.cards) > most:
        return Refusal("C6.2", f"at most {most} cards are discarded between rounds, got {len(move.cards)}")
    cards, hand = move.cards, asked.hand
    lacking = [kind for card in cards if cards.count(card) > hand[kind := CARD_ID[card]]]
    if lacking:
        kind = min(lacking)
        return Refusal("C6.2", f"{cards.count(CARDS[kind])} × {CARDS[kind]} of only {hand[kind]} in the hand")
    return None
