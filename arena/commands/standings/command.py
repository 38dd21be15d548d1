"""``arena standings``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, plugin_option
from arena.cli.output.host_table import hosts_table
from arena.cli.output.model_table import show_model_costs
from arena.cli.output.standings_output import say_provisional, show_standings
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_json import print_json
from arena.commands.standings.without_entrants import standings_without
from arena.errors import UserError
from arena.runs.host_counts import count_by_host
from arena.storage.run_facts.registration_check import EXPLORATORY
from arena.storage.run_folder import FolderStore, fold_again, knockout_winners
from arena.tournament.standings.standings_text import standings_data


@click.command(cls=ArenaCommand)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--pairs", is_flag=True, help="Also show the results of every two entrants against each other.")
@click.option("--seats", is_flag=True, help="Also show how good each seat was, over all entrants.")
@click.option("--hosts", is_flag=True, help="Also show what each machine has played, and the faults there.")
@click.option("--without", multiple=True, metavar="NAME", help="Leave out matches with this entrant; repeatable.")
@game_option
@plugin_option
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def standings(folder: Path, pairs: bool, seats: bool, hosts: bool, without: tuple[str, ...], as_json: bool) -> None:
    """Compute the standings files in FOLDER again from its matches.jsonl, and print them. The run may be unfinished.

    With --without, print the standings without the matches of these entrants; no file is written.

    \b
    Examples:
      arena standings results/quick-20260101-120000
      arena standings results/quick-20260101-120000 --pairs --seats
      arena standings results/quick-20260101-120000 --hosts
      arena standings results/quick-20260101-120000 --without greedy --without hard
    """
    store = FolderStore(folder)
    if without:
        if hosts:
            raise UserError("give only one of --without and --hosts: hosts are counted over all matches")
        _show_without(store, without, as_json, pairs, seats)
        return
    (found, provenance), counted = fold_again(store), count_by_host(store) if hosts else []
    if as_json and hosts:
        data = {"standings": standings_data(found, provenance), "hosts": counted}
        print_json(data)
        return
    show_standings(found, provenance, as_json, knockout_winners(store), pairs, seats)
    if hosts:
        click.echo(f"{hosts_table(counted)}\n")
    if not as_json:
        show_model_costs(store)
        registered = [] if provenance.registered else [EXPLORATORY]
        click.echo("\n".join(fold_to_terminal(line) for line in (*registered, *provenance.in_short())))
    say_provisional(store.facts().share)


def _show_without(store: FolderStore, names: tuple[str, ...], as_json: bool, pairs: bool, seats: bool) -> None:
    """Print the standings without the matches of these entrants."""
    found = standings_without(store, names)
    if as_json:
        standings = standings_data(found.standings)
        data = {"without": found.names, "left_out": found.left_out, "matches": found.matches, "standings": standings}
        print_json(data)
        return
    title = f", without {', '.join(found.names)}"
    show_standings(found.standings, None, False, [], pairs, seats, title)
    click.echo(fold_to_terminal(found.in_words()))
