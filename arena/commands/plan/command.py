"""``arena plan``."""

from __future__ import annotations

import math
import shlex
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, plugin_option
from arena.cli.options.option_records import gathered
from arena.cli.options.replay_arguments import FOLDER_TYPE
from arena.cli.options.shared_options import TRUST_HELP, JobOptions, PrintOptions, job_options, jobs_text
from arena.cli.output.progress_line import RunProgressLine
from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.output.terminal import format_table as terminal_table
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.plan.pilot import Pilot, open_pilot, plan_pilot, play_pilot
from arena.commands.plan.precision import (
    PAIR_MONEY,
    PAIR_SHARE,
    Forecast,
    ForecastRow,
    PrecisionOptions,
    forecast_precision,
)
from arena.config.documents.duration import duration_in_words
from arena.executors.make import make_executor
from arena.match.work import this_host
from arena.runs.planning.make_plan import find_config
from arena.storage.run_folder import FolderStore
from arena.tournament.measures.measures import MeasureUnit
from arena.tournament.tables.rounded_figures import fixed_decimals

PILOT_BLOCKS = 10
"""Number of blocks of a pilot, by default."""
FORECAST_HEADERS = "", "widest", "now", "wanted", "blocks", "range", "more", "time"
DROPPED_COLUMNS = "more", "time", "range", "now"
"""Columns that a narrow terminal loses, the first one first."""
TOO_MANY = "more than can be played"
SHORT_PILOT = 6
"""With fewer blocks, the ends of the range of blocks differ by more than a factor of 20."""
PAIR_MEASURES = {
    PAIR_SHARE: "the share of its common matches in which one ranks better",
    PAIR_MONEY: "how much more money one has",
}
MORE_COLUMN = "more"
"""The column of blocks still to be played."""


class ShareOption(click.ParamType[float]):
    """A share above 0 and below 1 as an option's value: 2%, or 0.02."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The share. Fails with a usage error."""
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            number = 0.0
        if not 0 < number < 1:
            self.fail(f"expected a share above 0 and below 100 %, such as 2% or 0.02, got {value!r}", param, ctx)
        return number


class AmountOption(click.ParamType[float]):
    """A finite number above 0 as an option's value."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Fails with a usage error."""
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0 < number < math.inf:
            self.fail(f"expected a number above 0, got {value!r}", param, ctx)
        return number


@dataclass(frozen=True, slots=True)
class WidthOptions:
    """Which half-widths are wanted: of every share, of money, and of the mean rank; and with which probability
    (``assurance``)."""

    half_width: float | None
    money: float | None
    rank: float | None
    assurance: float

    def half_widths(self, others: bool) -> dict[MeasureUnit, float]:
        """The wanted half-widths by unit; a default for shares if none is given and nothing else (``others``) is
        wanted."""
        given = _precision_goals(self.half_width, self.money, self.rank)
        return given if given or others else _precision_goals(0.02, None, None)


@dataclass(frozen=True, slots=True)
class PairOptions:
    """The difference to be found: between which two entrants, how large, in shares or in money, and with which
    probability (``power``)."""

    between: tuple[str, str] | None
    difference: float | None
    money_difference: float | None
    power: float

    def differences(self) -> dict[MeasureUnit, float]:
        """The wanted differences by unit; with a default if a pair is given without one."""
        given = _precision_goals(self.difference, self.money_difference, None)
        return given if given or self.between is None else _precision_goals(0.05, None, None)


@dataclass(frozen=True, slots=True)
class PilotOptions:
    """The options of a pilot to be played now: its number of blocks (``pilot``), its ``seed``, its ``settings``, and
    whether to ``trust`` the bots."""

    pilot: int
    seed: str | None
    settings: tuple[str, ...]
    trust: bool


