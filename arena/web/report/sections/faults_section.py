"""Faults by entrant and kind, and single faults with links to their events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.pages.html_table import ColumnHead, EventPlace, Field, Grid, TableLine, grid_of
from arena.penalties import FaultKind
from arena.tournament.tables.result_table import ResultColumn, ResultTable, keyed_table
from arena.tournament.tables.rounded_figures import NO_VALUE
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet


@dataclass(frozen=True, slots=True)
class FaultEvent:
    """A fault of an ``entrant`` at a ``place`` in a match: its ``kind``, the ``hook`` that was called, the ``evidence``
    in words, the number of the broken ``rule`` ("": none), and the ``edition``."""

    place: EventPlace
    edition: str
    entrant: str
    kind: str
    hook: str
    rule: str
    evidence: str


def faults_section(
    counts: Mapping[str, Mapping[str, int]],
    events: Sequence[FaultEvent],
    more: int,
    numbers: Mapping[str, int],
) -> ReportSection:
    """Return the section with the ``counts`` of faults by entrant and kind, including void matches, and a list of
    ``events``; ``more`` faults are not listed."""
    if not counts:
        return ReportSection(id="faults", title="Faults", missing=["There were no faults."])
    parts = [_count_part(counts, numbers)]
    if events:
        parts.append(_event_part(events, more, numbers))
    missing = [] if events else ["No replay of these matches was kept, so no single fault can be shown."]
    return ReportSection(
        id="faults",
        title="Faults",
        about="Faults of bots, including those in void matches.",
        parts=parts,
        missing=missing,
    )


def _meaning(kind: str) -> str:
    """Return the meaning of a kind of fault."""
    return FaultKind(kind).traits.meaning if kind in {*FaultKind} else "A kind of fault from a later version of arena."


def _count_part(counts: Mapping[str, Mapping[str, int]], numbers: Mapping[str, int]) -> ReportPart:
    kinds = sorted({kind for of in counts.values() for kind in of})
    order = sorted(counts, key=lambda name: (-sum(counts[name].values()), name))
    shown = [[name, *(counts[name].get(kind) for kind in kinds), sum(counts[name].values())] for name in order]
    columns = (ResultColumn("entrant", "entrant", left=True), *(ResultColumn(each, each) for each in (*kinds, "all")))
    rows = [[name, kind, number] for name in order for kind, number in counts[name].items()]
    return ReportPart(
        title="By entrant and kind",
        meanings=[Meaning(kind, _meaning(kind)) for kind in kinds],
        grid=grid_of(ResultTable(columns, shown), numbers),
        sheet=Sheet("faults", keyed_table(("entrant", "kind", "faults"), rows)),
    )


def _event_part(events: Sequence[FaultEvent], more: int, numbers: Mapping[str, int]) -> ReportPart:
    heads = [
        ColumnHead(each, left=True) for each in ("entrant", "kind", "event", "asked", "rule", "what happened", "match")
    ]
    lines = [
        TableLine(
            [
                Field(each.entrant, entrant=numbers[each.entrant]),
                Field(each.kind),
                Field(f"event {each.place.event}", place=each.place, prose=not each.place.address),
                *(Field(each.hook or "start"), Field(each.rule or NO_VALUE)),
                *(Field(each.evidence, prose=True), Field(each.place.match, prose=True)),
            ],
            numbers[each.entrant],
        )
        for each in events
    ]
    rows = [
        [
            *(each.edition, each.place.match, each.place.event, each.entrant, each.kind),
            each.hook,
            each.rule,
            each.evidence,
        ]
        for each in events
    ]
    columns = ("edition", "match", "event", "entrant", "kind", "hook", "rule", "evidence")
    told = f"{more:,} more {'is' if more == 1 else 'are'} not listed." if more else ""
    return ReportPart(
        title="Single faults",
        meanings=[
            Meaning("asked", "The hook at which the bot was asked; start: loading, before the first ask."),
            Meaning("event", "The line of the replay, from 1, as arena show prints it; these numbers never change."),
        ],
        grid=Grid(heads, lines),
        notes=[each for each in (told,) if each],
        sheet=Sheet("fault-events", keyed_table(columns, rows)),
    )
