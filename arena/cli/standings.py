"""``arena standings``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from arena.app.folder import FolderStore, fold_again
from arena.app.hosts import count_by_host
from arena.cli.commands import Command
from arena.cli.hosts import hosts_table
from arena.cli.terminal import columns
from arena.tournament.breakdown import pairs_table, seats_table
from arena.tournament.render import standings_data, standings_table


@click.command(cls=Command, short_help="Recompute a run's standings.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--pairs", is_flag=True, help="Also show how every pair of entrants did against each other.")
@click.option("--seats", is_flag=True, help="Also show how good each seat was, whoever sat there.")
@click.option("--hosts", is_flag=True, help="Also show what each machine has played, and the faults there.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def standings(folder: Path, pairs: bool, seats: bool, hosts: bool, as_json: bool) -> None:
    """Recompute the standings files in FOLDER from its matches.jsonl, and print them. Works on unfinished runs too.

    \b
    Examples:
      arena standings results/quick-20260101-120000
      arena standings results/quick-20260101-120000 --pairs --seats
      arena standings results/quick-20260101-120000 --hosts
    """
    found = fold_again(FolderStore(folder))
    counted = count_by_host(FolderStore(folder)) if hosts else []
    if as_json:
        data = standings_data(found)
        click.echo(msgspec.json.format(msgspec.json.encode({"standings": data, "hosts": counted} if hosts else data)))
        return
    for each in found:
        click.echo(f"{each.edition}\n")
        click.echo(standings_table(each, columns()))
        if pairs:
            click.echo(pairs_table(each, columns()))
        if seats:
            click.echo(seats_table(each, columns()))
    if hosts:
        click.echo(hosts_table(counted))
