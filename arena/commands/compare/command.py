"""``arena compare``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path

import click
from click.core import ParameterSource

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.options.match_options import words_again
from arena.cli.options.model_options import NamedModelOptions, named_model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.series_options import SeriesOptions, deal_options, kept_options, printed_options
from arena.cli.options.shared_options import WIDER_HELP, jobs_or_slots_text, refuse_parameters, running_command
from arena.cli.output.resume_hint import print_resume_on_failure
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_message import print_message
from arena.commands.compare.compare_runs import compare_runs
from arena.commands.compare.comparison import (
    ComparisonOptions,
    ComparisonQuestion,
    ComparisonResult,
    reopen_comparison,
    set_up_comparison,
)
from arena.commands.compare.live_line import LiveLine
from arena.commands.compare.paired_run import PairedRun
from arena.commands.compare.words import print_found
from arena.config.tournament_config import MOST_BLOCKS
from arena.errors import UserError
from arena.runs.models.model_access import ModelOptions, check_recorded_models, executor_of, slots_of
from arena.runs.planning.plan import Plan
from arena.sandbox.probe import Level
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.storage.store import MemoryStore
from arena.tournament.inference.paired import PairedMeasure
from arena.tournament.schedule.seat_orders import SeatOrders


@dataclass(frozen=True, slots=True)
class ComparisonTestOptions:
    """The options that define the test; they cannot change once the comparison has begun."""

    measure: str
    difference: float
    null: float
    alpha: float
    beta: float


TEST_OPTIONS = tuple(field.name for field in fields(ComparisonTestOptions))
WITH_FROM = ("new", "old", "folders", *TEST_OPTIONS, "game", "as_json", "quiet")
"""Parameters that may be given together with ``--from``."""
WITH_RESUME = (
    "resume", "max_deals", "trust", "wider", "game", "jobs", "oversubscribe", "money", "allow_models", "as_json",
    "quiet",
)  # fmt: skip
"""Parameters that may be given together with ``--resume``."""
FIXED = ", because matches and bots are already fixed"
"""Why other parameters are refused."""
DEFAULT_QUESTION = ComparisonQuestion(new="", old="")


@click.command(cls=ArenaCommand)
@click.argument("new", required=False)
@click.argument("old", required=False)
@click.argument("field", nargs=-1, metavar="[OPPONENT]...")
@click.option(
    "--measure",
    type=click.Choice([each.value for each in PairedMeasure]),
    default=DEFAULT_QUESTION.measure.value,
    show_default=True,
    help="What is compared: wins, the share of opponents beaten, or money.",
)
@click.option(
    "--difference",
    type=float,
    default=DEFAULT_QUESTION.difference,
    show_default=True,
    metavar="D",
    help="The smallest difference that matters, in standard deviations of a deal's difference.",
)
@click.option(
    "--null",
    type=float,
    default=DEFAULT_QUESTION.null,
    show_default=True,
    metavar="D",
    help="A difference up to this counts as none, in the unit of D.",
)
@click.option(
    "--alpha",
    type=float,
    default=DEFAULT_QUESTION.alpha,
    show_default=True,
    help="Error rate: how often two equally good bots may be declared different.",
)
@click.option(
    "--beta",
    type=float,
    default=DEFAULT_QUESTION.beta,
    show_default=True,
    help="Error rate: how often a difference of D may be missed.",
)
@click.option(
    "-n",
    "--max-deals",
    type=click.IntRange(1, MOST_BLOCKS),
    help=f"Stop without a verdict after this many deals; {DEFAULT_QUESTION.most} by default.",
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
@click.option(
    "--lazy/--no-lazy",
    default=True,
    help="Play NEW's matches only from the first difference; the default if opponents repeat themselves.",
)
@kept_options
@click.option(
    "--from",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Play nothing: use the matches of this run, or of two runs.",
)
@click.option(
    "--resume", type=click.Path(path_type=Path), metavar="DIR", help="Continue the comparison in this folder."
)
@click.option("--wider-sandbox", "wider", is_flag=True, help=f"With --resume: {WIDER_HELP[0].lower()}{WIDER_HELP[1:]}")
@named_model_options
@game_option
@printed_options("the progress line")
@click.pass_context
@gathered(testing=ComparisonTestOptions, given=SeriesOptions, consulted=NamedModelOptions)
def compare(
    context: click.Context,
    new: str | None,
    old: str | None,
    field: tuple[str, ...],
    max_deals: int | None,
    seats: int | None,
    seat_orders: str,
    lazy: bool,
    folders: tuple[Path, ...],
    resume: Path | None,
    wider: bool,
    testing: ComparisonTestOptions,
    given: SeriesOptions,
    consulted: NamedModelOptions,
) -> None:
    """Is NEW better than OLD in OLD's place? Play both at the same tables until it is clear which is better, or that
    they hardly differ.

    `arena gauntlet` says how good a bot is at a table with others. Here NEW sits exactly where OLD sat: same deal, same
    seat, same opponents. After each deal a sequential test checks the results. It stops by itself with a verdict: NEW
    is better, or worse, or there is no difference larger than --difference. You may watch and stop it; the verdict
    stays valid. Bots are named as for `arena match`; with --from, as entrants of an existing run. Exit code 0: a
    verdict; 1: no verdict yet.

    \b
    Examples:
      arena compare ./v8.py ./v7.py fair hard dealmaker
      arena compare ./v8.py ./v7.py fair hard dealmaker --measure money --out results/v8
      arena compare --resume results/v8 --max-deals 4000
      arena compare version-8 version-7 --from results/versions
    """
    asked = ComparisonQuestion(
        new=new or "",
        old=old or "",
        measure=PairedMeasure(testing.measure),
        difference=testing.difference,
        null=testing.null,
        alpha=testing.alpha,
        beta=testing.beta,
        most=max_deals or DEFAULT_QUESTION.most,
        lazy=lazy,
    )
    if resume is not None:
        refuse_parameters(context, "--resume", WITH_RESUME, FIXED)
        plan, asked, store = reopen_comparison(resume, max_deals, given.trust, wider)
        check_recorded_models(plan.tournament.models, consulted.models)
        playing = _Playing(store, given.processes, consulted.models, given.quiet)
        found = playing.play(plan, asked, PairedRun.resume)
        again = ""
    elif wider:
        raise click.UsageError("--wider-sandbox is for the configuration in a folder; name it with --resume DIR")
    elif not (new and old):
        raise UserError("expected the new version and the old one: arena compare NEW OLD OPPONENT...")
    elif folders:
        refuse_parameters(context, "--from", WITH_FROM, FIXED)
        found, again = compare_runs(folders, asked), ""
    else:
        wanted = ComparisonOptions(
            new=new,
            old=old,
            field=field,
            seats=seats,
            orders=SeatOrders(seat_orders),
            replays="none" if given.out is None else "all",
            named=consulted.read(),
            **given.conditions,
        )
        if not wanted.field:
            raise UserError("expected opponents for the other seats, such as: fair hard dealmaker")
        plan, asked = set_up_comparison(wanted, asked, given.seed)
        playing = _Playing(given.store("comparison"), given.processes, consulted.models, given.quiet)
        found = playing.begin(plan, asked)
        again = _repeat_command(context, (new, old, *wanted.field), plan.seed, consulted.words)
    print_found(found, given.as_json)
    _say_how_to_go_on(found, resume or given.out, again, given.as_json)
    if again and not given.as_json:
        print_message(f"how good is it at a table with {old}?\n  {_table_command(context, str(new), str(old), field)}")
    sys.exit(found.exit_code)


@dataclass(frozen=True, slots=True)
class _Playing:
    """How a comparison is played: into which ``store``, by so many processes (``jobs``), with which language models,
    and whether without the progress line (``quiet``)."""

    store: MemoryStore | FolderStore
    jobs: int
    models: ModelOptions
    quiet: bool

    def begin(self, plan: Plan, asked: ComparisonQuestion) -> ComparisonResult:
        """Play the comparison from the start."""
        if not (plan.all_in_process or plan.tournament.require is not Level.NONE or plan.tournament.models):
            print_message("bots are isolated; --trust plays your own bots faster")
        return self.play(plan, asked, PairedRun.start)

    def play(
        self, plan: Plan, asked: ComparisonQuestion, play: Callable[[PairedRun, str], ComparisonResult]
    ) -> ComparisonResult:
        """Play the comparison with the progress line. The result says how many more deals there may be."""
        store = self.store
        _announce(plan, asked, self.jobs, store)
        with (
            closing(executor_of(plan, store, self.jobs, self.models)) as executor,
            LiveLine(self.quiet) as line,
            print_resume_on_failure(store),
        ):
            run = PairedRun(plan, asked, store, executor, line.draw_run)
            found = play(run, running_command())
            found.outlook = run.outlook(line.seconds)
            return found


def _announce(plan: Plan, asked: ComparisonQuestion, jobs: int, store: MemoryStore | FolderStore) -> None:
    (edition,) = plan.labels
    field = [name for name in plan.names if name not in (asked.new, asked.old)]
    print_message(fold_to_terminal(f"{asked.new} in the place of {asked.old}, with {', '.join(field)}"))
    size = plan.schedule.block_size(0) // 2
    deals = f"up to {asked.most} deals of {size} pairs of matches ({plan.tournament.seat_orders} seat orders)"
    into = f", into {store.shown}" if isinstance(store, FolderStore) else ""
    where = jobs_or_slots_text(jobs, slots_of(plan, None))
    print_message(fold_to_terminal(f"{edition}, {deals}, seed {plan.seed}, {where}, {plan.isolation_words}{into}"))
    for warning in plan.warn():
        print_message(fold_to_terminal(warning))


def _repeat_command(context: click.Context, bots: tuple[str, ...], seed: str, consulted: list[str]) -> str:
    """The command that plays the same again, with the words about language models."""
    new, old, *field = bots
    words = ["arena", "compare", new, old, *field, *words_again(seed)]
    for name in (*TEST_OPTIONS, "max_deals", "seats", "seat_orders", "require"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            words += [f"--{name.replace('_', '-')}", str(context.params[name])]
    words += ["--trust"] * context.params["trust"] + ["--isolate-all"] * context.params["isolate_all"]
    words += ["--no-lazy"] * (not context.params["lazy"]) + consulted
    return shlex.join(words)


def _table_command(context: click.Context, new: str, old: str, field: tuple[str, ...]) -> str:
    """The command that plays the new version at one table with the old one and the others."""
    others = [name for name in dict.fromkeys(field) if name not in (new, old)]
    options = [*words_again(None), *["--trust"] * context.params["trust"]]
    return shlex.join(["arena", "gauntlet", new, old, *others, *options])


def _say_how_to_go_on(found: ComparisonResult, out: Path | None, again: str, as_json: bool) -> None:
    if out is not None and not as_json:
        print_message(f"results  {out}  (check them with: arena verify {out})")
    if out is not None and found.run is not RunState.COMPLETE:
        print_message(f"go on with: {FolderStore(out).resume_command()}")
    elif out is not None and not found.state.has_verdict:
        print_message(f"go on with: {FolderStore(out).resume_command()} --max-deals {2 * found.asked.most}")
    elif again and found.run is not RunState.COMPLETE:
        print_message("nothing was kept; with --out DIR you can continue it")
    if again and not as_json:
        print_message(f"play it again with:\n  {again}")
