"""Fits a value function: the weights by which money varies least, once the excess of chance is taken out.

Ridge regression of each seat's money, less its entrant's mean in that edition, on the excess of its own features and of
those of the others at its table (A. E. Hoerl, R. W. Kennard: Ridge Regression, Technometrics 12, 1970). Matches are
added up one by one, so memory does not grow with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from arena.errors import UserError
from arena.luck.excess import Excess
from arena.luck.value import LUCK_FORMAT, ValueFunction, ValueSource, Weights

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

RIDGE_PENALTY = 0.05
"""The number added to the variance of each feature, which is scaled to 1; it keeps weights small that the matches
hardly determine."""
WEIGHT_DIGITS = 4
"""Significant digits of weights: few enough to be the same on all computers."""
LEAST_MATCHES = 100
"""With fewer matches of a game and number of players, no weights are fitted."""


class ValueSums:
    """The sums over the matches of one game and number of players."""

    def __init__(self, features: Sequence[str]) -> None:
        import numpy

        size = 2 * len(features)
        self.features = tuple(features)
        self.matches = self.seats = 0
        self.squares: NDArray[numpy.float64] = numpy.zeros((size, size))
        self.products: NDArray[numpy.float64] = numpy.zeros(size)
        self.entrants: dict[tuple[str, str], tuple[NDArray[numpy.float64], float, int]] = {}

    def add(self, edition: str, entrants: Sequence[str], money: Sequence[int], excess: Excess) -> None:
        """Add a match: entrants, money and excess by seat."""
        import numpy

        own = numpy.array(excess)
        rows = numpy.concatenate([own, own.sum(axis=0) - own], axis=1)
        self.matches += 1
        self.seats += len(money)
        self.squares += rows.T @ rows
        self.products += rows.T @ numpy.array(money, dtype=numpy.float64)
        nothing = (numpy.zeros(rows.shape[1]), 0.0, 0)
        for entrant, row, got in zip(entrants, rows, money, strict=True):
            sums, total, count = self.entrants.get((edition, entrant), nothing)
            self.entrants[edition, entrant] = (sums + row, total + got, count + 1)

    def weights(self, game: str, players: int) -> Weights:
        """The weights that fit these sums."""
        import numpy

        products = self.products - sum(total / count * sums for sums, total, count in self.entrants.values())
        scale = numpy.sqrt(numpy.diag(self.squares) / self.seats)
        used = scale > 1e-9
        square = self.squares[numpy.ix_(used, used)] / self.seats / numpy.outer(scale[used], scale[used])
        right = products[used] / self.seats / scale[used]
        found = numpy.zeros(len(scale))
        found[used] = numpy.linalg.solve(square + RIDGE_PENALTY * numpy.eye(int(used.sum())), right) / scale[used]
        rounded = tuple(float(f"{each:.{WEIGHT_DIGITS}g}") + 0.0 for each in found.tolist())
        size = len(self.features)
        return Weights(game, players, self.matches, self.features, rounded[:size], rounded[size:])


class ValueFit:
    """Adds up matches of any games, and fits a value function to them."""

    def __init__(self) -> None:
        self.tables: dict[tuple[str, int], ValueSums] = {}

    def add(
        self,
        game: str,
        features: Sequence[str],
        edition: str,
        entrants: Sequence[str],
        money: Sequence[int],
        excess: Excess,
    ) -> None:
        """Add a match of ``game``, which has these ``features``: entrants, money and excess by seat."""
        key = (game, len(money))
        if key not in self.tables:
            self.tables[key] = ValueSums(features)
        self.tables[key].add(edition, entrants, money, excess)

    def value(self, name: str, sources: Iterable[ValueSource]) -> ValueFunction:
        """The value function of the matches added, with this ``name``; ``sources`` are the tournaments they are from.
        Raises UserError if no game has enough matches with one number of players."""
        made = {key: sums for key, sums in sorted(self.tables.items()) if sums.matches >= LEAST_MATCHES}
        if not made:
            most = max((sums.matches for sums in self.tables.values()), default=0)
            raise UserError(
                f"expected {LEAST_MATCHES} matches or more, of one game with one number of players, to fit a value "
                f"function, got {most}"
            )
        weights = tuple(sums.weights(*key) for key, sums in made.items())
        return ValueFunction(LUCK_FORMAT, name, tuple(sources), weights)
