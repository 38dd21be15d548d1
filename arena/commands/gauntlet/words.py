"""The final output of ``arena gauntlet``: its result as tables and sentences, or as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import click
import msgspec

from arena.cli.options.match_options import words_again
from arena.cli.options.shared_options import NULL_RUN
from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_message import print_message
from arena.commands.gauntlet.bars import EVEN_MARK, INTERVAL_MARK, MEAN_MARK, Bar, share_bars, share_text
from arena.commands.gauntlet.results import EntrantCounts, GauntletFault, GauntletResult
from arena.commands.gauntlet.until_clear import TESTED_MEASURE
from arena.errors import cut_text, one_line_message
from arena.games import load_game
from arena.games.summary import FigureUnit, SummaryFigure, value_of
from arena.runs.gauntlet_setup import option_text
from arena.runs.null_setup import is_null
from arena.runs.planning.plan import Plan
from arena.runs.play_run import RunOutcome
from arena.sequential.test_settings import SequentialVerdict
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.tournament.inference.intervals import LEAST_CLUSTERS, LEAST_TELLING, Estimate
from arena.tournament.inference.paired import PairedMeasure
from arena.tournament.inference.trials import Trial
from arena.tournament.inference.verdict import EVEN_SCORE, IntervalVerdict, judge_interval
from arena.tournament.standings.standings import Pairing
from arena.tournament.standings.standings_text import standings_data, standings_table
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column
from arena.tournament.tables.rounded_figures import TEXT_WIDTH, estimate_data, gain_text, money_text
from arena.tournament.tables.table_text import fit_table, text_table

PLOT_COLUMNS = 100
"""Width of the plot, if the terminal is as wide."""
LEFT_OUT = ("matches", "more_money", "mean_money")
"""Columns that the table of trials drops on a narrow terminal, the first one first."""


MEASURED = TESTED_MEASURE.value
"""The measure of the sequential test, in words."""
DUEL_VERDICTS = {
    IntervalVerdict.BETTER: "beats {} at the table",
    IntervalVerdict.WORSE: "loses to {} at the table",
    IntervalVerdict.SAME: "is even with {} at the table",
    IntervalVerdict.OPEN: "undecided against {}",
}
"""What a duel's interval says, in words that differ from those of ``arena compare``."""


class GauntletEnd(NamedTuple):
    """A finished or stopped gauntlet: its plan, its outcome, the command that plays it again, the name of each entrant
    on the command line (``words``), and the folder with its matches."""

    plan: Plan
    outcome: RunOutcome
    again: str
    words: dict[str, str]
    out: Path | None


