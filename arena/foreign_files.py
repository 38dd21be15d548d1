"""Reads files that somebody else may have written: runs, shares, ladders, replays, bots, uploads, what users name.

All such reading goes through here. What lies in a folder that may come from elsewhere is a plain file, not a link, a
pipe or a device: nothing can lead out of the folder or make a command wait for ever. What users name on the command
line may be a link or a pipe (``/dev/stdin``, ``<(…)``). Either way a file that is read whole has a largest size, and
lines have a greatest length. An archive is read in memory, and nothing in it is trusted: neither names nor sizes.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import struct
import zlib
from collections.abc import Container, Iterator
from contextlib import closing
from io import BufferedReader, BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec

from arena.errors import UnsafeFile

LARGEST_FILE_BYTES = 64 << 20
"""The maximum size in bytes of a file, or of a decompressed replay, that is held in memory; replays of usual matches
have 60 to 100 kB."""
LARGEST_LOG = 256 << 20
"""The maximum size of a bot's log in bytes; merged shares have their logs in one file."""
LONGEST_LINE = 16 << 20
"""The maximum length of a line in bytes, without its line break."""
LINE_READ_BYTES = 1 << 18
"""How many bytes are read at once where a file is read line by line."""
DECODE_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions of a msgspec decoder for content that is no JSON, the wrong JSON, not UTF-8, or nested too deeply."""
LONGEST_PATH, DEEPEST_PATH, LONGEST_PART = 500, 20, 255
"""The maximum length of a path in an archive, in characters, the maximum number of its parts, and the maximum length of
a part, in bytes."""
ZIP_START = b"PK\x03\x04"
"""The first bytes of a ZIP archive that holds a file."""
_ZIP_ENTRY = b"PK\x01\x02"
"""The first bytes of each entry in the list of files at the end of a ZIP archive."""
_ZIP_HEADER_BYTES = 30
"""The least size of the header in front of each file in a ZIP archive."""
_ZIP_ERRORS = (
    BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)
"""The exceptions of zipfile for an archive that is damaged or was made to do damage."""

_FILE_KINDS = (
    (stat.S_ISLNK, "a link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_descriptor(path: str | os.PathLike[str], flags: int = os.O_RDONLY, *, own: bool = False) -> int:
    """The file at ``path``, opened with these flags; it never waits. With ``own`` it must be this user's. Raises
    UnsafeFile for a link and for what is no plain file, and any other OSError as :func:`os.open`."""
    try:
        found = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
    except OSError as problem:
        if problem.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):  # a link, a pipe, a folder
            raise _file_refusal(path, os.lstat(path)) from None
        raise
    try:
        status = os.fstat(found)
        if not stat.S_ISREG(status.st_mode):
            raise _file_refusal(path, status)
        if own and status.st_uid != os.geteuid():
            raise UnsafeFile(errno.EPERM, "it belongs to another user", os.fspath(path))
    except BaseException:
        os.close(found)
        raise
    return found


def open_foreign_file(path: str | os.PathLike[str]) -> BufferedReader:
    """The file at ``path``, opened for reading. Raises as :func:`open_descriptor`."""
    return open(open_descriptor(path), "rb")


_FOLDER_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC


def open_below(path: str, root: str) -> tuple[BufferedReader, bool]:
    """The file at ``path``, opened step by step from the folder ``root`` (both are real paths); and whether a folder on
    the way can be entered only by its owner. The file may not be a regular one: check before reading. Raises OSError
    where a link has appeared on the way."""
    at, closed = os.open(root, _FOLDER_FLAGS), False
    try:
        *folders, name = os.path.relpath(path, root).split("/")
        for folder in folders:
            below = os.open(folder, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = below
            closed |= not os.fstat(at).st_mode & (stat.S_IXGRP | stat.S_IXOTH)
        found = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
    finally:
        os.close(at)
    return open(found, "rb"), closed


def check_file(path: str | os.PathLike[str]) -> None:
    """Raise UnsafeFile where ``path`` exists but is no plain file: for libraries that open files themselves."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        raise _file_refusal(path, status)


