"""``arena ladder check``."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec
from tqdm import tqdm

from arena.cli.command_classes import ArenaCommand
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.ladder.command.ladder_options import folder_argument
from arena.ladder.database.ladder_folder import LadderFolder


@click.command(cls=ArenaCommand)
@folder_argument
@click.option("--deep", type=click.IntRange(0), default=0, metavar="N", help="Also verify N replays of each season.")
@click.option("--no-secrets", is_flag=True, help="A copy without the seeds of open seasons: do not miss them.")
@click.option("-q", "--quiet", is_flag=True, help="Print only what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print what is found as JSON.")
def check(place: LadderFolder, deep: int, no_secrets: bool, quiet: bool, as_json: bool) -> None:
    """Check everything in DIR, while it plays too: the database itself, and every row of it; that the files of every
    version have its digests, and hold neither seeds nor tokens; that seeds follow from those of seasons, and these are
    what was committed to; that of closed rounds no match is missing, and that each match says what its table and its
    replay say; that the ratings of every round are those with which it was closed, and the last ones follow from the
    matches. With --deep replays are also verified by the rules, as `arena verify` does it.

    Every problem is a line that says what to do. Exit code 3 if there is any.

    \b
    Examples:
      arena ladder check my-ladder
      arena ladder check my-ladder --deep 500 -q
      arena ladder check /backups/2026-01-31 --no-secrets
    """
    from arena.ladder.integrity.check_ladder import (  # numpy takes longer to load than other commands run
        IntegrityOptions,
        check_folder,
    )

    with tqdm(unit=" matches", disable=True if quiet or as_json else None, file=MESSAGE_STREAM) as bar:
        shown: Any = bar
        found = check_folder(place, IntegrityOptions(deep, no_secrets), shown.update)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
        sys.exit(found.exit_code)
    for problem in found.problems:
        click.echo(problem)
    if found.more:
        click.echo(f"and {found.more} more problems")
    if not quiet:
        for note in found.notes:
            print_message(note)
        verified = f", {found.verified} verified by the rules" if deep else ""
        counted = f"{found.versions} versions, {found.rounds} rounds, {found.matches} matches, {found.replays} replays"
        click.echo(f"{place.shown}: {counted}{verified}; {_problem_count(len(found.problems) + found.more)}")
    sys.exit(found.exit_code)


def _problem_count(number: int) -> str:
    if not number:
        return "nothing is wrong"
    return "1 problem" if number == 1 else f"{number} problems"
