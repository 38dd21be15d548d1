"""How a negotiation ends (B6, B7): the deal closes or fails, the table is cleared, the match goes on or ends."""

from __future__ import annotations

from arena.games.board.answers.closing import closing_payments
from arena.games.board.cards import CARDS, CLAN, CLAN_CARDS, FAMILIES, FAMILY_ID, NO_CLANS, Family, clans_listed
from arena.games.board.events import Closed, Discarded, EndRolled, Failed, MarkerMoved, Returned, TravelEnded
from arena.games.board.moves import Close
from arena.games.board.phases.turn import begin_turn, check_late_hands, finish_match
from arena.games.board.position import Log, Position, Termination
from arena.games.board.table import NOBODY_SEAT
from arena.games.board.views import ClosedDeal
from arena.games.contract import Chanced
from arena.games.hand_counts import change_count


def fail_deal(position: Position, gave_up: bool, log: Log) -> None:
    """Let the deal fail (B7.4): the space is not covered and the marker stays."""
    if log is not None:
        log.append(Failed(position.boss, gave_up))
    position.failed_here = True
    begin_turn(position, _clear_table(position, log), log)


def close_deal(position: Position, closing: Close, log: Log) -> None:
    """Close the deal (B7.1 to B7.4). The closing is legal; its hand cards and offers are laid and accepted."""
    layout, boss, space = position.layout, position.boss, position.marker
    number, proceeds = layout.cards[position.deal], position.proceeds
    paid = closing_payments(position, closing)
    closed = ClosedDeal(number, space, boss, proceeds, paid)
    for seat, amount in enumerate(closed.amounts):
        position.money[seat] += amount
    position.ledger += (closed,)
    if log is not None:
        log.append(Closed(number, space, boss, proceeds, paid))
    _discard_used(position, closing, log)
    next_seat = _clear_table(position, log)
    position.covered |= 1 << space
    position.failed_here = False
    value = position.dividend
    if _ends_match(position, number, space, value, log):
        return
    position.deal += 1
    position.marker = position.next_space(1)
    if log is not None:
        log.append(MarkerMoved(position.marker))
    position.on_turn = next_seat
    if not check_late_hands(position, number):
        begin_turn(position, next_seat, log)


def _discard_used(position: Position, closing: Close, log: Log) -> None:
    """Discard the clan cards that the closing used (B6.1)."""
    used: list[tuple[int, Family]] = [(position.boss, family) for family in closing.clans]
    used += [(terms.partner, family) for terms in closing.partners for family in terms.clans]
    for seat, family in used:
        index, laid = FAMILY_ID[family], position.laid
        position.laid = (*laid[:seat], change_count(laid[seat], index, -1), *laid[seat + 1 :])
        position.discards = change_count(position.discards, CLAN + index, 1)
        if log is not None:
            log.append(Discarded(seat, (CLAN_CARDS[family],)))


def _clear_table(position: Position, log: Log) -> int:
    """Take back clan cards, end travel and end the negotiation (B6.1). Returns the seat next on turn (B7.4)."""
    for seat, laid in enumerate(position.laid):
        if laid != NO_CLANS:
            position.return_clans(seat)
            if log is not None:
                log.append(Returned(seat, clans_listed(laid)))
    if position.travelling:
        travelled = [family for family in range(6) if position.travelling >> family & 1]
        cards = tuple(CARDS[position.travel_cards[family]] for family in travelled)
        for family in travelled:
            position.discards = change_count(position.discards, position.travel_cards[family], 1)
        if log is not None:
            log.append(TravelEnded(tuple(FAMILIES[family] for family in travelled), cards))
        position.travelling, position.travel_cards = 0, bytes(6)
    players = position.layout.players
    last = position.on_turn if position.layout.rules.turn_order == "fixed" else position.boss
    position.boss, position.tick, position.quiet, position.to_close = NOBODY_SEAT, 0, 0, None
    position.agreements, position.offers, position.offered, position.played = (), ((),) * players, (), ()
    position.active, position.fresh, position.new_boss = 0, False, False
    return (last + 1) % players


def _ends_match(position: Position, number: int, space: int, value: int, log: Log) -> bool:
    """Whether this deal was the last, by B7.3 or the short game of B8."""
    layout = position.layout
    if position.deal == len(layout.cards) - 1:
        finish_match(position, Termination.LAST_DEAL)
        return True
    short, faces = layout.rules.end_sum, layout.rules.end_rolls.get(number, ())
    applies = number >= short.since if short is not None else bool(faces)
    if not applies:
        return False
    roll = position.chance.below(6, "end", number) + 1
    if short is not None:
        ends = roll + (layout.rules.spaces[space].dividends if short.add == "dividends" else value) >= short.reach
    else:
        ends = roll in faces
    if log is not None:
        log.append(Chanced("end", (number,), roll))
        log.append(EndRolled(roll, ends))
    if ends:
        finish_match(position, Termination.END_ROLL)
    return ends
