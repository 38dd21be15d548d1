"""The lines of a file are found by number, whatever their order, and few numbers are held of each."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

from arena.storage.files.line_file import LineFile


def number(id: str) -> int | None:
    return int(id) if id.isdigit() else None


def line(id: object) -> bytes:
    return b'{"id":"%s","rest":"of %s"}\n' % (str(id).encode(), str(id).encode())


def test_lines_come_in_the_order_of_their_numbers_and_are_found_by_them(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    order = list(range(0, 400, 2))
    random.Random(5).shuffle(order)
    path.write_bytes(b"".join(line(each) for each in order))
    with LineFile(path, number) as lines:
        assert list(lines) == [(each, line(each)) for each in sorted(order)]
        assert list(lines.numbers()) == sorted(order)
        assert [lines.number_at(place) for place in range(len(lines))] == sorted(order)
        assert lines.line(14) == line(14)
        assert lines.line(15) is None
        assert lines.line(1000) is None
        assert not lines.cut_off


def test_lines_without_a_number_and_a_cut_off_end_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(line(3) + b"nothing\n" + line("other") + b"\xff\n" + line(1) + line(2)[:-4])
    with LineFile(path, number) as lines:
        assert list(lines) == [(1, line(1)), (3, line(3))]
        assert lines.cut_off


def test_of_two_lines_of_one_number_the_first_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(line(1) + b'{"id":"1"}\n')
    with LineFile(path, number) as lines:
        assert lines.line(1) == line(1)
        assert list(lines.numbers()) == [1, 1]


def test_a_file_that_is_missing_has_no_lines(tmp_path: Path) -> None:
    with LineFile(tmp_path / "none.jsonl", number) as lines:
        assert (len(lines), list(lines), lines.line(0)) == (0, [], None)


def test_twenty_thousand_lines_in_order_take_two_numbers_each(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"".join(map(line, range(20_000))))
    tracemalloc.start()
    with LineFile(path, number) as lines:
        assert sum(1 for _ in lines) == 20_000
        held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 500_000
    assert most < 2_000_000
