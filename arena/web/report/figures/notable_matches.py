"""Matches worth a look beside those with faults: where the largest sums of money changed hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.games.presenting import GameRows
from arena.tournament.records.match_record import MatchRecord
from arena.web.report.figures.money_over_deals import money_by_deal

NOTABLE_MATCHES = 100
"""Matches that are kept at most, of each edition."""


class Notable(NamedTuple):
    """The largest payment of a match, from entrant to entrant: the ``amount``, in which ``deal`` (round)."""

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
        """Take in a match; one of a game in which seats do not pay each other changes nothing."""
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
        """Take in what another has taken in."""
        for edition, notable in other.found.items():
            self._take(edition, notable)

    def _take(self, edition: str, notable: Sequence[Notable]) -> None:
        every = [*self.found.get(edition, ()), *notable]
        self.found[edition] = sorted(every, key=lambda each: (-each.amount, each.id))[:NOTABLE_MATCHES]

    def in_turn(self) -> list[Notable]:
        """All that were kept: the largest of each edition, by the editions' names, then the second of each, and so
        on."""
        kept = [self.found[edition] for edition in sorted(self.found)]
        return [each[rank] for rank in range(NOTABLE_MATCHES) for each in kept if rank < len(each)]
