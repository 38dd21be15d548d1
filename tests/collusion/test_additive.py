"""A gift is what the giver's ways with everybody, and everybody's ways with the receiver, do not explain."""

from __future__ import annotations

import numpy
import pytest

from arena.collusion.additive import Additive


def cells_of(entrants: int) -> list[tuple[int, int]]:
    return [(one, two) for one in range(entrants) for two in range(entrants) if one != two]


def values(cells: list[tuple[int, int]], planted: dict[tuple[int, int], float]) -> numpy.ndarray:
    """Generous givers and bots that everybody gives much, and what is planted beyond that."""
    return numpy.array([3.0 * one - 2.0 * two**2 + planted.get((one, two), 0.0) for one, two in cells])


def gifts(cells: list[tuple[int, int]], planted: dict[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    model = Additive(cells)
    shown = model.gifts(values(cells, planted))
    return {
        cells[place]: float(gift)
        for pair, own in zip(model.pairs.tolist(), shown, strict=True)
        for place, gift in zip(pair, own, strict=True)
    }


def test_who_is_generous_to_all_gives_no_gifts() -> None:
    assert all(abs(gift) < 1e-9 for gift in gifts(cells_of(5), {}).values())


@pytest.mark.parametrize("planted", [{(1, 3): 7.0}, {(1, 3): 7.0, (3, 1): -2.0}])
def test_what_a_pair_gives_beyond_is_found_exactly_whatever_it_gives_back(
    planted: dict[tuple[int, int], float],
) -> None:
    found = gifts(cells_of(6), planted)
    assert found[1, 3] == pytest.approx(7.0)
    assert found[3, 1] == pytest.approx(planted.get((3, 1), 0.0), abs=1e-9)


def test_the_deviation_of_parts_is_that_of_what_bots_give_and_get() -> None:
    cells = cells_of(6)
    givers, receivers = numpy.arange(6) * 3.0, numpy.arange(6) ** 2 * -2.0
    deviation = ((givers.var(ddof=1) + receivers.var(ddof=1)) / 2) ** 0.5
    assert Additive(cells).part_deviation(values(cells, {}) + 100) == pytest.approx(deviation)


def test_entrants_that_never_met_are_no_pair() -> None:
    cells = [cell for cell in cells_of(6) if set(cell) != {0, 1}]
    model = Additive(cells)
    assert len(model.pairs) == 14
    assert gifts(cells, {(2, 3): 4.0})[2, 3] == pytest.approx(4.0)


def test_three_entrants_cannot_be_told_apart() -> None:
    assert len(Additive(cells_of(3)).pairs) == 0


def test_the_spread_of_a_pair_is_that_of_the_others() -> None:
    cells = cells_of(6)
    noise = numpy.random.Generator(numpy.random.PCG64(3)).normal(0, 1, len(cells))
    model = Additive(cells)
    before = model.spreads(values(cells, {}) + noise)
    after = model.spreads(values(cells, {(0, 1): 100.0, (1, 0): 50.0}) + noise)
    assert after[0] == pytest.approx(before[0])
    assert after[1] > 5 * before[1]


def test_standings_are_what_least_squares_without_the_pair_predicts() -> None:
    """By the dense formulas: fit to all other cells, and the variance of what that predicts."""
    cells = cells_of(6)
    means = values(cells, {}) + numpy.random.Generator(numpy.random.PCG64(3)).normal(0, 1, len(cells))
    design = numpy.array([[float(at in (one, 6 + two)) for at in range(12)] for one, two in cells])
    model = Additive(cells)
    for pair, shown in zip(model.pairs.tolist(), model.standings(means), strict=True):
        others = [at for at in range(len(cells)) if at not in pair]
        inverse = numpy.linalg.pinv(design[others].T @ design[others])
        own = inverse @ design[others].T @ means[others]
        variance = ((means[others] - design[others] @ own) ** 2).sum() / (28 - 11)
        for chosen, clear in zip([pair[:1], pair[1:], pair], shown, strict=True):
            ways = design[chosen].sum(0)
            size = (variance * (len(chosen) + ways @ inverse @ ways)) ** 0.5
            assert clear == pytest.approx((means[chosen].sum() - ways @ own) / size)


def test_many_tables_are_judged_at_once_as_one_by_one() -> None:
    tables = numpy.random.Generator(numpy.random.PCG64(3)).normal(0, 1, (3, 42))
    model = Additive(cells_of(7))
    assert model.standings(tables) == pytest.approx(numpy.array([model.standings(each) for each in tables]))


def test_where_nothing_spreads_nobody_is_out_of_line() -> None:
    assert (Additive(cells_of(6)).standings(values(cells_of(6), {})) == 0).all()
