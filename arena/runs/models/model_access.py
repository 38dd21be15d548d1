"""How a run reaches its models: recorded, within its budgets, and with its own connections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.config.tournament_yaml import load_tournament
from arena.consultation.backend import ModelBackend
from arena.consultation.backends import Backends
from arena.consultation.journal import read_journal
from arena.consultation.match_desk import CassetteMode, LiveCalls
from arena.consultation.model_check import check_models
from arena.consultation.model_spec import SCRIPTED_URL, CallBudgets, ModelSpec, url_refusal
from arena.consultation.paid_backend import BudgetUsedUp, PaidBackend
from arena.consultation.spending import CallAllowance, RunAllowance, call_use
from arena.errors import UserError, cut_text
from arena.executors.executor import Executor
from arena.executors.make import make_executor
from arena.executors.slots import Slots
from arena.foreign_files import files_in
from arena.match.desk_of_work import ModelAccess
from arena.match.executor_kind import ExecutorKind
from arena.match.work import Timing
from arena.runs.planning.plan import Plan
from arena.runs.single_match import ReadyMatch
from arena.storage.layout import CONFIG_FILE
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, OPEN_CALLS_FOLDER
from arena.storage.run_folder import FolderStore
from arena.storage.store import Store

USUAL_SLOTS, MOST_CALLS_AT_ONCE = 16, 256
"""How many matches are under way at once in a run with models, unless it says so itself; and how many calls."""
MOST_SHOWN = 5
"""How many models a message names with their addresses."""


class ModelOptions(NamedTuple):
    """What becomes of calls of models; whether matches are ``give_up`` whose model stays out of reach; what the run may
    cost in dollars, in place of what its file says; and whether a folder's configuration may name models that are
    reached over a network (``allowed``)."""

    cassette: CassetteMode = CassetteMode.RECORD
    give_up: bool = False
    money: float | None = None
    allowed: bool = False


def slots_of(plan: Plan, wanted: int | None) -> int | None:
    """In how many slots a run is played: those ``wanted`` on the command line, else those of its file, else some where
    there are models; None: it is played by processes. Raises UserError where its executor plays elsewhere."""
    tournament = plan.tournament
    slots = wanted or tournament.slots or (USUAL_SLOTS if tournament.models else None)
    if slots is not None and tournament.executor != ExecutorKind.POOL:
        why = "models are consulted" if tournament.models else "slots are"
        raise UserError(f"{why} in the process of the run alone: leave out the executor {tournament.executor}")
    return slots


def budgets_of(plan: Plan, options: ModelOptions) -> CallBudgets:
    """The budgets of a run. Raises UserError for a budget in money where a price is unknown."""
    return money_budget(plan.tournament.models, plan.tournament.consulting, options)


def money_budget(models: dict[str, ModelSpec], budgets: CallBudgets, options: ModelOptions) -> CallBudgets:
    """The ``budgets`` with what all may cost together as the user says it. Raises UserError where a price is
    unknown."""
    if options.money is None:
        return budgets
    check_prices(models)
    run = msgspec.structs.replace(budgets.run, money=options.money)
    return msgspec.structs.replace(budgets, run=run)


def check_prices(models: Mapping[str, ModelSpec]) -> None:
    """Raise UserError for a model whose price is unknown, so that ``--money`` cannot bound what it costs."""
    for name, model in models.items():
        if model.price is None and model.url != SCRIPTED_URL:
            raise UserError(
                f"--money: the price of {name} is unknown; write models.{name}.price: {{prompt: …, completion: …}}"
            )


def check_recorded_models(models: Mapping[str, ModelSpec], options: ModelOptions) -> None:
    """Raise UserError where the configuration in a folder, which anybody may have written, names models over a network
    and the user has not allowed it: keys would be sent there. All of them are told, so that the user allows none that
    he was not shown. Raises it always for an address that seems to be another."""
    if options.cassette is CassetteMode.REPLAY:
        return
    for name, model in models.items():
        if refusal := url_refusal(model.url):
            raise UserError(f"the url of the model {name}: {refusal}")
    asked = [
        f"the model {name} at {model.url}" + (f", with the key in {cut_text(model.key_env)}" if model.key_env else "")
        for name, model in models.items()
        if model.url != SCRIPTED_URL
    ]
    if not asked or options.allowed:
        return
    told = "; ".join(asked[:MOST_SHOWN])
    more = f"; and {len(asked) - MOST_SHOWN} more, which you must look up there" if len(asked) > MOST_SHOWN else ""
    yours = "it is" if len(asked) == 1 else "all of them are"
    raise UserError(f"the configuration in the folder asks {told}{more}; if {yours} yours, add --allow-models")


def try_models(models: Mapping[str, ModelSpec], allowance: CallAllowance, backend: ModelBackend | None = None) -> None:
    """Try each of these models that is reached over a network once, which the ``allowance`` pays; where that is used
    up, nothing is tried. Raises UserError where one fails, with what to do."""
    reached = {name: model for name, model in models.items() if model.url != SCRIPTED_URL}
    if not reached:
        return
    with closing(Backends()) if backend is None else nullcontext(backend) as asked:
        try:
            reports = check_models(reached, PaidBackend(asked, allowance))
        except BudgetUsedUp:  # whoever consults will be told
            return
    if failing := [report for report in reports if not report.works]:
        told = "; ".join(f"the model {each.name} fails: {each.problem}; next: {each.advice}" for each in failing)
        raise UserError(f"{told} (arena models check)")


class RunModels:
    """The models of one run, in ``slots``. The caller must close the executor that it makes."""

    def __init__(self, plan: Plan, store: Store, options: ModelOptions, backend: ModelBackend | None = None) -> None:
        self.plan, self.store, self.options = plan, store, options
        self.journals = store.folder / OPEN_CALLS_FOLDER if isinstance(store, FolderStore) else None
        self.backend = backend or Backends()
        self.allowance = RunAllowance(budgets_of(plan, options))
        if plan.tournament.models:
            count_spent(self.allowance, plan.tournament.models, store.timings(), self.journals)

    def check(self) -> None:
        """Try each model that is reached over a network once. Raises UserError where one fails, with what to do."""
        if self.options.cassette is not CassetteMode.REPLAY:
            try_models(self.plan.tournament.models, self.allowance, self.backend)

    def make_executor(self, slots: int) -> Slots:
        """The executor of the run, with so many matches under way at once."""
        if not self.plan.tournament.models:
            return Slots(slots)
        return slots_with_models(slots, self.backend, self.allowance, self.options, self.journals)


def executor_of(plan: Plan, store: Store, jobs: int, options: ModelOptions) -> Executor:
    """The executor of a plan that is played on this machine: so many processes, or where its bots may consult models,
    slots, once each model was tried. The caller must close it. Raises UserError where a model fails."""
    slots = slots_of(plan, None)
    if slots is None:
        return make_executor(jobs)
    models = RunModels(plan, store, options)
    models.check()
    return models.make_executor(slots)


def executor_of_match(match: ReadyMatch, options: ModelOptions) -> Executor:
    """The executor of one match: a process, or where its bots may consult models, a slot, once each model was tried.
    The caller must close it. Raises UserError where a model fails."""
    if match.models is None:
        return make_executor(1, shown=True)
    return reach_models(match.models.models, 1, RunAllowance(match.models.budgets), options)


def slots_with_models(
    slots: int,
    backend: ModelBackend,
    allowance: CallAllowance,
    options: ModelOptions,
    journals: Path | None = None,
) -> Slots:
    """An executor whose bots reach models by the ``backend``, within the ``allowance``; each call is written into one
    of the ``journals`` at once, if there are any. The caller must close it."""
    threads = ThreadPoolExecutor(min(MOST_CALLS_AT_ONCE, 4 * slots), thread_name_prefix="model")
    live = LiveCalls(backend, threads, allowance, options.give_up)

    def close() -> None:
        threads.shutdown(wait=False, cancel_futures=True)
        backend.close()

    return Slots(slots, ModelAccess(options.cassette, live, journals), close)


def reach_models(
    models: Mapping[str, ModelSpec],
    slots: int,
    allowance: CallAllowance,
    options: ModelOptions,
    journals: Path | None = None,
) -> Slots:
    """Slots as of :func:`slots_with_models`, once each of the ``models`` was tried. Raises UserError where one
    fails."""
    backend = Backends()
    try:
        try_models(models, allowance, backend)
        return slots_with_models(slots, backend, allowance, options, journals)
    except BaseException:
        backend.close()
        raise


def executor_again(folder: Path, jobs: int, options: ModelOptions) -> Executor:
    """An executor for playing matches of the run in ``folder`` again with something changed: processes, or where its
    bots may consult models, slots in which these are asked what no cassette answers. Raises UserError where the user
    has not allowed the folder's models, or the budget in money cannot be kept."""
    tournament = load_tournament(folder / CONFIG_FILE, files=False) if (folder / CASSETTES_FOLDER).is_dir() else None
    if tournament is None or not tournament.models:
        return make_executor(jobs)
    check_recorded_models(tournament.models, options)
    budgets = money_budget(tournament.models, CallBudgets(), options)
    return slots_with_models(USUAL_SLOTS, Backends(), RunAllowance(budgets), options)


def count_spent(
    allowance: RunAllowance, models: Mapping[str, ModelSpec], timings: Iterable[Timing], journals: Path | None
) -> None:
    """Count what was spent before play goes on: in matches with these ``timings``, which are finished, and in those
    that were under way when it stopped, from the folder of their ``journals``, if there is one."""
    for seat in (seat for timing in timings for seat in timing.seats):
        used = {} if isinstance(seat.models, msgspec.UnsetType) else seat.models
        for name, use in used.items():
            if name in models:
                allowance.spend(seat.entrant, use.cost(models[name]))
    for path in _journals(journals):
        journal = read_journal(path, mend=False)
        if journal is None:
            continue
        for call in journal.calls:
            if call.request.model in models:
                allowance.spend(journal.entrants[call.seat], call_use(call).cost(models[call.request.model]))


def _journals(folder: Path | None) -> Iterable[Path]:
    return files_in(folder, ".jsonl") if folder is not None and folder.is_dir() else ()
