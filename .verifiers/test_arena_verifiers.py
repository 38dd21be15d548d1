"""The environment of verifiers, with agents that answer as arena's scripted model does: no model, no network.

Run where the package is installed: pip install ./.verifiers pytest && python -m pytest .verifiers
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import verifiers.v1 as vf
from arena_verifiers import ArenaConfig, ArenaEnv
from verifiers.v1.utils.loaders import load_environment

from arena.bot import ChatMessage, Consult
from arena.consultation.model_spec import ModelSpec
from arena.consultation.scripted_model import ScriptedModel
from arena.errors import MatchSuspended, UserError


class ScriptedTalk:
    """Stands for an agent's interaction; is over after so many ``turns``, or fails at the first if there are none."""

    def __init__(self, turns: int) -> None:
        self.turns, self.told = turns, list[str]()
        self.trace: Any = SimpleNamespace(num_turns=0, rewards={}, metrics={}, info={})
        self.trace.record_reward = self.trace.rewards.__setitem__
        self.trace.record_metric = self.trace.metrics.__setitem__

    async def turn(self, message: str) -> vf.Segment:
        if not self.turns:
            raise RuntimeError("the agent's program broke")
        self.told.append(message)
        if len(self.told) > self.turns:
            return vf.Segment([], terminated=True)
        self.trace.num_turns += 1
        asked = Consult("", (ChatMessage("user", message),), schema={"type": "object"})
        answer = ScriptedModel().complete("m", ModelSpec(url="scripted"), asked)
        return vf.Segment([vf.AssistantMessage(content=answer.text)])


def config(**changes: Any) -> ArenaConfig:
    return ArenaConfig.model_validate({"taskset": {"id": "arena-verifiers"}, **changes})


def play(env: ArenaEnv, deal: int = 0, turns: int = 1000) -> list[ScriptedTalk]:
    """Play a deal, in which each agent has so many turns."""
    talks = [ScriptedTalk(turns) for _ in range(env.config.agents)]

    def agent_of(talk: ScriptedTalk) -> Any:
        @asynccontextmanager
        async def interaction(task: vf.Task) -> AsyncIterator[ScriptedTalk]:
            yield talk

        return SimpleNamespace(interaction=interaction)

    agents: Any = SimpleNamespace(**{f"agent{number}": agent_of(talk) for number, talk in enumerate(talks)})
    (task,) = env.taskset.include(idx=[f"{deal}:{deal + 1}"])
    asyncio.run(env.run(task, agents))
    return talks


@pytest.fixture(scope="module")
def env() -> vf.Env[Any]:
    return load_environment(config(calls=12))


def test_verifiers_finds_the_environment_by_its_name(env: vf.Env[Any]) -> None:
    assert isinstance(env, ArenaEnv)


def test_each_agent_bargains_without_a_fault_and_is_rewarded_with_its_rank(env: ArenaEnv) -> None:
    talks = play(env)
    assert all(0 < len(talk.told) <= 12 for talk in talks)
    assert [talk.trace.metrics["faults"] for talk in talks] == [0, 0]
    assert all(talk.trace.rewards["rank"] in (0, 1 / 3, 2 / 3, 1) for talk in talks)


def test_an_agent_is_told_the_game_once_and_then_only_what_is_new(env: ArenaEnv) -> None:
    first, *others = play(env)[0].told
    assert "You sit in seat" in first
    assert not any("You sit in seat" in told for told in others)
    assert all('{"question":' in told and "JSON Schema" in told for told in (first, *others))


def test_the_same_deal_with_the_same_agents_is_the_same_match(env: ArenaEnv) -> None:
    assert [talk.told for talk in play(env, deal=3)] == [talk.told for talk in play(env, deal=3)]


def test_agents_change_seats_from_deal_to_deal(env: ArenaEnv) -> None:
    assert [play(env, deal)[0].trace.info["arena"]["seat"] for deal in (0, 1, 5)] == [0, 1, 1]


def test_rules_play_on_for_an_agent_whose_run_is_over(env: ArenaEnv) -> None:
    talks = play(env, turns=3)
    assert [talk.trace.num_turns for talk in talks] == [3, 3]
    assert [talk.trace.metrics["faults"] for talk in talks] == [0, 0]


def test_an_agent_that_breaks_ends_the_episode(env: ArenaEnv) -> None:
    with pytest.raises(MatchSuspended, match="the agent's program broke"):
        play(env, turns=0)


def test_the_card_game_is_played_too_and_its_replay_is_kept(tmp_path: Path) -> None:
    play(ArenaEnv(config(rules="card-game", calls=4, bots=["closer"], replays=tmp_path)))
    (replay,) = tmp_path.iterdir()
    assert replay.read_bytes().startswith(b"{")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bots": ["dealmakr", "greedy"]}, "dealmaker"),
        ({"bots": ["greedy"] * 5}, "players"),
        ({"talker": "greedy"}, "expected talker with options"),
    ],
)
def test_a_wrong_setting_is_told_before_anything_is_played(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        ArenaEnv(config(**changes))