def print_findings(found: GauntletResult, ended: GauntletEnd, as_json: bool) -> None:
    """Print the result to standard output, and how to resume the gauntlet to standard error."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(_gauntlet_data(found, ended))))
    else:
        _print_result(found, ended)
    if ended.outcome.state is not RunState.COMPLETE and ended.out is not None:
        print_message(f"resume with: {FolderStore(ended.out).resume_command()}")
    if not as_json:
        print_message(f"play it again with:\n  {ended.again}")
        print_message(f"is it better in the place of one of them?\n  {_compare_command(found, ended)}")


def _compare_command(found: GauntletResult, ended: GauntletEnd) -> str:
    """The command that puts the best challenger into the place of the base, or of the best opponent where it is alone;
    the others play around it, and where these would be too few for the table, that opponent too."""
    challengers, field = ended.plan.tournament.challengers, _field_names(ended.plan)
    ranked = [row.entrant for row in found.standings.rows]
    new, old = (next((name for name in ranked if name in some), some[0]) for some in (challengers, field))
    old = next((trial.entrant for trial in found.trials if trial.more_wins is None and trial.entrant != new), old)
    seats = ended.plan.schedule.editions[0].seats
    others = [name for name in field if name != old]
    if len(others) < seats - 1:
        others = field
    params = click.get_current_context().params
    options = [*words_again(None), *["--trust"] * bool(params["trust"])]
    options += ["--seats", str(params["seats"])] * (params["seats"] is not None)
    return shlex.join(
        ["arena", "compare", ended.words[new], ended.words[old], *(ended.words[name] for name in others), *options]
    )


def _print_result(found: GauntletResult, ended: GauntletEnd) -> None:
    outcome = ended.outcome
    if outcome.state is not RunState.COMPLETE:
        click.echo(f"{outcome.state}: results of {outcome.finished} of {outcome.total} matches\n")
    if found.trials:
        _print_trials(found, ended)
    else:
        click.echo(f"{found.standings.edition}\n")
        click.echo(standings_table(found.standings, terminal_width()))
        if is_null(ended.plan):
            click.echo(f"{_fold_text(f'{NULL_RUN}.')}\n")
        _print_duels(found)
        _print_summary(found, ended)
    _print_faults(found.faults, ended)
    if ended.out is not None:
        click.echo(f"\nresults  {ended.out}  (check them with: arena verify {ended.out})")


def _print_duels(found: GauntletResult) -> None:
    """Print a sentence for each opponent."""
    unit = _money_unit(found)
    verdicts = [f"{duel.entrant} {DUEL_VERDICTS[_verdict(duel)].format(duel.opponent)}: " for duel in found.duels]
    name, column = max(map(len, verdicts)), max(len(share_text(duel.score)) for duel in found.duels)
    for duel, verdict in zip(found.duels, verdicts, strict=True):
        if not duel.matches:
            click.echo(f"{duel.entrant} has not met {duel.opponent} yet")
            continue
        line = f"{verdict:{name}}ahead in {share_text(duel.score):>{column}} of {duel.matches} matches"
        money = f", {gain_text(_money_difference(duel), unit)}"
        click.echo(f"{line}{money}" if len(line + money) <= terminal_width() else fold_to_terminal(line))
    click.echo(f"\n{_fold_text(_reading_note(found))}")


def _verdict(duel: Pairing) -> IntervalVerdict:
    return judge_interval(duel.score, EVEN_SCORE)


def _reading_note(found: GauntletResult) -> str:
    text = "Ahead: the share of matches at one table in which it ranked better; a tie counts half. "
    if found.standings.blocks < LEAST_CLUSTERS:
        return text + f"No verdict with fewer than {LEAST_CLUSTERS} deals: too few."
    return text + "The verdict is significant: the 95 % interval, clustered by deal, excludes 50 %."


def _print_summary(found: GauntletResult, ended: GauntletEnd) -> None:
    """Print what each entrant did, in the game's own words: a column for each entrant, as many as fit."""
    summary = found.summary
    if summary is None or not found.sums:
        return
    names = [name for name in (*ended.plan.tournament.challengers, *_field_names(ended.plan)) if name in found.sums]
    every, unit = names, _money_unit(found)
    names = names[: _that_fit(names)]
    rows = [
        [
            f"· {figure.told}" if figure.below else figure.told,
            *(_figure_cell(figure, found.sums[name], unit) for name in names),
        ]
        for figure in summary.figures
    ]
    heads = (ResultColumn("figure", "in a match", left=True), *(ResultColumn(name, name) for name in names))
    click.echo("\n" + text_table(ResultTable(heads, rows)))
    if more := len(every) - len(names):
        click.echo("\n" + _fold_text(f"Too wide for this terminal: {more} more; all is there with --json."))


def _that_fit(names: Sequence[str]) -> int:
    """How many columns with these names fit beside the labels."""
    room, count = terminal_width() - 32, 0
    for name in names:
        room -= max(len(name), 7) + 2
        count += room >= 0
    return max(count, 1)


def _figure_cell(figure: SummaryFigure, sums: EntrantCounts, unit: str) -> str:
    value = value_of(figure, sums.counts, sums.matches)
    if value is None:
        return "–"
    match figure.unit:
        case FigureUnit.SHARE:
            return f"{100 * value:.0f} %"
        case FigureUnit.MONEY:
            return money_text(Estimate(value, None, None, 0), unit)
        case FigureUnit.TIMES:
            return f"{value:.2f}"


def _print_trials(found: GauntletResult, ended: GauntletEnd) -> None:
    """Print a table and a plot, with a line for each value that was tried."""
    unit, standings = _money_unit(found), found.standings
    (base,) = (trial.entrant for trial in found.trials if trial.more_wins is None)
    whole = _trial_table(found, ended, unit)
    table = fit_table(whole, terminal_width(), [(key,) for key in LEFT_OUT])
    click.echo(fold_to_terminal(f"{standings.edition}, {', '.join(_field_names(ended.plan))} at the table") + "\n")
    click.echo(text_table(table))
    click.echo("\n" + text_table(fit_table(_duel_table(found, ended), terminal_width(), _later_opponents(found))))
    lines = [Bar(_option_values(trial.entrant, ended), trial.win_rate) for trial in found.trials]
    plot = share_bars(lines, standings.even_share, min(PLOT_COLUMNS, terminal_width()))
    click.echo("\n" + "\n".join(plot))
    click.echo(f"\n{_fold_text(_trials_note(found, _option_values(base, ended), ''.join(plot)))}")


