"""What the root digest of a large run costs: CPU time and memory, for a million made-up lines of ``matches.jsonl``.

python tests/bench/root_digest.py [MATCHES]
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path
from time import process_time

import msgspec
import numpy  # as every command that folds standings does; not to be counted below

from arena.storage.root_digest import root_of
from arena.tournament.records.match_record import MatchRecord, SeatRecord

MATCHES = 1_000_000


def line(number: int) -> bytes:
    """A record as long as that of a table of four."""
    seats = tuple(SeatRecord(f"entrant-{seat}", 40 + seat, seat + 1, "played", {}) for seat in range(4))  # type: ignore[arg-type]
    id, digest = f"eagle-gryphon-4p/b{number:07}/0-1-2-3", f"{number:064}"
    record = MatchRecord(id, "board", "eagle-gryphon-4p", number, digest[:32], "end roll", 300, seats)
    return msgspec.json.encode(msgspec.structs.replace(record, replay=f"replays/{id}.jsonl", sha256=digest)) + b"\n"


def held() -> int:
    """The most memory that was held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "matches.jsonl")
        with path.open("wb") as file:
            file.writelines(map(line, range(matches)))
        before, began = held(), process_time()
        root = root_of(path)
        seconds, size = process_time() - began, path.stat().st_size >> 20
    told = f"{seconds:.1f} s of CPU time, {held() - before} MB more than before"
    print(f"{root.matches} lines, {size} MB: {told} (numpy {numpy.__version__})")


if __name__ == "__main__":
    main()
