"""A set of numbers knows which it has, and takes little for those of a long schedule."""

from __future__ import annotations

import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.bits import PAGE_NUMBERS, Bits

numbers = st.integers(0, 3 * PAGE_NUMBERS) | st.integers(0, 10**15)


@given(st.lists(numbers), st.lists(numbers))
@settings(max_examples=40)
def test_it_has_what_was_added_and_nothing_else(added: list[int], others: list[int]) -> None:
    bits = Bits()
    assert [bits.add(number) for number in added] == [number not in added[:place] for place, number in enumerate(added)]
    assert len(bits) == len(set(added))
    assert all(number in bits for number in added)
    assert [number in bits for number in others] == [number in added for number in others]
    assert "0" not in bits


def test_half_a_million_matches_take_a_fraction_of_a_byte_each() -> None:
    tracemalloc.start()
    bits = Bits()
    for number in range(10**9, 10**9 + 500_000, 10):
        bits.add(number)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(bits), size < 125_000) == (50_000, True)
