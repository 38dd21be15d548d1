"""Where two plays of one match diverge: the first decision that differs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import msgspec

from arena.games.contract import Event
from arena.replay.lines import Answered, Faulted
from arena.replay.read import read_replay_lines


class PlayDifference(msgspec.Struct):
    """Where two plays of a match diverge: the first decision that differs, as it was ``then`` and is ``now`` (None in
    the play that has no such decision), and the ``seat`` and the ``ask`` at which they diverge. That is the earlier ask
    of the two, where one play has a decision at an ask at which nothing was done in the other. All are None where every
    decision is the same, but other lines differ."""

    then: str | None = None
    now: str | None = None
    seat: int | None = None
    ask: int | None = None


def first_difference(before: bytes, after: bytes) -> PlayDifference:
    """The first decision that differs between the replays of two plays of a match."""
    return first_parting(read_replay_lines(before)[1], read_replay_lines(after)[1])


def first_parting(before: Sequence[Event], after: Sequence[Event]) -> PlayDifference:
    """The first decision that differs between two plays."""
    then = [line for line in before if isinstance(line, Answered | Faulted)]
    now = [line for line in after if isinstance(line, Answered | Faulted)]
    for old, new in zip_longest(then, now):
        if old != new:
            told = [None if line is None else _decision_text(line) for line in (old, new)]
            first = min((line for line in (old, new) if line is not None), key=lambda line: line.ask)
            return PlayDifference(told[0], told[1], first.seat, first.ask)
    return PlayDifference()


def _decision_text(line: Answered | Faulted) -> str:
    if isinstance(line, Faulted):
        return f"ask {line.ask}: seat {line.seat}, {line.hook}: fault: {line.kind} {line.rule} {line.evidence}"
    said = f", saying {line.say!r}" if line.say else ""
    return f"ask {line.ask}: seat {line.seat}, {line.hook}: {bytes(line.move).decode()}{said}"
