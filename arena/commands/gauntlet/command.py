"""``arena gauntlet``."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click
from click.core import ParameterSource

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.match_options import words_again
from arena.cli.options.model_options import NamedModelOptions, named_model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.series_options import SeriesOptions, deal_options, kept_options, printed_options
from arena.cli.options.shared_options import jobs_or_slots_text, running_command
from arena.cli.output.resume_hint import print_resume_on_failure
from arena.cli.output.terminal import fold_to_terminal
from arena.cli.print_message import print_message
from arena.commands.gauntlet.bars import Bar, LiveBars
from arena.commands.gauntlet.results import GauntletScores, gauntlet_result
from arena.commands.gauntlet.until_clear import MOST_DEALS, RowsUntilClear
from arena.commands.gauntlet.words import GauntletEnd, print_findings
from arena.config.tournament_config import MOST_BLOCKS
from arena.config.variations import parse_all
from arena.executors.executor import Executor
from arena.match.work import WorkResult
from arena.runs import play_run as app
from arena.runs.gauntlet_setup import GauntletOptions, base_challenger, entrant_words, set_up_gauntlet
from arena.runs.models.model_access import executor_of, slots_of
from arena.runs.planning.plan import Plan
from arena.runs.run_options import RunListener, RunOptions, nobody_absent
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.storage.store import MemoryStore
from arena.tournament.schedule.seat_orders import SeatOrders


@click.command(cls=ArenaCommand)
@click.argument("bot")
@click.argument("opponents", nargs=-1, required=True, metavar="OPPONENT...")
@click.option(
    "-n", "--deals", type=click.IntRange(1, MOST_BLOCKS), default=50, show_default=True, help="Number of deals."
)
@click.option("--seats", type=click.IntRange(2), help="Seats at a table; 4 by default, or as many as there are bots.")
@click.option(
    "--vary",
    multiple=True,
    metavar="KEY=VALUES",
    help="Try values of an option of BOT: FROM:TO:STEP or a,b,c. Several give all combinations.",
)
@click.option(
    "--until-clear",
    is_flag=True,
    help="With --vary: stop playing a value as soon as a sequential test shows whether it is better than the first.",
)
@deal_options
@click.option(
    "--seat-orders",
    type=click.Choice([each.value for each in SeatOrders if each is not SeatOrders.LISTED]),
    help="In which seat orders a table plays each deal; balanced by default.",
)
@kept_options
@named_model_options
@printed_options("the bars")
@gathered(given=SeriesOptions, consulted=NamedModelOptions)
def gauntlet(
    bot: str,
    opponents: tuple[str, ...],
    deals: int,
    seats: int | None,
    vary: tuple[str, ...],
    until_clear: bool,
    seat_orders: str | None,
    given: SeriesOptions,
    consulted: NamedModelOptions,
) -> None:
    """How good is BOT at a table with these OPPONENTS? Play them on many deals, and print which ones it beats.

    `arena compare` says whether a bot is better in the place of another one. BOT sits at every table, with opponents in
    all other seats; they do not play among themselves. Every table plays each deal in several seat orders, so that luck
    and seats cancel out. Bots are named as for `arena match`. Without --out nothing is kept; with it, the folder is a
    run like any other, and `arena run --resume` continues it.

    \b
    Examples:
      arena gauntlet dealmaker greedy fair hard
      arena gauntlet ./mybot.py greedy fair hard --deals 50 --seed 7 --out results/mine
      arena gauntlet greedy fair hard dealmaker --vary greed=0.1:0.9:0.2 --deals 20
      arena gauntlet greedy fair hard dealmaker --vary greed=0.1:0.9:0.2 --until-clear
      arena gauntlet talker fair hard dealmaker --models talk.yaml --money 5 --deals 4
    """
    if until_clear:
        _check_until_clear(vary, given)
        if click.get_current_context().get_parameter_source("deals") is ParameterSource.DEFAULT:
            deals = MOST_DEALS
    wanted = GauntletOptions(
        bot=bot,
        opponents=opponents,
        values=parse_all(vary) if vary else (),
        deals=deals,
        seats=seats,
        orders=None if seat_orders is None else SeatOrders(seat_orders),
        replays="faults" if given.out is None else "all",
        named=consulted.read(),
        **given.conditions,
    )
    plan = set_up_gauntlet(wanted, given.seed)
    store = given.store("gauntlet")
    _announce(plan, jobs := given.processes, given.out)
    scores = GauntletScores()
    base = base_challenger(wanted, plan)
    rows = RowsUntilClear(plan, base, scores.add) if until_clear else None
    executor = executor_of(plan, store, jobs, consulted.models)
    outcome = play_with_bars(plan, store, executor, scores, given.quiet, rows)
    found = gauntlet_result(plan, store.records() if rows is None else rows.records, scores, base)
    found.ends = {} if rows is None else rows.ends
    again = ["arena", "gauntlet", bot, *opponents, "--deals", str(deals), *words_again(plan.seed)]
    again += [word for each in vary for word in ("--vary", each)] + ["--until-clear"] * until_clear
    again += ["--seats", str(seats)] * (seats is not None) + ["--seat-orders", str(seat_orders)] * bool(seat_orders)
    again += given.words + consulted.words
    ended = GauntletEnd(plan, outcome, shlex.join(again), entrant_words(wanted, plan), given.out)
    print_findings(found, ended, given.as_json)
    sys.exit(outcome.exit_code)


def _check_until_clear(vary: tuple[str, ...], given: SeriesOptions) -> None:
    """Raise UsageError where rows cannot end by themselves."""
    if not vary:
        raise click.UsageError("--until-clear needs --vary; to compare two bots, use: arena compare")
    if given.out is not None:
        raise click.UsageError(
            "--until-clear plays a different number of deals for each value, so --out is not possible"
        )


def _announce(plan: Plan, jobs: int, out: Path | None) -> None:
    """Print what will be played: the bots, the number of deals, and the conditions."""
    tournament = plan.tournament
    (edition,) = plan.labels
    field = [name for name in plan.names if name not in tournament.challengers]
    first, *more = tournament.challengers
    who = f"{first}{f' and {len(more)} more' if more else ''} against {', '.join(field)}"
    print_message(fold_to_terminal(f"{len(plan.schedule)} matches: {who}"))
    orders = f"{plan.schedule.block_size(0)} ({tournament.seat_orders} seat orders)"
    most = "up to " if click.get_current_context().params.get("until_clear") else ""
    deals = f"{most}{tournament.blocks} {'deal' if tournament.blocks == 1 else 'deals'} × {orders}"
    into = "" if out is None else f", into {out}"
    isolation = f"{jobs_or_slots_text(jobs, slots_of(plan, None))}, {plan.isolation_words}"
    print_message(fold_to_terminal(f"{edition}, {deals}, seed {plan.seed}, {isolation}{into}"))
    for warning in plan.warn():
        print_message(fold_to_terminal(warning))


class ScoreListener(RunListener):
    """Hands each match to ``take``, and draws the ``live`` bars of what is known then."""

    def __init__(self, take: Callable[[WorkResult], object], live: LiveBars) -> None:
        self.take, self.live = take, live

    def fallen_away(self, matches: int) -> None:
        """So many matches are not needed any more."""
        self.live.total -= matches

    def finished(self, done: WorkResult) -> None:
        """One more match is finished."""
        self.take(done)
        self.live.update(sum(sum(seat.faults.values()) for seat in done.record.seats))


def play_with_bars(
    plan: Plan,
    store: MemoryStore | FolderStore,
    executor: Executor,
    scores: GauntletScores,
    quiet: bool,
    rows: RowsUntilClear | None = None,
) -> app.RunOutcome:
    """Play the matches of the plan with live bars, and close the ``executor``; those of ``rows`` until it is clear of
    each."""
    names = [*plan.tournament.challengers, *(name for name in plan.names if name not in plan.tournament.challengers)]
    even = 1 / plan.schedule.editions[0].seats

    def look() -> list[Bar]:
        return [Bar(name, scores.win_rate(name)) for name in names]

    with LiveBars(len(plan.schedule), look, even, quiet) as live, closing(executor):
        listener = ScoreListener(scores.add if rows is None else rows.finished, live)
        options = RunOptions(command=running_command(), absent=nobody_absent if rows is None else rows.absent)
        with print_resume_on_failure(store):
            outcome = app.start_run(plan, store, executor, options, listener)
    if outcome.state is not RunState.COMPLETE:
        for each in outcome.unplayed:
            print_message(f"{each.id} could not be played: {each.reason}")
    return outcome
