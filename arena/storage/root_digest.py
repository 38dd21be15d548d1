"""The root digest of a run: one SHA-256 from which it follows that no line of ``matches.jsonl`` was changed, taken out
or added. As each line has its replay's closing hash, no replay was either.

It is the SHA-256 of the digests of all lines, sorted, each in hexadecimal digits with a line break behind it. So it
does not depend on the order in which matches were finished, and anybody can compute it without arena::

    split -l 1 --filter=sha256sum matches.jsonl | cut -c -64 | LC_ALL=C sort | sha256sum
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from arena.foreign_files import some_lines

DIGEST_BYTES = sha256().digest_size
CHUNK_DIGESTS = 1 << 14
"""Digests that are written out together."""


class RootDigest(msgspec.Struct, frozen=True):
    """The root ``digest``, in hexadecimal digits, of so many ``matches``."""

    digest: str
    matches: int


def root_of(path: Path) -> RootDigest:
    """The root digest of the lines of a ``matches.jsonl``, read once; 32 bytes a line are held. A last line that is cut
    off does not count; a file that is missing has no lines."""
    digests = bytearray()
    if path.exists():
        for some in some_lines(path):
            digests += b"".join([sha256(line + b"\n").digest() for line in some])
    return root_of_digests(digests)


def root_of_digests(digests: bytearray) -> RootDigest:
    """The root digest of matches with these digests, one behind another, which are put into ascending order."""
    _sort_digests(digests)
    return RootDigest(_of_sorted(digests), len(digests) // DIGEST_BYTES)


def _sort_digests(digests: bytearray) -> None:
    """Put the digests into ascending order, in place."""
    if digests:
        from numpy import frombuffer  # slow to load

        frombuffer(digests, dtype=f"S{DIGEST_BYTES}").sort()


def _of_sorted(digests: bytearray) -> str:
    """The digest of these digests, one a line."""
    root, size = sha256(), DIGEST_BYTES * CHUNK_DIGESTS
    for start in range(0, len(digests), size):
        root.update(digests[start : start + size].hex("\n", DIGEST_BYTES).encode() + b"\n")
    return root.hexdigest()
