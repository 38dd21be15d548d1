"""A round robin that is spread over deals: small rounds, equal for entrants, and cycles, equal for pairs."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import comb, gcd
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UserError
from arena.tournament.formats.spread_tables.difference_family import resolvable_rounds, translated_rounds
from arena.tournament.formats.spread_tables.spread import SpreadFormat
from arena.tournament.records.earlier_results import EarlierResults

FIELDS = [(v, k) for k in range(2, 7) for v in (*range(k, 15), *{2: (21,), 3: (19,), 4: (18, 20), 5: (21,)}.get(k, ()))]
"""Numbers of entrants and of seats."""


def meetings(tables: Sequence[Sequence[int]]) -> Counter[tuple[int, int]]:
    """How often each pair of entrants, the lower number first, sits at one of these tables."""
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def rounds(spread: SpreadFormat, seats: int, blocks: range) -> list[list[tuple[int, ...]]]:
    return [list(spread.tables(seats, block, EarlierResults())) for block in blocks]


@pytest.mark.slow
@given(st.integers(2, 24), st.integers(2, 7), st.integers(0, 10**9))
@settings(deadline=None, max_examples=5)
def test_a_block_is_the_fewest_tables_at_which_everybody_sits_equally_often(v: int, k: int, block: int) -> None:
    k = min(v, k)
    spread = SpreadFormat(v)
    tables = spread.tables(k, block, EarlierResults())
    assert len(tables) == spread.count(k, block) == v // gcd(v, k)
    assert Counter(entrant for table in tables for entrant in table) == dict.fromkeys(range(v), k // gcd(v, k))
    assert all(len(set(table)) == k for table in tables)
    assert len({frozenset(table) for table in tables}) == len(tables)


def test_over_any_cycle_every_pair_meets_equally_often() -> None:
    for number, (v, k) in enumerate(FIELDS):
        spread = SpreadFormat(v)
        cycle = spread.cycle(k)
        first = (number % 2) * 2 * cycle
        met = meetings([table for tables in rounds(spread, k, range(first, first + cycle)) for table in tables])
        times = cycle * (v // gcd(v, k)) * comb(k, 2) // comb(v, 2)
        assert met == dict.fromkeys(combinations(range(v), 2), times), (v, k)


@pytest.mark.parametrize(
    ("v", "k", "cycle"),
    [(6, 4, 5), (6, 3, 10), (6, 2, 5), (6, 5, 1), (6, 6, 1), (7, 3, 1), (7, 4, 1), (8, 4, 7), (13, 4, 1), (16, 4, 15)],
)
def test_cycles_are_as_long_as_documented(v: int, k: int, cycle: int) -> None:
    assert SpreadFormat(v).cycle(k) == cycle


@pytest.mark.parametrize(("v", "k", "cycles"), [(6, 4, 1), (6, 3, 1), (5, 3, 1), (8, 4, 24), (9, 4, 24), (7, 3, 24)])
def test_later_cycles_play_other_tables_until_all_have_come_about_equally_often(v: int, k: int, cycles: int) -> None:
    spread = SpreadFormat(v)
    played = Counter(table for tables in rounds(spread, k, range(cycles * spread.cycle(k))) for table in tables)
    assert len(played) == comb(v, k)
    assert max(played.values()) <= 2 * played.total() / comb(v, k)


def test_large_fields_are_planned_in_seconds_and_pairs_meet_nearly_equally_often() -> None:
    began = process_time()
    spread = SpreadFormat(200)
    met = meetings([table for tables in rounds(spread, 4, range(spread.cycle(4))) for table in tables])
    assert process_time() - began < 10  # a second where nothing else runs
    assert len(met) == comb(200, 2)
    assert {2, 3, 4} >= set(met.values())
    assert Counter(met.values())[3] > 0.8 * len(met)


def test_the_rounds_are_the_same_in_every_process() -> None:
    code = (
        "from arena.tournament.formats.spread_tables.spread import SpreadFormat\n"
        "from arena.tournament.records.earlier_results import EarlierResults\n"
        "print([SpreadFormat(v).tables(k, block, EarlierResults()) for v, k, block in"
        " [(6, 4, 3), (10, 4, 100), (11, 4, 7)]])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = [SpreadFormat(v).tables(k, block, EarlierResults()) for v, k, block in [(6, 4, 3), (10, 4, 100), (11, 4, 7)]]
    assert said.stdout.strip() == str(here)


def test_rounds_stay_as_they_are_because_a_run_must_go_on_as_it_began() -> None:
    assert rounds(SpreadFormat(6), 4, range(6)) == [
        [(0, 1, 4, 5), (0, 2, 3, 5), (1, 2, 3, 4)],
        [(0, 1, 2, 5), (1, 3, 4, 5), (0, 2, 3, 4)],
        [(1, 2, 3, 5), (0, 2, 4, 5), (0, 1, 3, 4)],
        [(2, 3, 4, 5), (0, 1, 3, 5), (0, 1, 2, 4)],
        [(0, 3, 4, 5), (1, 2, 4, 5), (0, 1, 2, 3)],
        [(0, 1, 4, 5), (1, 2, 3, 5), (0, 2, 3, 4)],
    ]


def test_a_family_of_sets_has_every_difference_equally_often() -> None:
    for v, k in ((v, k) for v, k in FIELDS if v > k and gcd(v, k) == 1):
        family = translated_rounds(v, k)
        found = Counter((one - other) % v for (table,) in family.rounds for one, other in product(table, table))
        times = len(family.rounds) * k * (k - 1) // (v - 1)
        assert family.even, (v, k)
        assert all(found[difference] == times for difference in range(1, v)), (v, k)


def test_a_family_of_rounds_has_every_difference_equally_often() -> None:
    for v, k in ((v, k) for v, k in FIELDS if v > k and gcd(v, k) > 1):
        family = resolvable_rounds(v, k)
        finite = [[each for each in table if each != v - 1] for tables in family.rounds for table in tables]
        found = Counter((one - other) % (v - 1) for table in finite for one, other in product(table, table))
        times = len(family.rounds) * (k // gcd(v, k)) * (k - 1)
        assert family.even, (v, k)
        assert all(found[difference] == times for difference in range(1, v - 1)), (v, k)


def test_too_few_entrants_for_a_table_are_refused() -> None:
    with pytest.raises(UserError, match="expected 4 entrants or more, one for each seat in outline-4p, got 3"):
        SpreadFormat(3).check(4, "outline-4p")