def _trials_note(found: GauntletResult, base: str, plot: str) -> str:
    """What the tables and the bars mean; of the bars' marks only those that are drawn."""
    standings = found.standings
    text = f"More wins and more money than {base}, in the same seats of the same deals. Ahead of: the share of matches "
    text += "at one table in which it ranked better than that opponent; a tie counts half. "
    if found.ends:
        text += f"The verdict is that of the sequential test of `arena compare`, by the share of opponents {MEASURED}: "
        text += f"better or worse than {base}, or no difference larger than d, 0.3 standard deviations of a deal's "
        text += "difference. A row ends with its verdict. "
    else:
        text += f"The verdict is that of more wins: better or worse than {base} if its 95 % interval leaves out 0. "
    marks = {MEAN_MARK: "the win rate", INTERVAL_MARK: "its 95 % interval"}
    marks[EVEN_MARK] = f"the even share, {100 * (standings.even_share or 0):.1f} %"
    text += f"Bars: {', '.join(f'{mark} {what}' for mark, what in marks.items() if mark in plot)}. "
    if standings.blocks < LEAST_CLUSTERS:
        return text + f"No ± (95 % interval) with fewer than {LEAST_CLUSTERS} deals: too few."
    estimates = [each for trial in found.trials for each in (trial.win_rate, trial.more_wins, trial.more_money) if each]
    text += "± is half of a 95 % interval clustered by deal"
    text += "; (low…high) are its ends." if any(map(_is_lopsided, estimates)) else "."
    if any(map(_lacks_interval, estimates)):
        text += f" No ± where fewer than {LEAST_TELLING} deals have a difference."
    return text


def _is_lopsided(estimate: Estimate) -> bool:
    """Whether an estimate is printed with the ends of its interval."""
    return "…" in share_text(estimate)


def _duel_table(found: GauntletResult, ended: GauntletEnd) -> ResultTable:
    """A row for each value that was tried: how often it was ahead of each opponent."""
    scores = {(duel.entrant, duel.opponent): duel.score for duel in found.duels}
    field = _field_names(ended.plan)
    heads = (
        ResultColumn("value", "value", left=True),
        *(estimate_column(f"ahead_{number}", f"ahead of {name}", share=True) for number, name in enumerate(field)),
    )
    rows = [
        (_option_values(trial.entrant, ended), *(scores[trial.entrant, name] for name in field))
        for trial in found.trials
    ]
    return ResultTable(heads, rows)


def _later_opponents(found: GauntletResult) -> list[tuple[str]]:
    """The columns of the table of duels that a narrow terminal does without, the last opponent first."""
    opponents = len({duel.opponent for duel in found.duels})
    return [(f"ahead_{number}",) for number in reversed(range(1, opponents))]


def _lacks_interval(estimate: Estimate) -> bool:
    """Whether there is an estimate, but too few deals for its interval."""
    return estimate.mean is not None and estimate.low is None


def _trial_table(found: GauntletResult, ended: GauntletEnd, unit: str) -> ResultTable:
    """A row for each value that was tried."""
    heads = (
        ResultColumn("value", "value", left=True),
        ResultColumn("matches", "matches"),
        estimate_column("win_rate", "win rate", share=True),
        estimate_column("mean_money", f"money ({unit})"),
        estimate_column("more_wins", "more wins", share=True, signed=True, unknown=""),
        estimate_column("more_money", "more money", signed=True, unknown=""),
        ResultColumn("verdict", f"by {MEASURED if found.ends else 'wins'}", left=True, unknown=""),
    )
    rows = [
        (
            *(_option_values(trial.entrant, ended), trial.matches, trial.win_rate, trial.mean_money),
            *(trial.more_wins, trial.more_money, _trial_verdict(trial, found)),
        )
        for trial in found.trials
    ]
    return ResultTable(heads, rows)


def _trial_verdict(trial: Trial, found: GauntletResult) -> str | None:
    """What is said of a row; None for the base."""
    end = found.ends.get(trial.entrant)
    if end is None:
        return None if trial.verdict is None else str(trial.verdict)
    word = "no difference" if end.verdict is SequentialVerdict.ALIKE else str(end.verdict)
    return f"{word} after {end.deals} {'deal' if end.deals == 1 else 'deals'}"


