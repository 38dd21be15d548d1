"""Verification: walks through a whole replay, in which every line must be the one that follows from the rules."""

from __future__ import annotations

import msgspec

from arena.errors import Mismatch
from arena.match.match_counts import MatchCounts, count_match
from arena.match.walk.record_walk import RecordWalk
from arena.match.walk.verifier import Verifier
from arena.replay.lines import Header

UNCHECKED_FIELDS = (
    "arena",
    "tournament",
    "id",
    "block",
    "edition",
    "seats.entrant",
    "seats.bot",
    "seats.sha256",
    "seats.options",
    "limits",
)
"""Fields of the header on which nothing in a match depends: a file alone cannot show whether they are true. (Of
``edition`` this is the part behind the rules' name; of ``seats.entrant`` it is only known that the result repeats
it.)"""


class VerifyResult(msgspec.Struct, frozen=True):
    """A replay that verifies: its header; the game's ``counts``; and ``unchecked``, the fields of the header on which
    nothing in the match depends, and those of other lines, such as ``fault.reply``, which the hash alone holds."""

    header: Header
    counts: MatchCounts
    unchecked: tuple[str, ...]


def verify_replay(content: bytes) -> VerifyResult:
    """Check a whole replay. Returns its header when everything is right, its counts, and the fields that remain
    unchecked.

    Raises Mismatch, which names the first line that differs, what was expected, what was found, and how the rules have
    changed since; raises ReplayError if the file is not a finished replay.
    """
    verifier = Verifier(content)
    header = verifier.header
    try:
        walk = RecordWalk(verifier, copies=False)
        events = walk.finish()
    except Mismatch as problem:
        raise Mismatch(f"{problem}{verifier.changes_since()}") from None
    held = (field for field, there in verifier.by_hash_alone.items() if there)
    counts = count_match(verifier.game, [*walk.opening, *events], len(header.seats))
    return VerifyResult(header, counts, (*UNCHECKED_FIELDS, *verifier.never_used(), *held))
