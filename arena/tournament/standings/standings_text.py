"""Standings as text: JSON-able data and CSV for programs, Markdown and plain tables for people.

Every text ends in a line break. Pairs and seats have tables of their own, in
:mod:`arena.tournament.standings.breakdown`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from arena.games import load_game
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.measures.measures import Measure, order_measures
from arena.tournament.schedule.schedule import ALL_EDITIONS
from arena.tournament.standings.design_worth import design_told
from arena.tournament.standings.provenance import Provenance
from arena.tournament.standings.standings import Standings, StandingsRow
from arena.tournament.standings.standings_tables import (
    EDITION,
    ENTRANT,
    GAMES,
    MATCHES,
    PLACE,
    measure_column,
    measured,
    pair_rows,
    seat_measures,
    seat_rows,
    shown_measures,
    standings_rows,
)
from arena.tournament.tables.result_table import ResultColumn, ResultTable, rows_data, table_csv
from arena.tournament.tables.rounded_figures import estimate_data, json_number, percent_text
from arena.tournament.tables.table_text import fit_table, markdown_table, paragraph, text_table, too_wide

FIXED = (EDITION, GAMES, PLACE, ENTRANT, MATCHES)
"""The first columns of CSV."""
FEW_BLOCKS = 5
"""With fewer blocks, the text below a table warns that they say little."""


def standings_data(
    standings: Iterable[Standings], provenance: Provenance | None = None
) -> dict[str, dict[str, object]]:
    """``{edition: {...}}`` with the fields of `Standings`, ready for JSON; with their ``provenance`` if it is given.

    Shares are in 0…1, money is in ``unit``; an estimate is ``{"mean", "half_width", "low", "high",
    "clusters"}``; unknown values are
    null. Numbers are rounded to 6 decimals.
    """
    return {
        each.edition: {
            **({} if provenance is None else {"root": provenance.root}),
            **({} if provenance is None or not provenance.registered else {"registered": provenance.registered}),
            "games": list(each.games),
            "unit": _money_unit(each),
            "matches": each.matches,
            "voids": each.voids,
            "blocks": each.blocks,
            "even_share": json_number(each.even_share),
            "design_factor": {name: estimate_data(factor) for name, factor in each.design.items()},
            "rows": rows_data(_with_kinds(each, provenance)),
            "seats": rows_data(seat_rows(each, seat_measures(each))),
            "crosstable": rows_data(pair_rows(each), flat=True),
        }
        for each in standings
    }


def _with_kinds(standings: Standings, provenance: Provenance | None) -> ResultTable:
    """The rows for JSON; each measure with parts is followed by its parts, by kind."""
    columns, measures = [ENTRANT, MATCHES], standings.measures
    for each in measures:
        columns += [measure_column(each), *([ResultColumn(f"{each.name}_by_kind")] if each.parts is not None else [])]
    rows = [
        [row.entrant, row.matches, *chain.from_iterable(_with_parts(row, each) for each in measures)]
        for row in standings.rows
    ]
    table = ResultTable(tuple(columns), rows)
    return table if provenance is None else provenance.beside(table)


def _with_parts(row: StandingsRow, measure: Measure) -> list[object]:
    value = measured(measure, row[measure.name])
    return [value] if measure.parts is None else [value, dict(row.parts[measure.name])]


def standings_csv(standings: Iterable[Standings], provenance: Provenance | None = None) -> str:
    """One line for each entrant of each edition, best first; plain numbers, and empty fields for unknown values.

    After the fixed columns comes each measure under its name, with ``X_half_width``, ``X_low`` and ``X_high`` after an
    estimate X; ``even_share`` stands behind the last estimate. ``games`` are separated by spaces. Then comes
    ``NAME.KIND`` for each kind, by name, that a measure with parts has in any of the standings, and at the end the
    ``provenance`` of the entrant if it is given.
    """
    every = list(standings)
    measures = list(dict.fromkeys(measure for each in every for measure in each.measures))
    estimated = max((place for place, measure in enumerate(measures, 1) if measure.interval), default=0)
    parts = [
        (measure.name, kind)
        for measure in measures
        if measure.parts is not None
        for kind in sorted({kind for each in every for row in each.rows for kind in row.parts[measure.name]})
    ]
    columns = [*FIXED, *map(measure_column, measures)]
    columns.insert(len(FIXED) + estimated, ResultColumn("even_share"))
    rows = []
    for each in every:
        for row, of in zip(standings_rows(each, measures).rows, each.rows, strict=True):
            line = [each.edition, " ".join(each.games), *row, *(of.parts[name].get(kind, 0) for name, kind in parts)]
            line.insert(len(FIXED) + estimated, each.even_share)
            rows.append(line)
    table = ResultTable((*columns, *(ResultColumn(f"{name}.{kind}") for name, kind in parts)), rows)
    return table_csv(table if provenance is None else provenance.beside(table))


def standings_markdown(standings: Standings) -> str:
    """A GitHub table, a blank line and the `caption`, without a heading."""
    return f"{markdown_table(standings_rows(standings, shown_measures(standings)))}\n\n{standings_caption(standings)}\n"


def standings_tables(found: Sequence[Standings], columns: int | None = None) -> Iterator[str]:
    """The table of each standings, the last one with its whole caption. The captions of the others have only what the
    last one does not say, and no design factor."""
    if not found:
        return
    *others, last = found
    said = _caption_sentences(last, shown_measures(last))
    for each in others:
        short = [line for line in _caption_sentences(each, shown_measures(each))[:-1] if line not in said]
        yield _tables_text(each, columns, short, names_left_out=False)
    yield standings_table(last, columns)


def standings_table(standings: Standings, columns: int | None = None) -> str:
    """A table for the terminal, a second one of the measures that were made for this tournament, if any, and below them
    the `caption`. Where the terminal has fewer ``columns`` than a table, measures are left out, the last ones first;
    counts and the measures that decide the order go last. The caption names what is left out."""
    return _tables_text(standings, columns)


def _tables_text(
    standings: Standings, columns: int | None, below: Sequence[str] | None = None, names_left_out: bool = True
) -> str:
    """The tables, and under them the sentences ``below`` (None: the caption of the columns that fit)."""
    shown = shown_measures(standings)
    whole = standings_rows(standings, shown)
    tables = [_fitted(standings, whole, [each for each in shown if not each.made], columns)]
    if made := [each for each in shown if each.made]:
        tables.append(_fitted(standings, whole.drop([MATCHES.key]), made, columns))
    kept = [each for each in shown if any(each.name in table.keys for table in tables)]
    sentences = [standings_caption(standings, kept)] if below is None else [*below]
    seen = whole.pick([column.key for column in whole.columns if any(column.key in table.keys for table in tables)])
    if names_left_out:
        sentences.append(too_wide(whole, seen, "standings.csv and --json have all columns"))
    printed = "\n\n".join(map(text_table, tables))
    return f"{printed}\n\n{paragraph(' '.join(filter(None, sentences)), columns)}\n"


def _fitted(standings: Standings, whole: ResultTable, measures: Sequence[Measure], columns: int | None) -> ResultTable:
    """The table with as many of these measures as fit into ``columns``, but at least one."""
    decide = order_measures(standings.measures, standings.games)
    needed = sorted(measures, key=lambda each: each not in decide and each.interval)
    names = [each.name for each in measures]
    table = whole.pick([key for key in whole.keys if key in names or key in (PLACE.key, ENTRANT.key, MATCHES.key)])
    return fit_table(table, columns, [(each.name,) for each in needed[:0:-1]])


def standings_caption(standings: Standings, measures: Iterable[Measure] | None = None) -> str:
    """The text below a table of these ``measures`` (by default of all that have a column): what it counts, the unit of
    money, how to read it, and what the design was worth."""
    shown = shown_measures(standings) if measures is None else measures
    return " ".join(filter(None, _caption_sentences(standings, shown)))


def _caption_sentences(standings: Standings, measures: Iterable[Measure]) -> list[str]:
    """The sentences of the caption; the last one is on the design."""
    unit = _money_unit(standings)
    counted = (
        f"{standings.edition}: {_count_text(standings.matches, 'match', 'matches')}{_editions_text(standings)} "
        f"in {_count_text(standings.blocks, 'block', 'blocks')}, {standings.voids} void"
        f"{f'; money in {unit}' if unit else ''}."
    )
    even = _even_shares(standings, measures)
    return [counted, _order_sentence(standings), even, _interval_note(standings.blocks), design_told(standings)]


def _order_sentence(standings: Standings) -> str:
    """A sentence with the measures by which the rows are ordered."""
    by = order_measures(standings.measures, standings.games)
    if not by or not standings.matches:
        return ""
    first, *others = [each.header or each.name for each in by]
    return f"Ordered by {first}{', then ' if others else ''}{', '.join(others)}."


def _even_shares(standings: Standings, measures: Iterable[Measure]) -> str:
    """A sentence with the values that equally good entrants would have in the columns of shares."""
    even = {"win_rate": standings.even_share, "beaten": 0.5}
    told = [f"{each.header} {percent_text(even[each.name])}" for each in measures if each.name in even]
    return f"Even share: {', '.join(told)}." if told else ""


def _interval_note(blocks: int) -> str:
    """A sentence on what ± means, or why there is none."""
    if blocks < LEAST_CLUSTERS:
        return f"No ± (95 % interval) with fewer than {LEAST_CLUSTERS} blocks: too few."
    few = " With so few blocks, intervals are wide." if blocks < FEW_BLOCKS else ""
    return f"± is half of a 95 % interval clustered by block; (low…high) are its ends.{few}"


def _editions_text(standings: Standings) -> str:
    """The editions or game of the matches, in words."""
    if not standings.games:
        return ""
    whole = standings.edition == ALL_EDITIONS or standings.edition in standings.games
    return f" of {'all editions of ' if whole else ''}{' and '.join(standings.games)}"


def _money_unit(standings: Standings) -> str | None:
    """The unit of money; None over several games, which have no common unit, and before the first match."""
    return load_game(standings.games[0]).unit if len(standings.games) == 1 else None


def _count_text(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