def read_foreign_file(path: str | os.PathLike[str], most: int = LARGEST_FILE_BYTES, *, own: bool = False) -> bytes:
    """The content of the file at ``path``. Raises as :func:`open_descriptor`; UnsafeFile for more than ``most``
    bytes."""
    with open(open_descriptor(path, own=own), "rb", buffering=0) as file:
        return _all_of(file, path, most)


def read_argument(path: str | os.PathLike[str], most: int = LARGEST_FILE_BYTES, expected: str = "a file") -> bytes:
    """The content of a file that a user names, which may be a link or a pipe. Raises UnsafeFile for a device, which may
    have no end, and for more than ``most`` bytes; else OSError as :func:`open`."""
    status = os.stat(path)
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        raise _file_refusal(path, status, expected)
    with open(path, "rb", buffering=0) as file:
        return _all_of(file, path, most)


def _all_of(file: BinaryIO, path: str | os.PathLike[str], most: int) -> bytes:
    size = os.fstat(file.fileno()).st_size  # 0 of a pipe
    parts, length = list[bytes](), 0
    while size <= most and length <= most and (part := file.read(max(LINE_READ_BYTES, min(size, most) - length + 1))):
        parts.append(part)
        length += len(part)
    if max(size, length) > most:
        raise UnsafeFile(errno.EFBIG, f"it holds more than {_size_text(most)}", os.fspath(path))
    return parts[0] if len(parts) == 1 else b"".join(parts)


