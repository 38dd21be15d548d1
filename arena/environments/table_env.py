"""The PettingZoo environment: a whole table of agents, asked one after another (AEC)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from arena.coding.coding import Observation
from arena.environments.episode import AGENT_BOT, Episode, EpisodeHolder, agent_seat, load_setting, spec_of_episode
from arena.environments.rewards import MoneyGains, RewardKind, rank_reward, read_reward
from arena.runs.single_match import check_players

TABLE_REWARDS = (RewardKind.MONEY, RewardKind.RANK)


class TableEnv(EpisodeHolder, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A match between agents, ``agent_0`` in seat 0 and so on.

    ``rules`` and ``variants`` name the edition; ``players`` is the number of seats, ``reward`` ``money`` or ``rank``.
    The questions of a phase are put one after another: no agent sees what another answered in the same phase.

    Raises UserError for a wrong name or number of players.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "arena",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: str,
        players: int = 4,
        variants: Sequence[str] = (),
        reward: str = RewardKind.MONEY,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.edition, self.coding = load_setting(rules, variants)
        check_players(self.edition, players)
        self.reward, self.render_mode = read_reward(reward, TABLE_REWARDS), render_mode
        self.possible_agents = [f"{AGENT_BOT}_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = tuple(map(agent_seat, range(players)))
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        shape = (self.coding.size,)
        self.observation_spaces = {agent: Box(-1.0, 1.0, shape, numpy.float32) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(self.coding.actions)) for agent in self.possible_agents}
        self._random, _ = np_random()

    def observation_space(self, agent: str) -> Box:
        """The vector of the page ``arena docs environments``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        """The actions of the page ``arena docs environments``."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode. The same ``seed`` gives the same one; without it, the next in the order of the last seed.
        ``options`` may have the match's own ``match_seed``, a text."""
        if seed is not None:
            self._random, _ = np_random(seed)
        drawn = f"{int(self._random.integers(1 << 62)):x}"
        spec = spec_of_episode(self.edition, self._seats, str((options or {}).get("match_seed", drawn)))
        self._episode = episode = Episode(spec, self.coding, [None] * len(self._seats))
        self._gains = MoneyGains(episode)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on(episode)

    def step(self, action: int | None) -> None:
        """Answer the present question. An action that is not legal is noted as a fault, and the default is played."""
        agent, episode = self.agent_selection, self.episode
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        self.infos[agent] = {}
        episode.act(int(action))
        rewards = self._rewards(episode)
        if any(rewards):
            self.rewards = dict(zip(self.possible_agents, map(float, rewards), strict=True))
            self._accumulate_rewards()
        self._go_on(episode)

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, asked or not."""
        return self.episode.observe(self._seat_of[agent])

    def render(self) -> str | None:
        """What the selected agent sees now, in words: returned (``ansi``) or printed (``human``)."""
        return self._render_view(self._seat_of[self.agent_selection])

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _go_on(self, episode: Episode) -> None:
        """Select the agent that is asked now; at the end, end all."""
        if episode.seat is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[episode.seat]
            self.infos[self.agent_selection]["action_mask"] = episode.mask
        if self.render_mode == "human":
            self.render()

    def _rewards(self, episode: Episode) -> Sequence[float]:
        """What the last step brought each seat."""
        if self.reward is RewardKind.MONEY:
            return self._gains.take_gains()
        if episode.result is None:
            return ()
        return [rank_reward(seat.rank, len(self.possible_agents)) for seat in episode.result.seats]
