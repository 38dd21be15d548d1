"""``arena rules``."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec

from arena.cli.command_classes import ArenaGroup
from arena.cli.options.shared_options import rules_options
from arena.cli.output.terminal import format_table
from arena.config.documents.dialect import dump_yaml
from arena.runs.planning import edition_list as app


@click.group(cls=ArenaGroup)
def rules() -> None:
    """List, show, check and compare editions of the rules: YAML files that name a parent and their differences from it.

    \b
    Examples:
      arena rules list
      arena rules diff eagle-gryphon schmidt-1994
    """


@rules.command("list", short_help="List the editions that ship with arena.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def list_(as_json: bool) -> None:
    """List the editions that ship with arena, with the variants that they offer.

    \b
    Example:
      arena rules list
    """
    found = app.list_editions()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
        return
    rows = [
        (each.name, each.game, each.players, each.parent, each.title, "\n".join(each.variants) or "–") for each in found
    ]
    headers = ["rules", "game", "players", "parent", "title", "variants"]
    click.echo(format_table(rows, headers, wrap=[3, 4, 5]))


@rules.command(short_help="Show an edition with every key filled in.")
@click.argument("name")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def show(name: str, variants: tuple[str, ...], settings: tuple[str, ...], as_json: bool) -> None:
    """Show all rules of the edition NAME (bundled, or a .yaml file), and its digest.

    \b
    Examples:
      arena rules show outline
      arena rules show eagle-gryphon --variant short-game --rule max_turns=100
    """
    edition = app.named_edition(name, variants, settings)
    if as_json:
        click.echo(json.dumps(edition.every_key, indent=2, ensure_ascii=False))
        return
    click.echo(f"# {edition.label}, digest {edition.digest}")
    click.echo(dump_yaml(edition.file_data), nl=False)


@rules.command(short_help="Check a rules file.")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@rules_options
def check(names: tuple[str, ...], variants: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """Check editions or rules files, with their parents. Print the first mistake with file, line and key.

    \b
    Example:
      arena rules check my-edition.yaml
    """
    for name in names:
        edition = app.check_edition(name, variants, settings)
        players = f"{edition.seats[0]} to {edition.seats[-1]} players"
        click.echo(f"{name}: fine; {edition.game}, {players}, digest {edition.digest[:16]}")


@rules.command(short_help="Show where two editions differ.")
@click.argument("one")
@click.argument("other")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def diff(one: str, other: str, as_json: bool) -> None:
    """Show every key that differs between the editions ONE and OTHER.

    \b
    Example:
      arena rules diff face2face-2003 schmidt-1994
    """
    found = app.edition_difference(app.named_edition(one, (), ()), app.named_edition(other, (), ()))
    if as_json:
        click.echo(json.dumps([{"key": key, one: left, other: right} for key, left, right in found], indent=2))
    elif found:
        rows = [(key, _value_text(left), _value_text(right)) for key, left, right in found]
        click.echo(format_table(rows, ["key", one, other], wrap=[1, 2], plain=True))
    else:
        click.echo("no difference")


def _value_text(value: Any) -> str:
    return "–" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
