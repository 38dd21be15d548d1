"""Writes matches as games of two players in PGN, for programs that rate chess players, such as Ordo and BayesElo.

Every two seats of a match become one game, won by the better rank. PGN is that of S. J. Edwards, Portable Game Notation
Specification and Implementation Guide, 1994, with tags and a result, but no moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.rated_columns import check_alike
from arena.tournament.records.match_record import MatchRecord


def write_pgn(folders: Sequence[Path], path: Path, editions: Sequence[str] = (), without: Sequence[str] = ()) -> int:
    """Write the matches that count as a file of games, in the schedule's order; returns the number of games.
    ``editions`` and ``without`` select matches as in :func:`arena.analysis.run_ratings.rate_runs`. Raises UserError if
    the file cannot be written, and for runs that use one name for different things."""
    check_place(path, "--pgn")
    check_alike({folder: FolderStore(folder).facts() for folder in folders})
    written = 0

    def counted() -> Iterator[bytes]:
        nonlocal written
        for folder in dict.fromkeys(folders):
            event = FolderStore(folder).facts().tournament
            for game in pgn_games(records_in_order(folder), event, editions, without):
                written += 1
                yield game.encode()

    write_whole(path, counted())
    return written


def pgn_games(
    records: Iterable[MatchRecord], event: str, editions: Sequence[str] = (), without: Sequence[str] = ()
) -> Iterator[str]:
    """The games of these matches. The seat with the lower number has the white pieces, and ``Round`` is the block, from
    1."""
    for record in records:
        names = [seat.entrant for seat in record.seats]
        if record.void or (editions and record.edition not in editions) or any(name in without for name in names):
            continue
        for one, two in combinations(record.seats, 2):
            result = "1-0" if one.rank < two.rank else "0-1" if one.rank > two.rank else "1/2-1/2"
            tags = {
                "Event": f"{event}, {record.edition}",
                "Site": record.id,
                "Date": "????.??.??",
                "Round": str(record.block + 1),
                "White": one.entrant,
                "Black": two.entrant,
                "Result": result,
                "Termination": record.termination,
            }
            lines = [f'[{name} "{_escape_quotes(value)}"]\n' for name, value in tags.items()]
            yield f"{''.join(lines)}\n{result}\n\n"


def _escape_quotes(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
