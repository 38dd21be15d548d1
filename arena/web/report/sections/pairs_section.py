"""Who ranks above whom: the crosstable of each edition as heat maps, and the superiority matrices of ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.ratings.presenting.rating_figures import scales_of
from arena.ratings.presenting.words import apart_in_words, components_in_words
from arena.ratings.rate import Ratings
from arena.ratings.scale import RatingScale
from arena.tournament.standings.standings import Pairing, Standings
from arena.tournament.standings.standings_tables import pair_rows
from arena.tournament.tables.result_table import keyed_table
from arena.tournament.tables.rounded_figures import NO_VALUE, estimate_text, fixed_decimals
from arena.web.report.charts.shades import shade_step
from arena.web.report.sections.report_parts import HeatMap, Meaning, ReportPart, ReportSection, Sheet, Spot

MAP_ENTRANTS = 20
"""How many entrants a heat map has room for; of more, it shows the best, and any picked entrant's row."""


def crosstable_section(standings: Sequence[Standings], numbers: Mapping[str, int]) -> ReportSection:
    """Return the section with the crosstables: how often the row ranks above the column, and by how much money."""
    parts = []
    for each in standings:
        sheet = Sheet(f"crosstable-{each.edition}", pair_rows(each).drop(["blocks"]))
        parts.append(_ranked_better(each, numbers, sheet))
        if any(pair.money_difference is not None and pair.matches for pair in each.crosstable):
            parts.append(_more_money(each, numbers, sheet))
    return ReportSection(
        id="crosstable",
        title="Crosstable",
        about="Each cell compares the row with the column, in the matches in which both sat. For its interval, point "
        "at a cell, tap it, or move with the arrow keys.",
        parts=parts,
    )


def _ranked_better(standings: Standings, numbers: Mapping[str, int], sheet: Sheet) -> ReportPart:
    def spot(pair: Pairing) -> Spot:
        mean = pair.score.mean
        text = NO_VALUE if mean is None else fixed_decimals(mean * 100, 0)
        return Spot(text, shade_step(mean, 0.5, 0.5), _pair_text(pair))

    return ReportPart(
        title="Ranked better, in %",
        edition=standings.edition,
        meanings=[
            Meaning(
                "ranked better",
                "Share of their common matches in which the row ranked above the column; an equal rank counts half.",
            )
        ],
        heat=_pair_map("row above column, %", standings, numbers, spot),
        notes=_cut_note(standings),
        sheet=sheet,
    )


def _more_money(standings: Standings, numbers: Mapping[str, int], sheet: Sheet) -> ReportPart:
    means = [
        abs(pair.money_difference.mean)
        for pair in standings.crosstable
        if pair.money_difference is not None and pair.money_difference.mean is not None
    ]
    most = max(means, default=0.0)

    def spot(pair: Pairing) -> Spot:
        mean = None if pair.money_difference is None else pair.money_difference.mean
        text = NO_VALUE if mean is None else fixed_decimals(mean, 1)
        return Spot(text, shade_step(mean, 0.0, most), _pair_text(pair))

    return ReportPart(
        title="Money ahead",
        edition=standings.edition,
        meanings=[
            Meaning(
                "money ahead", "Mean of the row's money minus the column's in their common matches, in the game's unit."
            )
        ],
        heat=_pair_map("row's money minus column's", standings, numbers, spot),
        notes=_cut_note(standings),
        sheet=sheet,
    )


def _pair_map(
    corner: str, standings: Standings, numbers: Mapping[str, int], spot: Callable[[Pairing], Spot]
) -> HeatMap:
    names = [row.entrant for row in standings.rows][:MAP_ENTRANTS]
    sides = [(name, numbers[name]) for name in names]
    chosen = set(names)
    found = {
        (pair.entrant, pair.opponent): pair
        for pair in standings.crosstable
        if pair.entrant in chosen and pair.opponent in chosen
    }
    own = Spot("", None, "")
    spots = [[own if one == two else spot(found[one, two]) for two in names] for one in names]
    return HeatMap(corner, sides, sides, spots)


