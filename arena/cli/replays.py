"""``arena verify``, ``arena rerun``, ``arena show``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.app import replays as app
from arena.app.isolation import choose
from arena.cli.commands import isolation_options
from arena.errors import Mismatch, ReplayError, UserError
from arena.games import load_game

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _load(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> None:
    for name in names:
        load_game(name)


game_option = click.option(
    "--game",
    multiple=True,
    metavar="MODULE",
    expose_value=False,
    callback=_load,
    help="A game outside arena that the replays may be of; it is imported, which no replay alone may cause.",
)


@click.command(short_help="Check replays: play the recorded decisions again without bots.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="FILE|DIR...")
@click.option("-q", "--quiet", is_flag=True, help="Print only what is wrong.")
@game_option
def verify(paths: tuple[Path, ...], quiet: bool) -> None:
    """Check that every line of the replays follows from the seed and the recorded decisions.

    Names the first line that differs, what was expected and what stands there. Of a run's folder, matches.jsonl is
    compared with the replays as well. Exit code 3 if anything does not verify, 2 if a file is no finished replay.

    \b
    Examples:
      arena verify match.jsonl
      arena verify results/quick-20260101-120000
    """
    files, worst = app.replay_files(paths), 0
    for path in files:
        try:
            app.verify_file(path)
        except (Mismatch, ReplayError) as problem:
            click.echo(str(problem))
            worst = max(worst, problem.exit_code)
        else:
            if not quiet and len(files) <= 20:
                click.echo(f"{path}: verified")
    for folder in (path for path in paths if (path / "matches.jsonl").is_file()):
        for difference in app.compare_records(folder):
            click.echo(difference)
            worst = max(worst, Mismatch.exit_code)
    if not quiet and not worst and len(files) > 20:
        click.echo(f"{len(files)} replays verified")
    sys.exit(worst)


@click.command(short_help="Play a replay's match again with its bots.")
@click.argument("file", type=FILE)
@click.option("--bot", "bots", multiple=True, metavar="ENTRANT=BOT", help="Where an entrant's bot is now.")
@game_option
@isolation_options
def rerun(file: Path, bots: tuple[str, ...], trust: bool, untrusted: bool) -> None:
    """Play the match of the replay FILE again from its seed, with its bots, and say whether it comes out identical.

    Otherwise the first decision that differs is shown, with exit code 1.

    \b
    Examples:
      arena rerun match.jsonl
      arena rerun old.jsonl --bot mybot=versions/mybot_v7.py
    """
    given = {}
    for each in bots:
        entrant, equals, bot = each.partition("=")
        if not equals:
            raise UserError(f"--bot {each}: expected ENTRANT=BOT, such as mybot=./mybot.py")
        given[entrant] = bot
    difference = app.rerun(file, given, choose(trust, untrusted))
    if difference is None:
        click.echo(f"{file}: identical")
        return
    click.echo(f"{file}: differs; first:\n{difference}")
    sys.exit(1)


@click.command(short_help="Tell a replay in sentences.")
@click.argument("file", type=FILE)
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First line of the file to tell.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last line of the file to tell.")
@click.option("--seat", type=click.IntRange(min=0), help="Tell only what this seat knew.")
@game_option
def show(file: Path, first: int, last: int | None, seat: int | None) -> None:
    """Tell the match of the replay FILE in sentences, in the names of its edition.

    The number in front of each sentence is the line of the file it tells of.

    \b
    Examples:
      arena show match.jsonl
      arena show match.jsonl --from 200 --to 260 --seat 1
    """
    if last is not None and last < first:
        raise UserError(f"--from {first} --to {last}: there are no such lines")
    for text in app.tell(file, first, last, seat):
        click.echo(text)
