"""With many entrants only what is not 0 is added up, and pairs are told apart many at a time: the results are those of
the plain formulas."""

from __future__ import annotations

from itertools import combinations

import numpy
import pytest

from arena.ratings.clustered import ScoreEntries, add_products
from arena.ratings.definite import add_square, cholesky, solve_factored
from arena.ratings.order_columns import Numbers
from arena.ratings.scale import RatingScale
from arena.ratings.student_columns import students_below, surely_apart
from arena.tournament.inference.student_t import SERIES_DEGREES, t_below

DRAWN = numpy.random.Generator(numpy.random.PCG64(4))


@pytest.mark.parametrize("size", [5, 900], ids=["many meet in a block", "few meet in a block"])
def test_products_of_scores_are_added_up_by_block(size: int) -> None:
    blocks, rows = 60, 400
    block, parameter = DRAWN.integers(0, blocks, rows), DRAWN.integers(0, size, rows)
    value = DRAWN.normal(size=rows)
    scores = numpy.zeros((blocks, size))
    for at in range(rows):
        scores[block[at], parameter[at]] += value[at]
    found = numpy.ones((size, size))
    add_products(found, ScoreEntries(block, parameter, value), blocks)
    assert numpy.allclose(found - 1, scores.T @ scores, atol=1e-12)


def _definite(size: int) -> Numbers:
    root = DRAWN.normal(size=(size, size))
    found: Numbers = root @ root.T + size * numpy.eye(size)
    return found


@pytest.mark.parametrize("size", [1, 127, 128, 300])
def test_equations_are_solved_from_the_factor(size: int) -> None:
    matrix, right = _definite(size), DRAWN.normal(size=size)
    factor = cholesky(matrix)
    assert factor is not None
    assert numpy.allclose(matrix @ solve_factored(factor, right), right)


def test_a_matrix_that_leaves_a_sum_open_has_no_factor_until_the_sum_is_known() -> None:
    matrix = 4 * numpy.eye(4) - 1  # each row adds up to 0
    assert cholesky(matrix) is None
    add_square(matrix, (0, 1, 2, 3), 1.0)
    assert cholesky(matrix) is not None


def test_an_amount_is_added_where_row_and_column_are_members() -> None:
    for members in ((1, 2, 3), (0, 2, 4)):
        matrix = numpy.zeros((5, 5))
        add_square(matrix, members, 2.0)
        assert {(row, column) for row, column in zip(*numpy.nonzero(matrix), strict=True)} == {
            (one, two) for one in members for two in members
        }


def test_many_probabilities_are_those_of_one_by_one() -> None:
    t = DRAWN.normal(0, 3, 500)
    df = numpy.where(
        DRAWN.random(500) < 0.5, DRAWN.uniform(1, SERIES_DEGREES, 500), DRAWN.uniform(SERIES_DEGREES, 9999, 500)
    )
    expected = [t_below(*each) for each in zip(t.tolist(), df.tolist(), strict=True)]
    assert students_below(t, df) == pytest.approx(expected, abs=1e-12)
    assert surely_apart(t, df).tolist() == [not 0.025 < chance < 0.975 for chance in expected]


def test_near_the_quantile_what_is_sure_is_computed() -> None:
    t, df = (each.ravel() for each in numpy.meshgrid(numpy.arange(1.95, 13, 0.0007), [1, 1.5, 2, 7.3, 30, 200, 201]))
    found = surely_apart(t, df)
    near = numpy.flatnonzero(found[1:] != found[:-1])  # where it changes along t, as well as elsewhere
    for at in [*near.tolist(), *DRAWN.integers(0, len(t), 500).tolist()]:
        assert found[at] == (t_below(float(t[at]), float(df[at])) >= 0.975)


def test_groups_that_are_not_told_apart_are_those_of_the_matrix() -> None:
    size = 40
    covariance = _definite(size) / 300
    scale = RatingScale(
        tuple(f"bot{number:02}" for number in range(size)),
        numpy.sort(DRAWN.normal(0, 1.5, size)),
        covariance,
        DRAWN.integers(2, 900, size),
        DRAWN.uniform(1.5, 900, size),
    )
    matrix = scale.matrix()
    alike = [[each is None or 0.025 < each < 0.975 for each in row] for row in matrix]
    runs = [
        (first, end)
        for first, end in combinations(range(size + 1), 2)
        if end - first > 1 and all(alike[one][two] for one, two in combinations(range(first, end), 2))
    ]
    longest = [one for one in runs if not any(two != one and two[0] <= one[0] and one[1] <= two[1] for two in runs)]
    assert [[scale.names[at] for at in scale.order[slice(*run)]] for run in longest] == scale.not_apart()
    assert 1 < len(longest) < size
