"""``arena branch``."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, json_option
from arena.cli.options.model_options import ReplayedModelOptions, replayed_model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.replay_arguments import AskOptions, at_option, bots_by_entrant, replay_argument
from arena.cli.options.shared_options import (
    IsolationOptions,
    JobOptions,
    PrintOptions,
    isolation_options,
    job_options,
    jobs_or_slots_text,
    say_isolation,
)
from arena.cli.output.progress_line import RunProgressLine
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.branch.branches import branch_outcomes, open_match
from arena.commands.branch.decision import Decision, decision_at, given_moves, takeover_variants, told_unasked
from arena.commands.branch.results import Branches, branches_csv, write_replays
from arena.commands.branch.scan import SCAN_ANSWERS, SCAN_ASKS, SCAN_REPEATS, ScanOptions
from arena.commands.branch.scan_command import scan_seat
from arena.commands.branch.words import branch_data, branch_text, decision_text, doubt_notes, unrepeatable_notes
from arena.consultation.model_spec import CallBudgets, MatchModels
from arena.consultation.spending import RunAllowance
from arena.errors import UserError
from arena.executors.executor import Executor
from arena.executors.interrupt import exit_code, ignore_all
from arena.executors.make import make_executor
from arena.recorded.event_address import ask_meant
from arena.recorded.replay_names import command_line_names
from arena.runs.models.model_access import USUAL_SLOTS, check_recorded_models, money_budget, reach_models
from arena.storage.files.atomic_files import check_place, write_whole
from arena.tournament.inference.intervals import LEAST_CLUSTERS

DEFAULT_REPEATS, MOST_REPEATS = 100, 100_000
MOST_ASKS = 10_000


@dataclass(frozen=True, slots=True)
class ScanLookOptions:
    """The options for the scope of a scan; None: not given (:class:`arena.commands.branch.scan.ScanOptions`)."""

    asks: int | None
    few: int | None
    opinion: str | None

    @property
    def given(self) -> bool:
        """Whether any of these options is given."""
        return bool(self.asks or self.few or self.opinion)

    def options(self, seat: int, repeats: int) -> ScanOptions:
        """The options for a scan of this seat, with defaults filled in."""
        return ScanOptions(seat, self.asks or SCAN_ASKS, self.few or SCAN_ANSWERS, repeats, self.opinion or "")


@click.command(cls=ArenaCommand)
@replay_argument
@at_option("The decision, by the line of its answer or the number of its ask.")
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    help="Use the numbers of this seat for the event or ask, as in `arena show --seat`.",
)
@click.option("--move", "moves", multiple=True, metavar="MOVE", help="Another answer; repeatable.")
@click.option(
    "--bot", metavar="BOT", help="Let this bot take over the seat there, after asking it every earlier question."
)
@click.option(
    "--repeat",
    "repeats",
    type=click.IntRange(0, MOST_REPEATS),
    metavar="N",
    help=f"Repetitions with new dice and cards: {DEFAULT_REPEATS}, with --scan {SCAN_REPEATS}; "
    "with 0, only those of the match.",
)
@click.option("--scan", type=click.IntRange(min=0), metavar="SEAT", help="Find the decisions that cost this seat most.")
@click.option(
    "--asks",
    type=click.IntRange(1, MOST_ASKS),
    metavar="K",
    help=f"With --scan: look at K decisions; {SCAN_ASKS} by default.",
)
@click.option(
    "--few",
    type=click.IntRange(2),
    metavar="N",
    help=f"With --scan: try all answers if at most N are legal; {SCAN_ANSWERS} by default.",
)
@click.option("--opinion", metavar="BOT", help="With --scan: look first where this bot answers differently.")
@click.option("--bot-of", "bots", multiple=True, metavar="ENTRANT=BOT", help="Where an entrant's bot is now.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for replays of the branches with the match's own dice and cards.",
)
@click.option(
    "--csv", type=click.Path(path_type=Path), help="Write each branch, or decision of a scan, to this file (CSV)."
)
@click.option("--strict", is_flag=True, help="Exit with 1 if a bot does not repeat itself.")
@job_options
@isolation_options()
@replayed_model_options
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress bar.")
@game_option
@gathered(
    place=AskOptions,
    scanning=ScanLookOptions,
    jobs=JobOptions,
    isolating=IsolationOptions,
    consulted=ReplayedModelOptions,
    printing=PrintOptions,
)
def branch(
    file: Path,
    moves: tuple[str, ...],
    bot: str | None,
    repeats: int | None,
    scan: int | None,
    bots: tuple[str, ...],
    out: Path | None,
    csv: Path | None,
    strict: bool,
    place: AskOptions,
    scanning: ScanLookOptions,
    jobs: JobOptions,
    isolating: IsolationOptions,
    consulted: ReplayedModelOptions,
    printing: PrintOptions,
) -> None:
    """Play a recorded match up to one decision, change the decision, let all bots play on, and print what it was worth.
    Give the replay as a FILE, or as a MATCH of the run in DIR.

    All bots are created again and re-asked every earlier question, so that their state is the same. Then the match is
    played on many times, with the recorded answer and with another one: repetition n has the same dice and cards for
    every answer. Without --move and --bot, all other legal answers are tried if there are only a few. Write a MOVE as
    JSON or as in `arena play`, such as yes, or 'offer blue 5; done'. Hands are those of the match, so the figures are
    hindsight.

    With --scan SEAT it finds the ten decisions that cost a seat most. It first tries, a few times each, decisions with
    few legal answers and those at which the bot answers differently with another seed; then it tries the most costly
    ones again, many times.

    \b
    Examples:
      arena branch match.jsonl --at 412
      arena branch match.jsonl --at ask47 --move yes --repeat 200
      arena branch results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3 --at ask47 --bot greedy
      arena branch match.jsonl --scan 2
    """
    for path, option in ((out, "--out"), (csv, "--csv")):
        if path is not None:
            check_place(path, option, folder=path is out)
    if moves and bot is not None:
        raise UserError("--move and --bot are two ways to change a decision; give only one")
    consulted.check()
    number = jobs.count()
    if scan is not None:
        if consulted.allow_models:
            raise UserError("in a scan models answer as recorded: leave out --allow-models, or name a decision (--at)")
        named = {"--at": place.at, "--seat": place.seat}
        _refuse_with_scan({**named, "--move": moves, "--bot": bot, "--out": out})
        repeats = SCAN_REPEATS if repeats is None else repeats
        if repeats < LEAST_CLUSTERS:
            raise UserError(
                f"--repeat {repeats}: with --scan expected {LEAST_CLUSTERS} or more, otherwise no cost can be computed"
            )
        match = open_match(file, bots_by_entrant(bots), isolating.choose())
        again = [*(word for each in bots for word in ("--bot-of", each)), *isolating.words]
        stopped, other = scan_seat(match, scanning.options(scan, repeats), number, again, csv, printing)
        sys.exit(stopped or int(strict and other))
    if scanning.given:
        raise UserError("--asks, --few and --opinion are options of --scan; add --scan SEAT")
    repeats = DEFAULT_REPEATS if repeats is None else repeats
    match = open_match(file, bots_by_entrant(bots), isolating.choose())
    models = match.recorded.models if consulted.allow_models else None
    if consulted.allow_models and models is None:
        raise UserError(f"{file}: its bots could consult no models: leave out --allow-models")
    match = match if models is None else match.in_slots
    say_isolation(match.isolation, match.bots)
    meant = ask_meant(match.timeline, place.event, place.ask, place.seat, shlex.join(command_line_names(match.path)))
    if meant.instead:
        print_message(f"arena: {meant.instead}")
    if place.seat is not None:
        print_message(f"arena: ask {meant.called} of seat {place.seat} is ask {meant.number} of the match")
    decision = told_unasked(decision_at(match, meant.number))
    branches = Branches(
        decision, given_moves(decision, moves) if bot is None else takeover_variants(decision, bot), repeats
    )
    if not printing.as_json:
        click.echo(decision_text(decision))
    place_of_play = jobs_or_slots_text(number, None if models is None else USUAL_SLOTS)
    executor = make_executor(number) if models is None else _reach(models, consulted)
    stopped = _play_branches(branches, executor, place_of_play, printing.quiet)
    if csv is not None:
        write_whole(csv, branches_csv(branches).encode())
    written = [] if out is None else write_replays(branches, out)
    for told in (*unrepeatable_notes(branches), *doubt_notes(branches, models_asked=models is not None)):
        print_message(fold_to_terminal(told))
    if printing.as_json:
        print_json(branch_data(branches))
    else:
        click.echo(branch_text(branches))
        for path in written:
            click.echo(f"replay  {path}")
    sys.exit(stopped or (1 if strict and unrepeatable_notes(branches) else 0))


def _refuse_with_scan(options: dict[str, object]) -> None:
    """Raise UserError if an option is given that names a decision: a scan finds the decisions itself."""
    given = [name for name, value in options.items() if value not in (None, ())]
    if given:
        raise UserError(f"--scan finds the decisions by itself; leave out {' and '.join(given)}")


def _reach(models: MatchModels, consulted: ReplayedModelOptions) -> Executor:
    """An executor in which bots ask these models what no recording answers. Raises UserError where one fails."""
    check_recorded_models(models.models, consulted.models)
    allowance = RunAllowance(money_budget(models.models, CallBudgets(), consulted.models))
    return reach_models(models.models, USUAL_SLOTS, allowance, consulted.models, consulted.calls)


def _play_branches(branches: Branches, executor: Executor, where: str, quiet: bool) -> int:
    """Play all branches, or those before Ctrl-C, and close the executor; returns the exit code of the signal, else
    0."""
    match, variants = branches.match, list(branches.variants.values())
    print_message(_branches_line(branches.decision, branches.total, where))
    with RunProgressLine(branches.total, quiet, unit="branches") as shown, closing(executor):
        try:
            for outcome in branch_outcomes(match, variants, branches.numbers, executor, shown.waiting):
                branches.add(outcome)
                if outcome.done is not None:
                    shown.finished(outcome.done)
        except KeyboardInterrupt as stop:
            ignore_all()
            shown.say(f"stopped: {len(branches.outcomes)} of {branches.total} branches are played")
            return exit_code(stop)
    return 0


def _branches_line(decision: Decision, total: int, where: str) -> str:
    """What is about to be played, in a line."""
    isolation = decision.match.isolation.words(decision.match.bots)
    return fold_to_terminal(f"{total} branches at ask {decision.number}, {where}, {isolation}")
