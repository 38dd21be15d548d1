"""Successive halving: many candidates play a few deals, the better half plays twice as many, and so on to the last.

K. Jamieson and A. Talwalkar, Non-stochastic best arm identification and hyperparameter optimization, AISTATS 2016. All
candidates of a rung play the same deals; what they played in earlier rungs counts too. The first bracket draws its
candidates from the whole of all ranges, each part of a range once (M. McKay, R. Beckman and W. Conover, A comparison of
three methods for selecting values of input variables, Technometrics 21, 1979: Latin hypercube); later ones draw them
around the best so far, from half as much each time.
"""

from __future__ import annotations

from statistics import fmean

from arena.games.chance import Chance
from arena.tuning.option_space import NamedValues, OptionSpace, OptionValues
from arena.tuning.tuning_course import Search, TrialBatch, TuningCourse, TuningSettings

UNKNOWN_SCORE = 0.0
"""The score of a candidate none of whose matches counts."""


class SuccessiveHalving:
    """The search by successive halving: a bracket in each round. The best so far is always among its candidates."""

    def __init__(
        self, space: OptionSpace, start: OptionValues, settings: TuningSettings, course: TuningCourse, chance: Chance
    ) -> None:
        self.space, self.start, self.settings, self.course, self.chance = space, start, settings, course, chance

    def search(self, number: int) -> Search:
        """Round ``number``."""
        left = self._candidates(number)
        scores: list[list[float]] = [[] for _ in left]
        for rung, count in enumerate(self.settings.rung_deals, 1):
            batch = TrialBatch(f"round {number} rung {rung}", tuple(left), self.course.new_deals(count))
            found = yield batch
            for score, values in zip(scores, found, strict=True):
                score += [value for value in values if value is not None]
            means = [fmean(score) if score else UNKNOWN_SCORE for score in scores]
            order = sorted(range(len(left)), key=lambda place: (-means[place], place))
            better = sorted(order[: (len(left) + 1) // 2])
            self.course.add_point({**self.start, **left[order[0]]})
            left, scores = [left[place] for place in better], [scores[place] for place in better]
            if len(left) == 1:
                break
        return left[0]

    def _candidates(self, number: int) -> list[OptionValues]:
        """The candidates of a bracket, each once, the best so far first."""
        best, count = self.course.best, self.settings.candidates - 1
        middle = self.space.places_of({**self.start, **best})
        part = 0.5 ** (number - 1)
        columns = []
        for option, (each, place) in enumerate(zip(self.space.ranges, middle, strict=True)):
            layers = self.chance.permutation(count, "layers", number, option)
            drawn = [(layer + self._draw_place(number, option, row)) / count for row, layer in enumerate(layers)]
            if isinstance(each, NamedValues):
                fresh = [self._draw_place(number, option, count + row) < part for row in range(count)]
                columns.append([at if new else place for at, new in zip(drawn, fresh, strict=True)])
                continue
            low = min(max(place - part / 2, 0.0), 1 - part)
            columns.append([low + part * at for at in drawn])
        drawn_values = [self.space.values_at(places) for places in zip(*columns, strict=True)]
        different: list[OptionValues] = []
        for values in (best, *drawn_values):
            if values not in different:
                different.append(values)
        return different

    def _draw_place(self, number: int, option: int, row: int) -> float:
        return self.chance.below(1 << 32, "place", number, option, row) / (1 << 32)