def foreign_lines(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The lines of the file at ``path``, without their line breaks. An incomplete last line is left out, because it
    is still being written. Raises as :func:`open_descriptor`, and UnsafeFile, naming the line, for one that is too
    long."""
    for some in some_lines(path):
        yield from some


def some_lines(path: str | os.PathLike[str]) -> Iterator[list[bytes]]:
    """The lines of :func:`foreign_lines` in lists, as many together as are read at once, which is faster. Raises as
    :func:`foreign_lines`."""
    with open(open_descriptor(path), "rb", buffering=0) as file:
        yield from _some_lines_in(file, path)


def lines_in(file: BinaryIO, path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The lines of an open file, from its current position. Raises as :func:`foreign_lines`."""
    for some in _some_lines_in(file, path):
        yield from some


def _some_lines_in(file: BinaryIO, path: str | os.PathLike[str]) -> Iterator[list[bytes]]:
    begun, length, count = list[bytes](), 0, 0  # what there is of a line that does not end yet, and whole lines before
    while part := file.read(LINE_READ_BYTES):
        found = part.split(b"\n")
        begun.append(found[0])
        length += len(found[0])
        if length > LONGEST_LINE:
            problem = f"line {count + 1} has more than {_size_text(LONGEST_LINE)}"
            raise UnsafeFile(errno.EFBIG, problem, os.fspath(path))
        if len(found) > 1:
            found[0] = b"".join(begun)
            begun = [found.pop()]
            length = len(begun[0])
            yield found
            count += len(found)


def files_in(folder: Path, ending: str) -> list[Path]:
    """The plain files directly in a folder whose names have this ``ending``, by name; none where there is no folder.
    Raises UnsafeFile where the folder is a link."""
    return [
        folder / entry.name for entry in _sorted_entries(folder) if entry.name.endswith(ending) and _is_plain(entry)
    ]


def odd_files_in(folder: Path, ending: str) -> list[UnsafeFile]:
    """The problems of entries directly in a folder that have this ``ending`` but are no plain files."""
    found = [entry for entry in _sorted_entries(folder) if entry.name.endswith(ending) and not _is_plain(entry)]
    return [_file_refusal(entry.path, entry.stat(follow_symlinks=False)) for entry in found]


def files_below(folder: Path, ending: str) -> list[Path]:
    """The plain files anywhere below a folder whose names have this ``ending``, by path. Links are not followed."""
    found = list[Path]()
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            if name.endswith(ending) and stat.S_ISREG(os.lstat(os.path.join(place, name)).st_mode):
                found.append(Path(place, name))
    return sorted(found)


def _sorted_entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return []
    except OSError as problem:
        if problem.errno in (errno.ELOOP, errno.ENOTDIR):
            raise _file_refusal(folder, os.lstat(folder), "a folder") from None
        raise
    os.close(opened)
    with closing(os.scandir(folder)) as found:
        return sorted(found, key=lambda entry: entry.name)


def _is_plain(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False)


class ArchivedFile(NamedTuple):
    """A file in an archive: its path there, which is relative and leads nowhere else, and its content."""

    path: str
    content: bytes
    executable: bool


def read_zip(content: bytes, name: str, most_files: int, most_bytes: int) -> list[ArchivedFile]:
    """The files in the ZIP archive ``content``, which messages call ``name``; folders are left out. Raises UnsafeFile
    for a damaged or encrypted archive, and one whose files share bytes; for a path that is absolute, leads upwards, is
    not printable, or occurs twice; for links and whatever else is no plain file; for more than ``most_files`` files, or
    ``most_bytes`` bytes in all, counted while they are unpacked."""
    if content.count(_ZIP_ENTRY) > most_files:
        raise UnsafeFile(errno.EFBIG, f"it holds more than {most_files:,} files", name)
    found = dict[str, ArchivedFile]()
    try:
        with ZipFile(BytesIO(content)) as archive:
            if _shares_bytes(archive):
                raise UnsafeFile(errno.EINVAL, "files in it share their bytes", name)
            for each in archive.infolist():
                if problem := _entry_problem(each, found):
                    raise UnsafeFile(errno.EINVAL, problem, name)
                if each.is_dir():
                    continue
                with archive.open(each) as file:
                    unpacked = file.read(most_bytes + 1)
                most_bytes -= len(unpacked)
                if most_bytes < 0:
                    raise UnsafeFile(errno.EFBIG, "it holds too much: too many bytes in all its files", name)
                found[each.filename] = ArchivedFile(each.filename, unpacked, bool(each.external_attr >> 16 & 0o111))
    except _ZIP_ERRORS as problem:
        raise UnsafeFile(errno.EINVAL, f"it is no ZIP archive that can be read: {problem}", name) from None
    folders = {str(above) for path in found for above in PurePosixPath(path).parents}
    if both := sorted(folders & found.keys()):
        raise UnsafeFile(errno.EINVAL, f"{both[0]!r} in it is a file and a folder", name)
    return list(found.values())


def _shares_bytes(archive: ZipFile) -> bool:
    """Whether a file in the archive reaches into the next one, or into the list of files at the end: newer versions of
    Python only warn of some of these."""
    entries = sorted(archive.infolist(), key=lambda each: each.header_offset)
    ends = [*(each.header_offset for each in entries[1:]), archive.start_dir]
    return any(
        each.header_offset + _ZIP_HEADER_BYTES + each.compress_size > end
        for each, end in zip(entries, ends[: len(entries)], strict=True)
    )


def _entry_problem(entry: ZipInfo, found: Container[str]) -> str:
    """Say why an entry of an archive is not read; empty if it is."""
    path, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    parts = path.removesuffix("/").split("/")
    if len(path) > LONGEST_PATH or len(parts) > DEEPEST_PATH or max(map(len, map(str.encode, parts))) > LONGEST_PART:
        return f"a path in it is too long: more than {LONGEST_PATH} characters or {DEEPEST_PATH} parts, or a long name"
    if not path.isprintable() or "\\" in path or {"", ".", ".."} & set(parts):
        return f"the path {path!r} in it is not allowed: expected a relative path of printable characters"
    if path in found:
        return f"the path {path!r} is in it twice"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return f"{path!r} in it is {_kind_name(kind)}; put a plain file there"
    if entry.flag_bits & 0x1:
        return f"{path!r} in it is encrypted"
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return f"{path!r} in it is compressed in an unusual way; expected the usual one (deflate)"
    return ""


def parse_json(content: bytes) -> Any:
    """Parse JSON to plain data. Raises ValueError for content that is no JSON, not UTF-8, or nested too deeply."""
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _file_refusal(path: str | os.PathLike[str], status: os.stat_result, expected: str = "a file") -> UnsafeFile:
    got = _kind_name(status.st_mode)
    hint = "; replace it by its target" if got == "a link" else ""
    return UnsafeFile(errno.EINVAL, f"expected {expected}, got {got}{hint}", os.fspath(path))


def _kind_name(mode: int) -> str:
    return next((name for is_it, name in _FILE_KINDS if is_it(mode)), "a file")


def _size_text(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size:,} bytes"
