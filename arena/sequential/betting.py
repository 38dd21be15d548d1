"""An interval for the mean of bounded observations that holds at all times at once, however often somebody looks.

For each mean that is possible, two fortunes are kept, one that grows where observations lie above it, and one where
they lie below. Were this the true mean, neither could be expected to grow: with a probability of 95 %, neither of the
two ever reaches 40 times what it began with. Means for which one did are excluded for good. (I. Waudby-Smith and A.
Ramdas, Estimating means of bounded random variables by betting, J. R. Stat. Soc. B 86, 2024: the hedged capital process
with predictable plug-in bets.)
"""

from __future__ import annotations

from math import log, sqrt

import numpy

TRIED_MEANS = 2001
"""The number of possible means that are tried; because of it the interval is too wide by a thousandth of the range at
most."""
MOST_BET = 0.75
"""The largest share of a fortune that is bet; a smaller one makes the interval much wider in the first hundred
blocks."""


class BettingInterval:
    """The interval after each observation. Observations lie in 0…1, and the interval never grows."""

    def __init__(self, alpha: float = 0.05) -> None:
        self.alpha = alpha
        self.low, self.high = 0.0, 1.0
        self._count = 0
        self._sum, self._squares = 0.5, 0.25
        self._means = numpy.linspace(0, 1, TRIED_MEANS)
        with numpy.errstate(divide="ignore"):
            self._most_above, self._most_below = MOST_BET / self._means, MOST_BET / (1 - self._means)
        self._above = numpy.zeros(TRIED_MEANS)
        self._below = numpy.zeros(TRIED_MEANS)

    def add(self, observation: float) -> None:
        """Add the next observation. Raises ValueError outside 0…1."""
        if not 0 <= observation <= 1:
            raise ValueError(f"expected an observation in 0…1, got {observation}")
        bet = self._bet()
        self._count += 1
        self._sum += observation
        self._squares += (observation - self._sum / (self._count + 1)) ** 2
        beyond = observation - self._means
        self._above += numpy.log1p(numpy.minimum(bet, self._most_above) * beyond)
        self._below += numpy.log1p(-numpy.minimum(bet, self._most_below) * beyond)
        self._exclude()

    def _bet(self) -> float:
        """How much is bet on the next observation, from the variance of those so far."""
        variance, number = self._squares / (self._count + 1), self._count + 1
        return sqrt(2 * log(2 / self.alpha) / (variance * number * log(number + 1)))

    def _exclude(self) -> None:
        """Narrow the interval to the possible means that are not excluded and one more at each end. If all are
        excluded, which chance does in at most ``alpha`` of all cases, the interval stays."""
        left = numpy.flatnonzero(numpy.maximum(self._above, self._below) < log(2 / self.alpha))
        if not len(left):
            return
        low = self._means[max(left[0] - 1, 0)] if left[0] else 0.0
        high = self._means[min(left[-1] + 1, TRIED_MEANS - 1)]
        if low > self.high or high < self.low:
            return
        self.low, self.high = max(self.low, float(low)), min(self.high, float(high))
