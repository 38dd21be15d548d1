"""``arena verify``, ``arena rerun``, ``arena show``."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from arena.app import replays as app
from arena.app.isolation import choose
from arena.cli.commands import isolation_options
from arena.errors import Mismatch, ReplayError, UserError
from arena.executors.make import make_executor
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
    help="Module of the replays' game, if it is not part of arena.",
)


@click.command(short_help="Check replays against the rules, without the bots.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="FILE|DIR...")
@click.option("-q", "--quiet", is_flag=True, help="Print only what is wrong.")
@game_option
def verify(paths: tuple[Path, ...], quiet: bool) -> None:
    """Check that every line of the replays follows from the seed and the recorded decisions.

    Prints the first line that differs, with what was expected. For a run's folder, also compares matches.jsonl with
    the replays. Exit code 3 if anything does not verify, 2 if a file is not a finished replay.

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


@click.command(short_help="Replay a match with its bots and compare.")
@click.argument("file", type=FILE)
@click.option("--bot", "bots", multiple=True, metavar="ENTRANT=BOT", help="Where an entrant's bot is now.")
@game_option
@isolation_options
def rerun(file: Path, bots: tuple[str, ...], trust: bool, untrusted: bool) -> None:
    """Play the match of the replay FILE again from its seed, with its bots, and say whether it comes out identical.

    Otherwise print the first decision that differs and exit with code 1.

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
    with closing(make_executor(1, shown=True)) as executor:
        difference = app.rerun(file, given, choose(trust, untrusted), executor)
    if difference is None:
        click.echo(f"{file}: identical")
        return
    click.echo(f"{file}: differs; first:\n{difference}")
    sys.exit(1)


@click.command(short_help="Narrate a replay.")
@click.argument("file", type=FILE)
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First line of the file to narrate.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last line of the file to narrate.")
@click.option("--seat", type=click.IntRange(min=0), help="Narrate only what this seat knew.")
@game_option
def show(file: Path, first: int, last: int | None, seat: int | None) -> None:
    """Narrate the match in the replay FILE, in the names of its edition.

    The number in front of each sentence is the line of the file that it describes.

    \b
    Examples:
      arena show match.jsonl
      arena show match.jsonl --from 200 --to 260 --seat 1
    """
    if last is not None and last < first:
        raise UserError(f"--from {first} --to {last}: there are no such lines")
    for text in app.tell(file, first, last, seat):
        click.echo(text)
