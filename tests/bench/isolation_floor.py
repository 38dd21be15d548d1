"""The least that processes cost, one for each isolated bot and match: ``[MATCHES [ROUNDS]]``.

Recorded matches are played again by a bare loop without replays: once all bots think in this process, and once isolated
ones think in processes that are forked for the match. Such a process is told by one byte that it is asked, and answers
with one byte: it has inherited the views, and this process knows the answers. So nothing is encoded or read; nothing is
locked, limited or checked. All asks of a phase are put before the first answer is waited for. What is left is the price
of forking and ending processes, of switching between them, and of the cold memory that both leave behind. This process
is about as large as a fork server (28 MB); a fork of a bare interpreter would cost a fifth.

Printed, in CPU milliseconds a match of all processes (medians of rounds, in turns): a trusted match, the bare loop,
what four and what one isolated bot add to it, and from that the least ratio of isolated to trusted.
"""

from __future__ import annotations

import gc
import os
import random
import resource
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from statistics import median
from typing import NamedTuple

from arena import bundled
from arena.bot import Bot, Limits, Start, View
from arena.config.editions import Edition, load_edition
from arena.executors.executor import play_each
from arena.executors.serial import Serial
from arena.finding.hooks import hooks_of
from arena.finding.reference import find_file
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import Event, Move
from arena.match.work import Work
from arena.players.reply_checks import read_reply
from arena.runs.planning.make_spec import seats_of, spec_of

TABLES = {
    "eagle-gryphon": ("dealmaker", "greedy", "fair", "hard"),
    "card-game": ("tycoon", "closer", "spoiler", "cousin"),
}


class Recorded(NamedTuple):
    """A match: its ``seed``, the ``moves`` that answer its asks, in order, and each seat's views with their hooks."""

    seed: str
    moves: list[Move]
    views: list[list[tuple[str, View]]]


class Table:
    """The bots of a table, by seat, and the edition that they play."""

    def __init__(self, edition: Edition, names: Sequence[str]) -> None:
        self.edition, self.game = edition, load_game(edition.game)
        self.classes: list[type[Bot]] = [getattr(bundled, name.capitalize()) for name in names]
        self.hooks = [set(hooks_of(each, edition.game)) for each in self.classes]

    def start(self, seat: int, seed: str) -> Bot:
        """A bot at the beginning of a match."""
        rules, bot = self.edition.rules, self.classes[seat]()
        bot.seat, bot.players, bot.rules, bot.limits = seat, len(self.classes), rules, Limits()
        bot.random, bot.seen_events = random.Random(f"{seed}/{seat}"), []
        bot.start(Start(rules.game, rules.name, rules, bot.players, seat, seed, bot.limits))
        return bot

    def think(self, bot: Bot, hook: str, view: View) -> object:
        """The bot's reply; None where it has no such hook."""
        return getattr(bot, hook)(view) if hook in self.hooks[view.seat] else None

    def play(self, seed: str, known: Recorded | None = None, isolated: Sequence[int] = ()) -> Recorded:
        """Play a match; ``isolated`` seats of a ``known`` one think in processes of their own."""
        players, log, record = len(self.classes), list[Event](), Recorded(seed, [], [[] for _ in self.classes])
        state = self.game.start(self.edition.rules, players, Chance(seed), log)
        bots, seen = [self.start(seat, seed) for seat in range(players) if seat not in isolated], [0] * players
        here = {bot.seat: bot for bot in bots}
        apart = {seat: ForkedBot(self, seat, known) for seat in isolated if known is not None}
        while state.asks:
            until, views = len(log), list[View]()
            for index, (seat, hook, _) in enumerate(state.asks):
                news = tuple(found for event in log[seen[seat] : until] if (found := event.seen_by(seat)) is not None)
                views.append(state.view(index, news))
                record.views[seat].append((hook, views[-1]))
                if seat in apart:
                    apart[seat].ask()
            asked = sorted(range(len(views)), key=lambda index: state.asks[index].seat in apart)
            moves = list[Move | None]([None] * len(views))
            for index in asked:
                seat, hook, _ = state.asks[index]
                if seat in apart and known is not None:
                    apart[seat].wait()
                    moves[index] = known.moves[len(record.moves) + index]
                else:
                    expected = self.game.hooks[hook]
                    answered = read_reply(expected, self.think(here[seat], hook, views[index]))
                    moves[index] = answered.move or expected.idle
            for seat, _, _ in state.asks:
                seen[seat] = until
            played = [
                state.default(index) if move is None or state.refusal(index, move) is not None else move
                for index, move in enumerate(moves)
            ]
            record.moves.extend(played)
            for index, move in enumerate(played):
                state.apply(index, move, log)
        for each in apart.values():
            each.end()
        return record


class ForkedBot:
    """A process in which a seat's bot thinks about the views of a known match, one at each byte."""

    def __init__(self, table: Table, seat: int, known: Recorded) -> None:
        asked_end, self.ask_end = os.pipe()
        self.answer_end, answered_end = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            bot = table.start(seat, known.seed)
            for hook, view in known.views[seat]:
                os.read(asked_end, 1)
                table.think(bot, hook, view)
                os.write(answered_end, b"a")
            os._exit(0)
        os.close(asked_end)
        os.close(answered_end)

    def ask(self) -> None:
        """Let it think about the next view."""
        os.write(self.ask_end, b"q")

    def wait(self) -> None:
        """Wait until it has."""
        os.read(self.answer_end, 1)

    def end(self) -> None:
        """Wait for its end."""
        os.waitpid(self.process, 0)
        os.close(self.ask_end)
        os.close(self.answer_end)


def cpu_seconds() -> float:
    """CPU seconds of this process and of those that it has reaped."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(name: str, names: Sequence[str], matches: int = 12, rounds: int = 7) -> None:
    """Print the lines of an edition."""
    edition = load_edition(name)
    table, bots = Table(edition, names), tuple(map(find_file, names))
    known = [table.play(f"floor-{number}") for number in range(matches)]
    works = [
        Work(spec=spec_of(edition, seats_of(names, bots), id=each.seed, tournament="floor", seed=each.seed), bots=bots)
        for each in known
    ]
    gc.collect()
    gc.freeze()

    def play_bare(isolated: Sequence[int]) -> None:
        for each in known:
            assert table.play(each.seed, each, isolated).moves == each.moves

    with closing(Serial()) as executor:
        ways: dict[str, Callable[[], object]] = {
            "trusted": lambda: play_each(executor, works),
            "bare": lambda: play_bare(()),
            "four": lambda: play_bare(range(len(names))),
            "one": lambda: play_bare((0,)),
        }
        times: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way, play in ways.items():
                before = cpu_seconds()
                play()
                times[way].append((cpu_seconds() - before) / matches * 1e3)
    trusted, bare, four, one = (median(times[way]) for way in ways)
    asks = sum(len(each.moves) for each in known) / matches
    more = {"four isolated bots": four - bare, "one isolated bot": one - bare}
    print(f"{name}: {asks:.0f} asks, trusted {trusted:.1f} ms, bare {bare:.1f} ms")
    for added, cost in more.items():
        print(f"  {added}: +{cost:.1f} ms, least ratio {1 + cost / trusted:.2f}")


def main() -> None:
    """Print what was measured for each game."""
    for name, names in TABLES.items():
        measure(name, names, *map(int, sys.argv[1:]))


if __name__ == "__main__":
    main()
