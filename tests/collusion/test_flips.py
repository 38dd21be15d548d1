"""How often luck gives any pair of the table as clear a gift: sign flips of blocks."""

from __future__ import annotations

import numpy
import pytest

from arena.collusion.flip_test import FLIPS, flip_probabilities, gift_clearness


def noise(seed: int, blocks: int, columns: int) -> numpy.ndarray:
    return numpy.random.Generator(numpy.random.PCG64(seed)).standard_t(3, (blocks, columns))


def test_equal_blocks_of_one_sign_are_as_unlikely_as_their_signs() -> None:
    (luck,) = flip_probabilities(numpy.ones((6, 1)), "seed")
    assert luck == pytest.approx(1 / 64, abs=0.006)


def test_a_gift_that_no_flip_reaches_has_the_least_probability() -> None:
    blocks = noise(1, 40, 10)
    blocks[:, 4] += 10
    luck = flip_probabilities(blocks, "seed")
    assert luck[4] == pytest.approx(1 / (FLIPS + 1))
    assert luck.argmin() == 4


def test_the_same_run_gives_the_same_probabilities_and_another_seed_nearly_the_same() -> None:
    blocks = noise(2, 20, 12)
    assert (flip_probabilities(blocks, "a") == flip_probabilities(blocks, "a")).all()
    assert abs(flip_probabilities(blocks, "a") - flip_probabilities(blocks, "b")).max() < 0.04


def test_pairs_that_show_nothing_at_all_are_not_divided_by_nothing() -> None:
    blocks = numpy.zeros((9, 3))
    assert gift_clearness(blocks).tolist() == [0, 0, 0]
    assert (flip_probabilities(blocks, "seed") == 1).all()


def test_luck_alone_seldom_looks_like_more_in_the_whole_table() -> None:
    tables = 120
    found = sum(flip_probabilities(noise(seed, 15, 20), "seed").min() <= 0.05 for seed in range(tables))
    assert 0.025 <= found / tables <= 0.08
