"""The Gymnasium environment: one seat at a table of named bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from gymnasium import Env
from gymnasium.spaces import Box, Discrete

from arena.coding.coding import Observation
from arena.config.botspec import parse_bot
from arena.environments.episode import Episode, EpisodeHolder, agent_seat, load_setting, spec_of_episode
from arena.environments.rewards import MoneyGains, RewardKind, matchpoints_reward, rank_reward, read_reward
from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.runs.planning.load_bots import load_here, refer_to_bot
from arena.runs.planning.make_spec import seats_of
from arena.runs.single_match import check_players, entrant_names


class SeatEnv(EpisodeHolder, Env[Observation, numpy.int64]):
    """One seat of a match against bots, who play in this process without time limits.

    ``rules`` and ``variants`` name the edition, ``bots`` the others at the table, as on the command line; the agent has
    the ``seat``, or with None another one in each episode. ``reward`` is one of :class:`RewardKind`.

    Raises UserError for a wrong name, a wrong number of bots, or a wrong seat.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012 - as in Env

    def __init__(
        self,
        rules: str,
        bots: Sequence[str],
        variants: Sequence[str] = (),
        seat: int | None = None,
        reward: str = RewardKind.MONEY,
        render_mode: str | None = None,
    ) -> None:
        self.edition, self.coding = load_setting(rules, variants)
        self.players = len(bots) + 1
        check_players(self.edition, self.players)
        specs = [parse_bot(bot) for bot in bots]
        self.bots = [refer_to_bot(spec) for spec in specs]
        load_here(self.bots)
        self._seats = seats_of(entrant_names(specs), self.bots)
        self.fixed_seat = None if seat is None else self._check_seat(seat)
        self.reward, self.render_mode = read_reward(reward), render_mode
        self.action_space: Discrete[Any] = Discrete(len(self.coding.actions))
        self.observation_space = Box(-1.0, 1.0, (self.coding.size,), numpy.float32)
        self.seat = 0
        self._table: list[BotRef | None] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. The same ``seed`` gives the same one; without it, the next in the order of the last seed.
        ``options`` may have the ``seat`` of the agent, and the match's own ``match_seed``, a text."""
        super().reset(seed=seed)
        drawn_seat, drawn_seed = int(self.np_random.integers(self.players)), int(self.np_random.integers(1 << 62))
        options = options or {}
        seat = drawn_seat if self.fixed_seat is None else self.fixed_seat
        self.seat = seat = self._check_seat(options.get("seat", seat))
        self._table = [*self.bots[:seat], None, *self.bots[seat:]]
        seats = (*self._seats[:seat], agent_seat(0), *self._seats[seat:])
        spec = spec_of_episode(self.edition, seats, str(options.get("match_seed", f"{drawn_seed:x}")))
        self._episode = Episode(spec, self.coding, self._table)
        self._gains = MoneyGains(self._episode)
        self._show()
        return self._episode.observe(seat), self._info()

    def step(self, action: numpy.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer the present question. An action that is not legal is noted as a fault, and the default is played."""
        episode = self.episode
        if episode.seat is not None:
            episode.act(int(action))
        self._show()
        over = episode.result is not None
        return episode.observe(self.seat), self._step_reward(), over, False, self._info()

    def action_masks(self) -> numpy.typing.NDArray[numpy.bool_]:
        """Which actions are legal now, as sb3-contrib reads them."""
        return self.episode.mask.astype(numpy.bool_)

    def render(self) -> str | None:
        """What the agent sees now, in words: returned (``ansi``) or printed (``human``)."""
        return self._render_view(self.seat)

    def _step_reward(self) -> float:
        result = self.episode.result
        if self.reward is RewardKind.MONEY:
            return float(self._gains.take_gains()[self.seat])
        if result is None:
            return 0.0
        own = result.seats[self.seat]
        if self.reward is RewardKind.RANK:
            return rank_reward(own.rank, self.players)
        return matchpoints_reward(self.episode.spec, self._table, self.seat, own.money)

    def _info(self) -> dict[str, Any]:
        episode = self.episode
        info: dict[str, Any] = {"action_mask": episode.mask, "seat": self.seat, "faults": episode.faults}
        if episode.result is not None:
            own = episode.result.seats[self.seat]
            info |= {"money": own.money, "rank": own.rank}
        return info

    def _check_seat(self, seat: int) -> int:
        if seat not in range(self.players):
            raise UserError(f"seat: expected 0 to {self.players - 1}, got {seat}")
        return int(seat)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