@click.command(cls=ArenaCommand)
@click.argument("config", required=False)
@click.option(
    "--from", "folder", type=FOLDER_TYPE, metavar="DIR", help="Plan from the finished blocks of the run in DIR."
)
@click.option(
    "--pilot",
    type=click.IntRange(3, 100_000),
    default=PILOT_BLOCKS,
    show_default=True,
    metavar="BLOCKS",
    help="With CONFIG: number of blocks to play now; their matches are not kept.",
)
@click.option(
    "--half-width",
    type=ShareOption(),
    help="Half-width wanted for every share; 2% if you give no other goal.",
)
@click.option(
    "--money", type=AmountOption(), metavar="AMOUNT", help="Half-width wanted for money, in the game's unit, e.g. 1.5."
)
@click.option("--rank", type=AmountOption(), metavar="NUMBER", help="Half-width wanted for the mean rank, e.g. 0.05.")
@click.option(
    "--assurance",
    type=ShareOption(),
    default="80%",
    show_default=True,
    help="Probability that the planned blocks are enough.",
)
@click.option("--between", nargs=2, metavar="A B", help="Also plan to find a difference between these two entrants.")
@click.option(
    "--difference", type=ShareOption(), help="With --between: the difference of shares to detect; 5% by default."
)
@click.option(
    "--money-difference",
    type=AmountOption(),
    metavar="AMOUNT",
    help="With --between: the difference of money to detect.",
)
@click.option(
    "--power", type=ShareOption(), default="90%", show_default=True, help="Probability of detecting the difference."
)
@click.option("--edition", metavar="LABEL", help="Use the standings of this edition; by default of all together.")
@click.option("--seed", help="With CONFIG: seed of the pilot.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change any key of CONFIG; repeatable.")
@job_options
@click.option("--trust", is_flag=True, help=TRUST_HELP)
@game_option
@plugin_option
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@gathered(wanted=WidthOptions, pair=PairOptions, played=PilotOptions, jobs=JobOptions, printing=PrintOptions)
def plan(
    config: str | None,
    folder: Path | None,
    edition: str | None,
    wanted: WidthOptions,
    pair: PairOptions,
    played: PilotOptions,
    jobs: JobOptions,
    printing: PrintOptions,
) -> None:
    """Compute how many blocks the tournament in CONFIG needs, or the run in DIR still needs, for intervals of a given
    width, or to detect a difference of a given size between two entrants.

    The estimate comes from a pilot: a few blocks that are played now, or the blocks of the run. The number is rounded
    up to a multiple of the cycle, as `arena run --blocks` needs it. More: `arena docs planning`.

    \b
    Examples:
      arena plan quick
      arena plan quick --pilot 20 --half-width 1.5% --money 1
      arena plan --from results/quick-20260101-120000 --half-width 2% --json
      arena plan --from results/quick-20260101-120000 --between hard fair --difference 4% --power 80%
    """
    if (config is None) == (folder is None):
        raise click.UsageError("name either a tournament file, or a run with --from DIR")
    if folder is not None and (played.seed or played.settings or played.trust):
        raise click.UsageError("--seed, --set and --trust are for a new pilot; --from plays nothing")
    if pair.between is None and (pair.difference or pair.money_difference):
        raise click.UsageError("--difference and --money-difference are for two entrants: name them with --between A B")
    if pair.between is not None and pair.between[0] == pair.between[1]:
        raise click.UsageError(f"--between: expected two different entrants, got {pair.between[0]} twice")
    precision = PrecisionOptions(
        half_widths=wanted.half_widths(pair.between is not None),
        between=pair.between,
        differences=pair.differences(),
        power=pair.power,
        assurance=wanted.assurance,
    )
    if folder is not None:
        found, again = open_pilot(folder), FolderStore(folder).resume_command()
        number = jobs.count()
    else:
        assert config is not None
        words = ["arena", "run", config, *(word for each in played.settings for word in ("--set", each))]
        again = shlex.join([*words, *(["--trust"] if played.trust else [])])
        found, number = _pilot_from_config(config, played, jobs, printing.quiet)
    told = forecast_precision(found, precision, edition, number)
    if printing.as_json:
        print_json(_round_forecast(told))
        return
    _print_forecast(told, found, again, precision)


def _precision_goals(share: float | None, money: float | None, rank: float | None) -> dict[MeasureUnit, float]:
    """The given goals by unit."""
    each = {MeasureUnit.SHARE: share, MeasureUnit.MONEY: money, MeasureUnit.RANK: rank}
    return {unit: value for unit, value in each.items() if value is not None}


def _pilot_from_config(config: str, played: PilotOptions, jobs: JobOptions, quiet: bool) -> tuple[Pilot, int]:
    """Play a pilot now; returns it, and the number of processes. Exits the command if somebody stops it."""
    blocks = played.pilot
    chosen, cycle = plan_pilot(find_config(config), played.settings, blocks, played.trust, played.seed)
    number, matches = jobs.count(chosen.tournament.jobs), len(chosen.fixtures)
    print_message(
        fold_to_terminal(
            f"pilot: {blocks} blocks, {matches} matches, seed {chosen.seed}, {jobs_text(number)}; nothing is kept"
        )
    )
    with RunProgressLine(matches, quiet) as shown, closing(make_executor(number, tell=shown.say)) as executor:
        found, code = play_pilot(chosen, cycle, executor, shown)
    if code:
        print_message("stopped: an incomplete pilot cannot be used; play a smaller one with --pilot 3")
        sys.exit(code)
    return found, number


def _round_forecast(told: Forecast) -> Forecast:
    """The same forecast with half-widths rounded, so that they are equal on all machines."""
    rows = [msgspec.structs.replace(row, now=round(row.now, 6)) for row in told.rows]
    return msgspec.structs.replace(told, rows=tuple(rows))


