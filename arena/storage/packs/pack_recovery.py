"""Repairs packs whose writing was interrupted by a kill, a full disk or a power cut.

Bytes that belong to no whole frame are cut off, index entries of incomplete frames are dropped, and missing index
entries are restored from the pack. Only the end of the last pack is decompressed for that: everything before was safely
on disk.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from arena.errors import ReplayError
from arena.foreign_files import open_descriptor
from arena.storage.files.atomic_files import write_whole
from arena.storage.files.line_file import cut_off
from arena.storage.packs.pack import Pack, index_path, packs_in, scan_frames
from arena.storage.packs.pack_index import PackEntry, last_entries

UNSURE_BYTES, SMALLEST_WEIGHT = 16 << 20, 1 << 10
"""How many bytes at the end of the last pack are checked by decompressing their frames: more than are written before
they are safely on disk. A frame counts as at least ``SMALLEST_WEIGHT`` bytes."""


def mend_packs(folder: Path, unsure: int = UNSURE_BYTES) -> set[str]:
    """Repair the packs in a folder to which nobody else writes. Returns the ids of the frames that were decompressed
    for it, all of which are undamaged now."""
    found = packs_in(folder)
    checked = set[str]()
    for path in found:
        checked |= _mend_pack(path, unsure if path is found[-1] else 0)
    return checked


def _mend_pack(path: Path, unsure: int) -> set[str]:
    index = index_path(path)
    cut_off(index)
    size = path.stat().st_size if path.exists() else 0
    try:
        tail = _tail_of(index, size, unsure)
    except (FileNotFoundError, ReplayError):
        write_whole(index, (entry.line for entry in scan_frames(path)))
        tail = _tail_of(index, size, unsure)
    kept = [entry for entry in tail.entries if _is_whole(Pack(path), entry)]
    kept += scan_frames(path, tail.end)
    lines = b"".join(entry.line for entry in kept)
    if index.stat().st_size != tail.start + len(lines):
        with open(open_descriptor(index, os.O_RDWR), "rb+") as file:
            file.truncate(tail.start)
            file.seek(tail.start)
            file.write(lines)
    if (end := kept[-1].end if kept else tail.sure) < size:
        with open(open_descriptor(path, os.O_RDWR), "rb+") as pack:
            pack.truncate(end)
    return {entry.id for entry in kept}


class _Tail(NamedTuple):
    """The last entries of an index, whose frames lie within the pack but may be damaged; ``start`` is the byte of the
    index where the first of them begins, ``sure`` the byte of the pack where the frames before them end, and ``end``
    where their own frames end."""

    entries: list[PackEntry]
    start: int
    sure: int
    end: int


def _tail_of(index: Path, size: int, unsure: int) -> _Tail:
    """The tail of the index of a pack of ``size`` bytes, of which the last ``unsure`` bytes may be damaged. Raises
    ReplayError where the index is damaged, FileNotFoundError where it is missing."""
    width, start, there = 1 << 20, 1, list[PackEntry]()
    while start and sum(map(_weight, there)) <= unsure:
        start, last = last_entries(index, width)
        there = [entry for entry in last if entry.end <= size]
        width *= 4
    for before, entry in pairwise(there):
        if entry.offset < before.end:
            raise ReplayError(f"{index}: the frames of {before.id} and {entry.id} overlap")
    end = there[-1].end if there else 0
    unsafe = list[PackEntry]()
    while there and unsure > 0:
        unsafe.append(there.pop())
        unsure -= _weight(unsafe[-1])
    start += sum(len(entry.line) for entry in there)
    return _Tail(unsafe[::-1], start, there[-1].end if there else 0, end)


def _weight(entry: PackEntry) -> int:
    """The number of bytes that a frame counts among those that may not be safely on disk."""
    return max(entry.length, SMALLEST_WEIGHT)


def _is_whole(pack: Pack, entry: PackEntry) -> bool:
    try:
        pack.read(entry)
    except ReplayError:
        return False
    return True
