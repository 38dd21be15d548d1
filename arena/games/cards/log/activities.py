"""What happened in the rounds of a match, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.games.cards import events
from arena.games.cards.log.ledger import CardsLedger, cards_ledger
from arena.games.cards.rules import Rules
from arena.games.contract import Event
from arena.games.ledger_columns import EVENTS, Activity


class CardsActivities(CardsLedger):
    """A ledger that also makes the rows of the event log."""

    def __init__(self, rules: Rules, players: int) -> None:
        super().__init__(rules, players)
        self.activities: list[Activity] = []

    def tables(self) -> Mapping[str, Sequence[msgspec.Struct]]:
        """The rows of every table, and the activities, by name."""
        return {**super().tables(), EVENTS: self.activities}

    def follow(self, event: Event) -> None:
        """Apply ``event``. Raises ValueError if it cannot happen now."""
        bargains, actions = len(self.bargains), len(self.actions)
        super().follow(event)
        for made in self.bargains[bargains:]:
            self._happened(str(made.kind), made.turn, made.by, made.to)
        for action in self.actions[actions:]:
            self._happened(str(action.kind), action.turn, action.seat, action.front)
        if isinstance(event, events.Refused | events.CousinMade):
            asked = self.bargains[-1]
            self._happened(str(asked.answer), asked.turn, asked.to, asked.by)
        elif isinstance(event, events.Settled):
            self.activities.append(Activity(case=event.round, name="settled", step=self.rounds[-1].turns))

    def _happened(self, name: str, turn: int, seat: int, to: int | None) -> None:
        self.activities.append(Activity(case=self.table.round, name=name, step=turn, seat=seat, to=to))


def cards_activities(rules: Rules, players: int) -> CardsActivities:
    """Such a ledger before the first event. Raises ValueError as :func:`cards_ledger`."""
    cards_ledger(rules, players)
    return CardsActivities(rules, players)
