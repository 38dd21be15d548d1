"""Money of matches beside that of the same matches played again: what an entrant's words were worth."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.records.match_record import MatchRecord


class TalkVerdict(StrEnum):
    """What an entrant's words do to its money: its interval lies above 0, below 0, or holds 0; without the words
    everything is played alike; or there were no words."""

    GAINS = "gains"
    LOSES = "loses"
    OPEN = "undecided"
    UNHEEDED = "nobody heeds it"
    SILENT = "says nothing"


@dataclass(frozen=True)
class TwinMatch:
    """A match of a ``block`` beside one that was played again: how much more money the entrant had in the first, and
    the others at the table in the mean (``others``; None: nobody else sat there). ``differs``: some answer is another;
    ``first`` is the entrant whose answer was the first to differ, "" where it is not known."""

    block: Hashable
    own: float
    others: float | None
    differs: bool
    first: str = ""


@dataclass(frozen=True)
class TwinEffect:
    """All twins of one kind: by how much the money as recorded was above that of the twins, a match, with intervals
    clustered by block; in how many of the ``matches`` some answer differs, and by entrant, how often its answer was the
    first to do so. Twins that became void are left out (``voids``)."""

    own: Estimate
    others: Estimate
    matches: int
    differing: int
    first: Mapping[str, int]
    voids: int


def compare_money(
    record: MatchRecord, again: MatchRecord, entrant: str, differs: bool, first: str = ""
) -> TwinMatch | None:
    """A match and its twin; None where the twin is void."""
    if again.void:
        return None
    changes = [before.money - after.money for before, after in zip(record.seats, again.seats, strict=True)]
    own = [change for seat, change in zip(record.seats, changes, strict=True) if seat.entrant == entrant]
    others = [change for seat, change in zip(record.seats, changes, strict=True) if seat.entrant != entrant]
    mean = fsum(others) / len(others) if others else None
    return TwinMatch(record.block, fsum(own) / len(own), mean, differs, first)


def twin_effect(twins: Sequence[TwinMatch | None]) -> TwinEffect:
    """The effect over all twins of one kind; None stands for a void one."""
    seen = [each for each in twins if each is not None]
    first: dict[str, int] = {}
    for name in sorted(each.first for each in seen if each.first):
        first[name] = first.get(name, 0) + 1
    return TwinEffect(
        _mean_by_block((each.block, each.own) for each in seen),
        _mean_by_block((each.block, each.others) for each in seen if each.others is not None),
        len(seen),
        sum(each.differs for each in seen),
        first,
        len(twins) - len(seen),
    )


def _mean_by_block(values: Iterable[tuple[Hashable, float]]) -> Estimate:
    blocks: dict[Hashable, list[float]] = {}
    for block, value in values:
        blocks.setdefault(block, []).append(value)
    return clustered_mean((fsum(each), len(each)) for each in blocks.values())


def judge_talk(sayings: int, muted: TwinEffect | None) -> TalkVerdict:
    """What the words of an entrant are worth that said something so often."""
    if not sayings or muted is None:
        return TalkVerdict.SILENT
    if not muted.differing:
        return TalkVerdict.UNHEEDED
    if muted.own.low is not None and muted.own.low > 0:
        return TalkVerdict.GAINS
    return TalkVerdict.LOSES if muted.own.high is not None and muted.own.high < 0 else TalkVerdict.OPEN
