"""What two entrants give each other beyond a sum of two parts and a product of two more.

Honest payments may be a product: what A gives B is how generous A is times how much B asks for. A sum of two parts does
not describe that, so the pair of the most generous bot and the one that asks most looks as if it colluded. This module
adds one product to the additive model (the additive main effects and multiplicative interaction model with one term: J.
Mandel, A new analysis of variance model for non-additive data, Technometrics 13, 1971; H. G. Gauch, Model selection and
validation for yield trials with interaction, Biometrics 44, 1988). It is fitted without the pairs in question, by least
squares in turns over givers and receivers; how far a pair is from what it predicts is judged as in linear regression,
with the product linearised about its fit.

A product can be fitted to any table, even to noise. So the model judges only where the fitted product explains more
than most products fitted to pure noise: elsewhere it would cost power and protect nobody. Among five or six entrants
the cells are too few for it (:mod:`arena.collusion.collusion_search`).
"""

from __future__ import annotations

from hashlib import sha256

import numpy

from arena.collusion.additive import FLAT_SPREAD, Additive
from arena.collusion.arrays import Numbers
from arena.tournament.inference.student_t import t_above

MOST_TURNS = 200
"""The most turns of a fit."""
STILL_FIT = 1e-7
"""A fit ends when no turn changes a value by more than this part of the largest one."""
NOISE_TABLES, FEWEST_NOISE_TABLES = 199, 19
NOISE_WORK = 4_000_000
"""The number of cells of all tables of noise together, which bounds their number where entrants are many."""
SHOWN_PRODUCT = 0.3
"""A product counts as shown if at most this share of tables of noise has one that explains as much. It is large,
because to overlook a product costs honest bots more than to see one where none is costs power."""
MEAN_TRACY_WIDOM = -1.2065
"""The mean of the Tracy–Widom distribution of order 1."""
ROUNDING = 1e-9


