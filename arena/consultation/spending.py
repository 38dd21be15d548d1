"""What was spent on models, and whether a budget allows one call more.

A call is allowed if the budget would hold even if it came to the worst: a request of as many tokens as it has bytes
halved, and an answer of ``max_tokens``. So a budget is never overdrawn, but for a model that counts more tokens than
that, and never in dependence on which of two matches was faster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple, Protocol

import msgspec

from arena.consultation.model_spec import CallBudget, CallBudgets, ModelSpec
from arena.consulting.consultation import Consult

BYTES_A_TOKEN = 2
"""The fewest bytes that a token of a request is taken to have."""


class ModelSpending(msgspec.Struct):
    """What was spent: ``calls``, ``tokens`` (of requests and answers together), ``money`` in dollars."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0

    def add(self, other: ModelSpending, sign: int = 1) -> None:
        """Add what was spent elsewhere, or take it off with ``sign`` -1."""
        self.calls += sign * other.calls
        self.tokens += sign * other.tokens
        self.money += sign * other.money

    def refusal(self, budget: CallBudget, more: ModelSpending) -> str:
        """Why ``budget`` does not allow ``more``, in words; empty where it does."""
        for name, limit in (("calls", budget.calls), ("tokens", budget.tokens), ("money", budget.money)):
            spent, wanted = getattr(self, name), getattr(more, name)
            if limit is not None and spent + wanted > limit:
                unit = "$" if name == "money" else ""
                return (
                    f"{name}: {unit}{spent:.6g} of {unit}{limit:.6g} spent, and this call may take {unit}{wanted:.6g}"
                )
        return ""


def call_spending(model: ModelSpec, tokens: tuple[int, int]) -> ModelSpending:
    """What one call costs."""
    return ModelSpending(1, sum(tokens), 0.0 if model.price is None else model.price.cost_of(tokens))


def largest_spending(model: ModelSpec, consult: Consult) -> ModelSpending:
    """What one call costs at most."""
    prompt = len(msgspec.json.encode(consult)) // BYTES_A_TOKEN + 1
    return call_spending(model, (prompt, consult.max_tokens))


def repeated_spending(most: ModelSpending, times: int) -> ModelSpending | None:
    """What a call that was given up counts as: as much as it may take at ``most``, for each time that an answer had
    begun, because nobody says what those cost; None: nothing."""
    return ModelSpending(times * most.calls, times * most.tokens, times * most.money) if times else None


class SpendingAccount(NamedTuple):
    """What one party has ``spent`` of its ``budget``, and ``whose`` that is, in words. Once it is used up all play
    stops, or where ``shared`` is false, bots that spend from it are told so, and play on without."""

    whose: str
    spent: ModelSpending
    budget: CallBudget
    shared: bool = True


class UsedUp(NamedTuple):
    """Why a call is not allowed, in words, and whether all play has to stop (``stop``)."""

    why: str
    stop: bool


def first_refusal(accounts: Iterable[SpendingAccount], most: ModelSpending) -> UsedUp | None:
    """Why one of the accounts does not allow a call that takes so much at ``most``; None where all do."""
    for whose, spent, budget, shared in accounts:
        if refusal := spent.refusal(budget, most):
            return UsedUp(f"{whose} is used up: {refusal}", shared)
    return None


class CallAllowance(Protocol):
    """What entrants may still spend. Several threads may use it: what a call may take is reserved before the call, and
    what it took settled afterwards."""

    @property
    def budgets(self) -> CallBudgets:
        """The budgets of which it is spent."""

    def reserve(self, entrant: str, most: ModelSpending) -> UsedUp | None:
        """Reserve what a call takes at most. Returns why it is not allowed, and reserves nothing then."""

    def settle(self, entrant: str, reserved: ModelSpending, spent: ModelSpending | None) -> None:
        """Put what a call took in place of what was reserved for it; None: nothing."""


class RunAllowance:
    """Implements :class:`CallAllowance` for the entrants of a run, each of which has a budget, and all together."""

    def __init__(self, budgets: CallBudgets) -> None:
        self.budgets = budgets
        self.run, self.entrants = ModelSpending(), defaultdict[str, ModelSpending](ModelSpending)
        self._lock = Lock()

    def _accounts(self, entrant: str) -> tuple[SpendingAccount, ...]:
        """The accounts from which the calls of an entrant are paid."""
        return (
            SpendingAccount(f"the budget of {entrant}", self.entrants[entrant], self.budgets.entrant),
            SpendingAccount("the budget of the run", self.run, self.budgets.run),
        )

    def spend(self, entrant: str, spent: ModelSpending) -> None:
        """Add what an entrant has spent before, as in a run that is resumed."""
        with self._lock:
            self._add(entrant, spent)

    def reserve(self, entrant: str, most: ModelSpending) -> UsedUp | None:
        """Reserve what a call takes at most. Returns why it is not allowed, and reserves nothing then."""
        with self._lock:
            if (used_up := first_refusal(self._accounts(entrant), most)) is None:
                self._add(entrant, most)
            return used_up

    def settle(self, entrant: str, reserved: ModelSpending, spent: ModelSpending | None) -> None:
        """Put what a call took in place of what was reserved for it; None: nothing."""
        with self._lock:
            self._add(entrant, reserved, -1)
            if spent is not None:
                self._add(entrant, spent)

    def _add(self, entrant: str, spent: ModelSpending, sign: int = 1) -> None:
        for account in self._accounts(entrant):
            account.spent.add(spent, sign)


class ModelUse(msgspec.Struct, frozen=True):
    """What a seat used of one model in a match: calls, tokens of its requests, and of the answers."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0

    def __add__(self, other: ModelUse) -> ModelUse:
        return ModelUse(self.calls + other.calls, self.prompt + other.prompt, self.completion + other.completion)

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens of the requests, and of the answers."""
        return self.prompt, self.completion


def use_by_model(calls: Iterable[tuple[str, tuple[int, int]]]) -> dict[str, ModelUse]:
    """What was used of each model, by name, from the name and the tokens of each call."""
    used: dict[str, ModelUse] = {}
    for name, (prompt, completion) in calls:
        used[name] = used.get(name, ModelUse()) + ModelUse(1, prompt, completion)
    return dict(sorted(used.items()))
