"""What ``arena run --dry-run`` prints."""

from __future__ import annotations

from contextlib import closing

import click
import msgspec

from arena.cli.options.shared_options import jobs_text
from arena.cli.output.run_and_print import say_skipped
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_message import print_message
from arena.commands.run.design_trial import FactorPilot
from arena.commands.run.estimate import RunEstimate, estimate_run
from arena.executors.make import make_executor
from arena.runs.planning.plan import Plan


def show_estimate(plan: Plan, jobs: int, as_json: bool, pilot_blocks: int | None = None, longest: bool = False) -> None:
    """Play a few matches, and print what the whole run would take, and how efficient its design is; with ``longest``
    also the longest time that its bots can make it take."""
    say_skipped(plan)
    with closing(make_executor(1)) as executor:
        found = estimate_run(plan, executor, jobs, pilot_blocks)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    for label, matches in found.by_edition.items():
        click.echo(f"{label}: {matches} matches")
        if label in found.drawn:
            click.echo(fold_to_terminal(f"  {found.drawn[label]}"))
    if found.appearances is not None:
        whole = "in the whole tournament " if plan.share is not None else ""
        click.echo(fold_to_terminal(f"{whole}{found.appearances.in_words()}"))
    each = f"{found.seconds_each * 1000:.0f} ms a match in {found.tried} tried, {jobs_text(jobs)}"
    for entrant, count in found.faults.items():
        click.echo(f"{entrant}: {count} faults in these trial matches; examine them with: arena bots check")
    click.echo(fold_to_terminal(f"{found.matches} matches in {_range_text(found)} ({each}); nothing was written"))
    if longest:
        click.echo(_longest_text(found))
    show_pilot(found.pilot)
    for warning in plan.warn_of_idle():
        print_message(warning)


def show_pilot(found: FactorPilot) -> None:
    """Print how efficient the design is, or why that is unknown."""
    if found.why_not:
        click.echo(fold_to_terminal(found.why_not))
        return
    click.echo(f"from a pilot of {found.blocks} blocks, {found.matches} matches:")
    for label, told in found.told.items():
        click.echo(fold_to_terminal(f"{label}: {told}"))


def _range_text(found: RunEstimate) -> str:
    """The estimated duration, as a range where the matches that were tried give one."""
    about = _duration_text(found.seconds)
    if found.from_seconds is None or found.to_seconds is None:
        return f"about {about}"
    low, high = _duration_text(found.from_seconds), _duration_text(found.to_seconds)
    short = low.partition(" ")[0] if low.partition(" ")[2] == high.partition(" ")[2] else low
    return f"about {about}" if low == high else f"{short} to {high}"


def _longest_text(found: RunEstimate) -> str:
    if found.most is None:
        return "no upper bound: matches have no time limit"
    return f"at most {_duration_text(found.most)}, if bots use up all their time limits"


def _duration_text(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
