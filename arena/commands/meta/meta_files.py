"""Writes the tables and arrays of games of many seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

import numpy

from arena.commands.meta.results import invasion_table, mixture_table
from arena.metagame.meta_findings import MetaFindings
from arena.metagame.payoff_arrays import PairRecord, pair_records
from arena.storage.files.atomic_files import write_whole
from arena.tournament.tables.result_table import keyed_table, table_csv


def write_meta_files(games: Iterable[MetaFindings], out: Path) -> Iterator[Path]:
    """Write the files of each edition to the folder ``out``, and give their paths."""
    out.mkdir(parents=True, exist_ok=True)
    for found in games:
        pairs = keyed_table(PairRecord._fields, list(pair_records(found.game)))
        for name, content in (
            ("mixtures.csv", table_csv(mixture_table(found)).encode()),
            ("invasions.csv", table_csv(invasion_table(found)).encode()),
            ("pairs.csv", table_csv(pairs).encode()),
            ("arrays.npz", arrays_file(found)),
        ):
            path = out / f"{found.edition}-{name}"
            write_whole(path, content)
            yield path


def arrays_file(found: MetaFindings) -> bytes:
    """The game as arrays in NumPy's format ``npz``."""
    arrays = {
        "bots": numpy.array(found.game.bots),
        "matches": found.game.matches,
        "payoff_table": found.payoff_table,
        "payoff_matrix": found.payoff_matrix,
    }
    if (tensor := found.payoff_tensor) is not None:
        arrays["payoff_tensor"] = tensor
    file = BytesIO()
    numpy.savez(file, allow_pickle=False, **arrays)
    return file.getvalue()
