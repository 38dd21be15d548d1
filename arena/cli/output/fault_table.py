"""Faults by entrant and kind as a table."""

from __future__ import annotations

from collections.abc import Mapping

from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.tournament.tables.table_text import text_table


def faults_in_words(faults: Mapping[str, Mapping[str, int]]) -> str:
    """All faults in one line: ``slow 4 late, 1 dead; hard 1 illegal``."""
    counts = {who: ", ".join(f"{number} {kind}" for kind, number in kinds.items()) for who, kinds in faults.items()}
    return "; ".join(f"{who} {told}" for who, told in counts.items())


def fault_table(faults: Mapping[str, Mapping[str, int]]) -> str:
    """A table with a row for each entrant with faults, those with most faults first, and a column for each kind that
    occurs."""
    kinds = sorted({kind for counts in faults.values() for kind in counts})
    order = sorted(faults, key=lambda entrant: (-sum(faults[entrant].values()), entrant))
    rows = [[name, sum(faults[name].values()), *(faults[name].get(kind) for kind in kinds)] for name in order]
    numbers = (ResultColumn(head, head, unknown="") for head in ("all", *kinds))
    return text_table(ResultTable((ResultColumn("entrant", "faults of", left=True), *numbers), rows))
