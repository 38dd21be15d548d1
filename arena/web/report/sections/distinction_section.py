"""The distinguishing features of each entrant: the ledger figures in which it differs most from the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from arena.ledger.against import EntrantDifference, entrant_differences
from arena.ledger.figure import FigureTable, LedgerFigure, LedgerUnit
from arena.ledger.ledger_fold import GameLedger
from arena.ledger.other_games import COLUMNS_TABLE
from arena.pages.html_table import ColumnHead, Field, Grid, TableLine
from arena.tournament.tables.result_table import estimate_column, keyed_table
from arena.tournament.tables.rounded_figures import fixed_decimals
from arena.web.report.sections.ledger_figures import unit_told
from arena.web.report.sections.ledger_section import Scope, label_of
from arena.web.report.sections.pairs_section import MAP_ENTRANTS
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet

LISTED_FIGURES, FIRST_FIGURES = 8, 2
"""The most figures that are listed of an entrant, and how many of them are shown while no entrant is picked."""
LISTING_CHANCE = 0.01
"""The probability that an entrant without any real difference has a figure listed, if such small probabilities were
exact; they are too small where cases vary much, so it is up to six times as high (``arena docs measured``)."""
QUALITY_KEYS = frozenset({"role", "need", "kind", "want", "action"})
"""Keys whose values are compared separately; figures are summed over all other keys."""

Told = tuple[FigureTable, EntrantDifference]


def apart_section(
    ledgers: Sequence[tuple[GameLedger, Sequence[Scope]]], numbers: Mapping[str, int], missing: Sequence[str]
) -> ReportSection:
    """Return the section on the figures in which entrants differ most, for the scopes of each game's ledger."""
    parts = []
    for ledger, scopes in ledgers:
        found = _by_edition(ledger, {scope.edition for scope in scopes})
        parts += [part for scope in scopes if (part := _distinction_part(ledger, scope, found[scope.edition], numbers))]
    return ReportSection(
        id="apart",
        title="What sets each apart",
        about="The figures of the deal ledger in which an entrant differs most from the mean of all others, the most "
        "significant first; the difference is its own figure minus theirs.",
        parts=parts,
        missing=missing if parts or missing else ["There are too few blocks to compare entrants."],
    )


def _distinction_part(
    ledger: GameLedger, scope: Scope, found: Sequence[Told], numbers: Mapping[str, int]
) -> ReportPart | None:
    if not found:
        return None
    chosen = {name: _clear_differences([each for each in found if each[1].entrant == name]) for name in scope.entrants}
    seen = FIRST_FIGURES if len(numbers) <= MAP_ENTRANTS else 0
    lines = [
        _difference_line(ledger, (table, each), numbers, place >= seen)
        for of in chosen.values()
        for place, (table, each) in enumerate(of)
    ]
    listed = list(dict.fromkeys((table.heading, each.figure) for of in chosen.values() for table, each in of))
    heads = [
        ColumnHead("entrant", left=True),
        ColumnHead("figure", left=True),
        ColumnHead("own"),
        ColumnHead("others"),
        ColumnHead("difference"),
    ]
    return ReportPart(
        title="",
        edition=scope.label,
        meanings=[*_column_meanings(), *(_figure_meaning(heading, figure) for heading, figure in listed)],
        grid=Grid(heads, lines, each=True) if lines else None,
        notes=_part_notes(chosen, seen),
        sheet=_part_sheet(scope, found),
    )


def _by_edition(ledger: GameLedger, editions: Collection[str]) -> dict[str, list[Told]]:
    """All differences by edition; those over all editions together under ""."""
    found: dict[str, list[Told]] = {edition: [] for edition in editions}
    for table in ledger.tables.values():
        if table.name not in ledger.book.tables or "entrant" not in table.keys or table is COLUMNS_TABLE:
            continue
        names = table.told if table.compared is None else table.compared
        figures = [each for each in table.figures if each.name in names]
        by = [key for key in table.keys if key in QUALITY_KEYS]
        if "" in found:
            found[""] += [(table, each) for each in entrant_differences(ledger.book, table, by, figures)]
        if found.keys() - {""}:
            for each in entrant_differences(ledger.book, table, ["edition", *by], figures):
                edition = str(each.keys[0])
                if edition in found:
                    found[edition].append((table, each._replace(keys=each.keys[1:])))
    return found


