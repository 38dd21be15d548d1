"""How much faster are recorded asks put to a bot again than matches are played? Light bundled bots, four at a table;
each match is played and each of its seats put again in turns, so that a busy machine slows both.

Run: nice python tests/bench/refeed.py [MATCHES]     (20 by default; a minute)
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from arena.commands.refeed.ask_cache import FolderAskCache
from arena.commands.refeed.refeed_match import RefeedMatch, RefeedOrder, put_again
from arena.finding.reference import BotRef, find_file
from arena.isolation.worker.fork_server import ForkServers
from arena.match.isolated_match import BotHost, play_isolated
from arena.match.match_spec import MatchSpec
from arena.match.runner import play_here
from arena.match.walk.timeline import Timeline
from arena.recorded.feeding import BotFeeder
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, strictest_isolation
from arena.runs.single_match import MatchSetup, set_up_match
from arena.sandbox.demand import resolve_demand

BOTS = ("dealmaker", "greedy", "fair", "hard")
RULES = ("eagle-gryphon", "card-game")


def timed(work: Callable[[], object]) -> float:
    """Seconds."""
    began = perf_counter()
    work()
    return perf_counter() - began


class Measured:
    """Seconds of each match by way, under these rules."""

    def __init__(self, rules: str, folder: Path) -> None:
        self.rules, self.seconds = rules, dict[str, list[float]]()
        self.servers, demand = ForkServers(), strictest_isolation().demand
        policy = resolve_demand(demand)
        assert policy is not None
        self.server = self.servers.server_for(policy)
        self.trusted, self.isolated = BotFeeder(TRUSTED_ISOLATION.demand, here=True), BotFeeder(demand)
        shelf = FolderAskCache(folder)
        self.shelved = BotFeeder(demand, shelf), BotFeeder(TRUSTED_ISOLATION.demand, shelf, here=True)

    def note(self, way: str, work: Callable[[], object]) -> None:
        self.seconds.setdefault(way, []).append(timed(work))

    def match(self, number: int) -> None:
        """Play one match, and put its seats to their bots again."""
        names = BOTS[number % 4 :] + BOTS[: number % 4]
        ready = set_up_match(names, MatchSetup(rules=self.rules, seed=str(number)), here=True)
        spec, bots = ready.spec, ready.bots
        replay = play_here(spec, bots).replay
        self.note("played, isolated", lambda: self.play(spec, bots))
        self.note("played, trusted", lambda: play_here(spec, bots))
        for seat, name in enumerate(names):
            order, match = RefeedOrder(find_file(name)), RefeedMatch(Path("m.jsonl"), seat, timeline=Timeline(replay))
            self.note("put again, isolated", lambda: put_again(self.isolated, order, match))  # noqa: B023
            self.note("put again, trusted", lambda: put_again(self.trusted, order, match))  # noqa: B023
            for again, way in zip(self.shelved, ("isolated", "trusted"), strict=True):
                put_again(again, order, match)
                self.note(f"once more, {way}", lambda: put_again(again, order, match))  # noqa: B023

    def play(self, spec: MatchSpec, bots: Sequence[BotRef]) -> None:
        """One match as runs play it."""
        play_isolated(spec, tuple(map(self.isolated.depot.place, bots)), BotHost(self.server), lambda printed: None)

    def close(self) -> None:
        self.servers.close()
        for again in (self.trusted, self.isolated, *self.shelved):
            again.__exit__()


def main(matches: int = 20) -> None:
    """Print the table."""
    print("| rules           | way                   | ms a match | of playing, isolated |")
    for rules in RULES:
        with tempfile.TemporaryDirectory() as folder:
            measured = Measured(rules, Path(folder))
            for number in range(matches):
                measured.match(number)
            measured.close()
        base = median(measured.seconds["played, isolated"])
        for way, seconds in measured.seconds.items():
            typical = median(seconds)
            print(f"| {rules:<15} | {way:<21} | {typical * 1000:>10.1f} | {base / typical:>18.1f} × |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
