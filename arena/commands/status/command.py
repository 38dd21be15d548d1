"""``arena status``."""

from __future__ import annotations

import time
from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, plugin_option
from arena.cli.options.replay_arguments import FOLDER_TYPE
from arena.cli.options.shared_options import jobs_text
from arena.cli.output.fault_table import faults_in_words
from arena.cli.output.provisional_table import provisional_table
from arena.cli.output.terminal import fold_to_terminal, on_terminal
from arena.commands.status.ladder_words import ladder_lines
from arena.config.documents.duration import duration_in_words
from arena.errors import UserError
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.show.ladder_status import ladder_status
from arena.runs.run_status import RunStanding, RunStatus, WatchedRun, as_json
from arena.storage.run_folder import FolderStore
from arena.tournament.standings.standings_text import standings_data

WATCH_SECONDS = 2.0
"""Seconds between two looks of ``--watch``."""
CLEAR_SCREEN = "\x1b[H\x1b[2J"
"""The escape sequence that clears a terminal and moves the cursor to its top."""
NAMED_UNPLAYED = 5
"""At most this number of matches that could not be played is listed."""


@click.command(cls=ArenaCommand)
@click.argument("folder", type=FOLDER_TYPE, metavar="DIR")
@click.option("--table", is_flag=True, help="Also show the standings so far; for a large run this takes longer.")
@click.option("--watch", is_flag=True, help="Update every two seconds until the run ends.")
@game_option
@plugin_option
@click.option("--json", "as_data", is_flag=True, help="Print the state as JSON; with --watch, a line each time.")
def status(folder: Path, table: bool, watch: bool, as_data: bool) -> None:
    """Show the state of the run in DIR: running, killed, stopped, incomplete or complete; how many matches are
    finished, how fast, and the time left; faults by bot; matches that could not be played; warnings in the log. For a
    folder of ladders: which process plays there, and how far each ladder is. The command only reads, so it does not
    disturb a run.

    \b
    Examples:
      arena status results/quick-20260101-120000
      arena status results/quick-20260101-120000 --watch
      arena status results/quick-20260101-120000 --table --json
      arena status my-ladder
    """
    place = LadderFolder(folder)
    if place.database.is_file():
        if table:
            raise UserError(f"{folder} holds ladders; print their standings with: arena ladder standings {folder}")
        _watch_ladders(place, watch, as_data)
        return
    run = WatchedRun(folder)
    while True:
        found = run.read_status()
        standings = run.table() if table else None
        if as_data:
            click.echo(as_json(found, None if standings is None else standings_data(standings.standings)))
        else:
            text = _in_words(found, folder)
            if standings is not None:
                text += f"\n\n{provisional_table(standings, found.matches)}".rstrip()
            again = watch and on_terminal()
            click.echo(f"{CLEAR_SCREEN if again else ''}{text}")
        if not watch or found.state is not RunStanding.RUNNING:
            return
        time.sleep(WATCH_SECONDS)


def _watch_ladders(place: LadderFolder, watch: bool, as_data: bool) -> None:
    while True:
        found = ladder_status(place)
        if as_data:
            click.echo(msgspec.json.encode(found).decode())
        else:
            click.echo(f"{CLEAR_SCREEN if watch and on_terminal() else ''}{ladder_lines(found)}")
        if not watch or found.process is None:
            return
        time.sleep(WATCH_SECONDS)


def _in_words(found: RunStatus, folder: Path) -> str:
    """A status as lines, each with its subject in front."""
    lines = [("run", _status_head(found)), ("matches", _progress_sentence(found))]
    if found.faults:
        lines.append(("faults", faults_in_words(found.faults)))
    lines += [("suspended", f"{entrant}, from block {first} on") for entrant, first in found.suspended.items()]
    lines += [("unplayed", f"{each.id}: {each.reason}") for each in found.unplayed[:NAMED_UNPLAYED]]
    if len(found.unplayed) > NAMED_UNPLAYED:
        lines.append(("unplayed", f"and {len(found.unplayed) - NAMED_UNPLAYED} more"))
    lines += [("log", line) for line in found.log]
    if found.root:
        lines.append(("root", found.root))
    if found.state in (RunStanding.KILLED, RunStanding.STOPPED, RunStanding.INCOMPLETE):
        lines.append(("resume", FolderStore(folder).resume_command()))
    return "\n".join(fold_to_terminal(f"{subject:9} {told}") for subject, told in lines)


def _status_head(found: RunStatus) -> str:
    share = f", share {found.share}," if found.share else ""
    told = f"{found.tournament}{share} in {found.folder}: {found.state}"
    if found.state is RunStanding.RUNNING:
        told += f" in process {found.process}" if found.process else ""
        told += f" on {found.host}" if found.host else ""
    elif found.why:
        told += f" ({found.why})"
    if found.jobs is not None:
        told += f", {jobs_text(found.jobs)}"
    return told + (f", {duration_in_words(found.seconds)}" if found.seconds is not None else "")


def _progress_sentence(found: RunStatus) -> str:
    share = 100 * found.finished / found.matches if found.matches else 100
    told = f"{found.finished} of {found.matches} ({share:.0f} %)"
    told += f", lately {found.rate:.1f} a second" if found.rate is not None else ""
    return told + (f", about {duration_in_words(found.left)} left" if found.left is not None else "")
