"""The environments: the tests of Gymnasium and PettingZoo, rewards, seeds, replays, and mistakes."""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import Any

import gymnasium
import numpy
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env

import arena.environments
from arena.environments import SeatEnv, TableEnv
from arena.environments.rewards import matchpoints_reward
from arena.errors import UserError
from arena.match.walk.verify import verify_replay
from arena.replay.read import read_header, split_replay
from arena.testing import play

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's tests import an environment by its old name
    from pettingzoo.test import api_test, render_test, seed_test

BOARD, CARDS = "arena/board-v0", "arena/cards-v0"
BRIEF = {BOARD: ("short-game",), CARDS: ()}
both = pytest.mark.parametrize("name", [BOARD, CARDS])


def make_seat(name: str, **words: Any) -> SeatEnv:
    env = gymnasium.make(name, **words).unwrapped
    assert isinstance(env, SeatEnv)
    return env


def make_table(name: str, **words: Any) -> TableEnv:
    env = pettingzoo.make("aec", name, **words)
    assert isinstance(env, TableEnv)
    return env


def play_seat(env: SeatEnv, seed: int | None = None, **options: Any) -> tuple[float, dict[str, Any]]:
    """Play an episode at random. Returns the sum of rewards, and the last info."""
    _, info = env.reset(seed=seed, options=options)
    env.action_space.seed(seed)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        total += reward
    return total, info


def play_table(env: TableEnv, seed: int) -> dict[str, float]:
    """Play an episode at random. Returns the sum of each agent's rewards."""
    env.reset(seed=seed)
    total, rng = dict.fromkeys(env.possible_agents, 0.0), numpy.random.default_rng(seed)
    for agent in env.agent_iter():
        _, reward, over, _, info = env.last(observe=False)
        total[agent] += reward
        env.step(None if over else int(rng.choice(numpy.flatnonzero(info["action_mask"]))))
    return total


@both
def test_gymnasium_finds_nothing_wrong(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make(name).unwrapped)  # warnings are errors
    assert "hand: " in capsys.readouterr().out  # render_mode "human"


@both
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    api_test(make_table(name), num_cycles=100)
    seed_test(lambda: make_table(name), num_cycles=50)
    render_test(lambda render_mode: make_table(name, render_mode=render_mode))


@both
def test_the_actions_are_some_hundreds(name: str) -> None:
    for env in make_seat(name), make_table(name):
        assert 300 < len(env.coding.actions) < 600
    assert make_seat(name).action_space.n == make_table(name).action_space("agent_0").n == len(env.coding.actions)


@both
def test_an_episode_verifies_and_says_who_played(name: str) -> None:
    seat, table = make_seat(name, seat=1, variants=BRIEF[name]), make_table(name, players=3, variants=BRIEF[name])
    play_seat(seat, seed=2)
    play_table(table, seed=2)
    for env in seat, table:
        verify_replay(env.replay())
    header = read_header(split_replay(seat.replay())[0])
    assert [each.bot for each in header.seats].index("agent") == 1
    assert [each.human for each in header.seats] == [False] * 4
    header = read_header(split_replay(table.replay())[0])
    assert [each.entrant for each in header.seats] == ["agent_0", "agent_1", "agent_2"]


@both
def test_the_same_seed_gives_the_same_episode_and_another_one_another(name: str) -> None:
    first, second = (make_seat(name, variants=BRIEF[name]) for _ in "12")
    replays = []
    for env, seed in (first, 4), (second, 4), (second, 5):
        play_seat(env, seed)
        replays.append(env.replay())
    assert replays[0] == replays[1] != replays[2]
    assert len({first.reset()[1]["seat"] for _ in range(12)}) > 1  # another seat in each episode


def test_the_match_seed_and_the_seat_can_be_said() -> None:
    env = make_seat(CARDS)
    _, info = env.reset(options={"match_seed": "17", "seat": 2})
    assert info["seat"] == 2
    play_seat(env, 1, match_seed="17", seat=2)
    assert read_header(split_replay(env.replay())[0]).seed == "17"


@both
def test_money_is_rewarded_as_it_comes(name: str) -> None:
    env = make_seat(name, seat=0, variants=BRIEF[name])
    start = env.edition.rules.start_money if name == CARDS else 0
    for seed in range(2):
        total, info = play_seat(env, seed)
        assert total == info["money"] - start
    table = make_table(name)
    total_of = play_table(table, 3)
    result = table.episode.result
    assert result is not None
    assert list(total_of.values()) == [seat.money - start for seat in result.seats]
    assert any(total_of.values())


