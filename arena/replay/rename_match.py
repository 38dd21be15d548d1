"""Transfers a replay to another tournament, where the same match has other names.

What is played depends on the header without ``id``, ``tournament``, ``block`` and the entrants' names, which no bot is
told. So a replay is transferred by rewriting its first line, and its last, which has the names and the hash of all
lines before it.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec.structs import replace

from arena.errors import ReplayError
from arena.foreign_files import DECODE_ERRORS
from arena.replay.lines import Header, Result, encode_line
from arena.replay.read import read_header

_RESULT_DECODER = msgspec.json.Decoder(Result)


def carried_over(content: bytes, header: Header) -> tuple[bytes, Result]:
    """The replay in ``content`` as playing the match of ``header`` would produce it, with its last line.

    Raises ReplayError where the replay belongs to another match than ``header`` (which may differ in its names only),
    is cut off, or has a closing hash that does not fit its bytes.
    """
    first, _, rest = content.partition(b"\n")
    last = rest[:-1].rpartition(b"\n")[2]
    if not rest.endswith(b"\n"):
        raise ReplayError("cut off: the result is missing")
    before = read_header(first)
    head = encode_line(header)
    if encode_line(rename_header(before, header)) != head:
        raise ReplayError("of another match: its header differs not only in names")
    try:
        result = _RESULT_DECODER.decode(last)
    except DECODE_ERRORS as problem:
        raise ReplayError(f"the last line is not a result: {problem}") from None
    middle = content[len(first) + 1 : len(content) - len(last) - 1]
    if (digest := sha256(first + b"\n" + middle).hexdigest()) != result.sha256:
        raise ReplayError(f"sha256 is {result.sha256}, but the lines before it have {digest}")
    if len(result.seats) != len(header.seats):
        raise ReplayError(f"{len(header.seats)} seats in the header, {len(result.seats)} in the result")
    seats = tuple(replace(seat, entrant=to.entrant) for seat, to in zip(result.seats, header.seats, strict=True))
    result = replace(result, seats=seats, sha256=sha256(head + middle).hexdigest())
    return head + middle + encode_line(result), result


def rename_header(before: Header, header: Header) -> Header:
    """The header ``before`` with the names from ``header``."""
    if len(before.seats) != len(header.seats):
        return before
    seats = tuple(replace(seat, entrant=to.entrant) for seat, to in zip(before.seats, header.seats, strict=True))
    return replace(before, id=header.id, tournament=header.tournament, block=header.block, seats=seats)
