"""The output of ``arena tune``: its rounds, its best values, and the verdict on them."""

from __future__ import annotations

import shlex
from textwrap import fill
from typing import Any

import click

from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_json import print_json
from arena.commands.compare.comparison import ComparisonResult
from arena.commands.compare.tuning.tuning_question import bot_words, tuned_entrant
from arena.commands.compare.tuning.tuning_run import TuningRun
from arena.commands.compare.words import comparison_data, print_found
from arena.runs.gauntlet_setup import option_text
from arena.storage.run_facts.facts import RunState
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column
from arena.tournament.tables.rounded_figures import TEXT_WIDTH, estimate_data, json_number, signed_text
from arena.tournament.tables.table_text import text_table
from arena.tuning.tuning_course import TuningRound


def rounds_table(run: TuningRun) -> ResultTable:
    """A row for each round: the values that it proposed, and what these gained."""
    heads = (
        ResultColumn("round", "round"),
        *(ResultColumn(f"option_{number}", name) for number, name in enumerate(run.space.names)),
        estimate_column("gain", "over the best", share=True, signed=True, unknown=""),
        estimate_column("total", f"over {tuned_entrant(run.plan).name}", share=True, signed=True, unknown=""),
        ResultColumn("better", "check", left=True),
    )
    rows = [
        (
            each.number,
            *(option_text(each.proposed[name]) if name in each.proposed else "" for name in run.space.names),
            *(each.gain, each.total, "best so far" if each.better else ""),
        )
        for each in run.course.rounds
    ]
    return ResultTable(heads, rows)


def round_line(run: TuningRun, each: TuningRound) -> str:
    """A round in a line."""
    told = ", ".join(f"{name} {option_text(value)}" for name, value in each.proposed.items())
    if each.gain.mean is None:
        return f"round {each.number}: the search ends at the best so far"
    gained = f"{signed_text(each.gain, share=True)} over the best so far"
    return f"round {each.number}: {told}: {gained}{', the best from now on' if each.better else ''}"


def why_ended(run: TuningRun) -> str:
    """Why the search has ended, in words."""
    if run.batch is not None:
        return "stopped"
    return run.course.why_over or f"all {run.asked.rounds} rounds are played"


def print_tuning(run: TuningRun, verdict: ComparisonResult | None, as_json: bool) -> None:
    """Print the result to standard output."""
    if as_json:
        whole = {**tuning_result(run, verdict), "faults": run.faults, "comparison": None}
        print_json(whole if verdict is None else {**whole, "comparison": comparison_data(verdict)})
        return
    name, best = tuned_entrant(run.plan).name, run.course.best
    ranges = ", ".join(f"{each.name} in {each}" for each in run.space.ranges)
    click.echo(
        fold_to_terminal(f"{name} in {', '.join(run.plan.labels)}, tuned by {run.asked.method}: {ranges}") + "\n"
    )
    if run.course.rounds:
        click.echo(text_table(rounds_table(run)) + "\n")
    click.echo(fold_to_terminal(f"search   {run.matches:,} matches on {run.course.deals:,} deals: {why_ended(run)}"))
    click.echo(f"best     {shlex.quote(bot_words(run.plan, best)) if best else f'{name} as it was named'}\n")
    click.echo(fill(_rounds_meaning(), min(TEXT_WIDTH, terminal_width())))
    if run.faults:
        click.echo(f"\n{run.faults} faults of {name} while it was tuned: look at them with arena bots check")
    if verdict is not None:
        click.echo()
        print_found(verdict, as_json=False)


def _rounds_meaning() -> str:
    return (
        "Gains are shares of opponents beaten, on the deals of the check at the end of each round; ± is half of a 95 % "
        "interval clustered by deal. The best of several rounds looks better than it is, and the opponents are those "
        "that were tuned against; the verdict is about deals that no round has seen."
    )


def tuning_result(run: TuningRun, verdict: ComparisonResult | None) -> dict[str, Any]:
    """The result as plain data: the same for any number of processes, interrupted or not."""
    whole = run.batch is None and (verdict is None or verdict.run is RunState.COMPLETE)
    return {
        "state": RunState.COMPLETE if whole else RunState.STOPPED,
        "bot": bot_words(run.plan, {}),
        "seed": run.plan.seed,
        "options": {each.name: str(each) for each in run.space.ranges},
        "method": run.asked.method,
        "ended": why_ended(run),
        "deals": run.course.deals,
        "matches": run.matches,
        "best": run.course.best,
        "rounds": [
            {
                "round": each.number,
                "proposed": each.proposed,
                "gain": estimate_data(each.gain),
                "total": estimate_data(each.total),
                "better": each.better,
            }
            for each in run.course.rounds
        ],
        "verdict": None if verdict is None else _verdict_data(verdict),
    }


def _verdict_data(verdict: ComparisonResult) -> dict[str, Any]:
    state = verdict.state
    return {
        "verdict": state.verdict.name.lower(),
        "measure": verdict.asked.measure,
        "deals": state.blocks,
        "matches": verdict.matches,
        "difference": estimate_data(state.mean),
        "low": json_number(state.low),
        "high": json_number(state.high),
    }
