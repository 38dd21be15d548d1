"""Prints what models did when they were tried."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.consultation.model_check import ModelReport

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
