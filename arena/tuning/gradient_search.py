"""SPSA: all options are moved at once, up and down, and then some way towards the better side.

J. C. Spall, Multivariate stochastic approximation using a simultaneous perturbation gradient approximation, IEEE
Transactions on Automatic Control 37, 1992: two measurements a step, however many options there are. Exponents and the
stability constant are those of J. C. Spall, Implementation of the simultaneous perturbation algorithm, IEEE
Transactions on Aerospace and Electronic Systems 34, 1998. Both sides play the same deals (common random numbers). They
stay in the range, as in P. Sadegh, Constrained optimization via stochastic approximation with a simultaneous
perturbation gradient approximation, Automatica 33, 1997. Differences are measured in units of their own size so far, so
that no step size has to be chosen for a bot. What a round proposes is the mean of its later places (B. Polyak and A.
Juditsky, Acceleration of stochastic approximation by averaging, SIAM Journal on Control and Optimization 30, 1992).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from arena.games.chance import Chance
from arena.tuning.option_space import NumberRange, OptionSpace, OptionValues
from arena.tuning.tuning_course import STEPS, Search, TrialBatch, TuningCourse, TuningSettings, paired_differences

MOVE_EXPONENT, SPREAD_EXPONENT = 0.602, 0.101
"""How fast moves, and the distance of both sides, become smaller (alpha and gamma)."""
FIRST_MOVE, FIRST_SPREAD = 0.1, 0.2
"""The first move, and the first distance of a side from the middle, as parts of a range."""
STABILITY_PART = 0.1
"""The stability constant A as a part of all steps."""
GREATEST_RATIO = 2.0
"""A difference counts at most as so many times the usual one."""


class GradientSearch:
    """The search by SPSA. It goes on from where it stands in each round."""

    def __init__(
        self, space: OptionSpace, start: OptionValues, settings: TuningSettings, course: TuningCourse, chance: Chance
    ) -> None:
        self.ranges = [each for each in space.ranges if isinstance(each, NumberRange)]
        self.space, self.settings, self.course, self.chance = space, settings, course, chance
        self.places = space.places_of(start)
        self._step, self._squares = 0, 0.0

    def search(self, number: int) -> Search:
        """Round ``number``."""
        later: list[list[float]] = []
        for step in range(1, STEPS + 1):
            up, down = self._both_sides()
            if up != down:
                deals = self.course.new_deals(self.settings.deals)
                found = yield TrialBatch(f"round {number} step {step}", (up, down), deals)
                self._move(up, down, paired_differences(*found))
            self._step += 1
            self.course.add_point(self.space.values_at(self.places))
            if 2 * step > STEPS:
                later.append(self.places)
        return self.space.values_at([fmean(each) for each in zip(*later, strict=True)])

    def _both_sides(self) -> tuple[OptionValues, OptionValues]:
        """The values on both sides of where the search stands."""
        wide = FIRST_SPREAD / (self._step + 1) ** SPREAD_EXPONENT
        up, down = [], []
        for option, (each, place) in enumerate(zip(self.ranges, self.places, strict=True)):
            spread = min(max(wide, each.grain), 0.5)
            middle = min(max(place, spread), 1 - spread)
            sign = 1 - 2 * self.chance.below(2, "spsa", self._step, option)
            up.append(middle + sign * spread)
            down.append(middle - sign * spread)
        return self.space.values_at(up), self.space.values_at(down)

    def _move(self, up: OptionValues, down: OptionValues, differences: Sequence[float]) -> None:
        """Move towards the better side, equally far along every option whose values differ."""
        difference = fmean(differences) if differences else 0.0
        self._squares += difference * difference
        if not difference:
            return
        ratio = difference / sqrt(self._squares / (self._step + 1))
        stable = STABILITY_PART * STEPS * self.settings.rounds + 1
        move = FIRST_MOVE * (stable / (stable + self._step)) ** MOVE_EXPONENT
        move *= min(max(ratio, -GREATEST_RATIO), GREATEST_RATIO)
        sides = zip(self.places, self.space.places_of(up), self.space.places_of(down), strict=True)
        self.places = [min(max(at + move * ((a > b) - (a < b)), 0.0), 1.0) for at, a, b in sides]
