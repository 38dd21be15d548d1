"""The final output of ``arena compare``: the verdict with its figures, and their meaning."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import click
import msgspec

from arena.cli.output.terminal import fold_to_terminal, terminal_width
from arena.cli.print_json import print_json
from arena.commands.compare.comparison import ComparisonResult
from arena.commands.compare.outlook import FIRST_OUTLOOK, amount_text, differing_share_needed
from arena.commands.compare.verdict_progress import ways_to_go
from arena.games import load_game
from arena.sequential.test_settings import SequentialVerdict
from arena.storage.run_facts.facts import RunState
from arena.tournament.inference.paired import PairedFigures, PairedMeasure, paired_figures
from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.tournament.tables.rounded_figures import (
    TEXT_WIDTH,
    estimate_data,
    estimate_text,
    fixed_decimals,
    json_number,
    signed_text,
)
from arena.tournament.tables.table_text import text_table

MEASURE_NAMES = {PairedMeasure.WINS: "win rate", PairedMeasure.BEATEN: "beaten", PairedMeasure.MONEY: "money"}
VERDICTS = {
    SequentialVerdict.BETTER: "better than {} in its place",
    SequentialVerdict.WORSE: "worse than {} in its place",
    SequentialVerdict.ALIKE: "no difference larger than d in the place of {}",
    SequentialVerdict.UNDECIDED: "undecided",
}
"""The verdicts of the test, in words that differ from those of ``arena gauntlet``."""
LONGEST_HEADER = 24
"""Greatest length of a name in the header of a column."""


def print_found(found: ComparisonResult, as_json: bool) -> None:
    """Print the result to standard output."""
    if as_json:
        print_json(comparison_data(found))
        return
    asked, state = found.asked, found.state
    if found.run is not RunState.COMPLETE:
        click.echo(f"{found.run}: results of the deals so far\n")
    click.echo(
        fold_to_terminal(
            f"{asked.new} in the place of {asked.old} in {', '.join(found.labels)}, with {', '.join(found.field)}"
        )
    )
    after = f"after {_count_text(state.blocks, 'deal')}, {found.matches} matches"
    click.echo(f"\nverdict  {VERDICTS[state.verdict].format(asked.old)}  ({after})\n")
    click.echo(_measure_table(found))
    click.echo("\n" + _fold_text(_verdict_meaning(found)))
    if saved := _savings_sentence(found):
        click.echo("\n" + _fold_text(saved))
    click.echo("\n" + _fold_text(found.standing))


def _measure_table(found: ComparisonResult) -> str:
    unit = load_game(found.games[0]).unit if found.games else "money"
    rows: list[list[object]] = []
    for measure in _valued_measures(found):
        each = paired_figures(found.blocks, measure)
        name = f"{MEASURE_NAMES[measure]} ({unit})" if measure is PairedMeasure.MONEY else MEASURE_NAMES[measure]
        tested = measure is found.asked.measure
        within = _interval_cell(found.state.low, found.state.high, measure) if tested else ""
        told = [estimate_text(side, 1, measure.share) for side in (each.new, each.old)]
        rows.append([f"{name} *" if tested else name, *told, signed_text(each.difference, measure.share), within])
    whole = ResultTable(
        (
            ResultColumn("measure", left=True),
            ResultColumn("new", _short_name(found.asked.new)),
            ResultColumn("old", _short_name(found.asked.old)),
            ResultColumn("difference", "difference"),
            ResultColumn("any_time", "at any time"),
        ),
        rows,
    )
    return text_table(whole if terminal_width() >= 80 else whole.drop(["new", "old"]))


def _valued_measures(found: ComparisonResult) -> list[PairedMeasure]:
    """The measures that have a value: money of several games cannot be added up."""
    return [measure for measure in PairedMeasure if measure is not PairedMeasure.MONEY or len(found.games) < 2]


def _short_name(name: str) -> str:
    return name if len(name) <= LONGEST_HEADER else f"{name[: LONGEST_HEADER - 1]}…"


def _interval_cell(low: float, high: float, measure: PairedMeasure) -> str:
    scale, unit = (100, " %") if measure.share else (1, "")
    return f"{fixed_decimals(low * scale, 1)} to {fixed_decimals(high * scale, 1)}{unit}"


def _verdict_meaning(found: ComparisonResult) -> str:
    """What the verdict says, and what it does not."""
    asked, state = found.asked, found.state
    settings = asked.settings
    wide = _detectable_size(found)
    near = f", here about {wide}" if wide else ""
    difference = f"{settings.difference:g} standard deviations of a deal's difference{near}"
    match state.verdict:
        case SequentialVerdict.BETTER | SequentialVerdict.WORSE:
            verdict = VERDICTS[state.verdict].format(asked.old)
            text = f"{asked.new} is {verdict} (* is what was tested). Of tests of two equally "
            text += f"good bots, at most {_share_text(settings.alpha)} find a difference. "
            text += _stopping_bias(found)
        case SequentialVerdict.ALIKE:
            text = f"d is {difference}. If {asked.new} were better or worse by that much, the test would find it in "
            text += f"all but {_share_text(settings.beta)} of cases; smaller differences are not excluded. "
        case SequentialVerdict.UNDECIDED:
            (name, share), *others = ways_to_go(state, settings).items()
            ways = " and ".join(f"{100 * share:.0f} % to '{name}'" for name, share in others)
            text = f"No verdict yet (* is what is tested). The test is {100 * share:.0f} % of the way to '{name}', "
            text += f"{ways}. The test looks for a difference of {difference}. {_excluded_differences(found)}"
            if found.outlook is not None:
                text += f"From here it takes {found.outlook.in_words()}. "
    text += _too_few_differ(found)
    text += _interval_meaning(state.verdict)
    text += "The verdict does not cover other opponents, editions or seats."
    if cut := _count_cut(found):
        part = _share_text(cut / len(found.blocks))
        text += f" In {_count_text(cut, 'deal')} ({part}) the difference was cut to ±{asked.bound:g}."
    if void := sum(block.void for block in found.blocks):
        text += f" {_count_text(void, 'pair')} with a void match did not count."
    if found.alone:
        text += f" {_count_text(found.alone, 'match')} had no counterpart and did not count."
    if found.unread:
        text += f" {_count_text(found.unread, 'deal')} after the verdict were ignored."
    return text


def _interval_meaning(verdict: SequentialVerdict) -> str:
    """What the two kinds of interval mean, and why they may seem to contradict the verdict."""
    text = "± is half of a 95 % interval clustered by deal, valid for a number of deals fixed in advance; 'at any "
    text += "time' is also valid for a test that stops by itself. "
    match verdict:
        case SequentialVerdict.BETTER | SequentialVerdict.WORSE:
            text += "The verdict comes from the test, not from this interval, which is wider and may still include 0. "
        case SequentialVerdict.UNDECIDED:
            text += "± may exclude 0 before there is a verdict, because it is not valid for looking after each "
            text += "deal. "
    return text


def _detectable_size(found: ComparisonResult) -> str:
    """The difference that the test looks for, in the unit of the measure, estimated from the deals; empty if these are
    too few."""
    if found.state.blocks < 3 or not found.state.deviation:
        return ""
    return amount_text(found.asked.difference * found.state.deviation, found.asked.measure)


def _stopping_bias(found: ComparisonResult) -> str:
    """How much too large the difference may be because the test has stopped."""
    corrected, measure = _corrected_difference(found), found.asked.measure
    if corrected is None or found.state.mean.mean is None:
        return ""
    shown, true = (amount_text(abs(each), measure) for each in (found.state.mean.mean, corrected))
    told = "even a far smaller one" if true == amount_text(0, measure) else f"one of {true}"
    return (
        f"A test stops early when luck helps it, so it shows differences too large: in tests that end like this one, "
        f"{told} is shown as {shown} on average. "
    )


def _corrected_difference(found: ComparisonResult) -> float | None:
    """The true difference at which such a test shows this one in the mean, in the unit of the measure."""
    from arena.sequential.stopping import corrected_effect  # numpy is slow to load

    effect = corrected_effect(found.state, found.asked.settings)
    return None if effect is None else effect * found.state.deviation


def _excluded_differences(found: ComparisonResult) -> str:
    """Which sides of the test are excluded already, and which differences by the interval that holds at any time."""
    state, asked = found.state, found.asked
    sides = [side for side, out in (("better", state.better_excluded), ("worse", state.worse_excluded)) if out]
    text = f"Excluded so far: that {asked.new} is {' or '.join(sides)} by that much" if sides else ""
    low, high = (amount_text(end, asked.measure) for end in (state.low, state.high))
    if -asked.bound < state.low or state.high < asked.bound:
        text += f"{', and' if text else 'Excluded so far:'} differences below {low} and above {high}"
    return f"{text}. " if text else ""


def _too_few_differ(found: ComparisonResult) -> str:
    """Says so where fewer deals differ than a difference of the size looked for needs."""
    state, difference = found.state, found.asked.difference
    needed = differing_share_needed(difference)
    if state.blocks < FIRST_OUTLOOK or state.differing >= needed * state.blocks:
        return ""
    return (
        f"{state.differing} of {_count_text(state.blocks, 'deal')} differ at all: if fewer than "
        f"{_share_text(needed)} do, a difference of {difference:g} deviations is impossible. "
    )


def _savings_sentence(found: ComparisonResult) -> str:
    savings = found.savings
    if found.eager:
        return f"All matches were played in full: {found.eager}."
    if savings is None:
        return "Nothing was played now; earlier savings are not recorded." if found.earlier else ""
    first = "the first " if found.eager_from else ""
    played = f"{first}{_count_text(savings.pairs, 'pair')} of matches"
    if found.earlier:
        played += f" that were played now ({_count_text(found.earlier, 'match')} were there before)"
    text = f"In {savings.never} of {played} the versions never differed, so one match was enough"
    if savings.asks:
        text += f"; {_share_text(savings.before / savings.asks)} of all answers came before the first difference"
    text += "."
    for why, pairs in sorted(savings.whole.items()):
        text += f" {_count_text(pairs, 'pair')} had to be played in full: {why}."
    if found.eager_from:
        text += " This saved nothing, so all later pairs were played in full."
    return text


def _count_cut(found: ComparisonResult) -> int:
    """In how many deals the difference was cut."""
    return sum(block.is_cut(found.asked.measure, found.asked.bound) for block in found.blocks)


def comparison_data(found: ComparisonResult) -> dict[str, Any]:
    """The result as plain data, for JSON."""
    asked, state = found.asked, found.state
    return {
        "verdict": state.verdict.name.lower(),
        "new": asked.new,
        "old": asked.old,
        "field": list(found.field),
        "editions": list(found.labels),
        "state": found.run,
        "standing": found.standing,
        "deals": state.blocks,
        "matches": found.matches,
        "test": {
            **msgspec.to_builtins(asked.settings),
            "max_deals": asked.most,
            "better": json_number(state.better),
            "worse": json_number(state.worse),
            "better_excluded": state.better_excluded,
            "worse_excluded": state.worse_excluded,
            "shown": json_number(asked.settings.upper_bound),
            "excluded": json_number(asked.settings.lower_bound),
            "low": json_number(state.low),
            "high": json_number(state.high),
            "cut": _count_cut(found),
            "looked_for": json_number(asked.difference * state.deviation),
            "differing": state.differing,
            "corrected": None if (corrected := _corrected_difference(found)) is None else json_number(corrected),
        },
        "outlook": None
        if (ahead := found.outlook) is None
        else {"usual": ahead.usual, "most": ahead.most, "undecided": json_number(ahead.undecided)},
        "measures": {
            measure: _figures_data(paired_figures(found.blocks, measure)) for measure in _valued_measures(found)
        },
        "differences": [
            {
                "block": block.block,
                "pairs": block.pairs,
                "void": block.void,
                "difference": json_number(asked.difference_of(block)),
            }
            for block in found.blocks
        ],
        "alone": found.alone,
        "unread": found.unread,
        "savings": None if found.savings is None else msgspec.to_builtins(found.savings),
        "played_wholly_because": found.eager,
        "played_wholly_after": found.eager_from or None,
    }


def _figures_data(each: PairedFigures) -> dict[str, Any]:
    return {name: estimate_data(getattr(each, name)) for name in ("new", "old", "difference")}


def _count_text(count: int, unit: str) -> str:
    plural = f"{unit}es" if unit.endswith("ch") else f"{unit}s"
    return f"1 {unit}" if count == 1 else f"{count} {plural}"


def _share_text(share: float) -> str:
    return f"{100 * share:.3g} %"


def _fold_text(text: str) -> str:
    return fill(text, min(TEXT_WIDTH, terminal_width()))
