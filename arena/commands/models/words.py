"""Prints what models did when they were tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.consultation.model_check import ModelReport
from arena.storage.run_facts.facts import Facts

HEADERS = ("model", "works", "reached", "key", "schema kept", "tokens/s", "price")


def print_models(reports: Sequence[ModelReport]) -> None:
    """Print a table with a line for each model; below it each failure with what to do next, and what is good to
    know."""
    click.echo(format_table([_table_row(report) for report in reports], HEADERS, wrap=[4]))
    for report in reports:
        if report.problem:
            click.echo()
            click.echo(fold_to_terminal(f"{report.name} fails: {report.problem}"))
            click.echo(fold_to_terminal(f"next: {report.advice}"))
    notes = [f"note on {report.name}: {note}" for report in reports for note in report.notes]
    if notes:
        click.echo()
    for note in notes:
        click.echo(fold_to_terminal(note))


def played_data(facts: Facts) -> dict[str, object]:
    """What was played in a trial, for JSON: the ``seed``, the ``editions`` with the digests of their rules, and the
    ``bots`` by entrant, with options and the digests of their files."""
    bots = [
        {"entrant": name, "bot": each["bot"], "options": each.get("options", {}), "sha256": each["sha256"]}
        for name, each in facts.entrants.items()
    ]
    return {"seed": facts.seed, "editions": facts.editions, "bots": bots}


def print_played(facts: Facts) -> None:
    """Print a table of the digests of all bots and rules of a trial."""
    click.echo(fold_to_terminal(f"Who played, by which rules (seed {facts.seed}):"))
    click.echo()
    rows = [(name, _bot_text(each), each["sha256"]) for name, each in facts.entrants.items()]
    rows += [(name, "rules", digest) for name, digest in facts.editions.items()]
    click.echo(format_table(rows, ("entrant", "bot", "SHA-256")))
    click.echo()


def _bot_text(told: Mapping[str, Any]) -> str:
    """A bot with its options, as commands name it."""
    options = "&".join(f"{key}={value}" for key, value in told.get("options", {}).items())
    return f"{told['bot']}?{options}" if options else str(told["bot"])


def _table_row(report: ModelReport) -> tuple[str, ...]:
    return (
        report.name,
        "yes" if report.works else "NO",
        "yes" if report.reached else "no",
        report.key,
        ", ".join(report.kept) or "–",
        "–" if report.speed is None else f"{report.speed:.0f}",
        "known" if report.price_known else "unknown",
    )
