"""``arena doctor``."""

from __future__ import annotations

import click
import msgspec

from arena.app.isolation import diagnose
from arena.cli.commands import Command
from arena.cli.terminal import table


@click.command(cls=Command, short_help="Check which sandbox layers work on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(as_json: bool) -> None:
    """Try every layer of the bots' sandbox, and print which work here and which isolation level they reach.

    \b
    Example:
      arena doctor
    """
    found = diagnose()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
        return
    rows = [(each.layer.value, "yes" if each.holds else "no", each.found) for each in found.layers]
    click.echo(table(rows, ["layer", "holds", "found"], wrap=[2]))
    click.echo()
    levels = list(found.needs)
    reached = levels.index(found.level)
    rows = [
        (level.value, "yes" if place <= reached else "no", ", ".join(needed) or "nothing")
        for place, (level, needed) in enumerate(found.needs.items())
    ]
    click.echo(table(rows, ["level", "reached", "also needs"], wrap=[2]))
    enough = "" if reached >= levels.index(found.untrusted) else " not"
    click.echo(
        f"\nlevel {found.level}; bots that nobody has read may{enough} be played here (--require {found.untrusted})"
    )