def _clear_differences(found: Sequence[Told]) -> list[Told]:
    """Return an entrant's differences that remain significant among so many figures (Bonferroni), the surest first."""
    sure = [each for each in found if each[1].chance * len(found) < LISTING_CHANCE]
    return sorted(sure, key=lambda each: -round(abs(each[1].t), 9))[:LISTED_FIGURES]


def _difference_line(ledger: GameLedger, told: Told, numbers: Mapping[str, int], more: bool) -> TableLine:
    of = told[1]
    share = of.figure.unit is LedgerUnit.SHARE
    scale, decimals = (100 if share else 1), of.figure.decimals
    difference = (of.estimate.mean or 0.0) * scale
    half = (of.estimate.half_width or 0.0) * scale
    decimals += half < 0.5 / 10**decimals  # no interval is of no width
    shown = f"{'' if difference < 0 else '+'}{fixed_decimals(difference, decimals)} ±{fixed_decimals(half, decimals)}"
    unit = unit_told(of.figure, ledger.unit)
    fields = [
        Field(of.entrant, entrant=numbers[of.entrant]),
        Field(_figure_name(ledger, told, unit), prose=True),
        *(Field(fixed_decimals(each * scale, decimals)) for each in (of.own, of.others)),
        Field(shown),
    ]
    return TableLine(fields, numbers[of.entrant], more)


def _figure_name(ledger: GameLedger, told: Told, unit: str) -> str:
    """Name a figure in full: its table, its keys' values, its heading and its unit."""
    table, of = told
    keys = [key for key in table.keys if key in QUALITY_KEYS]
    of_what = [label_of(ledger, key, str(value)) for key, value in zip(keys, of.keys, strict=True)]
    head = ", ".join([of.figure.heading, *of_what])
    return f"{table.heading}: {head}{f' ({unit})' if unit else ''}"


def _column_meanings() -> list[Meaning]:
    return [
        Meaning("own", "The figure of the entrant itself."),
        Meaning("others", "The mean of the same figure of all other entrants, each counted once."),
        Meaning(
            "difference",
            "Own minus others, in percentage points if the figure is a share, with its 95 % interval by block; "
            "effects of a block on all entrants cancel out.",
        ),
        Meaning(
            "listed",
            "A figure is listed only if its difference is significant after correction for the number of figures "
            "compared: in only a few of 100 tournaments, an entrant that differs in nothing has one listed.",
        ),
    ]


def _figure_meaning(heading: str, figure: LedgerFigure) -> Meaning:
    return Meaning(f"{heading}: {figure.heading}", f"{figure.definition} Counted over: {figure.of}.")


def _part_notes(chosen: Mapping[str, Sequence[object]], seen: int) -> list[str]:
    none = [name for name, of in chosen.items() if not of]
    notes = []
    if any(len(of) > seen for of in chosen.values()):
        notes.append(
            f"The first {seen} of each entrant are shown; pick an entrant to see up to {LISTED_FIGURES}."
            if seen
            else f"Pick an entrant above to see up to {LISTED_FIGURES} figures of it."
        )
    if none and len(none) <= MAP_ENTRANTS:
        notes.append(f"No significant difference from the others in any figure: {', '.join(none)}.")
    return notes


def _part_sheet(scope: Scope, found: Sequence[Told]) -> Sheet:
    keys = ("entrant", "table", "of", "figure", "unit", "own", "others", estimate_column("difference"), "chance")
    rows = [
        (
            *(of.entrant, table.name, " ".join(map(str, of.keys)), of.figure.name, of.figure.unit.value),
            *(of.own, of.others, of.estimate, of.chance),
        )
        for table, of in found
    ]
    return Sheet(f"apart-{scope.label}", keyed_table(keys, rows))
