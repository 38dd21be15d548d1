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

from arena.consultation.call_record import RecordedCall
from arena.consultation.model_spec import CallBudget, CallBudgets, ModelSpec
from arena.consulting.consultation import Consult

BYTES_A_TOKEN = 2
"""The fewest bytes that a token of a request is taken to have."""


class ModelSpending(msgspec.Struct):
    """What was spent: ``calls``, ``tokens`` (of requests and answers together), ``money`` in dollars. ``estimated`` of
    the calls count as the most that they may have taken, because nobody says what they took."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0
    estimated: int = 0

    def add(self, other: ModelSpending, sign: int = 1) -> None:
        """Add what was spent elsewhere, or take it off with ``sign`` -1."""
        self.calls += sign * other.calls
        self.tokens += sign * other.tokens
        self.money += sign * other.money
        self.estimated += sign * other.estimated

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


class ModelUse(msgspec.Struct, frozen=True):
    """What a seat used of one model in a match: calls, tokens of its requests, and of the answers; ``estimated`` of the
    calls count as the most that they may have taken."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    estimated: int = 0

    def __add__(self, other: ModelUse) -> ModelUse:
        return ModelUse(
            *(a + b for a, b in zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True))
        )

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens of the requests, and of the answers."""
        return self.prompt, self.completion

    def cost(self, model: ModelSpec) -> ModelSpending:
        """What that is in money too."""
        money = 0.0 if model.price is None else model.price.cost_of(self.tokens)
        return ModelSpending(self.calls, sum(self.tokens), money, self.estimated)


def largest_tokens(consult: Consult) -> tuple[int, int]:
    """The most tokens that a request has, and that its answer may have."""
    return len(msgspec.json.encode(consult)) // BYTES_A_TOKEN + 1, consult.max_tokens


def largest_spending(model: ModelSpec, consult: Consult) -> ModelSpending:
    """What one call costs at most."""
    return ModelUse(1, *largest_tokens(consult), estimated=1).cost(model)


def attempts_use(consult: Consult, failed: int) -> ModelUse:
    """What so many attempts at a call count as that failed but may have cost something: each its worst."""
    prompt, completion = largest_tokens(consult)
    return ModelUse(failed, failed * prompt, failed * completion, failed)


def call_use(call: RecordedCall) -> ModelUse:
    """What a call used, with its attempts that failed but may have cost something."""
    answer = call.answer
    own = ModelUse(int(call.answered), *answer.tokens, int(answer.estimated))
    return own + attempts_use(call.request, answer.failed)


def use_by_model(calls: Iterable[RecordedCall]) -> dict[str, ModelUse]:
    """What calls used of each model, by name."""
    used: dict[str, ModelUse] = {}
    for call in calls:
        name = call.request.model
        used[name] = used.get(name, ModelUse()) + call_use(call)
    return dict(sorted((name, use) for name, use in used.items() if use.calls))


MORE_MONEY = "--money DOLLARS"
"""The option that allows a run, or a season, more money."""


class SpendingAccount(NamedTuple):
    """What one party has ``spent`` of its ``budget``, and ``whose`` that is, in words. Once it is used up all play
    stops, or where ``shared`` is false, bots that spend from it are told so, and play on without. ``more_money`` is the
    option that allows more money; empty: there is none."""

    whose: str
    spent: ModelSpending
    budget: CallBudget
    shared: bool = True
    more_money: str = ""


class UsedUp(NamedTuple):
    """Why a call is not allowed, in words, and whether all play has to stop (``stop``)."""

    why: str
    stop: bool


def first_refusal(accounts: Iterable[SpendingAccount], most: ModelSpending) -> UsedUp | None:
    """Why one of the accounts does not allow a call that takes so much at ``most``; None where all do."""
    for whose, spent, budget, shared, more_money in accounts:
        if refusal := spent.refusal(budget, most):
            more = f"; {more_money} allows more" if more_money and refusal.startswith("money:") else ""
            return UsedUp(f"{whose} is used up: {refusal}{more}", shared)
    return None


class CallAllowance(Protocol):
    """What entrants may still spend; the entrant "" is nobody: the calls by which models are tried. Several threads may
    use it: what a call may take is reserved before the call, and what it took settled afterwards."""

    @property
    def budgets(self) -> CallBudgets:
        """The budgets of which it is spent."""

    def reserve(self, entrant: str, most: ModelSpending) -> UsedUp | None:
        """Reserve what a call takes at most. Returns why it is not allowed, and reserves nothing then."""

    def settle(self, entrant: str, reserved: ModelSpending, spent: ModelSpending) -> None:
        """Put what a call took in place of what was reserved for it."""


class RunAllowance:
    """Implements :class:`CallAllowance` for the entrants of a run, each of which has a budget, and all together."""

    def __init__(self, budgets: CallBudgets) -> None:
        self.budgets = budgets
        self.run, self.entrants = ModelSpending(), defaultdict[str, ModelSpending](ModelSpending)
        self._lock = Lock()

    def _accounts(self, entrant: str) -> tuple[SpendingAccount, ...]:
        """The accounts from which the calls of an entrant are paid; "": those that are nobody's."""
        shared = SpendingAccount("the budget of the run", self.run, self.budgets.run, more_money=MORE_MONEY)
        if not entrant:
            return (shared,)
        return SpendingAccount(f"the budget of {entrant}", self.entrants[entrant], self.budgets.entrant), shared

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

    def settle(self, entrant: str, reserved: ModelSpending, spent: ModelSpending) -> None:
        """Put what a call took in place of what was reserved for it."""
        with self._lock:
            self._add(entrant, reserved, -1)
            self._add(entrant, spent)

    def _add(self, entrant: str, spent: ModelSpending, sign: int = 1) -> None:
        for account in self._accounts(entrant):
            account.spent.add(spent, sign)
