"""The faults in a replay's lines, with equal ones counted together."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from arena.games.contract import Event
from arena.replay.lines import Faulted


class FaultCount(msgspec.Struct):
    """Equal faults of one seat: how many, and the evidence and ask of the first."""

    seat: int
    kind: str
    rule: str
    hook: str
    evidence: str
    ask: int
    count: int = 1


def count_faults(lines: Iterable[Event]) -> list[FaultCount]:
    """The faults in a replay's lines, with equal ones counted together, in order."""
    found: dict[tuple[int, str, str, str], FaultCount] = {}
    for line in lines:
        if isinstance(line, Faulted):
            key = (line.seat, line.kind, line.rule, line.hook)
            if key in found:
                found[key].count += 1
            else:
                found[key] = FaultCount(*key, line.evidence, line.ask)
    return list(found.values())
