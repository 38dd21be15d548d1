"""What each seat may expect to have at the end of a match: for bots that search no further than a turn."""

from __future__ import annotations

from typing import cast

from arena.games.board.state import State
from arena.games.playout import PlayedOut

HELD_WORTHS = (
    (1.8, 0.6, 2.4, 0.8, 1.7, 8.0, 2.6),
    (1.75, 1.4, 1.7, 0.8, 1.8, 7.0, 2.6),
    (1.6, 2.2, 0.9, 1.3, 2.3, 5.0, 3.6),
    (0.7, 1.8, 0.4, 1.2, 1.4, 2.3, 3.8),
)
"""About what brings how many $M until the end of the match, for deals 1 to 3, 4 to 6, 7 to 9, and later: a clan card, a
family that it can represent, a recruitment card, a boss card, a STOP, a placard, and being on turn. Fitted to matches
of magnate and dealmaker (``tests/bench/hand_values.py``)."""


def prospects(ended: PlayedOut) -> list[float]:
    """The money of each seat at the end of a rollout, and what its cards and placards and its turn will bring until the
    end of the match (:data:`HELD_WORTHS`), in $M by seat. A rollout knows every hand; a match does not."""
    state, money = cast(State, ended.state), [float(each) for each in ended.money]
    if state.outcome is None:
        clan, family, recruitment, boss, stop, placard, turn = HELD_WORTHS[min(state.deal // 3, 3)]
        for seat, hand in enumerate(state.hands):
            own = [owner == seat for owner in state.owners]
            families = sum(has or held > 0 for has, held in zip(own, hand[:6], strict=True))
            money[seat] += placard * sum(own) + clan * sum(hand[:6]) + family * families
            money[seat] += recruitment * hand[13] + boss * hand[14] + stop * hand[15]
        money[state.on_turn] += turn
    return money
