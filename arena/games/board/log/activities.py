"""What happened in the negotiations of a match, in the order in which it happened.

An answer that takes effect stands after all offers of its tick. Plays outside negotiations are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.board import events
from arena.games.board.log.ledger import BoardLedger, board_ledger
from arena.games.board.rules import Rules
from arena.games.contract import Event
from arena.games.ledger_columns import EVENTS, Activity


class BoardActivities(BoardLedger):
    """A ledger that also makes the rows of the event log."""

    def __init__(self, rules: Rules, players: int) -> None:
        super().__init__(rules, players)
        self.activities: list[Activity] = []

    def tables(self) -> Mapping[str, Sequence[msgspec.Struct]]:
        """The rows of every table, and the activities, by name."""
        return {**super().tables(), EVENTS: self.activities}

    def _accepted(self) -> None:
        asked = sorted(self.offers.asked, key=lambda place: self.offers.rows[place].to)
        super()._accepted()
        for place in asked:
            row = self.offers.rows[place]
            self._happened(str(row.answer), row.to, row.by, row.price)

    def _before(self, event: Event) -> None:
        offers = len(self.offers.rows)
        super()._before(event)
        for row in self.offers.rows[offers:]:
            self._happened("offered", row.by, row.to, row.price)
        if isinstance(event, events.Opened):
            self._happened("opened", event.seat)
        elif self.table.terms.boss is not None:
            self._in_negotiation(event)

    def _in_negotiation(self, event: Event) -> None:
        boss = self.deals.rows[-1].boss
        match event:
            case events.Agreed(made):
                self._happened("agreed", made.partner, boss, made.price)
            case events.AgreementFell(terms):
                self._happened("fell", None, terms.partner, terms.price)
            case events.Laid(seat):
                self._happened("laid", seat)
            case events.Played(seat):
                self._happened(f"played {self.plays[-1].kind}", seat, self.plays[-1].of)
            case events.Stopped(seat):
                self._happened("stopped", seat, self.plays[-1].seat)
            case events.NewBoss(seat):
                self._happened("new boss", seat)
            case events.Named(seat):
                self._happened("named", seat)
            case events.Closed() | events.Failed():
                deal = self.deals.rows[-1]
                self._happened(str(deal.outcome), deal.boss if deal.outcome in ("closed", "given up") else None)

    def _happened(self, name: str, seat: int | None, to: int | None = None, price: int | None = None) -> None:
        deal = self.deals.rows[-1]
        self.activities.append(Activity(case=deal.deal, name=name, step=deal.ticks, seat=seat, to=to, price=price))


def board_activities(rules: Rules, players: int) -> BoardActivities:
    """Such a ledger before the first event. Raises ValueError as :func:`board_ledger`."""
    board_ledger(rules, players)
    return BoardActivities(rules, players)
