"""``arena ladder audit``."""

from __future__ import annotations

import sys
from contextlib import closing

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import json_option
from arena.cli.options.option_records import gathered
from arena.cli.options.sample_options import sample_options
from arena.cli.options.shared_options import JobOptions, PrintOptions, job_options, say_isolation
from arena.cli.output.audit_report import AuditBar, print_audit
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
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
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.seasons.season_audit import SeasonMatches, keep_audit
from arena.rerun.audit import audit_sample as play_sample
from arena.rerun.sample import SampleOptions


@click.command(cls=ArenaCommand)
@folder_argument
@ladder_permission_options
@ladder_option
@season_option
@sample_options("version")
@click.option("--seed", default="", metavar="TEXT", help="Decides which matches are drawn; by default the root digest.")
@click.option("--no-write", is_flag=True, help="Write nothing: no labels in the standings.")
@job_options
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress bar.")
@json_option
@gathered(chosen=SeasonOptions, sampling=SampleOptions, jobs=JobOptions, printing=PrintOptions)
def audit(
    place: LadderFolder,
    no_write: bool,
    chosen: SeasonOptions,
    sampling: SampleOptions,
    jobs: JobOptions,
    printing: PrintOptions,
) -> None:
    """Play random matches of a season again, from the stored files of the versions, and compare all bytes. Print how
    many are identical, by version and by host, and how many of all matches can differ at most. Each version gets a
    label, which says whether it repeats itself; standings show it. Only matches of closed rounds are drawn, so the
    ladder may be played meanwhile.

    `arena docs auditing` explains the result. The exit code is 3 if a match differs
    although all of its versions repeat themselves.

    \b
    Examples:
      arena ladder audit my-ladder
      arena ladder audit my-ladder --season 1 --sample 200 --seed "lottery numbers of 3 January" -j 4
    """
    number = jobs.count()
    with opened_whole(place) as database:
        found_ladder = find_ladder(database, chosen.ladder, chosen.season)
        matches = SeasonMatches(place, database, found_ladder)
        if others := len(matches.others):
            matches_left = "1 match" if others == 1 else f"{others:,} matches"
            print_message(f"left out: {matches_left} that another version or other code of arena played")
        say_isolation(matches.isolation)
        with AuditBar(printing.quiet) as bar, closing(make_executor(number)) as executor:
            found = play_sample(matches, executor, sampling, bar)
    if not no_write:
        keep_audit(place, found_ladder, found)
    if printing.as_json:
        print_json(found)
    else:
        print_audit(matches.run_name, found, matches.audit)
        if not no_write:
            print_message(f"kept in {place.shown}; the standings show the labels")
    sys.exit(0 if found.has_passed else Mismatch.exit_code)
