"""Desks for bots that are asked again otherwise than recorded: models are asked what no recording of a match
answers."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.consultation.backends import Backends
from arena.consultation.call_record import RecordedCall
from arena.consultation.journal import CallJournal, journal_path
from arena.consultation.match_desk import CassetteMode, LiveCalls, MatchDesk
from arena.consultation.model_spec import CallBudgets, MatchModels, ModelSpec
from arena.consultation.spending import RunAllowance
from arena.errors import UserError
from arena.runs.models.model_access import ModelOptions, check_recorded_models, money_budget, try_models

CALLS_AT_ONCE = 4


class LiveDesks:
    """Makes such desks, one after another. What models answer is kept in the folder ``calls`` too, a cassette for each
    match, and not asked again; None: it is kept nowhere. A context manager."""

    def __init__(self, options: ModelOptions, calls: Path | None) -> None:
        self._options, self._calls = options, calls
        self._live: LiveCalls | None = None
        self._models: dict[str, ModelSpec] = {}
        self._threads = ThreadPoolExecutor(CALLS_AT_ONCE, thread_name_prefix="model")
        self._backend = Backends()
        self._journals: list[CallJournal] = []

    def __enter__(self) -> LiveDesks:
        return self

    def __exit__(self, *raised: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._backend.close()
        for journal in self._journals:
            journal.close()

    def open_desk(
        self, id: str, models: MatchModels, entrants: tuple[str, ...], recorded: Iterable[RecordedCall]
    ) -> MatchDesk:
        """The desk of the match of this ``id``. Raises UserError where the user has not allowed its models, or these
        are others than those of the first match, about which he was asked; and for the first match, where one of them
        fails."""
        check_recorded_models(models.models, self._options)
        if self._live is None:
            budgets = money_budget(models.models, CallBudgets(), self._options)
            allowance = RunAllowance(budgets)
            try_models(models.models, allowance, self._backend)
            self._models = models.models
            self._live = LiveCalls(self._backend, self._threads, allowance)
        if models.models != self._models:
            raise UserError(f"the match {id} names other models than the matches before it; re-ask it alone")
        if self._calls is None:
            return MatchDesk(models, entrants, recorded, CassetteMode.RECORD, self._live)
        journal = CallJournal(journal_path(self._calls, id), id, entrants)
        self._journals.append(journal)
        known = [*recorded, *journal.calls()]
        return MatchDesk(models, entrants, known, CassetteMode.RECORD, self._live, journal.add)