class ProductModel:
    """A sum and a product fitted to the ``values`` of the cells of the additive ``model``. ``seed`` determines the
    tables of noise."""

    def __init__(self, model: Additive, values: Numbers, seed: str) -> None:
        self._model = model
        count = len(model.entrants)
        self._met: Numbers = numpy.zeros((count, count))
        self._met[model.givers, model.receivers] = 1.0
        table = self._tables(values)
        self._parts, left = _fit_products(self._met, table)
        self._squares = float(left)
        additive = values - model.fitted_values(values)
        explained = self._explained_share(float((additive * additive).sum()), self._squares)
        self._normal, self._inverse, rank = self._linearised()
        self.freedom = len(values) - rank - extra_freedom(count)
        self.shown = self.freedom >= 1 and explained > ROUNDING and self._exceeds_noise(explained, seed)

    def tail(self, pair: tuple[tuple[int, int], tuple[int, int]], values: Numbers) -> Numbers:
        """For a ``pair`` that was left out of the fit, its two cells (giver, receiver) with their ``values``: the
        probabilities that its first gift, its second, and their sum lie by chance as far above what the sum and the
        product predict. All are 0 where no product is shown, and 1 where one is shown but the fit does not determine
        the prediction for these cells."""
        if not self.shown:
            return numpy.zeros(3)
        places = {int(entrant): place for place, entrant in enumerate(self._model.entrants)}
        if any(entrant not in places for cell in pair for entrant in cell):
            return numpy.ones(3)
        rows = numpy.array([self._row(places[giver], places[receiver]) for giver, receiver in pair])
        unknown = rows - rows @ self._inverse @ self._normal
        if numpy.abs(unknown).max() > ROUNDING**0.5 * max(1.0, numpy.abs(rows).max()):
            return numpy.ones(3)
        own, gets, up, down = self._parts
        givers, receivers = (numpy.array([places[cell[side]] for cell in pair]) for side in (0, 1))
        off = values - (own[givers] + gets[receivers] + up[givers] * down[receivers])
        covariance = (numpy.eye(2) + rows @ self._inverse @ rows.T) * self._squares / self.freedom
        sums = numpy.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        sizes = numpy.sqrt(numpy.einsum("ij,jk,ik->i", sums, covariance, sums))
        t = numpy.divide(sums @ off, sizes, out=numpy.full(3, numpy.inf), where=sizes > FLAT_SPREAD)
        return numpy.array([t_above(float(each), self.freedom) if each > 0 else 1.0 for each in t])

    def _tables(self, values: Numbers) -> Numbers:
        """The values by cell (the last axis) as tables of givers × receivers, 0 where two did not meet."""
        found: Numbers = numpy.zeros((*values.shape[:-1], *self._met.shape))
        found[..., self._model.givers, self._model.receivers] = values
        return found

    def _explained_share(self, before: float, after: float) -> float:
        """The share of the squares about the sum that the product explains."""
        return 1 - after / before if before > FLAT_SPREAD else 0.0

    def _exceeds_noise(self, explained: float, seed: str) -> bool:
        """Whether the product explains more than those of most tables of noise with the same cells."""
        cells = len(self._model.givers)
        number = int(min(NOISE_TABLES, max(FEWEST_NOISE_TABLES, NOISE_WORK // cells)))
        generator = numpy.random.Generator(numpy.random.PCG64(int.from_bytes(sha256(seed.encode()).digest()[:16])))
        noise = generator.normal(0, 1, (number, cells))
        left = noise - self._model.fitted_values(noise)
        before = (left * left).sum(-1)
        after = _fit_products(self._met, self._tables(noise))[1]
        reached = int((1 - after / before >= explained - ROUNDING).sum())
        return (1 + reached) / (1 + number) <= SHOWN_PRODUCT

    def _row(self, giver: int, receiver: int) -> Numbers:
        """How the value of a cell changes with each parameter of the model."""
        _, _, up, down = self._parts
        count = len(up)
        found: Numbers = numpy.zeros(4 * count)
        found[[giver, count + receiver, 2 * count + giver, 3 * count + receiver]] = 1, 1, down[receiver], up[giver]
        return found

    def _linearised(self) -> tuple[Numbers, Numbers, int]:
        """The normal matrix of the model about its fit, its inverse, and its rank."""
        _, _, up, down = self._parts
        one = numpy.ones(len(up))
        # Of each set of parameters: whether it is by giver (0) or receiver (1), and how the value of a cell changes
        # with its parameter, as a factor of the giver and one of the receiver.
        slopes = [(0, one, one), (1, one, one), (0, one, down), (1, up, one)]
        blocks = []
        for side, of_giver, of_receiver in slopes:
            row = []
            for other, by_giver, by_receiver in slopes:
                cross = self._met * numpy.outer(of_giver * by_giver, of_receiver * by_receiver)
                row.append(numpy.diag(cross.sum(1 - side)) if other == side else cross.T if side else cross)
            blocks.append(row)
        normal: Numbers = numpy.block(blocks)
        inverse: Numbers = numpy.linalg.pinv(normal, rcond=ROUNDING, hermitian=True)
        return normal, inverse, round(float((inverse * normal).sum()))


def extra_freedom(entrants: int) -> float:
    """How many degrees of freedom a fitted product takes beyond its parameters, because it is the largest of the
    products that noise has: the mean of the largest squared singular value (I. M. Johnstone, On the distribution of the
    largest eigenvalue in principal components analysis, Annals of Statistics 29, 2001), less the parameters."""
    size = entrants - 1
    root, less = size**0.5, (size - 1) ** 0.5
    largest = (root + less) ** 2 + MEAN_TRACY_WIDOM * (root + less) * (1 / root + 1 / less) ** (1 / 3)
    return float(max(0.0, largest - (2 * entrants - 3)))


def _fit_products(met: Numbers, tables: Numbers) -> tuple[tuple[Numbers, Numbers, Numbers, Numbers], Numbers]:
    """The sum and the product nearest to each of these ``tables`` (… × givers × receivers) where two ``met``: the part
    of each giver and of each receiver in the sum, and their factors in the product; and the sum of squares that is
    left."""
    own: Numbers = numpy.zeros(tables.shape[:-1])
    gets: Numbers = numpy.zeros(tables.shape[:-1])
    for _ in range(2):  # a start: the sum, nearly
        own = (tables.sum(-1) - gets @ met.T) / numpy.maximum(met.sum(1), 1)
        gets = (tables.sum(-2) - own @ met) / numpy.maximum(met.sum(0), 1)
    left, sizes, right = numpy.linalg.svd(met * (tables - own[..., :, None] - gets[..., None, :]))
    up: Numbers = left[..., :, 0] * sizes[..., :1] ** 0.5
    down: Numbers = right[..., 0, :] * sizes[..., :1] ** 0.5
    for _ in range(MOST_TURNS):
        before = up
        own, up = _lines(met, tables, gets, down)
        gets, down = _lines(met.T, tables.swapaxes(-1, -2), own, up)
        large, small = (numpy.maximum(numpy.linalg.norm(each, axis=-1, keepdims=True), ROUNDING) for each in (up, down))
        up, down = up * (small / large) ** 0.5, down * (large / small) ** 0.5
        if numpy.abs(up - before).max() <= STILL_FIT * max(ROUNDING, numpy.abs(up).max()):
            break
    fitted = own[..., :, None] + gets[..., None, :] + up[..., :, None] * down[..., None, :]
    return (own, gets, up, down), (met * (tables - fitted) ** 2).sum((-1, -2))


def _lines(met: Numbers, tables: Numbers, parts: Numbers, factors: Numbers) -> tuple[Numbers, Numbers]:
    """For each row of the tables the line nearest to its values less the ``parts`` of the columns, over the ``factors``
    of the columns: its height and its slope; without a slope where the factors do not differ."""
    count, first, second = met.sum(1), factors @ met.T, (factors * factors) @ met.T
    total = tables.sum(-1) - parts @ met.T
    mixed = (tables @ factors[..., None])[..., 0] - (parts * factors) @ met.T
    spread = count * second - first * first
    slope = numpy.divide(
        count * mixed - first * total, spread, out=numpy.zeros(spread.shape), where=spread > ROUNDING * count * second
    )
    return (total - slope * first) / numpy.maximum(count, 1), slope
