"""The end of a round (C5, C6): money changes hands, cards are discarded, hands are refilled; or the match ends."""

from __future__ import annotations

from itertools import chain

from arena.games.cards.cards import CARD_ID, COLORS, centre_listed, fronts_listed
from arena.games.cards.events import Discarded, Settled
from arena.games.cards.moves import Discard
from arena.games.cards.position import Log, Phase, Position, Termination
from arena.games.cards.table import UNKNOWN_VALUE, empty_spread, paid_amount
from arena.games.cards.views import Deal
from arena.games.phase_state import ask_every_seat


def settle_round(position: Position, log: Log) -> bool:
    """Pay, clear the table, and ask for discards (C5, C6.1). Returns whether there was nothing to ask, so that the next
    round can begin at once."""
    layout = position.layout
    value, amounts = position.value, []
    for seat, have in enumerate(position.money):
        amount = paid_amount(position.stake(seat) * value, have)
        position.money[seat] += amount
        amounts.append(amount)
    changes = tuple(amounts)
    position.ledger += (Deal(position.round, position.boss, COLORS[position.color], value, changes),)
    if log is not None:
        log.append(Settled(position.round, position.boss, value, changes))
    _clear_round(position)
    if position.round == layout.rounds:
        position.termination = Termination.LAST_ROUND
        position.ask(Phase.OVER, ())
        return False
    if not layout.rules.discards_between_rounds:
        refill_hands(position, log)
        return True
    position.ask(Phase.DISCARD, ask_every_seat("discard", layout.players))
    return False


def _clear_round(position: Position) -> None:
    """Move the cards of the round to the discard pile, and take back tokens and disks (C6.1)."""
    discards, known = bytearray(position.discards), bytearray(position.known)
    color, spread = position.color, position.spread
    for card in chain(centre_listed(color, spread.centre), *fronts_listed(color, spread.fronts)):
        discards[CARD_ID[card]] += 1
        known[CARD_ID[card]] += 1
    position.discards, position.known = bytes(discards), bytes(known)
    players = position.layout.players
    position.spread, position.passes = empty_spread(players), bytes(players)
    position.tokens = position.cousins = 0
    position.color = UNKNOWN_VALUE


def discard_cards(position: Position, log: Log) -> None:
    """Put the discards of all seats face down onto the pile, then refill the hands (C6.2)."""
    discards = bytearray(position.discards)
    for (seat, _, _), move in zip(position.asks, position.answers, strict=True):
        assert isinstance(move, Discard)
        if not move.cards:
            continue
        hand = bytearray(position.hands[seat])
        for card in move.cards:
            hand[CARD_ID[card]] -= 1
            discards[CARD_ID[card]] += 1
        position.hands[seat] = bytes(hand)
        if log is not None:
            log.append(Discarded(seat, len(move.cards), tuple(sorted(move.cards, key=CARD_ID.__getitem__))))
    position.discards = bytes(discards)
    refill_hands(position, log)


def refill_hands(position: Position, log: Log) -> None:
    """Fill hands up to their size, the new Boss's first; a larger hand is kept (C6.2)."""
    layout = position.layout
    for step in range(1, layout.players + 1):
        seat = (position.boss + step) % layout.players
        missing = layout.hand - sum(position.hands[seat])
        if missing > 0:
            position.draw(seat, missing, log)
