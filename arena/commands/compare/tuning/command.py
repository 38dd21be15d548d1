"""``arena tune``."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.options.option_records import gathered
from arena.cli.options.series_options import SeriesOptions, deal_options, kept_options, printed_options
from arena.cli.options.shared_options import WIDER_HELP, jobs_text, refuse_parameters, running_command
from arena.cli.output.resume_hint import print_resume_on_failure
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_message import print_message
from arena.commands.compare.comparison import ComparisonResult, reopen_comparison
from arena.commands.compare.live_line import LiveLine
from arena.commands.compare.paired_run import PairedRun
from arena.commands.compare.tuning.course_page import course_page
from arena.commands.compare.tuning.live_course import LiveCourse
from arena.commands.compare.tuning.tuning_question import (
    TuningQuestion,
    bot_words,
    plan_verdict,
    set_up_tuning,
    tuned_entrant,
    usual_method,
)
from arena.commands.compare.tuning.tuning_run import TuningRun
from arena.commands.compare.tuning.words import print_tuning, tuning_result
from arena.config.variations import parse_ranges
from arena.errors import ArenaError, UserError
from arena.executors.interrupt import exit_code, ignore_all
from arena.executors.make import make_executor
from arena.runs.gauntlet_setup import GauntletOptions
from arena.runs.planning.open_folder import new_run_folder, reopen_plan
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import facts_of
from arena.storage.layout import MANIFEST_FILE
from arena.storage.resume_command import TUNING_FACT
from arena.storage.run_facts.facts import RunState
from arena.storage.run_files.tuning_folder import COURSE_FILE, TuningFolder
from arena.storage.run_folder import FolderStore
from arena.tournament.schedule.seat_orders import SeatOrders
from arena.tuning.tuning_course import TuningMethod, TuningSettings

USUAL = TuningSettings(method=TuningMethod.SPSA)
OPTION_WORD = re.compile(r"[^\W\d]\w*=.*", re.DOTALL)
"""A word behind BOT that is an option to tune, not an opponent."""
WITH_RESUME = ("resume", "trust", "wider", "game", "jobs", "oversubscribe", "as_json", "quiet")
"""Parameters that may be given together with ``--resume``."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options that say how to search, as they were given."""

    options: tuple[str, ...]
    method: str | None
    rounds: int
    deals: int
    candidates: int
    max_deals: int

    def question(self, words: Sequence[str]) -> TuningQuestion:
        """What is asked; further options to tune are among the ``words``. Raises UserError for a wrong range."""
        options = (*self.options, *(word for word in words if OPTION_WORD.fullmatch(word)))
        method = usual_method(parse_ranges(options)) if self.method is None else TuningMethod(self.method)
        numbers = {name: getattr(self, name) for name in ("rounds", "deals", "candidates")}
        return TuningQuestion(options=options, method=method, most=self.max_deals, **numbers)


