"""Counts of cards by kind."""

from collections.abc import Callable

import pytest

from arena.games.hand_counts import change_count, change_few, lay_out, put_in_order, tally_cards

CHANGES = [change_count, change_few]


@pytest.mark.parametrize("change", CHANGES)
def test_one_kind_is_changed_and_no_other(change: Callable[[bytes, int, int], bytes]) -> None:
    assert change(bytes((3, 0, 1)), 1, 2) == bytes((3, 2, 1))
    assert change(bytes((3, 0, 1)), 0, -3) == bytes((0, 0, 1))


@pytest.mark.parametrize("change", CHANGES)
def test_there_are_never_fewer_cards_than_none(change: Callable[[bytes, int, int], bytes]) -> None:
    with pytest.raises(ValueError, match="1 cards of a kind cannot become -1"):
        change(bytes((3, 0, 1)), 2, -2)


def test_counts_are_laid_out_as_cards_and_tallied_again() -> None:
    assert lay_out(bytes((3, 0, 1))) == bytes((0, 0, 0, 2))
    assert tally_cards(lay_out(bytes((3, 0, 1))), 3) == bytes((3, 0, 1))
    assert put_in_order(bytes((5, 6, 7)), (2, 0, 1)) == bytes((7, 5, 6))