def _print_forecast(told: Forecast, pilot: Pilot, again: str, wanted: PrecisionOptions) -> None:
    click.echo(f"{told.edition}: a pilot of {told.blocks} blocks\n")
    text, dropped = _fitting_table([_forecast_cells(row) for row in told.rows], pilot.kept)
    click.echo(f"{text}\n")
    if dropped:
        click.echo(fold_to_terminal(f"Too wide for this terminal: {', '.join(dropped)}; --json has them."))
    if told.blocks < SHORT_PILOT:
        longer = "finish more of the run first" if pilot.kept else f"--pilot {PILOT_BLOCKS}"
        click.echo(fold_to_terminal(f"{told.blocks} blocks are too few for a pilot; {longer}."))
    if told.same:
        click.echo(
            fold_to_terminal(f"No estimate for measures that were the same in every block: {', '.join(told.same)}.")
        )
    if told.longest_row is not None:
        click.echo(fold_to_terminal(_in_words(told, told.longest_row, pilot)))
        if alone := _without_pairs(told, told.longest_row):
            click.echo(alone)
        if told.longest_row.more:
            click.echo(f"\n  {again} --blocks {told.longest_row.blocks}\n")
    click.echo(fold_to_terminal(_forecast_meaning(told, wanted)))


def _without_pairs(told: Forecast, most: ForecastRow) -> str:
    """How many blocks are enough without the goals for pairs; empty if these make no difference."""
    alone = told.most_of_one
    if alone is None or alone.blocks is None or alone.blocks == most.blocks:
        return ""
    return f"Without the pairs: {alone.blocks:,} blocks."


def _fitting_table(rows: list[list[str]], goes_on: bool) -> tuple[str, list[str]]:
    """The table without the columns that the terminal has no room for, and the headers of these. The column of blocks
    still to be played is shown only if a run ``goes_on``; a new run has to play all blocks."""
    kept, dropped = [at for at, header in enumerate(FORECAST_HEADERS) if goes_on or header != MORE_COLUMN], list[str]()
    for header in (*DROPPED_COLUMNS, ""):
        if header == MORE_COLUMN and not goes_on:
            continue
        cells = [[row[at] for at in kept] for row in rows]
        text = terminal_table(cells, [FORECAST_HEADERS[at] for at in kept], wrap=(0, 1), plain=True)
        if not header or max(map(len, text.splitlines())) <= terminal_width():
            break
        kept.remove(FORECAST_HEADERS.index(header))
        dropped.append(header)
    return text, dropped


def _forecast_cells(row: ForecastRow) -> list[str]:
    goal = _goal_text(row.wanted, row.unit)
    blocks = TOO_MANY if row.blocks is None else f"{row.blocks:,}"
    return [
        row.what,
        (" – " if row.to_find else " and ").join(row.whom),
        f"±{_number_text(row.now, row.unit)}",
        f"find {goal}" if row.to_find else f"±{goal}",
        blocks,
        "–" if row.high is None else f"{row.low:,}…{row.high:,}",
        "–" if row.more is None else f"{row.more:,}",
        "–" if row.seconds is None else duration_in_words(row.seconds),
    ]


def _number_text(value: float, unit: MeasureUnit) -> str:
    return f"{fixed_decimals(100 * value, 1)} %" if unit is MeasureUnit.SHARE else fixed_decimals(value, 2)


def _goal_text(value: float, unit: MeasureUnit) -> str:
    """A goal as the user gave it."""
    return f"{100 * value:.6g} %" if unit is MeasureUnit.SHARE else f"{value:g}"


def _in_words(told: Forecast, most: ForecastRow, pilot: Pilot) -> str:
    """What it takes to reach all goals."""
    if most.blocks is None or most.more is None or most.seconds is None or most.bytes is None:
        return f"All goals together need more blocks than can be played, because of {most.what}."
    if not most.more:
        return f"All goals are reached: {most.blocks} blocks are enough, and {told.blocks} are finished."
    cycles = f" in whole cycles of {told.cycle}" if told.cycle > 1 else ""
    behind = f", {most.more:,} of them still to be played" if pilot.kept else ""
    here = "this machine" if told.host == this_host() else "another machine"
    where = f" (as fast as the pilot was, on {here}: {told.host})" if pilot.kept and told.host else ""
    return (
        f"For all goals: {most.blocks:,} blocks{cycles}{behind}: {most.matches:,} matches, about "
        f"{duration_in_words(most.seconds)} in {jobs_text(told.jobs)}{where}, {_size_text(most.bytes)}."
    )


def _size_text(number: float) -> str:
    """A number of bytes in a suitable unit."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def _forecast_meaning(told: Forecast, wanted: PrecisionOptions) -> str:
    """What the numbers say, and what they do not."""
    sure = f" *Find* means: with a probability of {100 * wanted.power:g} %."
    find = sure if any(row.to_find for row in told.rows) else ""
    pairs = [PAIR_MEASURES[row.what] for row in told.rows if row.what in PAIR_MEASURES]
    of_pairs = f" Of a pair: {', and '.join(pairs)}." if pairs else ""
    return (
        f"*Widest* is the entrant or pair with the widest interval, which needs most blocks.{of_pairs}{find} From "
        f"{told.blocks} blocks one can only estimate roughly how much blocks differ. The number of blocks is enough "
        f"with a probability of {100 * wanted.assurance:g} % (--assurance); after 19 of 20 such pilots the number "
        "needed on average lies in the range, if block results are about normal; where they are skewed, the number "
        "of blocks is larger. The plan holds for the same bots in the same design; it does not say which is better."
    )
