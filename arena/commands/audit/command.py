"""``arena audit``."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, plugin_option
from arena.cli.options.option_records import gathered
from arena.cli.options.replay_arguments import FOLDER_TYPE, bots_by_entrant
from arena.cli.options.sample_options import sample_options
from arena.cli.options.shared_options import (
    JobOptions,
    PrintOptions,
    job_options,
    run_permission_options,
    say_isolation,
)
from arena.cli.output.audit_report import AuditBar, print_audit
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.audit.audit_run import RunMatches, store_audit
from arena.commands.audit.replay_plan import plan_again
from arena.errors import Mismatch
from arena.executors.make import make_executor
from arena.rerun.audit import audit_sample as play_sample
from arena.rerun.sample import SampleOptions
from arena.runs.planning.isolation_level import BotPermissions
from arena.storage.folder_lock import not_written_to
from arena.storage.layout import AUDIT_FILE, RUN_LOCK
from arena.storage.run_facts.registration_check import find_deviations
from arena.storage.run_folder import FolderStore


@click.command(cls=ArenaCommand)
@click.argument("folder", type=FOLDER_TYPE, metavar="DIR")
@sample_options("entrant")
@click.option(
    "--seed", default="", metavar="TEXT", help="Decides which matches are drawn; by default the run's root digest."
)
@click.option("--bot", "bots", multiple=True, metavar="ENTRANT=BOT", help="Where an entrant's bot is now.")
@job_options
@click.option("--no-write", is_flag=True, help="Leave the folder as it is: no audit.json, no labels in the standings.")
@game_option
@plugin_option
@run_permission_options()
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress bar.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@gathered(sampling=SampleOptions, jobs=JobOptions, word=BotPermissions, printing=PrintOptions)
def audit(
    folder: Path,
    bots: tuple[str, ...],
    no_write: bool,
    sampling: SampleOptions,
    jobs: JobOptions,
    word: BotPermissions,
    printing: PrintOptions,
) -> None:
    """Play random matches of the run in DIR again, with its bots, and compare all bytes. Print how many are identical,
    by entrant and by host, and how many of all matches can differ at most. Each bot gets a label, which says whether it
    repeats itself.

    The result is written to audit.json in DIR, and the labels to its standings. The exit code is 3 if a match differs
    although all of its bots repeat themselves. It is also 3, and nothing is written, if the root digest of the matches
    is not the one in manifest.json.

    \b
    Examples:
      arena audit results/quick-20260101-120000
      arena audit results/quick-20260101-120000 --sample 200 --seed "lottery numbers of 3 January" -j 4
      arena audit results/quick-20260101-120000 --bot mybot=versions/mybot_v7.py --no-write
    """
    number = jobs.count()
    store = FolderStore(folder)
    with not_written_to(folder / RUN_LOCK, folder):
        plan, absent = plan_again(folder, bots_by_entrant(bots), word)
        say_isolation(plan.isolation, plan.bots)
        with AuditBar(printing.quiet) as bar, closing(make_executor(number)) as executor:
            found = play_sample(RunMatches(plan, store, absent), executor, sampling, bar)
        if not no_write and found.root_in_manifest in ("", found.root):
            store_audit(store, found)
    for deviation in find_deviations(store.facts(), store.state()):
        print_message(f"the run deviates from its registration: {deviation}")
    if printing.as_json:
        print_json(found)
    else:
        print_audit(str(folder), found)
        if not no_write and found.root_in_manifest in ("", found.root):
            print_message(f"written to {folder / AUDIT_FILE}; the standings show the labels")
    sys.exit(0 if found.has_passed else Mismatch.exit_code)
