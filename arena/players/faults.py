"""Faults of bots. A fault is a result, with its seat and its evidence, never an exception."""

from __future__ import annotations

import msgspec

from arena.penalties import FaultKind

ENDED_EVIDENCE = {
    FaultKind.DEAD: "the process ended while the bot was thinking",
    FaultKind.LATE: "the process had to be ended while the bot was thinking",
}
"""The evidence against bots whose process is gone: words for people; no decision depends on them."""


class Fault(msgspec.Struct, frozen=True):
    """One fault: ``evidence`` in words (for ``broken``: where in the bot's own code), ``rule`` the number of the rule
    that refused an ``illegal`` reply, ``reply`` that reply as JSON."""

    kind: FaultKind
    evidence: str
    rule: str = ""
    reply: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
