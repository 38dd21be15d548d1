"""All sums that the report needs from its one pass over the replays of a run."""

from __future__ import annotations

from arena.analysis.run_ledger import LedgerAccumulator
from arena.replay.ledger_events import Tables
from arena.tournament.records.match_record import MatchRecord
from arena.web.report.figures.money_over_deals import MoneyOverDeals
from arena.web.report.figures.notable_matches import LargestPayments


class ReportSums:
    """Adds up money over deals, the largest payments, and how bots bargain
    (:class:`arena.analysis.replay_pass.Accumulator`)."""

    def __init__(self) -> None:
        self.money, self.largest, self.bargaining = MoneyOverDeals(), LargestPayments(), LedgerAccumulator()

    def add(self, record: MatchRecord, tables: Tables) -> None:
        """Add a match with its tables."""
        self.money.add(record, tables)
        self.largest.add(record, tables)
        self.bargaining.add(record, tables)

    def merge(self, other: ReportSums) -> None:
        """Add the sums of another instance."""
        self.money.merge(other.money)
        self.largest.merge(other.largest)
        self.bargaining.merge(other.bargaining)
