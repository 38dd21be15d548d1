"""All that the report adds up in its one pass over the replays of a run."""

from __future__ import annotations

from arena.app.ledger import Bargaining
from arena.replay.ledger import Tables
from arena.report.money_over_deals import MoneyOverDeals
from arena.report.notable import LargestPayments
from arena.tournament.records import MatchRecord


class ReportSums:
    """Adds up money over deals, the largest payments, and how bots bargain (:class:`arena.app.gather.Accumulator`)."""

    def __init__(self) -> None:
        self.money, self.largest, self.bargaining = MoneyOverDeals(), LargestPayments(), Bargaining()

    def add(self, record: MatchRecord, tables: Tables) -> None:
        """Take in a match with its tables."""
        self.money.add(record, tables)
        self.largest.add(record, tables)
        self.bargaining.add(record, tables)

    def merge(self, other: ReportSums) -> None:
        """Take in what another has taken in."""
        self.money.merge(other.money)
        self.largest.merge(other.largest)
        self.bargaining.merge(other.bargaining)