def _pair_text(pair: Pairing) -> str:
    if not pair.matches:
        return f"{pair.entrant} and {pair.opponent} never met"
    told = f"{pair.entrant} above {pair.opponent}: {estimate_text(pair.score, 1, True)} of {pair.matches:,} matches"
    return told if pair.money_difference is None else f"{told}, money {estimate_text(pair.money_difference, 1)}"


def _cut_note(standings: Standings) -> list[str]:
    if len(standings.rows) <= MAP_ENTRANTS:
        return []
    return [
        f"The map has the best {MAP_ENTRANTS} of {len(standings.rows)} entrants; the CSV file has every pair.",
        "Pick an entrant above to see it against all others.",
    ]


def superiority_section(ratings: Ratings | None, why_not: str, numbers: Mapping[str, int]) -> ReportSection:
    """Return the section with the matrices of ratings by order of finish and by money, or with ``why_not``."""
    parts: list[ReportPart] = []
    missing = [why_not] if why_not else []
    if ratings is not None:
        if ratings.order is not None:
            notes = [*components_in_words(ratings.order.components, ratings.matches), *ratings.order.notes]
            parts += [
                _superiority_part(scale, "By order of finish", "order", notes, numbers)
                for scale in scales_of(ratings)
                if len(scale.names) > 1
            ]
        if ratings.money is not None:
            parts += [
                _superiority_part(each.own, "In money", "money", list(ratings.money.notes), numbers)
                for each in ratings.money.ratings
                if len(each.own.names) > 1
            ]
        if ratings.left_out:
            missing.append(f"{ratings.left_out[:1].upper()}{ratings.left_out[1:]}.")
        if not parts:
            missing.append("No two entrants can be rated on one scale, so there is no comparison.")
    return ReportSection(
        id="superiority",
        title="Who is above whom",
        about="The confidence that the row is stronger than the column, from ratings over all editions that account "
        "for seats. A difference is significant above 97.5 % or below 2.5 %.",
        parts=parts,
        missing=missing,
    )


def _superiority_part(
    scale: RatingScale, title: str, basis: str, notes: Sequence[str], numbers: Mapping[str, int]
) -> ReportPart:
    names = [scale.names[at] for at in scale.order]
    chances = scale.matrix()
    best = names[:MAP_ENTRANTS]
    spots = [
        [
            Spot("", None, "") if row == column else _chance_spot(names, row, column, chances)
            for column in range(len(best))
        ]
        for row in range(len(best))
    ]
    sides = [(name, numbers[name]) for name in best]
    rows = [
        [one, other, chances[row][column]]
        for row, one in enumerate(names)
        for column, other in enumerate(names)
        if row != column
    ]
    cut = (
        [f"The map has the best {MAP_ENTRANTS} of {len(names)}; the CSV file has every pair."]
        if len(names) > MAP_ENTRANTS
        else []
    )
    return ReportPart(
        title=f"{title}, confidence in %",
        meanings=[
            Meaning(
                "confidence",
                "The confidence that the row's rating is above the column's; above 97.5 %, or below 2.5 %, the "
                "difference is significant.",
            )
        ],
        heat=HeatMap("row above column", sides, sides, spots),
        notes=[*cut, *apart_in_words(scale), *notes],
        sheet=Sheet(f"superiority-{basis}", keyed_table(("entrant", "other", "above"), rows)),
    )


def _chance_spot(names: Sequence[str], row: int, column: int, chances: Sequence[Sequence[float | None]]) -> Spot:
    chance = chances[row][column]
    if chance is None:
        return Spot(NO_VALUE, None, f"{names[row]} and {names[column]}: too few blocks")
    text = _percent_text(chance)
    return Spot(text, shade_step(chance, 0.5, 0.5), f"{names[row]} above {names[column]}: confidence {text} %")


def _percent_text(chance: float) -> str:
    if chance > 0.995:
        return ">99"
    return "<1" if chance < 0.005 else fixed_decimals(chance * 100, 0)
