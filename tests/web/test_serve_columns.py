"""Matches that are searched while others are added: whoever searches sees the first so many of them, whole."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Thread

import pytest

from arena.storage.tables import match_columns as columns_module
from arena.web.serve.match_index.index_columns import IndexColumns, IndexedLine, IndexedSeat

MATCHES = 6_000


def add(columns: IndexColumns, first: int, end: int) -> None:
    for number in range(first, end):
        seats = (IndexedSeat(f"bot-{number}", 1), IndexedSeat("other", 2))
        columns.add(number, IndexedLine(str(number), "edition", number, "end", seats))


@pytest.mark.parametrize("more", [1, 4, 5, 12, 13, 20])
def test_a_search_sees_the_matches_that_were_there_when_it_began(monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    monkeypatch.setattr(columns_module, "CHUNK", 7)
    columns = IndexColumns()
    add(columns, 0, 9)
    looking = columns.chunks()
    seen = next(looking).start.tolist()
    add(columns, 9, 9 + more)
    assert seen + [start for chunk in looking for start in chunk.start.tolist()] == list(range(9))
    assert [start for chunk in columns.chunks() for start in chunk.start.tolist()] == list(range(9 + more))


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Threads take turns all the time, and few matches become arrays together."""
    monkeypatch.setattr(columns_module, "CHUNK", 7)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_matches_are_whole_and_in_order_for_whoever_looks_while_they_come(busy: None) -> None:
    columns = IndexColumns()
    adding = Thread(target=add, args=(columns, 0, MATCHES))
    adding.start()
    seen = 0
    while adding.is_alive() or seen < MATCHES:
        count, starts = len(columns), list[int]()
        for chunk in columns.chunks():
            starts += chunk.start.tolist()
            assert (chunk.entrants >= 0).all()
        assert starts == list(range(len(starts)))
        assert len(starts) >= count >= seen
        seen = count
    adding.join()
    assert len(columns) == MATCHES
