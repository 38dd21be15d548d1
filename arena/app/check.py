"""The check of a bot: it plays against the bundled bots in every edition of its games, every match twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

import msgspec

from arena.app.bots import bundled_for
from arena.app.isolation import Isolation
from arena.app.loading import plays_of, refer
from arena.app.played_twice import CHECKED, Played, play_twice
from arena.app.rules import list_editions
from arena.app.specs import spec_of
from arena.config.botspec import parse_bot
from arena.config.editions import Edition, load_edition
from arena.errors import UserError
from arena.executors.executor import Executor
from arena.finding.reference import BotRef, find_file
from arena.games import games as every_game
from arena.match.spec import MatchSpec
from arena.match.work import Work


class Report(Played, kw_only=True):
    """What a check found; ``games`` are those the bot plays."""

    games: tuple[str, ...]

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
    played, _ = play_twice(name, isolation.level, works, executor)
    return Report(**msgspec.structs.asdict(played), games=games)


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
            yield Work(spec=_spec(edition, bots, seat, number), bots=bots, demand=isolation.demand)


def _spec(edition: Edition, bots: tuple[BotRef, ...], seat: int, number: int) -> MatchSpec:
    names = [CHECKED if index == seat else f"{bot.name}#{index}" for index, bot in enumerate(bots)]
    id = f"{edition.label}-{len(bots)}p"
    return spec_of(edition, names, bots, id=id, tournament="check", seed=f"check-{number}", strikes=10)
