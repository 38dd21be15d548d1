"""``arena ladder submit``."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from textwrap import fill

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.model_options import allow_models_option
from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.config.botspec import parse_options
from arena.config.tournament_config import MOST_JOBS
from arena.executors.make import make_executor
from arena.ladder.command.ladder_options import (
    author_options,
    folder_argument,
    ladder_option,
    ladder_permission_options,
)
from arena.ladder.database.bot_versions.versions import VersionState
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry import submit as app
from arena.ladder.entry.build_bot import BuildReport
from arena.ladder.entry.check_entry import EntryReport
from arena.ladder.entry.submit import Submission, SubmitResult
from arena.rerun.play_twice import TwicePlayed
from arena.runs.job_count import up_to_cores
from arena.runs.models.model_access import ModelOptions

BUILD_LINES = 20
"""How many of the last output lines of a failed build are shown."""


@click.command(cls=ArenaCommand)
@folder_argument
@ladder_permission_options
@click.argument("bot")
@click.option("--name", metavar="NAME", help="Name of the bot; by default the name of its file.")
@author_options
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the bot; repeatable.")
@click.option("--file", "files", multiple=True, metavar="PATH", help="Another file or folder of the bot; repeatable.")
@click.option("--build", default="", metavar="COMMAND", help="Command that builds the bot before it is checked.")
@ladder_option
@allow_models_option
@click.option("-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def submit(
    place: LadderFolder,
    bot: str,
    name: str | None,
    author: str,
    token: str,
    options: tuple[str, ...],
    files: tuple[str, ...],
    build: str,
    ladder: str,
    allow_models: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Submit BOT, a file, a folder, a command or a bundled bot, to a ladder: it becomes the next version of its name.
    It is first checked under all conditions of the ladder. If it fails, it is refused with a report, and the exit code
    is 1. The ladder may be playing.

    Only the files that you name are submitted: a single file, a folder, and files added with --file. The list with
    sizes is printed first.

    `arena docs ladders entering-a-bot` says which files are submitted, what is checked, and how programs are built.

    \b
    Examples:
      arena ladder submit my-ladder ./mybot.py
      arena ladder submit my-ladder ./mybot.py --name haggler --author ann --option greed=0.4
      arena ladder submit my-ladder cmd:./broker --file broker.c --build "cc -O2 -o broker broker.c"
    """
    if name == "":
        raise click.UsageError("--name: expected a name, got ''; leave it out to use the name of its file")
    submission = Submission(
        bot=bot,
        name=name or "",
        author=author,
        token=token,
        options=parse_options(options, "--option"),
        files=files,
        build=build,
    )
    with closing(make_executor(up_to_cores(jobs))) as executor:
        allowed = ModelOptions(allowed=allow_models)
        submitted = app.submit_bot(place, ladder, submission, executor, print_message, options=allowed)
    if as_json:
        print_json(submitted)
    else:
        _print_submission(submitted)
    if submitted.known and submitted.state is not VersionState.ACTIVE:
        print_message(f"to let it play: arena ladder enable {shlex.quote(str(place.shown))} {submitted.version}")
    sys.exit(1 if submitted.refused else 0)


def _print_submission(submitted: SubmitResult) -> None:
    report = submitted.report
    for reason in submitted.refused:
        _print_line("refused", reason)
    for told in submitted.told:
        _print_line("note", told)
    if report is not None and report.build is not None:
        _print_build(report.build)
    if report is not None and report.played is not None:
        _print_played(report, report.played)
    click.echo(fold_to_terminal(_outcome_sentence(submitted)))


def _print_line(name: str, text: str) -> None:
    """Print a text after its name, wrapped to the width of the terminal."""
    indent = " " * 10
    click.echo(
        fill(
            f"{name:<10}{text}",
            terminal_width(),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _outcome_sentence(submitted: SubmitResult) -> str:
    ladder = submitted.ladder
    if submitted.refused:
        return f"{submitted.bot} of author {submitted.author} is not admitted to {ladder}"
    if submitted.known:
        return f"{submitted.version} is in {ladder} already, with the same bytes, and {submitted.state}: nothing to do"
    replaced = f", in place of {', '.join(submitted.replaced)}" if submitted.replaced else ""
    return f"{submitted.version} of author {submitted.author} is admitted to {ladder}{replaced}, from the next round on"


def _print_build(build: BuildReport) -> None:
    told = f"{build.seconds:.1f} s, at most {build.memory / 2**20:.0f} MB, {build.files} files after it"
    _print_line("build", f"{build.command}: {told if build.files else f'{build.seconds:.1f} s'}")
    _print_line("", f"{build.held} (level {build.level})")
    if build.refused:
        for line in build.output.splitlines()[-BUILD_LINES:]:
            click.echo(f"  | {line}")


def _print_played(report: EntryReport, played: TwicePlayed) -> None:
    asks = sum(played.asks.values())
    _print_line("check", f"{played.matches} matches of {report.edition}, {report.seats} seats, seed {report.seed}")
    times = f"median {_time_text(played.median)}, mean {_time_text(played.mean)}, worst {_time_text(played.worst)}"
    _print_line("per ask", f"{times}, of {asks} asks; start {_time_text(played.start)}")
    if played.memory:
        _print_line("process", f"at most {played.memory / 2**20:.0f} MB; {played.cpu:.2f} s of CPU time")
    if report.label is not None:
        _print_line("label", f"{report.label}: {report.evidence}")
    if report.qualifier is not None:
        told = f"ahead of {report.qualifier.ahead:.1%} of its opponents in {report.qualifier.matches} matches"
        _print_line("qualifier", told)


def _time_text(seconds: float) -> str:
    """Format a short time with three significant digits."""
    if seconds >= 0.9995:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e6:.0f} µs" if seconds < 0.001 else f"{seconds * 1e3:.{1 if seconds < 0.1 else 0}f} ms"
