"""Workers are given matches up to the end of a deal, where that is near."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.executors.process_pool.batch_size import batch_end


@pytest.mark.parametrize(
    ("deals", "fair", "room", "given"),
    [
        ("aaaabbbb", 4, 7, 4),
        ("aaaabbbb", 2, 7, 4),
        ("aaaabbbb", 5, 7, 4),
        ("aaaabbbb", 5, 8, 8),
        ("aaaaaaaaa", 3, 8, 3),
        ("aaaaaaaa", 3, 8, 3),
        ("aaaaaaaa", 4, 8, 8),
        ("abbbbbbbb", 3, 8, 1),
        ("abcdefghi", 3, 8, 3),
        ("aab", 1, 1, 1),
        ("a", 1, 8, 1),
    ],
)
def test_the_portion_ends_where_a_deal_does(deals: str, fair: int, room: int, given: int) -> None:
    assert batch_end(deals[: room + 1], fair, room) == given


@given(st.text("ab", min_size=1, max_size=9), st.integers(1, 8), st.integers(1, 8))
def test_a_portion_is_never_more_than_there_is_room_for(deals: str, fair: int, room: int) -> None:
    found = batch_end(deals[: room + 1], min(fair, room), room)
    assert 1 <= found <= min(room, len(deals))
