"""Mends packs that were broken off in the middle of writing, by a kill, a full disk or a power cut.

Bytes that belong to no whole frame are cut off, entries of frames that are not there whole are dropped, and what the
index lacks is read from the pack. Only the end of the last pack is unpacked for that: what is before was safe on disk.
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
"""Bytes at the end of the last pack whose frames are unpacked: more than are written before they are safe on disk. A
frame counts as so many bytes at least."""


def mend_packs(folder: Path, unsure: int = UNSURE_BYTES) -> set[str]:
    """Mend the packs in a folder to which nobody else writes; the ids of the frames that were unpacked for it, all
    undamaged now."""
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
    """The last entries of an index, whose frames lie within the pack but are not sure to be undamaged: where the first
    of them begins in the index, and their frames end in the pack; ``sure`` is where the frames before them end."""

    entries: list[PackEntry]
    start: int
    sure: int
    end: int


def _tail_of(index: Path, size: int, unsure: int) -> _Tail:
    """The tail of the index of a pack of this size. Raises ReplayError where the index is damaged, FileNotFoundError
    where it is missing."""
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
    """What a frame takes of the bytes that may not be safe."""
    return max(entry.length, SMALLEST_WEIGHT)


def _is_whole(pack: Pack, entry: PackEntry) -> bool:
    try:
        pack.read(entry)
    except ReplayError:
        return False
    return True
