"""What a worker and its fork server say to each other: one datagram for each request, one for each answer.

=============  =============================================  ===========================================
request        what follows                                   answer
=============  =============================================  ===========================================
``SPAWN_ORDER``      how many processes (one byte); for each, as    their pids
               descriptors, its input, its output, its log
               and, if it has one, the entry of its group
``END_ORDER``        pids of processes to kill                      for each an :data:`EXIT_STRUCT`
``WARM_UP_ORDER``    a :class:`WarmUp` as JSON                      the request's first byte, when it is done
=============  =============================================  ===========================================
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import msgspec

SPAWN_ORDER, END_ORDER, WARM_UP_ORDER = b"s", b"e", b"w"
EXIT_STRUCT = struct.Struct("=iidi")
"""How a bot's process ended: its wait status, its peak memory in bytes, seconds of CPU time, and the limit for whose
violation it was killed: 0 (none), :data:`OVER_MEMORY` or :data:`OVER_THREADS`."""
OVER_MEMORY, OVER_THREADS = 1, 2
MAX_AT_ONCE = 63
"""How many processes can be requested at once: each needs four descriptors in one message, which holds 253."""


class WarmUp(msgspec.Struct, frozen=True):
    """The rules of later matches, as JSON, and their number of players."""

    game: str
    rules: msgspec.Raw
    players: int


def encode_pids(pids: Sequence[int]) -> bytes:
    """Encode pids as bytes."""
    return struct.pack(f"={len(pids)}i", *pids)


def read_pids(data: bytes) -> tuple[int, ...]:
    """Decode the pids in ``data``. Raises struct.error where it is cut off."""
    return struct.unpack(f"={len(data) // 4}i", data)
