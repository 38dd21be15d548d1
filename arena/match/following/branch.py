"""What a branch of a recorded match is, and its result."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from arena.match.refereeing.match_result import MatchResult


class BranchAnswer(StrEnum):
    """The answer at the ask where a branch begins: the recorded one, a given move, or what the bot in that seat answers
    now."""

    RECORDED = "recorded"
    GIVEN = "given"
    OWN = "own"


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """A branch of a ``replay``, packed (:func:`arena.replay.frame.pack_replay`): it begins at the ``ask`` (from 1),
    with which ``answer``, and for a given answer with its ``move``, as JSON, and words (``say``). From there on
    ``chance`` is the seed of chance; empty: chance falls as recorded."""

    replay: bytes
    ask: int
    answer: BranchAnswer = BranchAnswer.RECORDED
    move: bytes = b""
    say: str = ""
    chance: str = ""


class UnrepeatedSeat(NamedTuple):
    """A seat whose bot answered differently when its recorded asks were repeated, first at ``ask``: its memory may
    differ from that in the match."""

    seat: int
    ask: int


class BranchReport(msgspec.Struct, frozen=True):
    """How following the record went: the ``unrepeated`` seats in order, and what the bot of the branch's seat
    ``answered`` at the branch's ask, as JSON (empty: it did nothing, failed, or was not asked), with its words."""

    unrepeated: tuple[UnrepeatedSeat, ...] = ()
    answered: bytes = b""
    said: str = ""


class BranchResult(MatchResult):
    """The result of a branch; ``told`` is the report on following the record."""

    told: BranchReport = BranchReport()