@click.command(cls=ArenaCommand)
@click.argument("bot", required=False)
@click.argument("words", nargs=-1, metavar="OPPONENT...")
@click.option(
    "--options",
    multiple=True,
    metavar="KEY=RANGE...",
    help="What to tune: LOW:HIGH, LOW:HIGH:STEP, LOW:HIGH:log or a,b,c. More may follow without --options.",
)
@click.option(
    "--method",
    type=click.Choice([each.value for each in TuningMethod]),
    help="How to search; by default spsa if all options are numbers, else halving.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    default=USUAL.rounds,
    show_default=True,
    help="The greatest number of rounds; it stops by itself when nothing is gained.",
)
@click.option(
    "-n",
    "--deals",
    type=click.IntRange(1, 1000),
    default=USUAL.deals,
    show_default=True,
    help="Deals of a step, or of the first rung; the check at the end of a round has 8 times as many.",
)
@click.option(
    "--candidates",
    type=click.IntRange(2, 1024),
    default=USUAL.candidates,
    show_default=True,
    help="Candidates of a round of successive halving.",
)
@click.option(
    "--max-deals",
    type=click.IntRange(1, 1_000_000),
    default=1000,
    show_default=True,
    help="End the comparison without a verdict after this many deals.",
)
@click.option("--seats", type=click.IntRange(2), help="Seats at a table; 4 by default, or as many as there are bots.")
@deal_options
@click.option(
    "--seat-orders",
    type=click.Choice([each.value for each in SeatOrders if each is not SeatOrders.LISTED]),
    default=SeatOrders.ROTATIONS.value,
    show_default=True,
    help="In which seat orders a table plays each deal.",
)
@kept_options
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Continue the tuning in this folder.")
@click.option("--wider-sandbox", "wider", is_flag=True, help=f"With --resume: {WIDER_HELP[0].lower()}{WIDER_HELP[1:]}")
@game_option
@printed_options("the course")
@click.pass_context
@gathered(search=SearchOptions, given=SeriesOptions)
def tune(
    context: click.Context,
    bot: str | None,
    words: tuple[str, ...],
    seats: int | None,
    seat_orders: str,
    resume: Path | None,
    wider: bool,
    search: SearchOptions,
    given: SeriesOptions,
) -> None:
    """Find better values for options of BOT, against these OPPONENTS.

    Candidates are played on the same deals, by SPSA (all options up or down at once) or by successive halving. Each
    round ends in a check of what it proposes. When rounds no longer gain anything, the best values are compared with
    the bot as it was named, on new deals, by the test of `arena compare`. Start from good values by naming them:
    greedy?greed=0.3. Everything is kept in a folder, and --resume continues it to the same result. Exit code 0: a
    verdict, or nothing gained; 1: no verdict yet.

    \b
    Examples:
      arena tune dealmaker fair hard greedy --options bar=1:7 ripe=1:8
      arena tune './mybot.py?least=1.2' fair hard dealmaker --options least=0.5:2:log style=bold,shy --out results/t
      arena tune --resume results/t
    """
    if resume is not None:
        refuse_parameters(context, "--resume", WITH_RESUME, ": the tuning goes on as it began")
        folder = TuningFolder(resume)
        asked = _stored_question(folder)
        plan = reopen_plan(resume, folder.facts(), given.trust, wider)
    elif wider:
        raise click.UsageError("--wider-sandbox is for the configuration in a folder; name it with --resume DIR")
    else:
        asked = search.question(words)
        opponents = tuple(word for word in words if not OPTION_WORD.fullmatch(word))
        if not bot or not opponents:
            raise UserError("expected a bot and its opponents: arena tune BOT OPPONENT... --options KEY=LOW:HIGH")
        wanted = GauntletOptions(
            bot=bot, opponents=opponents, seats=seats, orders=SeatOrders(seat_orders), **given.conditions
        )
        plan = set_up_tuning(wanted, asked, given.seed)
        folder = TuningFolder(new_run_folder(f"tune-{tuned_entrant(plan).name}", given.out))
        folder.begin(facts_of(plan, running_command()), msgspec.to_builtins(asked))
    jobs = given.processes
    _announce(plan, asked, folder, jobs)
    run, code = _search(plan, asked, folder, jobs, given.quiet)
    verdict = None
    if run.batch is None and run.course.best:
        print_message(f"the best values are compared with {tuned_entrant(plan).name} as it was named, on new deals")
        verdict = _play_verdict(run, jobs, given, wider)
        code = verdict.exit_code
    folder.write_result(tuning_result(run, verdict))
    print_tuning(run, verdict, given.as_json)
    if not given.as_json:
        _say_how_to_go_on(run, verdict)
    sys.exit(code)


def _stored_question(folder: TuningFolder) -> TuningQuestion:
    """What is asked of the tuning in the folder. Raises UserError."""
    try:
        return msgspec.convert(folder.read().get(TUNING_FACT), TuningQuestion)
    except msgspec.ValidationError as problem:
        raise UserError(f"{folder.shown}: tuning.json: {TUNING_FACT}: {problem}") from None


