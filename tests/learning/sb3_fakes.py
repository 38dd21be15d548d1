"""Fakes of what a script needs of PyTorch, Stable-Baselines3 and sb3-contrib: as much as such a script and
``export_policy`` touch, with the names and shapes of versions 2.13, 2.9 and 2.9."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy


class Tensor:
    """Numbers of a network."""

    def __init__(self, values: numpy.ndarray) -> None:
        self._values = values

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> numpy.ndarray:
        return self._values


class Linear:
    """A layer, whose weights have the shape (outputs, inputs)."""

    def __init__(self, inputs: int, outputs: int, rng: numpy.random.Generator) -> None:
        self.weight = Tensor(rng.standard_normal((outputs, inputs)).astype(numpy.float32) / inputs**0.5)
        self.bias = Tensor(rng.standard_normal(outputs).astype(numpy.float32) / 10)


class ReLU:
    """max(0, x)."""


class Tanh:
    """The hyperbolic tangent."""


class GELU:
    """An activation that no bot has."""


class FlattenExtractor:
    """Hands observations on as they are."""


def fake_policy(inputs: int, hidden: Sequence[int], outputs: int, activation: type, seed: int = 0) -> SimpleNamespace:
    """An actor-critic policy: ``policy_net`` has the hidden layers of the actor, ``action_net`` its last."""
    rng, widths, modules = numpy.random.default_rng(seed), [inputs, *hidden], list[Any]()
    for number, width in enumerate(hidden):
        modules += [Linear(widths[number], width, rng), activation()]
    return SimpleNamespace(
        pi_features_extractor=FlattenExtractor(),
        mlp_extractor=SimpleNamespace(policy_net=modules),
        action_net=Linear(widths[-1], outputs, rng),
    )


class DummyVecEnv:
    """Environments side by side in one process."""

    def __init__(self, make: Sequence[Callable[[], Any]]) -> None:
        self.envs = [each() for each in make]


class MaskablePPO:
    """Learns nothing, but plays legal actions in each environment."""

    def __init__(self, policy: str, env: DummyVecEnv, seed: int, policy_kwargs: dict[str, Any], **words: Any) -> None:
        assert policy == "MlpPolicy"
        assert words["learning_rate"](0.5) < words["learning_rate"](1.0)
        self.env, self._rng = env, numpy.random.default_rng(seed)
        self.rewards = list[float]()
        first = env.envs[0]
        self.policy = fake_policy(
            first.observation_space.shape[0],
            policy_kwargs["net_arch"]["pi"],
            int(first.action_space.n),
            policy_kwargs["activation_fn"],
        )

    def learn(self, steps: int) -> None:
        for env in self.env.envs:
            env.reset(seed=3)
            for _ in range(40):
                legal = numpy.flatnonzero(env.get_wrapper_attr("action_masks")())
                _, reward, over, _, _ = env.step(self._rng.choice(legal))
                self.rewards.append(float(reward))
                if over:
                    env.reset()

    def get_vec_normalize_env(self) -> None:
        return None


def fake_modules() -> dict[str, ModuleType]:
    """The modules by name."""
    contents: dict[str, dict[str, Any]] = {
        "torch": {"set_num_threads": lambda number: None, "nn": SimpleNamespace(ReLU=ReLU, Tanh=Tanh)},
        "sb3_contrib": {"MaskablePPO": MaskablePPO},
        "stable_baselines3": {},
        "stable_baselines3.common": {},
        "stable_baselines3.common.vec_env": {"DummyVecEnv": DummyVecEnv},
    }
    made = {name: ModuleType(name) for name in contents}
    for name, module in made.items():
        vars(module).update(contents[name])
    return made
