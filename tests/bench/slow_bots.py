"""What bots spend their time on, for ``arena docs slow-bots``: ``python tests/bench/slow_bots.py [MODULE...]``.

First the start of a bot that imports a module, such as numpy: in a process of its own, and in one that has the module
imported already (``preload``). Then what a search can do in a second of processor time: states imagined, copied, and
played at random to the end.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from time import process_time

from arena.executors.executor import play_each
from arena.executors.process_pool.pool import Pool
from arena.games.board import BoardBot, TurnAnswer, TurnView
from arena.match.work import Work
from arena.runs.planning.isolation_level import Isolation, strictest_isolation
from arena.runs.single_match import MatchSetup, set_up_match
from arena.sandbox.policy import SandboxPolicy
from arena.testing import play

MATCHES = 12
SECONDS = 2.0
IMPORTER = "import {module}\nfrom arena.games.board import BoardBot\n\n\nclass Importer(BoardBot):\n    pass\n"


def starts(bot: Path, isolation: Isolation) -> list[float]:
    """How long the bot took to start in each of some matches of one worker, in ms."""
    match = set_up_match([str(bot), "silent"], MatchSetup(settings=["max_turns=1"], seed="1", isolation=isolation))
    work = Work(spec=match.spec, bots=match.bots, demand=isolation.demand)
    with closing(Pool(1)) as executor:
        return [done.timing.seats[0].start * 1e3 for done in play_each(executor, [work] * MATCHES)]


def measure_imports(module: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "importer.py"
        bot.write_text(IMPORTER.format(module=module))
        own = starts(bot, strictest_isolation())
        preloaded = starts(bot, strictest_isolation(SandboxPolicy(preload=(module,))))
    return f"{module:<12} starts in {median(own):6.1f} ms, preloaded in {median(preloaded):6.1f} ms"


class Searcher(BoardBot):
    """Measures in the turns of a match what :meth:`imagine` and what follows it cost."""

    imagined = copied = ended = asks = 0
    imagining = copying = playing = 0.0

    def turn(self, view: TurnView) -> TurnAnswer:
        legal = self.legal_moves(view)
        if Searcher.playing < SECONDS:
            began = process_time()
            state = self.imagine(view)
            Searcher.imagining += process_time() - began
            Searcher.imagined += 1
            began = process_time()
            copy = state.copy()
            Searcher.copying += process_time() - began
            Searcher.copied += 1
            began = process_time()
            while copy.asks:
                index = copy.pending[0]
                copy.apply(index, self.random.choice(copy.legal(index)))
                Searcher.asks += 1
            Searcher.playing += process_time() - began
            Searcher.ended += 1
        return self.random.choice(legal)


def measure_search() -> str:
    from slow_bots import Searcher as here  # the class that the match is played with, not that of __main__

    number = 0
    while here.playing < SECONDS:
        number += 1
        play("slow_bots:Searcher", "random-legal", "random-legal", "random-legal", seed=str(number))
    return (
        f"imagine {here.imagined / here.imagining:,.0f}/s   copy {here.copied / here.copying:,.0f}/s   "
        f"random to the end {here.ended / here.playing:,.0f}/s of {here.asks / here.ended:,.0f} asks"
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or ["asyncio", "decimal"]:
        print(measure_imports(name))
    print(measure_search())
