"""``arena rules``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.command_classes import ArenaGroup
from arena.cli.options.shared_options import rules_options
from arena.cli.output.terminal import format_table
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.rules.commitment import check_commitment, commit_to_edition
from arena.config.documents.dialect import dump_yaml
from arena.config.editions import find_rules
from arena.errors import UserError
from arena.runs.planning import edition_list as app
from arena.runs.planning.guessable_seed import check_seed, draw_seed
from arena.runs.planning.registered_plan import secret_path
from arena.storage.files.atomic_files import check_place, write_whole

PILOT_MATCHES = 24
"""How many matches a pilot has by default: six deals, each in four rotations."""


@click.group(cls=ArenaGroup)
def rules() -> None:
    """List, show, check, compare and draw editions of the rules: YAML files that name a parent and their differences
    from it.

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
        print_json(found)
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
@click.option("--commitment", metavar="HEX", help="Confirm that this is the edition that was committed to.")
def check(names: tuple[str, ...], variants: tuple[str, ...], settings: tuple[str, ...], commitment: str | None) -> None:
    """Check editions or rules files, with their parents. Print the first mistake with file, line and key.

    \b
    Examples:
      arena rules check my-edition.yaml
      arena rules check sealed.yaml --commitment 5f1c8e0b7a94d236...
    """
    if commitment is not None and len(names) > 1:
        raise UserError(f"--commitment is to one edition, got {len(names)}")
    for name in names:
        edition = app.check_edition(name, variants, settings)
        players = f"{edition.seats[0]} to {edition.seats[-1]} players"
        if commitment is not None:
            check_commitment(find_rules(name), edition.digest, commitment)
        sealed = "" if commitment is None else ", as committed"
        click.echo(f"{name}: fine; {edition.game}, {players}, digest {edition.digest[:16]}{sealed}")


@rules.command(short_help="Draw a new edition that no bot has seen.")
@click.option("--seed", help="Seed of the drawing; a random one by default.")
@click.option("--base", default="eagle-gryphon", show_default=True, help="The edition to draw from.")
@rules_options
@click.option(
    "--pilot",
    type=click.IntRange(0, 10_000),
    default=PILOT_MATCHES,
    show_default=True,
    help="Matches of bundled bots that show whether it is fair; 0: none.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The file to write, such as sealed.yaml.")
@click.option("--commit", is_flag=True, help="Print a commitment to publish, and write its salt to FILE.secret.")
def generate(
    seed: str | None,
    base: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    pilot: int,
    out: Path | None,
    commit: bool,
) -> None:
    """Draw a new edition: of the board game with other names of families, spaces, values of deals, and numbers of
    cards; of the card game with another deck and another worth of a point. All other rules stay those of --base.

    Bundled bots play a pilot on it. A board on which a seat wins too often, or on which deals and money are far from
    those of --base, is refused and drawn again. The same seed, base and pilot give the same bytes.

    \b
    Examples:
      arena rules generate --seed quiet-river --out sealed.yaml
      arena rules generate --base card-game --out sealed.yaml
      arena rules generate --base schmidt-1994 --pilot 96 --out sealed.yaml --commit
      arena match greedy fair hard --rules sealed.yaml
    """
    from arena.commands.rules.redraw_edition import redraw_edition  # playing is slow to load

    if commit and out is None:
        raise UserError("--commit needs --out FILE: its salt is written beside the edition")
    if out is not None:
        check_place(out, "--out")
        if out.suffix not in (".yaml", ".yml"):
            raise UserError(f"--out {out}: the name of a rules file ends in .yaml")
        if out.exists() or secret_path(out).exists():
            raise UserError(f"{out} is there already; an edition is never overwritten; choose another --out")
    if seed is not None:
        check_seed(seed)
    chosen = draw_seed() if seed is None else seed
    found = redraw_edition(app.named_edition(base, variants, settings), chosen, pilot, _print_refusal)
    text = dump_yaml(found.edition.file_data)
    if found.pilot:
        print_message(f"pilot: {found.pilot}")
        print_message(f"{base}: {found.usual}")
    if seed is None:
        print_message(f"seed {chosen}")
    if out is None:
        click.echo(text, nl=False)
        return
    write_whole(out, text.encode())
    click.echo(f"{out}: {found.edition.label}, digest {found.edition.digest[:16]}")
    if commit:
        click.echo(f"commitment {commit_to_edition(out, found.edition.digest)}")
        print_message(f"publish the commitment now, {out} and {secret_path(out)} after the run")


def _print_refusal(draw: int, why: list[str]) -> None:
    print_message(f"draw {draw} is refused: {'; '.join(why)}")


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
