"""What a scan has found, in words and figures: for the terminal, as JSON and as CSV."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from arena.app.decision import Decision, decision_at
from arena.app.decisions import Seen
from arena.app.scan import Gain, Planned, Scanned
from arena.branch.dearest import is_clear
from arena.branch.worth import Worth, worth
from arena.games import load_game
from arena.tournament.figures import csv_text, estimate_cells, estimate_columns, estimate_data, rounded

COLUMNS = ("event", "ask", "hook", "legal", "why", "unsure", "did", "better", "recorded", "move")


class Dearest(NamedTuple):
    """A decision that cost something: the ``decision`` as it stands in the replay and as it was ``seen`` by the scan,
    in words the ``better`` answer, what that was ``worth`` beside the recorded one, and whether it is ``clear`` that it
    was worth more. ``typed`` is the better answer as ``arena branch --move`` understands it."""

    decision: Decision
    seen: Seen
    gain: Gain
    better: str
    typed: str
    worth: Worth
    clear: bool

    @property
    def cost(self) -> float:
        """What the decision cost in the mean."""
        return self.worth.differences[self.decision.seat].mean or 0.0


def dearest_of(planned: Planned, scanned: Scanned) -> list[Dearest]:
    """The decisions of the last round, the dearest first."""
    seen = {each.decided.number: each for each in planned.chosen}
    found = [_dearest(planned, seen[gain.other.ask], gain) for gain in scanned.gains]
    return sorted(found, key=lambda each: (-each.cost, each.decision.number))


def _dearest(planned: Planned, seen: Seen, gain: Gain) -> Dearest:
    decision, seat = decision_at(planned.match, gain.other.ask), planned.wanted.seat
    move = next(each for each in _moves(seen, decision) if msgspec.json.encode(each) == gain.other.move)
    of = worth(gain.then, gain.now, seat)
    return Dearest(decision, seen, gain, decision.told(move), decision.typed(move), of, is_clear(of.differences[seat]))
