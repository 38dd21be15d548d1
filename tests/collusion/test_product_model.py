"""Payments that are a product of two parts are honest, and a gift beyond a sum and a product is not hidden by it."""

from __future__ import annotations

from functools import lru_cache

import numpy
import pytest

from arena.collusion.additive import Additive
from arena.collusion.product_model import ProductModel, extra_freedom
from tests.bench.collusion import World, measure

PAIR = ((1, 2), (2, 1))


@lru_cache
def model_without_pair(entrants: int, product: float, noise: float = 1.0) -> tuple[ProductModel, numpy.ndarray]:
    """The model of all cells but those of the pair, and what the pair honestly gives."""
    random = numpy.random.Generator(numpy.random.PCG64(4))
    gives, gets = random.exponential(1, (2, entrants))
    table = product * numpy.outer(gives, gets) + random.normal(0, 3, (entrants, 1)) + random.normal(0, 3, entrants)
    table = table + noise * random.normal(0, 1, table.shape)
    cells = [(one, two) for one in range(entrants) for two in range(entrants) if one != two and (one, two) not in PAIR]
    values = numpy.array([table[cell] for cell in cells])
    return ProductModel(Additive(cells), values, "seed"), numpy.array([table[cell] for cell in PAIR])


def test_a_product_is_shown_and_predicts_what_an_honest_pair_gives() -> None:
    model, pair = model_without_pair(8, 20.0)
    assert model.shown
    assert model.tail(PAIR, pair).min() > 0.01


def test_a_gift_beyond_the_product_is_far_from_it() -> None:
    model, pair = model_without_pair(8, 20.0)
    for way in range(3):
        gift = numpy.array([way != 1, way != 0]) * 25.0
        assert model.tail(PAIR, pair + gift)[way] < 1e-6, way


def test_a_product_without_any_noise_leaves_nothing_over() -> None:
    model, pair = model_without_pair(7, 20.0, noise=0.0)
    assert model.shown
    assert model.tail(PAIR, pair + 1.0).max() < 1e-6


def test_in_a_sum_with_noise_no_product_is_shown_and_nothing_is_said() -> None:
    model, pair = model_without_pair(8, 0.0)
    assert not model.shown
    assert model.tail(PAIR, pair).tolist() == [0, 0, 0]


def test_whom_the_others_do_not_show_cannot_be_predicted() -> None:
    model, _ = model_without_pair(8, 20.0)
    assert model.tail(((1, 99), (99, 1)), numpy.array([500.0, 500.0])).tolist() == [1, 1, 1]


def test_among_five_nothing_is_said_because_the_cells_are_too_few() -> None:
    model, pair = model_without_pair(5, 60.0)
    assert model.freedom < 1
    assert not model.shown
    assert model.tail(PAIR, pair + 500).tolist() == [0, 0, 0]


@pytest.mark.parametrize("entrants", [8, 16, 50])
def test_a_product_fitted_to_noise_takes_the_freedom_that_is_said(entrants: int) -> None:
    """The mean of the largest squared singular value of interactions that are noise alone."""
    random = numpy.random.Generator(numpy.random.PCG64(1))
    noise = random.normal(0, 1, (200, entrants - 1, entrants - 1))
    largest = (numpy.linalg.svd(noise, compute_uv=False)[:, 0] ** 2).mean()
    assert 2 * entrants - 3 + extra_freedom(entrants) == pytest.approx(largest, rel=0.05)


def test_honest_payments_that_are_a_product_accuse_nobody() -> None:
    """By the other tests alone 35 of 100 such runs have a pair that stands out, and so has this one."""
    world = World("product", entrants=8, bots=0.0, product=10.0, parts="exponential")
    assert measure(world, 1, seed=19).accused == 0


def test_gifts_are_found_where_honest_payments_are_a_product() -> None:
    world = World("product", entrants=8, bots=0.0, product=5.0, colluders=1, gift=30.0)
    rates = measure(world, 2)
    assert (rates.found, rates.accused) == (1.0, 0.0)
