"""Workers are given matches up to the end of a deal, where that is near."""

from __future__ import annotations

from itertools import product

import pytest

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


def test_a_portion_is_never_more_than_there_is_room_for() -> None:
    for length, room in product(range(1, 10), range(1, 9)):
        for deals, fair in product(product("ab", repeat=length - 1), range(1, room + 1)):
            found = batch_end(("a", *deals)[: room + 1], fair, room)
            assert 1 <= found <= min(room, length), (deals, fair, room)
