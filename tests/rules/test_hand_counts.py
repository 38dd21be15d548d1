"""Counts of cards by kind."""

import pytest

from arena.games.hand_counts import change_count


def test_one_kind_is_changed_and_no_other() -> None:
    assert change_count(bytes((3, 0, 1)), 1, 2) == bytes((3, 2, 1))
    assert change_count(bytes((3, 0, 1)), 0, -3) == bytes((0, 0, 1))


def test_there_are_never_fewer_cards_than_none() -> None:
    with pytest.raises(ValueError, match="1 cards of a kind cannot become -1"):
        change_count(bytes((3, 0, 1)), 2, -2)
