"""Models for tests: backends that answer by a function, and a bot that asks one at each offer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.consultation.backend import Completion, ModelUnreachable, PayAgain, pay_always
from arena.consultation.call_record import RecordedCall
from arena.consultation.match_desk import CassetteMode, LiveCalls, MatchDesk
from arena.consultation.model_spec import CallBudgets, MatchModels, ModelSpec, TokenPrice
from arena.consultation.spending import RunAllowance
from arena.consulting.consultation import ChatMessage, Consult

MODEL = ModelSpec(url="scripted", price=TokenPrice(1.0, 2.0))
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ASKER = """\
def offer(self, view):
    told = self.consult(Consult("", (ChatMessage("user", f"what now? {len(self.seen_events)}"),), self.SCHEMA))
    while told.problem is not None and told.tries_left:
        told = self.consult(Consult("", (ChatMessage("user", f"{told.problem}: once more"),), self.SCHEMA))
    return Reply(self.random.choice(self.legal_moves(view)), note=str(told.problem or told.data))
"""
ASKER = f"SCHEMA = {NUMBER!r}\n{ASKER}"


class FakeModel:
    """Implements :class:`arena.consultation.backend.ModelBackend` by a function from the last message to a text or an
    exception. ``asked`` keeps the requests."""

    def __init__(
        self,
        answer: Callable[[str], str | Exception] = lambda text: '{"n": 1}',
        finish: str = "stop",
        seconds: float = 0.0,
        tokens: tuple[int, int] = (100, 10),
    ) -> None:
        self.answer, self.finish, self.seconds, self.tokens = answer, finish, seconds, tokens
        self.asked: list[Consult] = []
        self.closed = threading.Event()
        self._lock = threading.Lock()

    def complete(self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always) -> Completion:
        """The answer of the function; an exception is raised."""
        with self._lock:
            self.asked.append(consult)
        if self.closed.is_set():
            raise ModelUnreachable("closed")
        answer = self.answer(consult.messages[-1].content)
        if isinstance(answer, Exception):
            raise answer
        return Completion(answer, self.finish, self.tokens, self.seconds)

    def close(self) -> None:
        """Refuse what is asked from now on."""
        self.closed.set()


def request(text: str = "hello", schema: dict[str, object] | None = None, model: str = "", most: int = 100) -> Consult:
    """A request with one message."""
    return Consult(model, (ChatMessage("user", text),), schema, most)


def models_for(seats: int = 2, budgets: CallBudgets = CallBudgets(), **more: ModelSpec) -> MatchModels:  # noqa: B008
    """Seats that may all use the model ``fast``, and ``more``."""
    models = {"fast": MODEL, **more}
    return MatchModels(models, (tuple(models),) * seats, budgets)


def live(backend: FakeModel, budgets: CallBudgets = CallBudgets(), give_up: bool = False) -> LiveCalls:  # noqa: B008
    """Calls of this backend, within the budgets of a run."""
    return LiveCalls(backend, ThreadPoolExecutor(8), RunAllowance(budgets), give_up)


def desk_with(
    backend: FakeModel | None = None,
    models: MatchModels | None = None,
    recorded: Iterable[RecordedCall] = (),
    mode: CassetteMode = CassetteMode.RECORD,
    calls: LiveCalls | None = None,
    record: Callable[[RecordedCall], None] = lambda call: None,
) -> MatchDesk:
    """The desk of a match of a and b; without a backend it answers from what is recorded alone."""
    models = models or models_for()
    reached = calls if calls is not None or backend is None else live(backend)
    entrants = ("a", "b", "c", "d")[: len(models.allowed)]
    return MatchDesk(models, entrants, recorded, mode, reached, record)


def write_asker(folder: Path) -> Path:
    """The bot's file."""
    from tests.conftest import write_player

    return write_player(folder, ASKER, "asker")
