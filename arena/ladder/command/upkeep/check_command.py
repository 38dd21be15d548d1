"""``arena ladder check``."""

from __future__ import annotations

import sys
from typing import Any

import click
from tqdm import tqdm

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.print_json import print_json
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.ladder.command.ladder_options import folder_argument
from arena.ladder.database.ladder_folder import LadderFolder


@click.command(cls=ArenaCommand)
@folder_argument
@click.option("--deep", type=click.IntRange(0), default=0, metavar="N", help="Also verify N replays of each season.")
@click.option(
    "--no-secrets", is_flag=True, help="For a copy without the seeds of open seasons: do not report them as missing."
)
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@json_option
def check(place: LadderFolder, deep: int, no_secrets: bool, quiet: bool, as_json: bool) -> None:
    """Check everything in DIR; the ladder may be playing. It checks the database and every row of it; the files of
    every version against its digests, and that they hold neither seeds nor tokens; all seeds against those of the
    seasons, and these against their commitments; closed rounds for missing matches, and each match against its table
    and its replay; the stored ratings of every round, and that the last ones follow from the matches. With --deep,
    replays are also verified by the rules, as by `arena verify`.

    Every problem is a line that says what to do. Exit code 3 if there is a problem.

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
        print_json(found)
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
        return "no problem found"
    return "1 problem" if number == 1 else f"{number} problems"
