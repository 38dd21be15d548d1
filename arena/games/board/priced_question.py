"""The question for a list of legal answers."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.board.table import Table
from arena.games.contract import Question


class Priced(Question[Table, bytes], frozen=True, gc=False):
    """A question for a list of legal answers: offers are listed at ``prices``, in $M (None: one and two dividends)."""

    prices: Sequence[int] | None = None
