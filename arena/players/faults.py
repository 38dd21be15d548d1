"""Faults of bots: a closed list. A fault is a result, with its seat and its evidence, never an exception."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class FaultKind(StrEnum):
    """What may go wrong with a bot. Every kind counts against the bot and is a strike; what else one means stands
    here and nowhere else."""

    LATE = "late"
    OVERTIME = "overtime"
    DEAD = "dead"
    BROKEN = "broken"
    GARBLED = "garbled"
    ILLEGAL = "illegal"
    MISSING = "missing"
    REFUSED = "refused"

    @property
    def final(self) -> bool:
        """Whether the bot is out for the rest of the match under every fault policy."""
        return self in (FaultKind.DEAD, FaultKind.MISSING, FaultKind.OVERTIME)

    @property
    def always_gone(self) -> bool:
        """Whether the bot's process has ended with every fault of this kind."""
        return self is FaultKind.DEAD

    @property
    def may_be_gone(self) -> bool:
        """Whether the bot's process may have ended, or been ended, with a fault of this kind. With ``overtime`` that is
        not told, because the bot is out in any case: so the replay is the same with processes and without."""
        return self in (FaultKind.DEAD, FaultKind.LATE, FaultKind.GARBLED, FaultKind.REFUSED)

    @property
    def claimable(self) -> bool:
        """Whether a bot in a process of its own may report such a fault of itself; the others arena finds."""
        return self in (FaultKind.BROKEN, FaultKind.GARBLED, FaultKind.MISSING, FaultKind.REFUSED)


ENDED_EVIDENCE = {
    FaultKind.DEAD: "the process ended while the bot was thinking",
    FaultKind.LATE: "the process had to be ended while the bot was thinking",
}
"""The evidence against bots whose process is gone: words for people, by which nothing is decided."""


class Fault(msgspec.Struct, frozen=True):
    """One fault: ``evidence`` in words (for ``broken``: where in the bot's own code), ``rule`` the number of the rule
    that refused an ``illegal`` reply, ``reply`` that reply as JSON."""

    kind: FaultKind
    evidence: str
    rule: str = ""
    reply: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
