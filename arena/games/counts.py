"""Cards of a kind are interchangeable: a hand is a ``bytes`` of counts, indexed by kind."""

from __future__ import annotations


def changed(counts: bytes, kind: int, by: int) -> bytes:
    """``counts`` with ``by`` more (or fewer, negative) of ``kind``."""
    result = bytearray(counts)
    result[kind] += by
    return bytes(result)