def _print_faults(faults: Sequence[GauntletFault], ended: GauntletEnd) -> None:
    """Print the faults of each entrant by kind, each with the first fault and the command that shows it."""
    if not faults:
        click.echo("\nfaults   none")
        return
    click.echo("\nfaults")
    for fault in faults:
        times = f"{fault.count} × {fault.kind} in {fault.matches} {'match' if fault.matches == 1 else 'matches'}"
        rule = f" [{fault.rule}]" if fault.rule else ""
        click.echo(f"  {fault.entrant}: {times}; the first{rule} in {fault.hook}: {one_line_message(fault.evidence)}")
        click.echo(f"    see it with: {_show_command(fault, ended)}")


def _show_command(fault: GauntletFault, ended: GauntletEnd) -> str:
    """The command that shows the match of a fault."""
    if ended.out is not None:
        return shlex.join(["arena", "show", str(ended.out), fault.match])
    given = click.get_current_context().params
    isolating = ["--trust"] * given["trust"] + ["--isolate-all"] * given["isolate_all"]
    return shlex.join(
        ["arena", "match", *(ended.words[name] for name in fault.seats), *words_again(fault.seed), *isolating]
    )


def _gauntlet_data(found: GauntletResult, ended: GauntletEnd) -> dict[str, Any]:
    plan, outcome = ended.plan, ended.outcome
    (standings,) = standings_data([found.standings]).values()
    options = {entrant.name: entrant.options for entrant in plan.tournament.entrants}
    return {
        "state": outcome.state,
        "finished": outcome.finished,
        "matches": outcome.total,
        "edition": found.standings.edition,
        "seats": plan.schedule.editions[0].seats,
        "deals": plan.tournament.blocks,
        "seat_orders": plan.tournament.seat_orders,
        "seed": plan.seed,
        "isolation": plan.isolation.level,
        "challengers": [{"entrant": name, "options": options[name]} for name in plan.tournament.challengers],
        "field": _field_names(plan),
        "standings": standings,
        "duels": [_duel_data(duel) for duel in found.duels],
        "trials": [_trial_data(trial, found) for trial in found.trials],
        "sums": {name: {"matches": sums.matches, **sums.counts} for name, sums in sorted(found.sums.items())},
        "faults": [{**msgspec.structs.asdict(fault), "command": _show_command(fault, ended)} for fault in found.faults],
        "command": ended.again,
    }


def _duel_data(duel: Pairing) -> dict[str, Any]:
    return {
        "entrant": duel.entrant,
        "opponent": duel.opponent,
        "matches": duel.matches,
        "score": estimate_data(duel.score),
        "money_difference": estimate_data(_money_difference(duel)),
        "verdict": _verdict(duel),
    }


def _trial_data(trial: Trial, found: GauntletResult) -> dict[str, Any]:
    end = found.ends.get(trial.entrant)
    return {
        "entrant": trial.entrant,
        "matches": trial.matches,
        "win_rate": estimate_data(trial.win_rate),
        "mean_money": estimate_data(trial.mean_money),
        "more_wins": None if trial.more_wins is None else estimate_data(trial.more_wins),
        "more_money": None if trial.more_money is None else estimate_data(trial.more_money),
        "verdict": trial.verdict if end is None else end.verdict.name.lower(),
        "measure": str(TESTED_MEASURE if found.ends else PairedMeasure.WINS),
        "deals": None if end is None else end.deals,
    }


def _field_names(plan: Plan) -> list[str]:
    return [name for name in plan.names if name not in plan.tournament.challengers]


def _option_values(entrant: str, ended: GauntletEnd) -> str:
    """The options of a challenger in which challengers differ, as on the command line."""
    options = {each.name: each.options for each in ended.plan.tournament.entrants}
    others = [options[name] for name in ended.plan.tournament.challengers]
    varied = {key: value for key, value in options[entrant].items() if any(other.get(key) != value for other in others)}
    told = "&".join(f"{key}={option_text(value)}" for key, value in varied.items())
    return cut_text(told or entrant.partition("?")[2], 40)


def _money_difference(duel: Pairing) -> Estimate:
    """The difference of money; a gauntlet of one game always has one."""
    return duel.money_difference or Estimate(None, None, None, 0)


def _fold_text(text: str) -> str:
    return fill(text, min(TEXT_WIDTH, terminal_width()))


def _money_unit(found: GauntletResult) -> str:
    return load_game(found.standings.games[0]).unit if found.standings.games else "money"
