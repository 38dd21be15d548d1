"""``arena ladder rerun``."""

from __future__ import annotations

import sys
from contextlib import closing

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import JobOptions, job_options, say_isolation
from arena.cli.output.audit_report import what_came
from arena.cli.output.host_table import difference_lines
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_json import print_json
from arena.errors import Mismatch
from arena.executors.make import make_executor
from arena.ladder.command.ladder_options import (
    SeasonOptions,
    folder_argument,
    ladder_option,
    ladder_permission_options,
    season_option,
)
from arena.ladder.command.read_only import opened_whole
from arena.ladder.database.find_match import find_match
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.rounds import isolation_of
from arena.ladder.seasons.rerun import LadderRerun
from arena.ladder.seasons.rerun import rerun_ladder_matches as play_again


@click.command(cls=ArenaCommand)
@folder_argument
@ladder_permission_options
@click.argument("matches", nargs=-1, required=True, metavar="MATCH...")
@ladder_option
@season_option
@job_options
@json_option
@gathered(chosen=SeasonOptions, jobs=JobOptions)
def rerun(
    place: LadderFolder,
    matches: tuple[str, ...],
    as_json: bool,
    chosen: SeasonOptions,
    jobs: JobOptions,
) -> None:
    """Play each MATCH again, from its seed and the stored files of the versions, under the limits and the isolation of
    the ladder, and say whether all bytes are identical. A MATCH is a number, or its name in replays.

    If a match is not identical, the first decision that differs is printed, and the exit code is 3. Nothing is written;
    the recorded matches stay as they are.

    \b
    Examples:
      arena ladder rerun my-ladder 1234
      arena ladder rerun my-ladder eagle-gryphon-4p/b0012/0-3-2-1 --season 1
    """
    number = jobs.count()
    with opened_whole(place) as database:
        wanted = [find_match(database, each, chosen.ladder, chosen.season) for each in matches]
        ladders = {each.ladder.name: each.ladder for each in wanted}.values()
        isolations = [isolation_of(place, each.config, each.edition.game) for each in ladders]
        for isolation in {each.level: each for each in isolations}.values():
            say_isolation(isolation)
        with closing(make_executor(number)) as executor:
            found = play_again(place, database, wanted, executor)
    if as_json:
        print_json(found)
    else:
        for each in found:
            _print_rerun(each)
    sys.exit(Mismatch.exit_code if any(each.has_difference for each in found) else 0)


def _print_rerun(found: LadderRerun) -> None:
    head = f"match {found.number} ({found.name}), played on {found.host} on {found.played[:10]}"
    if found.again is None:
        click.echo(fold_to_terminal(f"{head}: identical"))
        return
    click.echo(fold_to_terminal(f"{head}: {what_came(found.again)}"))
    if found.again.difference is not None:
        click.echo(difference_lines(found.again.difference))
    if label := found.labels.get(found.again.entrant):
        click.echo(fold_to_terminal(f"  {found.again.entrant} is labelled {label!r} (by its check, or the last audit)"))
