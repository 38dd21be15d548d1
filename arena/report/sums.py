"""What the report adds up in its one pass over the replays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.report.money_over_deals import MoneyOverDeals
from arena.report.notable import LargestPayments
from arena.tournament.records import MatchRecord


@dataclass(slots=True)
class ReportSums:
    """Adds up matches; those of a later part are merged into it."""

    money: MoneyOverDeals = field(default_factory=MoneyOverDeals)
    largest: LargestPayments = field(default_factory=LargestPayments)

    def add(self, record: MatchRecord, tables: Mapping[str, Sequence[Any]]) -> None:
        """Take in a match with its tables."""
        self.money.add(record, tables)
        self.largest.add(record, tables)

    def merge(self, other: ReportSums) -> None:
        """Take in what another has taken in."""
        self.money.merge(other.money)
        self.largest.merge(other.largest)
