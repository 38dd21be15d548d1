"""Calls of models within a budget: before a call is made, the most that it can cost is counted, and afterwards what it
really cost."""

from __future__ import annotations

import msgspec

from arena.consultation.backend import (
    CUT_OFF_FINISH,
    TRUNCATED_FINISHES,
    Completion,
    ModelBackend,
    ModelUnreachable,
    PayAgain,
    ReachProblem,
    pay_always,
)
from arena.consultation.model_spec import ModelSpec
from arena.consultation.spending import CallAllowance, ModelUse, UsedUp, attempts_use, largest_spending, largest_tokens
from arena.consulting.consultation import Consult

LONGEST_TEXT = 1 << 19
"""How many characters of an answer are kept: a longer one counts as cut off."""


class BudgetUsedUp(Exception):
    """A budget does not allow a call, or does not allow another attempt at it; ``failed`` attempts before may have cost
    something. ``used_up`` says which budget it is, and whether all play has to stop."""

    def __init__(self, used_up: UsedUp, failed: int = 0) -> None:
        self.used_up, self.failed = used_up, failed
        super().__init__(used_up.why)


class PaidBackend:
    """Implements :class:`arena.consultation.backend.ModelBackend` by another one, within an ``allowance`` of which the
    ``entrant`` pays ("": all together do). Answers whose endpoint does not say how many tokens they took have the most
    that they may have taken."""

    def __init__(self, backend: ModelBackend, allowance: CallAllowance, entrant: str = "") -> None:
        self._backend, self._allowance, self._entrant = backend, allowance, entrant

    def complete(self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always) -> Completion:
        """The answer of ``model``. Raises ModelUnreachable, and BudgetUsedUp."""
        allowance, entrant, most = self._allowance, self._entrant, largest_spending(model, consult)
        if (used_up := allowance.reserve(entrant, most)) is not None:
            raise BudgetUsedUp(used_up)
        reserved, used = msgspec.structs.replace(most), ModelUse()

        def reserve_again() -> bool:
            nonlocal used_up
            if not pay_again() or (used_up := allowance.reserve(entrant, most)) is not None:
                return False
            reserved.add(most)
            return True

        try:
            answer = _bounded(self._backend.complete(name, model, consult, reserve_again))
            answer = _with_known_tokens(answer, consult)
            used = ModelUse(1, *answer.tokens, int(answer.estimated)) + attempts_use(consult, answer.failed)
            return answer
        except ModelUnreachable as problem:
            used = attempts_use(consult, problem.begun)
            if problem.problem is ReachProblem.REFUSED:
                used += ModelUse(1)
            if used_up is not None:
                raise BudgetUsedUp(used_up, problem.begun) from None
            raise
        finally:
            allowance.settle(entrant, reserved, used.cost(model))

    def close(self) -> None:
        """Close all connections."""
        self._backend.close()


def _bounded(answer: Completion) -> Completion:
    """The answer with a text that is not too long to be kept."""
    if len(answer.text) <= LONGEST_TEXT:
        return answer
    return msgspec.structs.replace(answer, text=answer.text[:LONGEST_TEXT], finish=CUT_OFF_FINISH)


def _with_known_tokens(answer: Completion, consult: Consult) -> Completion:
    """The answer with the most tokens that it may have taken where its endpoint does not say how many."""
    prompt, completion = answer.tokens
    most = largest_tokens(consult)
    wrote = answer.text or answer.finish in (*TRUNCATED_FINISHES, CUT_OFF_FINISH)
    tokens = prompt or most[0], completion or (most[1] if wrote else 0)
    return answer if tokens == answer.tokens else msgspec.structs.replace(answer, tokens=tokens, estimated=True)
