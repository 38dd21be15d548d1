"""The backend of a run: each model is asked where its ``url`` says."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from arena.consultation.backend import Completion, ModelBackend, PayAgain, pay_always
from arena.consultation.model_spec import SCRIPTED_URL, ModelSpec
from arena.consultation.scripted_model import ScriptedModel
from arena.consulting.consultation import Consult
from arena.errors import UserError


def _make_endpoint() -> ModelBackend:
    """Raises UserError where the library for it is not installed."""
    try:
        import httpcore2  # noqa: F401  # slow to import: only where a network is reached
    except ImportError:
        raise UserError('language models need the extra "models": pip install "arena-negotiation[models]"') from None
    from arena.consultation.endpoint import ChatEndpoints

    return ChatEndpoints()


class Backends:
    """Implements :class:`arena.consultation.backend.ModelBackend` for models of every kind; each kind is made when it
    is first needed."""

    def __init__(self, make_endpoint: Callable[[], ModelBackend] = _make_endpoint) -> None:
        self._make_endpoint = make_endpoint
        self._made: dict[bool, ModelBackend] = {}
        self._lock = Lock()
        self._closed = False

    def complete(self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always) -> Completion:
        """The answer of ``model``. Raises ModelUnreachable."""
        return self._backend_of(model.url == SCRIPTED_URL).complete(name, model, consult, pay_again)

    def _backend_of(self, scripted: bool) -> ModelBackend:
        with self._lock:
            if scripted not in self._made:
                self._made[scripted] = ScriptedModel() if scripted else self._make_endpoint()
            return self._made[scripted]

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for backend in self._made.values():
                backend.close()
