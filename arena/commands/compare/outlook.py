"""How long a comparison may take from here, and which difference it looks for, in the measure's own unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arena.config.documents.duration import duration_in_words
from arena.sequential.test_settings import Settings
from arena.tournament.inference.paired import PairedMeasure
from arena.tournament.tables.rounded_figures import fixed_decimals

if TYPE_CHECKING:
    from arena.sequential.sequential_test import SequentialState  # numpy is slow to load

FIRST_OUTLOOK = 10
"""The number of deals from which on it is said how many more there may be."""


class Outlook(NamedTuple):
    """What a comparison looks for and how many more deals it takes. ``size`` is the difference looked for, in the unit
    of the measure; ``usual`` and ``most`` deals lead to a verdict in half of all cases and in nine of ten, if any
    verdict is within the limit; ``undecided`` is the probability that none is. ``seconds`` is the time of a deal, None
    where nothing was played."""

    size: float
    usual: int
    most: int
    undecided: float
    seconds: float | None = None

    def in_words(self) -> str:
        """How many more deals there may be, and how long that takes."""
        if self.usual == self.most:
            return f"about {self._deals(self.usual)}"
        return f"usually {self._deals(self.usual)}, likely at most {self._deals(self.most)}"

    def _deals(self, deals: int) -> str:
        took = "" if self.seconds is None else f" ({duration_in_words(deals * self.seconds)})"
        return f"{deals} more{took}"


def look_ahead(state: SequentialState, settings: Settings, limit: int, seconds: float | None = None) -> Outlook | None:
    """The outlook, if at most ``limit`` more deals may come (0: any number) and each takes so many ``seconds``; None
    before there are :data:`FIRST_OUTLOOK` deals, with a verdict, and where deals do not differ."""
    if state.blocks < FIRST_OUTLOOK:
        return None
    from arena.sequential.stopping import LONGEST_TEST, forecast_stop  # numpy is slow to load

    cast = forecast_stop(state, settings, limit or LONGEST_TEST)
    if cast is None:
        return None
    return Outlook(settings.difference * state.deviation, *cast, seconds)


def differing_share_needed(difference: float) -> float:
    """The share of deals that must differ for a difference of so many deviations to exist: where a share q differs, the
    mean is at most √(q ÷ (1 - q)) deviations, if all that differ do so by the same amount."""
    return difference * difference / (1 + difference * difference)


def amount_text(size: float, measure: PairedMeasure) -> str:
    """An amount in the unit of the measure."""
    return f"{fixed_decimals(100 * size, 1)} %" if measure.share else fixed_decimals(size, 1)
