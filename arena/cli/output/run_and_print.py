"""Plays or resumes a run, shows its progress, and prints its outcome."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import click

from arena.cli.options.model_options import NO_MODEL_OPTIONS, RunModelOptions
from arena.cli.options.shared_options import NULL_RUN, jobs_or_slots_text, jobs_text
from arena.cli.output.fault_table import fault_table, faults_in_words
from arena.cli.output.host_table import hosts_table
from arena.cli.output.model_table import show_model_costs
from arena.cli.output.progress_line import RunProgressLine
from arena.cli.output.provisional_table import provisional_table
from arena.cli.output.resume_hint import print_resume_on_failure
from arena.cli.output.standings_output import say_provisional, show_standings
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_message import print_message
from arena.errors import one_line_message
from arena.executors.executor import Executor
from arena.executors.make import make_executor
from arena.match.executor_kind import ExecutorKind
from arena.penalties import FaultKind
from arena.runs import play_run as app
from arena.runs.early_stop import FAILURE_EXIT
from arena.runs.host_counts import count_by_host
from arena.runs.models.model_access import RunModels, budgets_of, slots_of
from arena.runs.null_setup import is_null
from arena.runs.planning.plan import Plan
from arena.runs.provisional_standings import provisional_standings
from arena.runs.reuse import reuse_words as reuse_in_words
from arena.runs.run_options import RunOptions
from arena.storage.layout import CONFIG_FILE
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.tournament.records.suspension import suspension_words
from arena.tournament.standings import placings


def say_skipped(plan: Plan) -> None:
    """Print which entrants were not admitted, and why."""
    for name, why in plan.skipped.items():
        print_message(f"not admitted: {name}: {one_line_message(why)}")


@dataclass(frozen=True, slots=True)
class RunPrintOptions:
    """What to print of a run: at the end its standings, ``as_json`` or as a table; while it is played its progress,
    unless ``quiet``, and a provisional table every ``table_every`` seconds (None: no table). Without ``outcome`` the
    caller prints what came of it."""

    as_json: bool
    quiet: bool
    table_every: float | None
    outcome: bool = True


def play_and_print(
    plan: Plan,
    store: FolderStore,
    jobs: int,
    options: RunOptions,
    printing: RunPrintOptions,
    resumed: bool,
    consulted: RunModelOptions = NO_MODEL_OPTIONS,
) -> app.RunOutcome:
    """Play or resume a run, show its progress, and print the outcome, unless the caller does. Returns the outcome of a
    complete run. Where the run is not complete, ends the command with its exit code."""
    total, folder = len(plan.fixtures), store.shown
    slots = slots_of(plan, consulted.slots)
    models = None
    if slots is not None:
        plan = plan.with_all_isolated()
        if not resumed and plan.tournament.models:  # so that who resumes it without --money has a bound too
            plan = plan.with_budgets(budgets_of(plan, consulted.models))
        models = RunModels(plan, store, consulted.models)
        models.check()
    where = _place_sentence(plan, jobs) if slots is None else jobs_or_slots_text(jobs, slots)
    how = f"seed {plan.seed}, {where}, {plan.isolation_words}"
    shared = f" (share {plan.share})" if plan.share is not None else ""
    print_message(f"{total} matches{shared} of {len(plan.names)} entrants, {how}, into {folder}")
    say_skipped(plan)
    for warning in plan.warn():
        print_message(warning)
    if is_null(plan):
        print_message(fold_to_terminal(f"{NULL_RUN}; test it with: arena null --from {folder}"))

    def table(total: int) -> str:
        return provisional_table(provisional_standings(store.records(), plan.names, plan.labels, plan.measures), total)

    way, scheduler = plan.tournament.executor, plan.tournament.scheduler

    def executor_of(shown: RunProgressLine) -> Executor:
        if models is not None and slots is not None:
            return models.make_executor(slots)
        return make_executor(jobs, way=way, scheduler=scheduler, tell=shown.say)

    with (
        RunProgressLine(total, printing.quiet, printing.table_every, table) as shown,
        closing(executor_of(shown)) as executor,
        print_resume_on_failure(store),
    ):
        begin = app.resume_run if resumed else app.start_run
        outcome = begin(plan, store, executor, options, shown)
    for told in reuse_in_words(outcome.reused, outcome.total) if options.reuse else ():
        print_message(told)
    print_message(_faults_line(outcome.faults))
    for told in suspension_words(outcome.suspended, plan.tournament.suspend_after):
        print_message(f"suspended: {told}")
    if outcome.state is not RunState.COMPLETE:
        say_unfinished(outcome, store)
        sys.exit(outcome.exit_code)
    say_provisional(str(plan.share or ""))
    if printing.outcome:
        _print_outcome(outcome, store, printing.as_json, placings.elimination_words(plan.schedule, plan.names), way)
    return outcome


def _place_sentence(plan: Plan, jobs: int) -> str:
    """Where a run is played, in a few words."""
    match plan.tournament.executor:
        case ExecutorKind.POOL:
            return jobs_text(jobs)
        case ExecutorKind.SERIAL:
            return "one match after another"
        case ExecutorKind.DASK:
            return f"Dask at {plan.tournament.scheduler}" if plan.tournament.scheduler else f"Dask, {jobs_text(jobs)}"
        case outside:
            return f"{outside}, {jobs_text(jobs)}"


def say_unfinished(outcome: app.RunOutcome, store: FolderStore) -> None:
    """Print why the run is not complete, what is missing, and how to resume it."""
    if outcome.why and outcome.exit_code == FAILURE_EXIT:
        print_message(fault_table(outcome.faults))
    for each in outcome.unplayed:
        print_message(f"{each.id} could not be played, through no fault of a bot: {each.reason}")
    why = f" ({outcome.why})" if outcome.why else ""
    print_message(f"{outcome.state}{why}: {outcome.finished} of {outcome.total} matches are finished and kept")
    again = " --max-fault-rate 1" if outcome.why and outcome.exit_code == FAILURE_EXIT else ""
    print_message(f"resume with: {store.resume_command()}{again}")


def _faults_line(faults: dict[str, dict[str, int]]) -> str:
    """All faults of a run in one line."""
    if not faults:
        return "faults: none"
    slow = any(kind in kinds for kinds in faults.values() for kind in FaultKind if kind.timed)
    late = "; timings.jsonl says how late" if slow else ""
    return f"faults: {faults_in_words(faults)}{late}"


def _share_option(store: FolderStore) -> str:
    """The option with which the same share is played again; nothing for a whole run."""
    share = store.facts().share
    return f" --shard {share}" if share else ""


def _print_outcome(
    outcome: app.RunOutcome, store: FolderStore, as_json: bool, decided: Sequence[str], way: str
) -> None:
    provenance = store.provenance()
    show_standings(outcome.standings, provenance, as_json, decided)
    if as_json:
        return
    if way == ExecutorKind.DASK and len(hosts := count_by_host(store)) > 1:
        click.echo(f"{hosts_table(hosts)}\n")
    show_model_costs(store)
    folder = store.shown
    click.echo(f"results  {folder}")
    click.echo(f"again    arena run {folder / CONFIG_FILE}{_share_option(store)}")
    click.echo(f"root     {provenance.root}")
    replays = folder / "replays"
    if replays.is_dir():
        click.echo(f"replays  {replays}  (check them with: arena verify {folder})")
