"""``arena standings``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from arena.app.folder import FolderStore, fold_again
from arena.cli.commands import Command
from arena.cli.terminal import columns
from arena.tournament.render import standings_data, standings_table


@click.command(cls=Command, short_help="Recompute a run's standings.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def standings(folder: Path, as_json: bool) -> None:
    """Recompute the standings files in FOLDER from its matches.jsonl, and print them. Works on unfinished runs too.

    \b
    Example:
      arena standings results/quick-20260101-120000
    """
    found = fold_again(FolderStore(folder))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(standings_data(found))))
        return
    for each in found:
        click.echo(f"{each.edition}\n")
        click.echo(standings_table(each, columns()))
