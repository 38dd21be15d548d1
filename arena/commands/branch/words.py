"""The result of ``arena branch``, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.commands.branch.decision import Decision
from arena.commands.branch.inference.decision_worth import VariantWorth, unseen_share
from arena.commands.branch.results import Branches, VariantRow
from arena.match.following.branch import BranchAnswer
from arena.replay.replay_sentences import amount_told
from arena.tournament.inference.intervals import LEAST_CLUSTERS, Estimate
from arena.tournament.tables.rounded_figures import (
    NO_VALUE,
    estimate_data,
    estimate_text,
    gain_text,
    money_text,
    signed_text,
)


def decision_text(decision: Decision) -> str:
    """The decision in sentences: the seat, the question, the answer, and the other legal answers."""
    where = "no line of the file" if decision.line is None else f"#{decision.line}"
    who = f"{decision.entrant} ({decision.seat})"
    lines = [f"Ask {decision.number} ({where}): {who} is asked: {decision.hook}."]
    lines.append(f'  "{" ".join(decision.question)}"')
    lines.append(f"  {_answer_sentence(decision)}.".replace("..", "."))
    lines.append(f"  It could have answered: {_others_sentence(decision)}.")
    return "\n".join(map(fold_to_terminal, lines)) + "\n"


def _answer_sentence(decision: Decision) -> str:
    if not decision.unasked:
        return f"It answered: {decision.answered}"
    played = decision.move_text(decision.found.played)
    return f"It was not asked, because it has no hook {decision.hook}; so it {played}"


SHOWN_ANSWERS = 6
"""At most this number of other answers is listed."""


def _others_sentence(decision: Decision) -> str:
    told = [decision.move_text(move) for move in decision.others[:SHOWN_ANSWERS]]
    more = len(decision.others) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more else "") if told else "nothing else"


def branch_text(branches: Branches) -> str:
    """The tables of results, and their meaning in sentences."""
    rows, parts = branches.rows(), []
    parts.append(format_table(_variant_rows(branches, rows), _variant_headers(branches), wrap=(0,), plain=True))
    if branches.repeats and len(branches.match.entrants) > 1:
        parts.append(f"Change for the other seats, {branches.decision.game.unit}:")
        parts.append(_others_table(branches, rows))
    parts.append("\n".join(fold_to_terminal(each) for each in _verdict_sentences(branches, rows)))
    return "\n\n".join(part for part in parts if part)


def _variant_headers(branches: Branches) -> list[str]:
    """The headers of the table of variants."""
    fresh = [branches.decision.game.unit, "difference", "matchpoints"] if branches.repeats else []
    return ["answer", *fresh, "original luck"]


def _variant_rows(branches: Branches, rows: list[VariantRow]) -> list[list[str]]:
    seat, found = branches.decision.seat, []
    for number, row in enumerate(rows):
        cells = [f"{number}: {row.name}" if number and len(rows) > 2 else row.name]
        if branches.repeats:
            cells += [estimate_text(row.money, 1), *_comparison_cells(row.worth, seat)]
        found.append([*cells, _own_money(row, rows[0], seat)])
    return found


def _comparison_cells(worth: VariantWorth | None, seat: int) -> list[str]:
    """The cells of difference and matchpoints."""
    if worth is None or not worth.differences:
        return ["" if worth is None else NO_VALUE] * 2
    return [signed_text(worth.differences[seat]), estimate_text(worth.matchpoints, 1, share=True)]


def _own_money(row: VariantRow, recorded: VariantRow, seat: int) -> str:
    """The seat's money in the repetition with the match's own random events, and its difference from the recorded
    variant."""
    if not row.own:
        return NO_VALUE
    if row is recorded or not recorded.own:
        return str(row.own[seat])
    return f"{row.own[seat]} ({row.own[seat] - recorded.own[seat]:+d})"


def _others_table(branches: Branches, rows: list[VariantRow]) -> str:
    """The differences of all other seats: they show who pays."""
    seat, entrants = branches.decision.seat, branches.match.entrants
    others = [each for each in range(len(entrants)) if each != seat]
    lines = []
    for row in rows:
        if row.worth is not None:
            known = row.worth.differences
            lines.append(
                [_short_name(row, rows), *(signed_text(known[each]) if known else NO_VALUE for each in others)]
            )
    return format_table(lines, ["answer", *(f"{entrants[each]} ({each})" for each in others)], wrap=(0,), plain=True)


def _verdict_sentences(branches: Branches, rows: list[VariantRow]) -> Iterator[str]:
    """The meaning of the figures, a sentence for each variant."""
    if not branches.repeats:
        yield "With the match's own dice and cards only: what would have happened, not what to expect (--repeat 100)."
        return
    unit, who, seat = branches.decision.game.unit, branches.decision.entrant, branches.decision.seat
    for row in rows:
        if row.worth is not None:
            yield f"{_short_name(row, rows)}: {_verdict_sentence(row, row.worth, seat, who, unit)}"
    if any(row.worth is not None and 0 < row.worth.pairs < LEAST_CLUSTERS for row in rows):
        yield f"There are no intervals with fewer than {LEAST_CLUSTERS} repetitions."


def _short_name(row: VariantRow, rows: list[VariantRow]) -> str:
    """The name of a changed variant below the first table: its number there, if there are several."""
    return str(rows.index(row)) if len(rows) > 2 else row.name


def _verdict_sentence(row: VariantRow, worth: VariantWorth, seat: int, who: str, unit: str) -> str:
    """The worth of one variant, in a sentence."""
    if not worth.differences:
        return "no repetition counts."
    difference, times = worth.differences[seat], f"all {worth.pairs} repetitions"
    assert difference.mean is not None
    if difference.alike:
        exactly = amount_told(int(abs(difference.mean)), unit)
        rare = f"what comes in {100 * unseen_share(worth.pairs):.0f} % of them or fewer may not have come up"
        if difference.mean == 0:
            return f"exactly as much for {who} in {times}; {rare}."
        return f"exactly {exactly} {'more' if difference.mean > 0 else 'less'} for {who} in {times}; {rare}."
    if difference.low is None or difference.high is None:
        return f"{gain_text(difference, unit)} for {who} in {worth.pairs} repetitions: too few for an interval."
    if row.variant.answer is BranchAnswer.OWN and difference.low * difference.high > 0:
        return f"{gain_text(difference, unit)} for the seat of {who}."
    if difference.low > 0:
        return f"better for {who}; what it answered cost {money_text(difference, unit)}."
    if difference.high < 0:
        return f"worse for {who}; what it answered was worth {money_text(difference.mirror(0), unit)} more."
    worth_text = gain_text(difference, unit)
    return f"{worth_text} for {who} is not significantly different from 0; more repetitions make ± smaller."


def unrepeatable_notes(branches: Branches) -> list[str]:
    """Which bots did not repeat themselves, in sentences."""
    entrants, found = branches.match.entrants, []
    for seat, ask in branches.unrepeated_seats():
        found.append(
            f"{entrants[seat]} (seat {seat}) answers differently when re-asked, first at ask "
            f"{ask}: its state may differ from its state in the match"
        )
    parted = branches.own_chance_difference()
    if parted is not None:
        why = "; a bot was late" if parted.late else ""
        found.append(
            f"with the recorded answer and its own dice and cards, the match ends differently: {entrants[parted.seat]} "
            f"(seat {parted.seat}) does not repeat itself, first at ask {parted.ask}{why}"
        )
    return found


def doubt_notes(branches: Branches, models_asked: bool = False) -> list[str]:
    """Other reasons to doubt the figures, in sentences. ``models_asked``: language models were asked what no recording
    answers."""
    entrants = branches.match.entrants
    found = [f"branches that do not count: {count}; {why}" for why, count in branches.lost_counts().items()]
    if found and not models_asked and branches.match.recorded.models is not None:
        found.append("add --allow-models, so that language models answer what is not recorded")
    for each in branches.branch_faults():
        who = f"{entrants[each.seat]} (seat {each.seat})"
        found.append(f"faults in the branches, {each.name}: {each.times} × {each.kind} of {who}")
    return found


def branch_data(branches: Branches) -> dict[str, Any]:
    """The whole result for JSON; the words in commands and files are stable, sentences are not."""
    decision, entrants = branches.decision, branches.match.entrants
    parted = branches.own_chance_difference()
    return {
        "file": str(branches.match.path),
        "game": branches.match.spec.game,
        "sha256": branches.match.digest,
        "ask": decision.number,
        "line": decision.line,
        "hook": decision.hook,
        "seat": decision.seat,
        "entrants": entrants,
        "unasked": decision.unasked,
        "answered": decision.answered,
        "others": [{"told": decision.move_text(each), "move": decision.typed_move(each)} for each in decision.others],
        "repeats": branches.repeats,
        "played": len(branches.outcomes),
        "planned": branches.total,
        "variants": [_variant_data(branches, row) for row in branches.rows()],
        "unrepeated": [
            {"seat": seat, "entrant": entrants[seat], "ask": ask} for seat, ask in branches.unrepeated_seats()
        ],
        "parted": None if parted is None else {**parted._asdict(), "entrant": entrants[parted.seat]},
        "lost": branches.lost_counts(),
        "faults": [each._asdict() for each in branches.branch_faults()],
    }


def _variant_data(branches: Branches, row: VariantRow) -> dict[str, Any]:
    variant, worth = row.variant, row.worth
    data: dict[str, Any] = {
        "name": row.name,
        "answer": variant.answer.value,
        "move": variant.move.decode() if variant.answer is BranchAnswer.GIVEN else None,
        "bot": None if variant.bot is None else variant.bot.name,
        "money": estimate_data(row.money),
        "own_chance": list(row.own) or None,
        "by_repetition": [list(each) or None for each in branches.money(variant)],
    }
    if worth is not None:
        data |= {
            "pairs": worth.pairs,
            "left_out": worth.left_out,
            "differences": [_difference_data(each) for each in worth.differences],
            "matchpoints": estimate_data(worth.matchpoints),
        }
    return data


def _difference_data(difference: Estimate) -> dict[str, Any]:
    return {**estimate_data(difference), "alike": difference.alike}
