"""What isolation costs, as ratios of one run on one machine: ``python tests/bench/isolation.py [MATCHES]``.

Both ways play the same matches with every core at work, one after the other. An ask's price is the time that the
isolated run takes longer, less the starts of its processes, over the number of asks.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter

import msgspec

from arena.app.isolation import isolate
from arena.app.run import cores
from arena.app.specs import spec_of
from arena.config.editions import load_edition
from arena.executors.pool import Pool
from arena.match.work import Done, Work
from arena.players.loading import BotRef, find_file, refer_file
from arena.sandbox.policy import Policy

LIGHT = """
from arena.bot import *
from arena.games.board import *

class Light(Bot):
    def place_marker(self, view): return PlaceMarker(0)
    def turn(self, view):
        if not view.rolled and not view.failed_here and self.seat % 2 == 0: return Open()
        return Draw() if view.rolled else Roll()
    def offer(self, view): return None
    def accept(self, view): return False
    def interrupt(self, view): return None
    def close(self, view): return None
"""


def works(bots: Sequence[BotRef], matches: int, policy: Policy | None) -> Iterator[Work]:
    """The matches, each with a deal of its own."""
    edition = load_edition("eagle-gryphon")
    for number in range(matches):
        names = [f"{bot.name}#{seat}" for seat, bot in enumerate(bots)]
        spec = spec_of(edition, names, bots, id=f"bench/{number}", tournament="bench", seed=f"bench-{number}")
        yield Work(spec=spec, bots=tuple(bots), policy=policy)


def play(bots: Sequence[BotRef], matches: int, policy: Policy | None) -> tuple[float, list[Done]]:
    """Seconds, without the start of the workers and their hosts, and what came of the matches."""
    with closing(Pool(cores())) as pool:
        list(pool.run(works(bots, 8 * cores(), policy)))
        began = perf_counter()
        done = list(pool.run(works(bots, matches, policy)))
        return perf_counter() - began, done


def compare(name: str, bots: Sequence[BotRef], matches: int) -> dict[str, object]:
    """One line of the table."""
    trusted, before = play(bots, matches, None)
    isolated, after = play(bots, matches, isolate().policy)
    assert [each.record.sha256 for each in before] == [each.record.sha256 for each in after]
    asks = sum(seat.asks for each in after for seat in each.timing.seats)
    starts = sum(seat.start for each in after for seat in each.timing.seats)
    return {
        "bots": name,
        "cores": cores(),
        "matches": matches,
        "asks a match": round(asks / matches),
        "ratio": round(isolated / trusted, 2),
        "start, ms a bot": round(starts / matches / len(bots) * 1e3, 2),
        "wall, µs more an ask": round((isolated - trusted - starts / cores()) / asks * 1e6, 1),
        "wall, µs an ask in all": round(isolated / asks * 1e6, 1),
        "trusted, µs an ask in all": round(trusted / asks * 1e6, 1),
    }


def main() -> None:
    """Print a table for light bots and one for bundled ones."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        light = Path(folder) / "light.py"
        light.write_text(LIGHT)
        bundled = [find_file(name) for name in ("dealmaker", "greedy", "fair", "hard")]
        for name, bots in (("bundled", bundled), ("light", [refer_file(str(light), None)] * 4)):
            found = compare(name, bots, matches if name == "bundled" else matches // 4)
            print(json.dumps(msgspec.to_builtins(found), ensure_ascii=False))


if __name__ == "__main__":
    main()
