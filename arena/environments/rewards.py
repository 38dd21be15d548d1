"""What an agent is rewarded with: its money as it comes, its rank, or its matchpoints."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from arena.environments.episode import Episode, unlimited_watch
from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.match.match_spec import MatchSpec
from arena.match.runner import play_here


class RewardKind(StrEnum):
    """What an environment rewards; ``arena docs environments`` says how each reward is computed."""

    MONEY = "money"
    RANK = "rank"
    MATCHPOINTS = "matchpoints"


def read_reward(name: str, kinds: Sequence[RewardKind] = tuple(RewardKind)) -> RewardKind:
    """The kind of this name. Raises UserError if it is none of ``kinds``."""
    if name not in list(kinds):
        raise UserError(f"reward: expected {' or '.join(kinds)}, got {name!r}")
    return RewardKind(name)


class MoneyGains:
    """The money that each seat of an episode has got since it was last asked for."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._before: list[int] = list(episode.state.money)
        self._nothing = (0,) * len(self._before)

    def take_gains(self) -> Sequence[int]:
        """The gains by seat since the last time."""
        money = self._episode.state.money
        if money == self._before:
            return self._nothing
        gains = [now - before for now, before in zip(money, self._before, strict=True)]
        self._before = list(money)
        return gains


def rank_reward(rank: int, players: int) -> float:
    """The reward for a rank: 1 for the first, 0 for the last, and evenly between."""
    return (players - rank) / (players - 1)


def matchpoints_reward(spec: MatchSpec, bots: Sequence[BotRef | None], seat: int, money: int) -> float:
    """The share of the other bots of the table that would have had less ``money`` in this seat of the same deal, those
    with as much counted half. Plays the deal once with each of these bots in the seat."""
    others = list({str(bot): bot for bot in bots if bot is not None}.values())
    points = 0.0
    for other in others:
        table = tuple(other if bot is None else bot for bot in bots)
        theirs = play_here(spec, table, unlimited_watch()).seats[seat].money
        points += 1.0 if money > theirs else 0.5 if money == theirs else 0.0
    return points / len(others)