def _announce(plan: Plan, asked: TuningQuestion, folder: TuningFolder, jobs: int) -> None:
    (edition,) = plan.labels
    name = tuned_entrant(plan).name
    field = [each for each in plan.names if each != name]
    ranges = ", ".join(f"{each.name} in {each}" for each in asked.space.ranges)
    print_message(fold_to_terminal(f"{name} with {', '.join(field)}: {ranges}, by {asked.method}"))
    orders = f"{plan.schedule.block_size(0)} matches a deal ({plan.tournament.seat_orders} seat orders)"
    played = f"{edition}, up to {asked.rounds} rounds, {orders}, seed {plan.seed}"
    print_message(
        fold_to_terminal(f"{played}, {jobs_text(jobs)}, {plan.isolation_words}, into {folder.shown} ({COURSE_FILE})")
    )
    for warning in plan.warn():
        print_message(fold_to_terminal(warning))


def _search(plan: Plan, asked: TuningQuestion, folder: TuningFolder, jobs: int, quiet: bool) -> tuple[TuningRun, int]:
    """Search for better values, and return the search with the exit code: 0, or that of the signal that stopped it."""

    def write_page(run: TuningRun, running: bool) -> None:
        with suppress(OSError):  # only for looking at
            folder.write_course(course_page(run, running))

    code = 0
    with _resume_on_failure(folder), folder, LiveCourse(quiet, write_page) as live:
        with closing(make_executor(jobs)) as executor:
            run = TuningRun(plan, asked, folder, executor, live.draw_run)
            try:
                run.play()
            except KeyboardInterrupt as stop:
                ignore_all()
                code = exit_code(stop)
        live.draw_run(run)
    write_page(run, False)
    return run, code


@contextmanager
def _resume_on_failure(folder: TuningFolder) -> Iterator[None]:
    """Context manager: an error inside it that is nobody's mistake gets the command that resumes the tuning."""
    try:
        yield
    except UserError:
        raise
    except ArenaError as problem:
        raise ArenaError(f"{problem}; resume with: {folder.resume_command()}") from None
    except OSError as problem:
        about, why = problem.filename or folder.shown, problem.strerror or problem
        raise ArenaError(f"{about}: {why}; when that is fixed, resume with: {folder.resume_command()}") from None


def _play_verdict(run: TuningRun, jobs: int, given: SeriesOptions, wider: bool) -> ComparisonResult:
    """Compare the best values with the bot as it was named, or go on comparing them."""
    place = run.folder.verdict
    if (place / MANIFEST_FILE).is_file():
        plan, asked, store = reopen_comparison(place, None, given.trust, wider)
        play = PairedRun.resume
    else:
        plan, asked = plan_verdict(run.plan, run.course.best, run.asked)
        store, play = FolderStore(place), PairedRun.start
    with LiveLine(given.quiet) as line, closing(make_executor(jobs)) as executor, print_resume_on_failure(store):
        return play(PairedRun(plan, asked, store, executor, line.draw_run), running_command())


def _say_how_to_go_on(run: TuningRun, verdict: ComparisonResult | None) -> None:
    folder = run.folder
    print_message(f"results  {folder.shown}  (its course: {folder.shown / COURSE_FILE})")
    if run.batch is not None or (verdict is not None and verdict.run is not RunState.COMPLETE):
        print_message(f"go on with: {folder.resume_command()}")
    elif verdict is not None:
        again = FolderStore(folder.verdict).resume_command()
        if not verdict.state.has_verdict:
            print_message(f"go on comparing with: {again} --max-deals {2 * verdict.asked.most}")
        field = [each.bot for each in run.plan.tournament.entrants if each is not tuned_entrant(run.plan)]
        words = shlex.join(["arena", "gauntlet", bot_words(run.plan, run.course.best), *field])
        print_message(f"how good is it at a table with these?\n  {words}")
