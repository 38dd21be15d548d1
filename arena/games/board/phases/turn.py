"""A turn outside negotiation (B3): roll, draw, the hand limit, and whose turn is next."""

from __future__ import annotations

from arena.games.board.cards import CARD_ID
from arena.games.board.events import Discarded, MarkerMoved, TurnBegan
from arena.games.board.moves import Discard, Draw, PlaceMarker, Recruit, Roll
from arena.games.board.position import Log, Phase, Position, Termination
from arena.games.contract import Chanced, Move
from arena.games.phase_state import ask_every_seat, ask_one_seat


def place_marker(position: Position, log: Log) -> None:
    """Place the marker as answered (B2.4) and begin the first turn."""
    move = position.answers[0]
    assert isinstance(move, PlaceMarker)
    position.marker = move.space
    if log is not None:
        log.append(MarkerMoved(move.space))
    begin_turn(position, position.on_turn, log)


def begin_turn(position: Position, seat: int, log: Log) -> None:
    """Begin the turn of ``seat``, or end the match because ``max_turns`` is reached (B3.5)."""
    rules = position.layout.rules
    if position.turn == rules.max_turns:
        finish_match(position, Termination.MAX_TURNS)
        return
    position.turn += 1
    position.on_turn = seat
    position.rolled = False
    position.active = 0  # a triple at the hand limit is no part of a negotiation
    position.must_deal = rules.must_deal_with is not None and sum(position.hands[seat]) >= rules.must_deal_with
    if log is not None:
        log.append(TurnBegan(position.turn, seat))
    position.ask(Phase.TURN, ask_one_seat("turn", seat))


def finish_match(position: Position, termination: Termination) -> None:
    """End the match."""
    position.termination = termination
    position.ask(Phase.OVER, ())


def roll_or_draw(position: Position, log: Log) -> None:
    """Carry out an answer to ``turn`` other than opening a deal (B3.1, B3.2)."""
    seat, move = position.on_turn, position.answers[0]
    if type(move) is Roll:
        roll = position.chance.below(6, "die", position.turn) + 1
        position.marker = position.next_space(roll)
        position.rolled = True
        position.failed_here = False
        if log is not None:
            log.append(Chanced("die", (position.turn,), roll))
            log.append(MarkerMoved(position.marker, roll))
        position.ask(Phase.TURN, ask_one_seat("turn", seat))
        return
    assert isinstance(move, Draw)
    rules, count = position.layout.rules, position.layout.rules.draw
    if rules.draw_by_placards is not None:
        count = rules.draw_by_placards[min(3, position.owners.count(seat))]
    position.draw(seat, count, log)
    check_hand(position, log)


def hand_limit(position: Position) -> int:
    """The hand limit under the current deal card (B3.3, B8)."""
    rules = position.layout.rules
    late = rules.late_limit_from is not None and position.layout.cards[position.deal] >= rules.late_limit_from
    return min(rules.late_hand_limit, rules.hand_limit) if late else rules.hand_limit


def check_hand(position: Position, log: Log) -> None:
    """Ask the seat on turn to discard, or to play a triple, until its hand fits (B3.3); then end the turn (B3.4)."""
    seat = position.on_turn
    excess = sum(position.hands[seat]) - hand_limit(position)
    if excess <= 0:
        position.excess = (0,) * position.layout.players
        begin_turn(position, (seat + 1) % position.layout.players, log)
        return
    position.excess = tuple(excess if other == seat else 0 for other in range(position.layout.players))
    position.ask(Phase.DISCARD, ask_one_seat("discard", seat))


def discard_at_limit(position: Position, log: Log) -> None:
    """Carry out the answer to ``discard`` at the hand limit; a triple is queued as a play."""
    seat, move = position.on_turn, position.answers[0]
    if type(move) is Recruit:
        players = position.layout.players
        position.initiative = position.chance.permutation(players, "side initiative", position.side_orders)
        if log is not None:
            log.append(Chanced("side initiative", (position.side_orders,), position.initiative))
        position.side_orders += 1
        position.queue, position.queue_of = ((seat, move),), Phase.DISCARD
        return
    _discard(position, seat, move, log)
    check_hand(position, log)


def check_late_hands(position: Position, before: int) -> bool:
    """When the deal card of the late hand limit becomes current, ask all seats with too many cards to discard (B8).

    ``before`` is the number of the deal card just played. Returns whether any seat is asked.
    """
    since = position.layout.rules.late_limit_from
    if since is None or not before < since <= position.layout.cards[position.deal]:
        return False
    return ask_late_hands(position)


def ask_late_hands(position: Position) -> bool:
    """Ask all seats with too many cards to discard, at the same time. Returns whether any seat is asked."""
    limit = hand_limit(position)
    position.excess = tuple(max(0, sum(hand) - limit) for hand in position.hands)
    asks = tuple(ask for ask in ask_every_seat("discard", position.layout.players) if position.excess[ask.seat])
    if asks:
        position.cards_only = True
        position.ask(Phase.LATE_DISCARD, asks)
    return bool(asks)


def discard_late(position: Position, log: Log) -> None:
    """Carry out all answers to the late hand limit and begin the next turn."""
    for ask, move in zip(position.asks, position.answers, strict=True):
        _discard(position, ask.seat, move, log)
    position.cards_only = False
    position.excess = (0,) * position.layout.players
    begin_turn(position, position.on_turn, log)


def _discard(position: Position, seat: int, move: Move | None, log: Log) -> None:
    assert isinstance(move, Discard)
    for card in move.cards:
        position.spend(seat, CARD_ID[card])
    if log is not None:
        log.append(Discarded(seat, move.cards))
