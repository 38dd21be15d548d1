"""What each seat of the card game receives, round by round."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.cards.log.ledger_rows import RoundRow
from arena.games.presenting import GameRows, MoneyByDeal


def _round_gains(rows: GameRows) -> list[dict[int, int]]:
    """For each round, what each seat received."""
    rounds: Sequence[RoundRow] = rows["rounds"]
    return [dict(enumerate(each.amounts)) for each in rounds]


CARDS_MONEY = MoneyByDeal("round", _round_gains)
