"""What a step of the environments costs: arena's two games beside PettingZoo's own classics, in turns in one process.

Every environment is stepped through PettingZoo's registry and interface alone, as a learner does it: ``last()``, a
random action of its mask, ``step()``, and ``reset()`` where an episode is over. Printed are CPU microseconds of a step
and, per round, that ÷ arena's board game and ÷ its card game: the median with quartiles; above 1 the classic is dearer.
Each round begins with another environment. ``seat`` is Gymnasium's environment of arena, one seat with bots in the
others, and ``vector`` four of them in a ``SyncVectorEnv``: there is nothing of PettingZoo's to compare them with.

Run: nice python tests/bench/environments.py [ROUNDS] [SECONDS]   (needs pygame-ce, chess and rlcard; a minute)
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from statistics import median, quantiles
from time import process_time
from typing import Any

import gymnasium
import numpy
import pettingzoo
from pettingzoo.env_registry.exceptions import FailedToImport

import arena.environments  # noqa: F401 - registers them

ARENA = ("arena/board-v0", "arena/cards-v0")
CLASSICS = ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "go_v5", "chess_v6")
WARM_UP = 200


def mask_of(observation: Any, info: dict[str, Any]) -> Any:
    """The mask of legal actions: in the observation or in the info."""
    return observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]


class AgentLoop:
    """An environment of PettingZoo in which random agents play on and on."""

    def __init__(self, name: str) -> None:
        self.env, self.episodes = pettingzoo.make("aec", name), 0
        self.pick = random.Random(name).random
        self.env.reset(seed=1)

    def play_steps(self, steps: int) -> int:
        """Play this many decisions."""
        env, done = self.env, 0
        while done < steps:
            if not env.agents:
                env.reset()
                self.episodes += 1
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = numpy.flatnonzero(mask_of(observation, info))
            env.step(int(legal[int(self.pick() * len(legal))]))
            done += 1
        return done


def seat_loop(name: str) -> Callable[[int], int]:
    """The same of one seat with bots, in Gymnasium."""
    env, pick = gymnasium.make(name).unwrapped, random.Random(name).random
    state = list(env.reset(seed=1))

    def play_steps(steps: int) -> int:
        for _ in range(steps):
            legal = numpy.flatnonzero(state[1]["action_mask"])
            observation, _, over, _, info = env.step(int(legal[int(pick() * len(legal))]))
            state[:] = env.reset() if over else (observation, info)
        return steps

    return play_steps


def vector_loop(name: str) -> Callable[[int], int]:
    """The same of four such environments at once."""
    envs, pick = gymnasium.make_vec(name, num_envs=4, vectorization_mode="sync"), random.Random(name).random
    masks = [envs.reset(seed=1)[1]["action_mask"]]

    def play_steps(steps: int) -> int:
        done = 0
        while done < steps:
            legal = [numpy.flatnonzero(mask) for mask in masks[0]]
            actions = [int(each[int(pick() * len(each))]) if len(each) else 0 for each in legal]  # 0: begins anew
            masks[0] = envs.step(numpy.array(actions))[4]["action_mask"]
            done += sum(map(bool, map(len, legal)))
        return done

    return play_steps


def spend_seconds(play_steps: Callable[[int], int], seconds: float) -> float:
    """CPU seconds of a step, stepped for this long."""
    began, done = process_time(), 0
    while (spent := process_time() - began) < seconds:
        done += play_steps(50)
    return spent / done


def main(rounds: int, seconds: float) -> None:
    """Measure and print."""
    warnings.simplefilter("ignore")  # of Gymnasium about masks, and of old names
    loops: dict[str, Callable[[int], int]] = {}
    for name in (*ARENA, *CLASSICS):
        try:
            loops[name] = AgentLoop(name if name in ARENA else f"classic/{name.replace('_v', '-v')}").play_steps
        except (ImportError, FailedToImport) as problem:
            print(f"{name}: left out ({problem})", file=sys.stderr)
    for name in ARENA:
        loops[f"{name}, seat"], loops[f"{name}, vector"] = seat_loop(name), vector_loop(name)
    for play_steps in loops.values():
        play_steps(WARM_UP)
    names, costs = list(loops), [dict[str, float]() for _ in range(rounds)]
    for number, cost in enumerate(costs):
        for name in (*names[number % len(names) :], *names[: number % len(names)]):
            cost[name] = spend_seconds(loops[name], seconds)
    print_table(names, costs)


def print_table(names: list[str], costs: list[dict[str, float]]) -> None:
    """Print the microseconds of a step, and how many times arena's."""
    print(f"{'environment':26}{'µs a step':>10}", *(f"{'÷ ' + name:>26}" for name in ARENA))
    for name in names:
        cells = []
        for other in ARENA:
            low, middle, high = quantiles([cost[name] / cost[other] for cost in costs], n=4)
            cells.append(f"{middle:.2f} ({low:.2f} to {high:.2f})")
        print(f"{name:26}{1e6 * median(cost[name] for cost in costs):10.0f}", *(f"{cell:>26}" for cell in cells))


if __name__ == "__main__":
    main(*(kind(word) for kind, word in zip((int, float), (*sys.argv[1:], "5", "0.6")[:2], strict=True)))
