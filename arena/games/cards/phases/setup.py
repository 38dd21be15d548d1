"""The set-up of a match (C2)."""

from __future__ import annotations

from arena.games.cards.cards import X
from arena.games.cards.position import Log, Position, deck_names
from arena.games.contract import Chanced
from arena.games.hand_counts import put_in_order


def set_up(position: Position, log: Log) -> int:
    """Deal the hands and make the deck; return the first Boss."""
    layout, chance = position.layout, position.chance
    players = layout.players
    boss = chance.below(players, "boss")
    if log is not None:
        log.append(Chanced("boss", (), boss))
    shuffled = put_in_order(layout.deck, chance.permutation(len(layout.deck), "deck", 0))
    dealt = players * layout.hand
    position.deck = shuffled[:dealt] + _with_exes(position, shuffled[dealt:])
    if log is not None:
        log.append(Chanced("deck", (0,), deck_names(position.deck)))
    for seat in range(players):
        position.draw((boss + seat) % players, layout.hand, log)
    position.third_x = layout.rules.deck.x == 3
    return boss


def _with_exes(position: Position, rest: bytes) -> bytes:
    """Put an X into each half of the deck, the odd card in the lower half; the third X lies under the disk (C2.3)."""
    upper = len(rest) // 2
    halves = [rest[:upper], rest[upper:]]
    for number in range(min(2, position.layout.rules.deck.x)):
        half = halves[number]
        place = position.chance.below(len(half) + 1, "x", number)
        halves[number] = half[:place] + bytes([X]) + half[place:]
    return b"".join(halves)
