"""The desk of one match: what its bots ask models is answered from what is recorded, or asked and recorded.

Calls that this match has made before, in a run that was interrupted, are not made again: a request is answered by the
recorded call of the same seat, with the same request and the same occurrence. So a match whose bots repeat themselves
comes to the ask at which it stopped, for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from enum import StrEnum
from threading import Lock

import msgspec

from arena.consultation.answer_check import judge_answer
from arena.consultation.backend import Completion, ModelBackend, ModelUnreachable, ReachProblem
from arena.consultation.call_record import (
    REFUSED_FINISH,
    SUSPENDED_FINISH,
    UNPAID_FINISH,
    UNREACHABLE_FINISH,
    RecordedCall,
    digest_request,
    encode_call,
    request_difference,
)
from arena.consultation.model_spec import MatchModels, ModelSpec
from arena.consultation.paid_backend import BudgetUsedUp, PaidBackend
from arena.consultation.spending import CallAllowance, ModelSpending, ModelUse, largest_spending
from arena.consulting.consultation import Consult, Consulted, ConsultProblem
from arena.errors import CassetteMiss, MatchSuspended, nearest_hint
from arena.foreign_files import LARGEST_FILE_BYTES
from arena.penalties import FaultKind
from arena.players.consult_desk import DeskAnswer, refused_consult
from arena.players.faults import Fault

MOST_CALLS = 100
"""How many calls of models one ask may have, whatever the budgets are."""
MOST_CASSETTE_BYTES = LARGEST_FILE_BYTES // 2
"""How many bytes the calls of a match may take in its cassette before no seat may make more than its share: so a
cassette can always be read again."""


class CassetteMode(StrEnum):
    """What becomes of calls: ``record`` answers from what is recorded, and makes and records all others; ``replay``
    makes none; ``passthrough`` makes all, and records them in place of what was recorded."""

    RECORD = "record"
    REPLAY = "replay"
    PASSTHROUGH = "passthrough"


class LiveCalls(msgspec.Struct, frozen=True):
    """What a desk needs to make calls: the ``backend`` that makes them, in ``threads``; what the run may still spend;
    and whether a match whose model is out of reach is given up (``give_up``), and not suspended."""

    backend: ModelBackend
    threads: Executor
    allowance: CallAllowance
    give_up: bool = False


class _SeatCalls:
    """The calls of one seat: those of the current ask, and all of the match."""

    def __init__(self) -> None:
        self.ask, self.calls, self.useless, self.bytes = 0, 0, 0, 0
        self.of_ask, self.of_match = ModelSpending(), ModelSpending()
        self.occurrences: Counter[str] = Counter()

    def begin(self, ask: int) -> None:
        """Begin an ask, unless it is the current one."""
        if ask != self.ask:
            self.ask, self.calls, self.useless, self.of_ask = ask, 0, 0, ModelSpending()


class MatchDesk:
    """Implements :class:`arena.players.consult_desk.ConsultDesk` for one match of these ``entrants`` (by seat).

    ``recorded`` are the calls that are known already. ``record`` gets each new call before its bot hears the answer.
    ``live`` None: no calls are made. After the match ``calls`` has all calls that it used, and ``suspended`` those at
    which it stopped before, and which were made again.
    """

    def __init__(
        self,
        models: MatchModels,
        entrants: tuple[str, ...],
        recorded: Iterable[RecordedCall] = (),
        mode: CassetteMode = CassetteMode.REPLAY,
        live: LiveCalls | None = None,
        record: Callable[[RecordedCall], None] = lambda call: None,
    ) -> None:
        self.models, self.entrants, self.mode, self.live, self._record = models, entrants, mode, live, record
        self.calls: list[RecordedCall] = []
        self._seats = [_SeatCalls() for _ in entrants]
        self._recorded: dict[tuple[int, str, int], RecordedCall] = {}
        self.suspended: list[RecordedCall] = []
        for call in recorded:
            if call.suspended:
                self.suspended.append(call)
            else:
                self._recorded[(call.seat, *call.digest[:2])] = call
        self._lock = Lock()

    def submit(self, seat: int, ask: int, consult: Consult) -> Future[DeskAnswer]:
        """Answer from what is recorded, or by a call in another thread."""
        own = self._seats[seat]
        own.begin(ask)
        named = self._named(seat, consult)
        if isinstance(named, DeskAnswer):
            return _answered(named)
        name, model = named
        consult = msgspec.structs.replace(consult, model=name)
        own.calls += 1
        if own.calls > MOST_CALLS:
            evidence = f"more than {MOST_CALLS} calls of models in one ask"
            told = refused_consult(ConsultProblem.OVER_BUDGET, evidence)
            return _answered(DeskAnswer(told, fault=Fault(FaultKind.UNUSABLE, evidence)))
        if own.bytes > MOST_CASSETTE_BYTES // len(self.entrants):
            evidence = "the calls of this seat in this match take too many bytes"
            return _answered(DeskAnswer(refused_consult(ConsultProblem.OVER_BUDGET, evidence, self._tries_left(own))))
        if refusal := self._refusal(own, model, consult):
            return _answered(DeskAnswer(refused_consult(ConsultProblem.OVER_BUDGET, refusal, self._tries_left(own))))
        digest = digest_request(consult)
        occurrence = own.occurrences[digest]
        own.occurrences[digest] += 1
        known = None if self.mode is CassetteMode.PASSTHROUGH else self._recorded.get((seat, digest, occurrence))
        if known is not None:
            call = msgspec.structs.replace(known, ask=ask)
            return _answered(self._finish(call, model))
        if self.live is None or self.mode is CassetteMode.REPLAY:
            where = request_difference(consult, self._recorded.values(), seat)
            missed: Future[DeskAnswer] = Future()
            missed.set_exception(CassetteMiss(ask, seat, where))
            return missed
        return self.live.threads.submit(self._call, self.live, seat, ask, occurrence, model, consult)

    def _named(self, seat: int, consult: Consult) -> tuple[str, ModelSpec] | DeskAnswer:
        """The model that a seat asks for, with its name; or the answer that there is none."""
        allowed = self.models.allowed[seat]
        name = consult.model or next(iter(allowed), "")
        if name in allowed:
            return name, self.models.models[name]
        if not allowed:
            evidence = "this entrant may use no models"
        else:
            evidence = f"there is no model {name!r} for it{nearest_hint(name, allowed)}; there are {', '.join(allowed)}"
        return DeskAnswer(refused_consult(ConsultProblem.NO_MODEL, evidence, self._tries_left(self._seats[seat])))

    def _refusal(self, own: _SeatCalls, model: ModelSpec, consult: Consult) -> str:
        """Why the budgets of an ask and of a match do not allow the call, in words; empty where they do."""
        most, budgets = largest_spending(model, consult), self.models.budgets
        if refusal := own.of_ask.refusal(budgets.ask, most):
            return f"the budget of an ask: {refusal}"
        refusal = own.of_match.refusal(budgets.match, most)
        return f"the budget of the match: {refusal}" if refusal else ""

    def _tries_left(self, own: _SeatCalls) -> int:
        return max(0, self.models.budgets.tries - own.useless)

    def _call(
        self, live: LiveCalls, seat: int, ask: int, occurrence: int, model: ModelSpec, consult: Consult
    ) -> DeskAnswer:
        """Make a call, record it, and answer. Raises MatchSuspended where the model is out of reach, or a budget of the
        run is used up."""
        suspension = None
        try:
            paid = PaidBackend(live.backend, live.allowance, self.entrants[seat])
            answer = paid.complete(consult.model, model, consult)
        except BudgetUsedUp as refused:
            finish = UNPAID_FINISH
            if refused.used_up.stop:
                finish, suspension = SUSPENDED_FINISH, MatchSuspended(str(refused), stop=True)
            answer = Completion(str(refused), finish, (0, 0), 0.0, failed=refused.failed)
        except ModelUnreachable as problem:
            finish = UNREACHABLE_FINISH
            if problem.problem is ReachProblem.REFUSED:  # of a model that was tried: the request is at fault
                finish = REFUSED_FINISH
            elif not live.give_up:
                reason = f"the model {consult.model} is out of reach: {problem}"
                finish, suspension = SUSPENDED_FINISH, MatchSuspended(reason, stop=problem.lasting)
            answer = Completion(str(problem), finish, (0, 0), 0.0, failed=problem.begun)
        call = RecordedCall(ask, seat, consult, occurrence, answer)
        if suspension is None:
            return self._record_and_finish(call, model)
        if answer.failed:
            self._record(call)
            with self._lock:
                self.suspended.append(call)
        raise suspension

    def _record_and_finish(self, call: RecordedCall, model: ModelSpec) -> DeskAnswer:
        self._record(call)
        return self._finish(call, model)

    def _finish(self, call: RecordedCall, model: ModelSpec) -> DeskAnswer:
        """The answer to the bot that follows from a call."""
        with self._lock:
            self.calls.append(call)
        own, answer = self._seats[call.seat], call.answer
        own.bytes += len(encode_call(call))
        if call.given_up:
            told = refused_consult(ConsultProblem.UNREACHABLE, answer.text)
            return DeskAnswer(told, call.digest, 0.0, Fault(FaultKind.UNREACHABLE, f"model {call.request.model}"))
        if answer.finish == UNPAID_FINISH:
            told = refused_consult(ConsultProblem.OVER_BUDGET, answer.text, self._tries_left(own))
            return DeskAnswer(told, call.digest)
        spent = ModelUse(1, *answer.tokens).cost(model)  # attempts that failed are not the bot's
        own.of_ask.add(spent)
        own.of_match.add(spent)
        told = judge_answer(call.request, answer, self._tries_left(own))
        if told.problem is None:
            return DeskAnswer(told, call.digest, answer.seconds)
        own.useless += 1
        left = self._tries_left(own)
        told = msgspec.structs.replace(told, tries_left=left)
        fault = None if left else Fault(FaultKind.UNUSABLE, _useless_evidence(told))
        return DeskAnswer(told, call.digest, answer.seconds, fault)


def _useless_evidence(told: Consulted) -> str:
    return f"{told.problem}: {told.evidence}"


def _answered(answer: DeskAnswer) -> Future[DeskAnswer]:
    done: Future[DeskAnswer] = Future()
    done.set_result(answer)
    return done
