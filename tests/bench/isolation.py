"""What isolation costs, as ratios of one run on one machine: ``python tests/bench/isolation.py [MATCHES]``.

Both ways play the same matches with every core at work, in turns, several times over; the medians count. What is
measured is the CPU time of all processes, in the kernel too, so that other work on the machine matters little; it is
within 3 % of what a group of the kernel (``cpuacct``) counts for the same run. What the isolated run takes more is all
put on the asks, the starts and ends of processes included; bots that answer nothing show what those cost alone. Each
table is played with all bots isolated and, where bundled bots are exempt from that, with strangers alone:
"exempt" are four bundled bots, of "one stranger" the first is a changed copy of one.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

import msgspec

from arena.config.editions import load_edition
from arena.executors.executor import play_each
from arena.executors.process_pool.pool import Pool
from arena.finding.reference import BotRef, find_file, refer_file
from arena.match.work import Work, WorkResult
from arena.runs.planning.isolation_level import strictest_isolation
from arena.runs.planning.make_spec import seats_of, spec_of
from arena.sandbox.demand import Demand
from arena.system.platform_support import usable_cores
from arena.tournament.schedule.seat_orders import SeatOrders, seat_orders

REPEATS = 3
LIGHT = """
from arena.bot import *
from arena.games.board import *

class Light(BoardBot):
    def place_marker(self, view): return PlaceMarker(0)
    def turn(self, view):
        if not view.rolled and not view.failed_here and self.seat % 2 == 0: return Open()
        return Draw() if view.rolled else Roll()
    def offer(self, view): return None
    def accept(self, view): return False
    def interrupt(self, view): return None
    def close(self, view): return None
"""


def works(game: str, bots: Sequence[BotRef], matches: int, demand: Demand) -> Iterator[Work]:
    """The matches; as in a tournament a deal is played in all seat orders, one after the other."""
    edition = load_edition(game)
    orders = seat_orders(SeatOrders.ALL, len(bots))
    for number in range(matches):
        block, order = divmod(number, len(orders))
        table = tuple(bots[place] for place in orders[order])
        names = [f"{bot.name}#{seat}" for seat, bot in enumerate(table)]
        spec = spec_of(edition, seats_of(names, table), id=f"bench/{number}", tournament="bench", seed=f"bench-{block}")
        yield Work(spec=spec, bots=table, demand=demand)


def play(pool: Pool, works: Iterator[Work]) -> tuple[float, list[WorkResult]]:
    """CPU seconds, and what came of the matches."""
    before = cpu_time(os.getpid())
    done = play_each(pool, works)
    return cpu_time(os.getpid()) - before, done


def cpu_time(process: int) -> float:
    """CPU seconds of a process, of all its descendants, and of those that were reaped."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    below = [
        int(child) for each in Path(f"/proc/{process}/task").glob("*/children") for child in each.read_text().split()
    ]
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(cpu_time, below))


def compare(name: str, game: str, bots: Sequence[BotRef], matches: int, isolate_all: bool) -> dict[str, object]:
    """One line of the table."""
    demand = msgspec.structs.replace(strictest_isolation().demand, isolate_all=isolate_all)
    with closing(Pool(usable_cores())) as trusting, closing(Pool(usable_cores())) as isolating:
        play(trusting, works(game, bots, 8 * usable_cores(), Demand()))
        play(isolating, works(game, bots, 8 * usable_cores(), demand))
        before, after = [], []
        for _ in range(REPEATS):
            seconds, expected = play(trusting, works(game, bots, matches, Demand()))
            before.append(seconds)
            seconds, done = play(isolating, works(game, bots, matches, demand))
            after.append(seconds)
            assert [each.record.sha256 for each in expected] == [each.record.sha256 for each in done]
    trusted, isolated = median(before), median(after)
    asks = sum(seat.asks for each in done for seat in each.timing.seats)
    more = isolated - trusted
    return {
        "bots": name,
        "cores": usable_cores(),
        "matches": matches,
        "asks a match": round(asks / matches),
        "ratio": round(isolated / trusted, 2),
        "CPU, µs more an ask": round(more / asks * 1e6, 1) if asks else None,
        "CPU, ms more a bot and match": round(more / matches / len(bots) * 1e3, 2),
        "trusted, CPU ms a match": round(trusted / matches * 1e3, 2),
    }


def main() -> None:
    """Print a table for bundled bots of both games, for light ones and for silent ones."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as folder:
        light = Path(folder) / "light.py"
        light.write_text(LIGHT)

        def one_stranger(bots: list[BotRef]) -> list[BotRef]:
            """The same bots, but the first is a changed copy of the bundled one."""
            stranger = Path(folder) / f"{bots[0].name}.py"
            stranger.write_bytes(Path(bots[0].path).read_bytes() + b"\n# changed\n")
            return [refer_file(str(stranger), None), *bots[1:]]

        board = [find_file(name) for name in ("dealmaker", "greedy", "fair", "hard")]
        cards = [find_file(name) for name in ("tycoon", "closer", "fair", "counter")]
        for name, game, bots, share, isolate_all in (
            ("bundled", "eagle-gryphon", board, 1, True),
            ("bundled, cards", "card-game", cards, 1, True),
            ("light", "eagle-gryphon", [refer_file(str(light), None)] * 4, 4, True),
            ("silent", "eagle-gryphon", [find_file("silent")] * 4, 1, True),
            ("exempt", "eagle-gryphon", board, 1, False),
            ("exempt, cards", "card-game", cards, 1, False),
            ("one stranger", "eagle-gryphon", one_stranger(board), 1, False),
            ("one stranger, cards", "card-game", one_stranger(cards), 1, False),
        ):
            print(json.dumps(compare(name, game, bots, matches // share, isolate_all), ensure_ascii=False))


if __name__ == "__main__":
    main()
