"""Matches worth a look beside those with faults: where the largest sums of money changed hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.games.presenting import GameRows
from arena.tournament.records.match_record import MatchRecord
from arena.web.report.figures.money_over_deals import money_by_deal

NOTABLE_MATCHES = 100
"""How many matches are kept for each edition at most."""


class Notable(NamedTuple):
    """The largest payment of a match: payer, payee, ``amount``, and the ``deal`` (or round) of the payment."""

    amount: int
    id: str
    deal: int
    payer: str
    payee: str


@dataclass(slots=True)
class LargestPayments:
    """The matches with the largest payments between two seats, by edition, the largest first."""

    found: dict[str, list[Notable]] = field(default_factory=dict)

    def add(self, record: MatchRecord, rows: GameRows) -> None:
        """Add a match; does nothing if seats do not pay each other in its game."""
        by_deal = money_by_deal(record.game)
        if by_deal is None or by_deal.payments is None:
            return
        between = [(row.amount, -row.deal, -row.payee, -row.payer) for row in by_deal.payments(rows)]
        largest = max(between, default=None)
        if largest is not None:
            amount, deal, payee, payer = largest
            names = [seat.entrant for seat in record.seats]
            self._take(record.edition, [Notable(amount, record.id, -deal, names[-payer], names[-payee])])

    def merge(self, other: LargestPayments) -> None:
        """Add the matches of another instance."""
        for edition, notable in other.found.items():
            self._take(edition, notable)

    def _take(self, edition: str, notable: Sequence[Notable]) -> None:
        every = [*self.found.get(edition, ()), *notable]
        self.found[edition] = sorted(every, key=lambda each: (-each.amount, each.id))[:NOTABLE_MATCHES]

    def in_turn(self) -> list[Notable]:
        """Return all kept matches: the largest of each edition, in the order of the editions' names, then the second
        largest of each, and so on."""
        kept = [self.found[edition] for edition in sorted(self.found)]
        return [each[rank] for rank in range(NOTABLE_MATCHES) for each in kept if rank < len(each)]
