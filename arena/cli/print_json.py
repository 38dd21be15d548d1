"""Prints results as JSON on standard output."""

from __future__ import annotations

import click
import msgspec


def print_json(value: object) -> None:
    """Print a value as one indented document of JSON."""
    click.echo(msgspec.json.format(msgspec.json.encode(value)))
