"""The check of a bot: it plays against the bundled bots in every edition of its games, every match twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from statistics import median

import msgspec

from arena.app.again import play_again
from arena.app.bots import bundled_for
from arena.app.isolation import Isolation
from arena.app.loading import plays_of, refer
from arena.app.replays import count_faults
from arena.app.rules import list_editions
from arena.app.specs import spec_of
from arena.config.botspec import parse_bot
from arena.config.editions import Edition, load_edition
from arena.errors import UserError
from arena.executors.executor import Executor, play_each
from arena.finding.reference import BotRef, find_file
from arena.games import games as every_game
from arena.match.spec import MatchSpec
from arena.match.work import Done, Work
from arena.replay.read import read_lines
from arena.sandbox.probe import Level

CHECKED = "checked"


class FaultSeen(msgspec.Struct):
    """A fault that a check met, with the first place it was met at."""

    kind: str
    rule: str
    hook: str
    evidence: str
    edition: str
    players: int
    seed: str
    count: int = 1


class Report(msgspec.Struct):
    """What a check found. ``games`` are those the bot plays; ``asks`` counts by hook; ``start`` and times an ask are in
    seconds; ``memory`` is the most that the bot's process held, ``sent`` and ``received`` the mean of a message, in
    bytes (0: it had no process); ``repeats`` is whether every match played twice came out the same."""

    bot: str
    level: Level
    games: tuple[str, ...]
    matches: int
    asks: dict[str, int]
    faults: list[FaultSeen]
    start: float
    mean: float
    median: float
    worst: float
    memory: int
    sent: float
    received: float
    repeats: bool
    differs: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong with the bot."""
        return not self.faults and self.repeats


def check_bot(name: str, executor: Executor, isolation: Isolation) -> Report:
    """Play the bot in every edition and number of players of its games against the bundled bots of these, everything
    twice: the second time in another interpreter with another hash seed, and in the opposite order."""
    ref = refer(parse_bot(name))
    games = tuple(plays_of(ref, isolation)) or every_game()  # a bot without hooks can play any game
    works = list(_works(ref, games, isolation))
    if not works:
        raise UserError(f"bot {ref.name} plays {', '.join(games)}, of which no edition ships with arena")
    done = play_each(executor, works)
    return _report(name, isolation.level, games, works, done, play_again(works, executor.jobs))


def _works(ref: BotRef, games: Sequence[str], isolation: Isolation) -> Iterator[Work]:
    """Every edition × number of players, the bot in changing seats."""
    others = {game: [find_file(name) for name in sorted(bundled_for(game))] for game in games}
    number = 0
    for listed in list_editions():
        if listed.game not in games:
            continue
        edition = load_edition(listed.name)
        for players in edition.seats:
            number += 1
            opponents = list(islice(cycle(others[listed.game]), number, number + players - 1))
            seat = number % players
            bots = (*opponents[:seat], ref, *opponents[seat:])
            yield Work(
                spec=_spec(edition, bots, seat, number),
                bots=bots,
                replays="faults",
                demand=isolation.demand,
            )


def _spec(edition: Edition, bots: tuple[BotRef, ...], seat: int, number: int) -> MatchSpec:
    names = [CHECKED if index == seat else f"{bot.name}#{index}" for index, bot in enumerate(bots)]
    id = f"{edition.label}-{len(bots)}p"
    return spec_of(edition, names, bots, id=id, tournament="check", seed=f"check-{number}", strikes=10)


def _report(
    name: str,
    level: Level,
    games: tuple[str, ...],
    works: list[Work],
    done: list[Done],
    again: list[Done],
) -> Report:
    asks: Counter[str] = Counter()
    seats = [seat for each in done for seat in each.timing.seats if seat.entrant == CHECKED]
    for seat in seats:
        asks.update(seat.hooks)
    put = max(1, asks.total())
    differing = [one.record.id for one, two in zip(done, again, strict=True) if one.record != two.record]
    return Report(
        bot=name,
        level=level,
        games=games,
        matches=len(done) + len(again),
        asks=dict(asks),
        faults=_faults(works, done),
        start=median(seat.start for seat in seats),
        mean=sum(seat.total for seat in seats) / put,
        median=median(seat.median for seat in seats),
        worst=max(seat.worst for seat in seats),
        memory=max(seat.memory for seat in seats),
        sent=sum(seat.sent for seat in seats) / put,
        received=sum(seat.received for seat in seats) / put,
        repeats=not differing,
        differs=differing[0] if differing else "",
    )


def _faults(works: list[Work], done: list[Done]) -> list[FaultSeen]:
    """The checked bot's faults, equal ones counted together."""
    found: dict[tuple[str, str, str], FaultSeen] = {}
    for work, each in zip(works, done, strict=True):
        seat = next(index for index, one in enumerate(work.spec.seats) if one.entrant == CHECKED)
        if not each.record.seats[seat].faults or each.replay is None:
            continue
        for fault in count_faults(read_lines(each.replay)[1]):
            key = (fault.kind, fault.rule, fault.hook)
            if fault.seat != seat:
                continue
            if key in found:
                found[key].count += fault.count
            else:
                spec = work.spec
                found[key] = FaultSeen(*key, fault.evidence, spec.edition, len(spec.seats), spec.seed, fault.count)
    return list(found.values())
