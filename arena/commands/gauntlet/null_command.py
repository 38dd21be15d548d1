"""``arena null``."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.options.match_options import words_again
from arena.cli.options.option_records import gathered
from arena.cli.options.series_options import SeriesOptions, deal_options, kept_options, printed_options
from arena.cli.options.shared_options import NULL_RUN
from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.gauntlet.command import play_with_bars
from arena.commands.gauntlet.results import GauntletScores
from arena.config.tournament_config import MOST_BLOCKS
from arena.errors import UserError
from arena.executors.make import make_executor
from arena.runs.gauntlet_setup import GauntletOptions
from arena.runs.null_setup import of_plan, of_run, set_up_null
from arena.storage.run_folder import FolderStore
from arena.tournament.standings.null_test import EXPECTED_MISSES, UNLIKELY_CHANCE, NullRun
from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.tournament.tables.rounded_figures import TEXT_WIDTH, fixed_decimals
from arena.tournament.tables.table_text import text_table


@click.command("null", cls=ArenaCommand)
@click.argument("bot", required=False)
@click.option(
    "--from",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Test the run in this folder, whose entrants are copies of one bot.",
)
@click.option(
    "-n",
    "--blocks",
    type=click.IntRange(1, MOST_BLOCKS),
    default=50,
    show_default=True,
    help="Number of blocks: a multiple of the cycle in which every two copies meet equally often.",
)
@click.option("--copies", type=click.IntRange(2), default=6, show_default=True, help="Number of copies of the bot.")
@click.option("--players", type=click.IntRange(2), default=4, show_default=True, help="Number of copies at a table.")
@deal_options
@kept_options
@game_option
@printed_options("the bars")
@gathered(given=SeriesOptions)
def null(
    bot: str | None,
    folder: Path | None,
    blocks: int,
    copies: int,
    players: int,
    given: SeriesOptions,
) -> None:
    """Play copies of BOT against each other, so that every difference is chance, and test the intervals.

    The copies play a round robin, each table in all rotations on a deal of its own. The command counts the 95 %
    intervals that miss the true value (5 % should), and tests whether the copies differ by more than chance. (Seats may
    differ.) All copies of a bot that repeats itself, such as greedy, win equally often; then only money is informative.
    --from tests an existing run whose entrants are copies of one bot, and with it the design of that tournament file.

    \b
    Examples:
      arena null greedy
      arena null ./mybot.py --players 3 --blocks 100 --seed 7
      arena null --from results/copies
    """
    if (bot is None) == (folder is None):
        raise UserError("expected a BOT or --from FOLDER, got " + ("neither" if bot is None else "both"))
    if folder is not None:
        _print_runs(of_run(FolderStore(folder)), given.as_json)
        return
    assert bot is not None
    wanted = GauntletOptions(
        bot=bot,
        opponents=(),
        seats=players,
        replays="faults" if given.out is None else "all",
        **given.conditions,
    )
    plan = set_up_null(wanted, copies, blocks, given.seed)
    store, workers = given.store("null run"), given.processes
    (edition,) = plan.labels
    print_message(
        fold_to_terminal(
            f"{len(plan.schedule)} matches: {copies} copies of {bot}, {edition}, {blocks} blocks, seed {plan.seed}"
        )
    )
    for warning in plan.warn():
        print_message(fold_to_terminal(warning))
    outcome = play_with_bars(plan, store, make_executor(workers), GauntletScores(), given.quiet)
    _print_runs(of_plan(plan, store.records()), given.as_json)
    again = ["arena", "null", bot, "--blocks", str(blocks), "--copies", str(copies), "--players", str(players)]
    again += [*words_again(plan.seed), *given.words]
    print_message(f"play it again with:\n  {shlex.join(again)}")
    sys.exit(outcome.exit_code)


def _print_runs(found: dict[str, NullRun], as_json: bool) -> None:
    if as_json:
        print_json({label: _null_data(each) for label, each in found.items()})
        return
    click.echo(_fold_text(NULL_RUN))
    if not found:
        click.echo("no match counts yet")
    for label, each in found.items():
        click.echo(f"\n{label}: {each.matches} matches in {each.blocks} blocks\n")
        click.echo(_interval_table(each))
        click.echo(f"\n{_fold_text(null_run_words(each))}")


def _fold_text(text: str) -> str:
    return fill(text, min(TEXT_WIDTH, terminal_width()))


def _interval_table(found: NullRun) -> str:
    heads = (
        ResultColumn("measure", "95 % intervals of", left=True),
        ResultColumn("even", "true value"),
        ResultColumn("shown", "printed"),
        ResultColumn("missed", "missing it"),
        ResultColumn("alike", "all blocks alike"),
    )
    rows = [
        (each.name, _even_cell(each.even, each.name), each.shown, each.missed, each.alike) for each in found.intervals
    ]
    table = ResultTable(heads, rows)
    return text_table(table if terminal_width() >= 80 else table.drop(["alike"]))


def _even_cell(even: float, name: str) -> str:
    return f"{fixed_decimals(100 * even, 1)} %" if 0 < even < 1 else fixed_decimals(even, 2)


def null_run_words(found: NullRun) -> str:
    """What a null run has shown, and what not."""
    if found.identical:
        return (
            "All copies have exactly the same results in every block: the bot repeats itself, and every copy sat in "
            "every seat of each deal. That is correct, but it does not test the intervals."
        )
    text = _missing_sentence(found)
    if found.probability is None:
        return text + "Nothing could be tested."
    if found.same:
        others = [name for name in found.probabilities if name not in found.same]
        text += f"{' and '.join(found.same)} show nothing here, ".capitalize()
        text += f"because all copies have the same value in every block; {' and '.join(others)} can. "
    told = {name: each for name, each in found.probabilities.items() if name not in found.same}
    parts = " and ".join(f"{fixed_decimals(each, 4)} ({name})" for name, each in told.items())
    text += f"The probability that chance alone makes the copies differ as much: {parts}, by {found.shuffles:,} "
    text += "shuffles of the copies within blocks. "
    if found.by_chance:
        return text + "This is consistent with chance. A null run does not show how good the bot is."
    text += f"That is less than chance allows (below {UNLIKELY_CHANCE:.0%} together). ".replace("1%", "1 %")
    text += "This happens in one null run in 100. If it happens with another seed too, the design or the bot treats "
    return text + "copies differently."


def _missing_sentence(found: NullRun) -> str:
    """How many intervals miss the true value, out of those that exist."""
    total, alike = (sum(getattr(each, name) for each in found.intervals) for name in ("total", "alike"))
    varied, missed = (sum(getattr(each, name) for each in found.intervals) for name in ("varied", "varied_missed"))
    text, of = "", f"{varied} intervals"
    if alike:
        still = found.missed_intervals - missed
        text = f"In {alike} of {total} all blocks are alike, because the bot repeats itself: "
        text += f"{still} of these {'misses' if still == 1 else 'miss'}. " if still else "they cannot miss. "
        of = f"the other {varied}"
    if not varied:
        return f"{text}No other interval is printed. " if alike else text
    text += f"{missed} of {of} {'misses' if missed == 1 else 'miss'} ({fixed_decimals(100 * missed / varied, 1)} %; "
    return text + f"{fixed_decimals(100 * EXPECTED_MISSES, 0)} % should; within one run, misses are correlated). "


def _null_data(found: NullRun) -> dict[str, Any]:
    return {
        "matches": found.matches,
        "blocks": found.blocks,
        "intervals": [
            {
                "of": each.name,
                "even": each.even,
                "shown": each.shown,
                "missed": each.missed,
                "alike": each.alike,
                "total": each.total,
                "varied": each.varied,
                "varied_missed": each.varied_missed,
            }
            for each in found.intervals
        ],
        "shown": found.interval_count,
        "missed": found.missed_intervals,
        "probabilities": {name: round(each, 6) for name, each in found.probabilities.items()},
        "shuffles": found.shuffles,
        "same": list(found.same),
        "identical": found.identical,
        "by_chance": found.by_chance,
    }
