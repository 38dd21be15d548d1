"""An archive of a stranger is read within bounds, and nothing in it leads anywhere else or is anything but a file."""

from __future__ import annotations

import random
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import pytest

from arena.errors import UnsafeFile
from arena.foreign_files import ArchivedFile, read_zip

Entry = tuple[str | zipfile.ZipInfo, bytes]


def packed(*entries: Entry, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", how) as archive:
        for name, content in entries:
            archive.writestr(name, content, compress_type=how)
    return held.getvalue()


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name)
    found.external_attr = mode << 16
    return found


def read(content: bytes, most_files: int = 100, most_bytes: int = 1 << 20) -> list[ArchivedFile]:
    return read_zip(content, "the upload", most_files, most_bytes)


def refusal(content: bytes, most_files: int = 100, most_bytes: int = 1 << 20) -> str:
    with pytest.raises(UnsafeFile) as found:
        read(content, most_files, most_bytes)
    return str(found.value)


def test_files_are_read_with_their_paths_and_whether_they_are_executable() -> None:
    content = packed((entry("a/run", stat.S_IFREG | 0o755), b"1"), ("a/", b""), ("a/ünïcode.py", b"2"), ("b", b""))
    assert read(content) == [
        ArchivedFile("a/run", b"1", True),
        ArchivedFile("a/ünïcode.py", b"2", False),
        ArchivedFile("b", b"", False),
    ]


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../up", "a/../../up", "./a", "a//b", "a\\b", "C:\\x", "a/./b", "a\nb", "\x1b[2J", "..", "a/.."],
)
def test_a_path_that_leads_elsewhere_is_refused(name: str) -> None:
    assert "is not allowed" in refusal(packed((name, b"x")))


@pytest.mark.parametrize("name", ["a" * 501, "a/" * 20 + "b", "é" * 128, "a/" + "b" * 256 + "/c"])
def test_a_path_that_no_disk_takes_is_refused(name: str) -> None:
    assert "is too long" in refusal(packed((name, b"x")))


@pytest.mark.parametrize(
    ("kind", "told"),
    [(stat.S_IFLNK, "a link"), (stat.S_IFIFO, "a pipe"), (stat.S_IFCHR, "a device"), (stat.S_IFSOCK, "a socket")],
)
def test_what_is_no_plain_file_is_refused(kind: int, told: str) -> None:
    assert f"'x' in it is {told}" in refusal(packed((entry("x", kind | 0o777), b"/etc/passwd")))


def test_two_files_at_one_path_are_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = packed(("a", b"1"), ("a", b"2"))
    assert "is in it twice" in refusal(twice)
    assert "'a' in it is a file and a folder" in refusal(packed(("a/b", b"1"), ("a", b"2")))


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked_further() -> None:
    bomb = packed(("zeros", bytes(64 << 20)), ("more", b""))
    assert len(bomb) < 100_000
    tracemalloc.start()
    assert "too many bytes" in refusal(bomb)
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()
    assert "too many bytes" in refusal(packed(*((f"{number}", bytes(600_000)) for number in range(2))))


def test_a_size_that_an_archive_gives_too_small_hides_nothing() -> None:
    honest = packed(("zeros", bytes(4 << 20)))
    assert "too many bytes" in refusal(honest)
    lie = honest.replace(struct.pack("<I", 4 << 20), struct.pack("<I", 10))
    assert lie != honest
    assert "is no ZIP archive that can be read" in refusal(lie)


def test_very_many_files_are_refused_before_their_list_is_read() -> None:
    many = packed(*((str(number), b"") for number in range(101)))
    assert "more than 100 files" in refusal(many)
    assert len(read(many, most_files=101)) == 101


def test_files_that_share_their_bytes_are_refused() -> None:
    content = packed(("a", b"x" * 1000), ("b", b"y" * 1000))
    place = content.rindex(b"PK\x01\x02") + 42  # where the list says that b begins
    assert "share their bytes" in refusal(content[:place] + bytes(4) + content[place + 4 :])


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compression_whose_output_nothing_bounds_is_refused(how: int) -> None:
    assert "compressed in an unusual way" in refusal(packed(("a", b"x" * 100), how=how))


def test_an_encrypted_archive_is_refused() -> None:
    content = bytearray(packed(("a", b"x")))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted" in refusal(bytes(content))


@pytest.mark.parametrize(
    "damage", [lambda it: it[:-30], lambda it: b"PK\x03\x04" + it, lambda it: b"", lambda it: it * 2]
)
def test_a_cut_or_padded_archive_is_read_or_refused(damage: Callable[[bytes], bytes]) -> None:
    content = damage(packed(("a", b"x" * 1000), ("b", b"y")))
    names = set[str]()
    with suppress(UnsafeFile):
        names = {file.path for file in read(content)}
    assert names in (set(), {"a", "b"})


def test_changed_bytes_never_cause_another_error_than_a_refusal() -> None:
    whole, draw, refused = packed(("a/x.py", b"text " * 50), ("a/y", bytes(range(256)))), random.Random(7), 0
    for _ in range(1500):
        content = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            content[draw.randrange(len(content))] = draw.choice((0, 1, 0x7F, 0xFF, draw.randrange(256)))
        try:
            read(bytes(content))
        except UnsafeFile:
            refused += 1
    assert refused > 500
