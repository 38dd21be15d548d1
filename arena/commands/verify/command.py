"""``arena verify``: replays checked against the rules, a run's folder against itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import games_option, json_option, plugin_option
from arena.cli.options.replay_arguments import replays_argument
from arena.commands.verify.results import FileVerdict, VerifyReport
from arena.commands.verify.verify_matches import Verification
from arena.config.tournament_config import MOST_JOBS
from arena.runs.job_count import up_to_cores

LISTED_FILES = 20
"""Up to this number of files, each verified file is printed on a line of its own."""


@click.command(cls=ArenaCommand)
@replays_argument
@click.option(
    "-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Processes for many replays; all cores by default."
)
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
@click.option("--by-host", is_flag=True, hidden=True)
@click.option("--sample", type=click.IntRange(1), hidden=True)
@json_option
@games_option
@plugin_option
def verify(
    paths: tuple[Path, ...],
    jobs: int | None,
    quiet: bool,
    by_host: bool,
    sample: int | None,
    as_json: bool,
    games: tuple[str, ...],
) -> None:
    """Check that every line of the replays follows from the seed and the recorded decisions.

    Print the first line that differs, and the expected line. For the folder of a run, also check that the match seeds
    follow from the run's seed, that no match of the schedule is missing, that matches.jsonl, the manifest and the
    configuration agree with the replays, and that the standings follow from the matches. Exit code 3 if anything does
    not verify, 2 if a file is not a finished replay.

    \b
    Examples:
      arena verify match.jsonl
      arena verify results/quick-20260101-120000
      arena verify results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3
    """
    if by_host or sample is not None:
        raise click.UsageError(f"verify plays nothing; in place of --by-host use: {_by_audit(paths, sample)}")
    jobs = up_to_cores(jobs)
    verification = Verification(paths, jobs, games)
    if as_json:
        checked, looked = list(verification.verdicts()), list(verification.consistencies())
        worst = max([*(each.exit_code for each in checked), *(each.exit_code for each in looked)], default=0)
        click.echo(msgspec.json.format(msgspec.json.encode(VerifyReport(not worst, checked, looked))))
        sys.exit(worst)
    worst = _tell_checked(verification.verdicts(), list(verification.runs), quiet)
    for found in verification.consistencies():
        worst = max(worst, found.exit_code)
        for line in found.problems or ([] if quiet else [found.in_one_line()]):
            click.echo(line)
        if found.root and not quiet:
            click.echo(f"{found.folder}: root digest {found.root}")
    sys.exit(worst)


def _by_audit(paths: Sequence[Path], sample: int | None) -> str:
    """The command that plays a sample of each host's matches again."""
    return f"arena audit {paths[0]} --each {sample or 5}"


def _tell_checked(found: Iterable[FileVerdict], runs: Sequence[Path], quiet: bool) -> int:
    """Print the verdicts on replays as they come: with few files one line each, with many only the problems; and for
    files outside the ``runs``, what could not be checked. Returns the exit code."""
    number, worst, unchecked, held = 0, 0, dict[str, None](), list[FileVerdict]()
    for number, each in enumerate(found, 1):
        worst = max(worst, each.exit_code)
        held.append(each)
        if number > LISTED_FILES:
            for problem in filter(None, (each.problem for each in held)):
                click.echo(problem)
            held.clear()
        if not any(Path(each.file).is_relative_to(run) for run in runs):
            unchecked.update(dict.fromkeys(each.unchecked))
    for each in held:
        if each.problem or not quiet:
            click.echo(each.problem or f"{each.file}: verified")
    if number > LISTED_FILES and not worst and not quiet:
        click.echo(f"{number} replays verified")
    if unchecked and not quiet:
        click.echo(f"not checked, because nothing in a match depends on these fields: {', '.join(unchecked)}")
    return worst