def test_ranks_are_rewarded_evenly_from_0_to_1() -> None:
    table = make_table(CARDS, reward="rank")
    rewards = play_table(table, 1)
    result = table.episode.result
    assert result is not None
    assert list(rewards.values()) == [{1: 1, 2: 2 / 3, 3: 1 / 3, 4: 0}[seat.rank] for seat in result.seats]
    total, info = play_seat(make_seat(CARDS, reward="rank"), 1)
    assert total == {1: 1, 2: 2 / 3, 3: 1 / 3, 4: 0}[info["rank"]]


def test_matchpoints_compare_with_the_bots_in_the_same_seat_of_the_same_deal() -> None:
    bots = ("greedy", "fair", "dealmaker")
    env = make_seat(BOARD, reward="matchpoints", seat=1)
    points, info = play_seat(env, 1, match_seed="deal")
    theirs = sorted(play("greedy", bot, *bots[1:], seed="deal").seats[1].money for bot in bots)
    table = [env.bots[0], None, *env.bots[1:]]

    def share_beaten(money: int) -> float:
        return sum((money > other) + (money == other) / 2 for other in theirs) / 3

    assert points == pytest.approx(share_beaten(info["money"]))
    for money in (theirs[0] - 1, theirs[1], theirs[2] + 1):
        assert matchpoints_reward(env.episode.spec, table, 1, money) == pytest.approx(share_beaten(money))


def test_an_action_that_is_not_legal_is_a_fault_and_the_default_is_played() -> None:
    env = make_seat(BOARD, seat=0)
    _, info = env.reset(seed=1)
    (wrong, *_) = numpy.flatnonzero(info["action_mask"] == 0)
    for _ in range(5):  # more than the strikes of a tournament
        _, _, over, _, info = env.step(wrong if not env.action_masks()[wrong] else numpy.int64(10**6))
        assert not over
    assert info["faults"] == 5
    while env.episode.result is None:
        env.step(numpy.int64(10**6))
    verify_replay(env.replay())
    assert env.episode.result.seats[0].faults == {"garbled": env.episode.faults}


def test_an_agent_with_one_legal_action_is_not_asked() -> None:
    env = make_table(BOARD, players=3)
    env.reset(seed=3)
    rng = numpy.random.default_rng(3)
    for _ in range(200):
        legal = numpy.flatnonzero(env.infos[env.agent_selection]["action_mask"])
        assert len(legal) > 1
        env.step(int(rng.choice(legal)))


@both
def test_several_at_once_go_on_with_new_episodes(name: str) -> None:
    envs = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", seat=0)
    _, infos = envs.reset(seed=3)
    rng, ended = numpy.random.default_rng(3), 0
    while ended < 2:
        masks = infos["action_mask"]
        actions = [int(rng.choice(numpy.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
        observations, _, over, _, infos = envs.step(numpy.array(actions))
        ended += int(over.sum())
        assert observations.shape == envs.observation_space.shape
    assert not infos["faults"].any()
    envs.close()


def test_offers_stand_beside_each_other() -> None:
    env = make_table(BOARD)
    rng = numpy.random.default_rng(1)
    most = 0
    for seed in range(1):
        env.reset(seed=seed)
        while env.episode.result is None:
            legal = numpy.flatnonzero(env.infos[env.agent_selection]["action_mask"])
            env.step(int(rng.choice(legal)))
            most = max(most, *map(len, env.episode.state.offers))
    assert most > 2


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"bots": ("greedy",) * 7}, "is for 2 to 6 players, got 8 bots"),
        ({"bots": ("nobody",)}, "nobody"),
        ({"seat": 4}, "seat: expected 0 to 3, got 4"),
        ({"reward": "fame"}, "reward: expected money or rank or matchpoints, got 'fame'"),
        ({"rules": "tests/thirdgame/pie.yaml"}, "pie has no environments"),
    ],
)
def test_mistakes_are_told(words: dict[str, Any], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        SeatEnv(**({"rules": "eagle-gryphon", "bots": ("greedy", "fair", "hard")} | words))


def test_a_table_has_no_matchpoints_and_an_unfinished_episode_no_replay() -> None:
    with pytest.raises(UserError, match="reward: expected money or rank, got 'matchpoints'"):
        make_table(BOARD, reward="matchpoints")
    for env in make_table(CARDS), make_seat(CARDS):
        with pytest.raises(UserError, match="call reset"):
            env.replay()
        env.reset(seed=1)
        with pytest.raises(UserError, match="not over yet"):
            env.replay()


def test_without_the_extra_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(UserError, match=r'pip install "arena-negotiation\[env\]"'):
        importlib.reload(arena.environments)
