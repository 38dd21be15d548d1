"""A round (C3): the lead, the seats' turns, cards, moves and passes."""

from __future__ import annotations

from arena.games.cards.answers.legal import can_shift
from arena.games.cards.cards import CARD_ID, COLOR_ID, FRONT_PLACES, MOVE, SUIT_KINDS, Card
from arena.games.cards.events import ColorNamed, Dropped, Led, Passed, Played, RoundBegan, Shifted
from arena.games.cards.moves import Action, Drop, Enough, Lead, NameColor, Pass, Play, Shift
from arena.games.cards.phases.settle import discard_cards, settle_round
from arena.games.cards.position import Log, Phase, Position
from arena.games.cards.table import UNKNOWN_VALUE, next_still_in
from arena.games.contract import Move
from arena.games.hand_counts import change_few
from arena.games.phase_state import ask_one_seat


def begin_round(position: Position, boss: int, log: Log) -> None:
    """Begin the next round, under ``boss`` (C3.1)."""
    position.round += 1
    position.boss = position.on_turn = boss
    position.tokens = position.layout.cousins
    if log is not None:
        log.append(RoundBegan(position.round, boss))
    position.ask(Phase.LEAD, ask_one_seat("lead", boss))


def lead_round(position: Position, move: Move, log: Log) -> None:
    """Carry out the lead: it sets the colour and is the Boss's first turn (C3.1)."""
    boss = position.boss
    if type(move) is NameColor:
        position.color = COLOR_ID[move.color]
        if log is not None:
            log.append(ColorNamed(boss, move.color))
    else:
        assert isinstance(move, Lead)
        kind = CARD_ID[move.card]
        position.color = kind // SUIT_KINDS
        position.spend(boss, kind)
        position.spread = position.spread.add_centre(kind % SUIT_KINDS)
        if log is not None:
            log.append(Led(boss, move.card))
    next_turn(position, log)


def discard_between_rounds(position: Position, first: Move, log: Log) -> None:
    """Carry out the discards of all seats, of which ``first`` is one, and begin the next round (C6.2)."""
    discard_cards(position, log)
    begin_round(position, (position.boss + 1) % position.layout.players, log)


def next_turn(position: Position, log: Log) -> None:
    """Pass the turn to the next seat clockwise that is still in (C3.2); if all are out, settle the round (C3.5). A turn
    begins with bargaining, except the Boss's own and those of seats that cannot get a token (C4.2)."""
    position.bound = None
    seat = next_still_in(position.passes, position.on_turn)
    if seat is None:
        if settle_round(position, log):
            begin_round(position, (position.boss + 1) % position.layout.players, log)
        return
    position.on_turn = seat
    if seat == position.boss or not position.tokens or position.cousins >> seat & 1:
        position.ask(Phase.PLAY, ask_one_seat("play", seat))
    else:
        position.ask(Phase.PROPOSE, ask_one_seat("offer", seat))


def carry_out(position: Position, action: Action, log: Log) -> None:
    """Carry out what the seat on turn does (C3.2 to C3.4), and end its turn unless a move card has moves to make."""
    seat = position.on_turn
    if type(action) is Pass:
        _pass(position, seat, action.double, log)
    elif type(action) is Drop:
        kind = CARD_ID[action.card]
        position.spend(seat, kind)
        position.discard(kind)
        if log is not None:
            log.append(Dropped(seat, action.card))
    else:
        if log is not None:
            log.append(Played(seat, action.card, action.to))
        _play(position, seat, action, log)
        if position.moves_left:
            return
    next_turn(position, log)


def _play(position: Position, seat: int, play: Play, log: Log) -> None:
    """Play a card (C3.3): value cards go to the centre, POTA and reverse cards to a seat, move cards are discarded."""
    kind, to = CARD_ID[play.card], play.to
    position.spend(seat, kind)
    if to is not None:
        place = FRONT_PLACES[kind]
        assert place is not None
        position.spread = position.spread.laid(to, place)
    elif kind % SUIT_KINDS < MOVE:
        position.spread = position.spread.add_centre(kind % SUIT_KINDS)
    else:
        position.discard(kind)
        if not play.shifts:
            _begin_moves(position, play.card)
            return
        for shift in play.shifts:
            _shift(position, seat, shift, log)
        position.spread = position.spread.end_moves()


def _begin_moves(position: Position, card: Card) -> None:
    """Begin to ask for the moves of a move card, one at a time (C3.3, Ruling)."""
    position.moving, position.moves_left, position.moved = CARD_ID[card], card.moves, ()
    position.ask(Phase.MOVE, ask_one_seat("play", position.on_turn))


def further_move(position: Position, move: Move, log: Log) -> None:
    """Carry out one more move of the current move card, or end its use (C3.3)."""
    if type(move) is Shift:
        _shift(position, position.on_turn, move, log)
        position.moves_left -= 1
        position.moved += (move,)
        if position.moves_left and can_shift(position):
            position.ask(Phase.MOVE, ask_one_seat("play", position.on_turn))
            return
    else:
        assert isinstance(move, Enough)
    position.moving, position.moves_left, position.moved = UNKNOWN_VALUE, 0, ()
    position.spread = position.spread.end_moves()
    next_turn(position, log)


def _shift(position: Position, seat: int, shift: Shift, log: Log) -> None:
    position.spread = position.spread.apply_shift(shift)
    if shift.to is None:
        position.discard(CARD_ID[shift.card])
    if log is not None:
        log.append(Shifted(seat, shift.card, shift.source, shift.to))


def _pass(position: Position, seat: int, double: bool, log: Log) -> None:
    """Carry out a pass: the first may draw a card, the second puts the seat out (C3.4)."""
    first = not position.passes[seat]
    position.passes = change_few(position.passes, seat, 2 if double else 1)
    if log is not None:
        log.append(Passed(seat, position.passes[seat]))
    bonus = position.layout.rules.pass_bonus
    if first and (bonus == "each" or (bonus == "last" and all(position.passes))):
        position.draw(seat, 1, log)
