"""Prints the states of versions after a change."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.cli.print_json import print_json
from arena.ladder.entry.version_states import StateChange


def print_changed(changed: Sequence[StateChange], as_json: bool) -> None:
    """Print a line for each changed version, or all changes as JSON."""
    if as_json:
        print_json(changed)
        return
    for each in changed:
        why = f" ({each.why})" if each.why else ""
        click.echo(f"{each.version} is {each.after}{why}; it was {each.before}")
