"""The table of what the models of a run have cost."""

from __future__ import annotations

import click

from arena.cli.output.terminal import fold_to_terminal
from arena.runs.models.model_costs import model_costs
from arena.storage.run_folder import FolderStore
from arena.tournament.tables.table_text import text_table


def show_model_costs(store: FolderStore) -> None:
    """Print what the models of a run have cost, and what their entrants won for each dollar, if it has any models."""
    if (table := model_costs(store)) is not None:
        told = "What language models cost; won: of all matches, in $M or points, for a dollar of all its models."
        click.echo(f"{fold_to_terminal(told)}\n\n{text_table(table)}\n")
