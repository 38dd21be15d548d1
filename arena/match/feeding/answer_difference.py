"""Compares a bot's answer to a repeated ask with the recorded answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from arena.games.contract import Refusal
from arena.match.feeding.fed_bot import RepeatedAsk
from arena.penalties import FaultKind


class Likeness(StrEnum):
    """How an answer compares with the recorded one. ``same``: equal for everybody at the table; ``slow``: the same, but
    later than wanted; ``words``: the same move with other words; ``changed``: another legal answer; ``mended``: a legal
    answer where a fault is recorded. All others are kinds of faults, except those of a whole match, whatever is
    recorded."""

    SAME = "same"
    WORDS = "words"
    SLOW = "slow"
    CHANGED = "changed"
    MENDED = "mended"
    locals().update({kind.name: kind.value for kind in FaultKind if not kind.traits.of_match})

    @property
    def is_fault(self) -> bool:
        """Whether the answer would have been a fault in a match."""
        return self in FAULT_CODES


FAULT_CODES = frozenset(Likeness(kind) for kind in FaultKind if not kind.traits.of_match)
ILLEGAL, LATE = Likeness(FaultKind.ILLEGAL), Likeness(FaultKind.LATE)


class AnswerComparison(NamedTuple):
    """A repeated ask and ``what`` its answer is; ``rule`` is the reason for which the rules refuse it, if they do.
    ``other``: for the table the answer differs from the recorded one, in its move or its fault; words alone do not
    count. ``slow``: it came later than wanted."""

    asked: RepeatedAsk
    what: Likeness
    other: bool
    slow: bool = False
    rule: Refusal | None = None

    @property
    def ends(self) -> bool:
        """Whether the bot is gone, so that no further ask can be put to it."""
        fault = self.asked.answered.fault
        return self.asked.answered.gone or (fault is not None and fault.kind.ends_match)


def compare_answer(
    asked: RepeatedAsk, rules: Any, slow: float | None = None, suspicious: bool = True
) -> AnswerComparison:
    """Compare the answer with the recorded one under the ``rules`` of the match. It is late if it takes more than
    ``slow`` seconds. Without ``suspicious``, the recorded answers are taken to be legal: an answer equal to the
    recorded one is not checked."""
    then, now = asked.recorded, asked.answered
    late = slow is not None and now.seconds > slow
    if now.fault is not None:
        same_fault = then.fault is not None and then.fault.kind is now.fault.kind
        return AnswerComparison(asked, Likeness(now.fault.kind), not same_fault, late)
    if suspicious or not asked.same:
        refused = None if asked.view is None or now.move is None else asked.view.refusal(rules, now.move)
        if refused is not None:
            return AnswerComparison(asked, ILLEGAL, not asked.same, late, refused)
    if asked.same:
        return AnswerComparison(asked, Likeness.SLOW if late else Likeness.SAME, False, late)
    if only_words(asked):
        return AnswerComparison(asked, Likeness.WORDS, False, late)
    return AnswerComparison(asked, Likeness.MENDED if _was_fault(asked, rules) else Likeness.CHANGED, True, late)


def only_words(asked: RepeatedAsk) -> bool:
    """Whether both answers have the same move and differ only in the words said with it."""
    then, now = asked.recorded, asked.answered
    return then.fault is None and now.fault is None and then.move == now.move and then.say != now.say


def _was_fault(asked: RepeatedAsk, rules: Any) -> bool:
    then = asked.recorded
    if then.fault is not None or then.move is None or asked.view is None:
        return then.fault is not None
    return asked.view.refusal(rules, then.move) is not None
