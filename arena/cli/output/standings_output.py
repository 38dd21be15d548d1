"""Prints standings: as tables with their provenance, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import click
import msgspec

from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_message import print_message
from arena.tournament.standings.breakdown import pairs_table, seats_table
from arena.tournament.standings.provenance import Provenance
from arena.tournament.standings.standings import Standings
from arena.tournament.standings.standings_text import standings_data, standings_tables


def say_provisional(share: str) -> None:
    """Print that the standings of a share are provisional; print nothing for a whole run (an empty ``share``)."""
    if share:
        print_message(f"provisional: only the matches of share {share}; merge all shares with: arena merge")


def show_standings(
    found: Sequence[Standings],
    provenance: Provenance | None,
    as_json: bool,
    decided: Sequence[str],
    pairs: bool = False,
    seats: bool = False,
    title: str = "",
) -> None:
    """Print standings, as JSON or as tables, with their ``provenance`` if it is known, the tables of ``pairs`` and of
    ``seats`` if wanted, and the lines on what a knockout has ``decided``. ``title`` is appended to the name of each
    edition. The standings over all editions come last, and under them the caption that explains the columns."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(standings_data(found, provenance))))
        return
    for each, table in zip(found, standings_tables(found, terminal_width()), strict=True):
        click.echo(f"{each.edition}{title}\n")
        click.echo(table)
        if pairs:
            click.echo(pairs_table(each, terminal_width()))
        if seats:
            click.echo(seats_table(each, terminal_width()))
    for line in decided:
        click.echo(f"{fold_to_terminal(line)}\n")
