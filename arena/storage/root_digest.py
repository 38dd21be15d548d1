"""The root digest of a run: one SHA-256 which shows that no line of ``matches.jsonl`` was changed, removed or added.
Since each line contains its replay's closing hash, it also covers the replays.

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
"""How many digests are hashed together."""


class RootDigest(msgspec.Struct, frozen=True):
    """The root ``digest`` of ``matches`` matches, in hexadecimal digits."""

    digest: str
    matches: int


def root_of(path: Path) -> RootDigest:
    """The root digest of the lines of a ``matches.jsonl``, read once; this holds 32 bytes a line. An incomplete last
    line does not count; a missing file has no lines."""
    digests = bytearray()
    if path.exists():
        for some in some_lines(path):
            digests += b"".join([sha256(line + b"\n").digest() for line in some])
    return root_of_digests(digests)


def root_of_digests(digests: bytearray) -> RootDigest:
    """The root digest of matches, given their digests one after another; sorts ``digests`` in place."""
    _sort_digests(digests)
    return RootDigest(_of_sorted(digests), len(digests) // DIGEST_BYTES)


def _sort_digests(digests: bytearray) -> None:
    """Sort the digests in ascending order, in place."""
    if digests:
        from numpy import frombuffer  # slow to load

        frombuffer(digests, dtype=f"S{DIGEST_BYTES}").sort()


def _of_sorted(digests: bytearray) -> str:
    """The root digest of sorted digests."""
    root, size = sha256(), DIGEST_BYTES * CHUNK_DIGESTS
    for start in range(0, len(digests), size):
        root.update(digests[start : start + size].hex("\n", DIGEST_BYTES).encode() + b"\n")
    return root.hexdigest()
