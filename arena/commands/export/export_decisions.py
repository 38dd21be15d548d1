"""Exports what an entrant decided as a file of arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.tables.write_tables import TableExport

DECISIONS_FILE = "decisions.npz"


def export_decisions(
    folder: Path,
    out: Path | None,
    entrant: str,
    most_matches: int,
    jobs: int = 1,
    tell: Callable[[int], object] = lambda matches: None,
) -> TableExport:
    """Write the decisions of ``entrant`` in the run in ``folder`` to ``decisions.npz`` in ``out``, by default its
    folder ``tables``. Raises as :func:`arena.learning.decisions.read_decisions`."""
    from arena.learning.decisions import encode_decisions, read_decisions  # NumPy, which tables do without

    out = out if out is not None else folder / "tables"
    check_place(out, "--out", folder=True)
    decisions = read_decisions(folder, entrant, most_matches, jobs, tell)
    path = out / DECISIONS_FILE
    write_whole(path, encode_decisions(decisions))
    return TableExport(len(decisions.ids), 0, {"decisions": str(path)}, {"decisions": len(decisions.actions)})
