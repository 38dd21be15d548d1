"""``export_policy``: the actor of a model becomes a bot, and what is no plain network is refused. PyTorch and
Stable-Baselines3 are not installed here: fakes have their names and shapes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from arena.coding.network import Activation
from arena.coding.network_file import read_network
from arena.errors import UserError
from arena.learning.export_bot import export_policy
from arena.testing import play

from .sb3_fakes import GELU, ReLU, Tanh, fake_policy

INPUTS, OUTPUTS = 485, 424


def model_of(policy: Any, normalised: object = None) -> Any:
    return SimpleNamespace(policy=policy, get_vec_normalize_env=lambda: normalised)


@pytest.mark.parametrize("activation", [ReLU, Tanh])
def test_the_actor_becomes_a_bot_that_chooses_as_it_does(activation: type, tmp_path: Path) -> None:
    policy = fake_policy(INPUTS, [12, 10], OUTPUTS, activation)
    export_policy(model_of(policy), tmp_path / "learned", "eagle-gryphon")
    network = read_network(tmp_path / "learned" / "weights.npz").network
    assert network.activation is (Activation.RELU if activation is ReLU else Activation.TANH)
    squash = {ReLU: lambda values: numpy.maximum(values, 0), Tanh: numpy.tanh}[activation]
    for observation in numpy.random.default_rng(1).uniform(-1, 1, (20, INPUTS)).astype(numpy.float32):
        values = observation
        for layer in policy.mlp_extractor.policy_net[::2]:
            values = squash(layer.weight.numpy() @ values + layer.bias.numpy())
        scores = policy.action_net.weight.numpy() @ values + policy.action_net.bias.numpy()
        chosen = network.choose(observation, range(OUTPUTS))
        assert scores[chosen] > scores.max() - 0.01
    assert play(str(tmp_path / "learned"), "fair", "hard", variants=("short-game",)).seats[0].faults == {}


@pytest.mark.parametrize(
    ("model", "what"),
    [
        (model_of(fake_policy(INPUTS, [8], OUTPUTS, ReLU), "statistics"), "train without VecNormalize"),
        (model_of(fake_policy(INPUTS, [8], OUTPUTS, GELU)), "got FlattenExtractor, Linear, GELU, Linear"),
        (model_of(fake_policy(216, [8], OUTPUTS, ReLU)), "the network is for 216 and 424"),
        (model_of(SimpleNamespace()), 'expected a model with an "MlpPolicy"'),
    ],
)
def test_what_is_no_plain_network_of_this_edition_is_refused(model: Any, what: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=what):
        export_policy(model, tmp_path / "learned", "eagle-gryphon")
    assert not (tmp_path / "learned").exists()


def test_two_kinds_of_activations_are_refused(tmp_path: Path) -> None:
    policy = fake_policy(INPUTS, [8, 8], OUTPUTS, ReLU)
    policy.mlp_extractor.policy_net[3] = Tanh()
    with pytest.raises(UserError, match="got both"):
        export_policy(model_of(policy), tmp_path / "learned", "eagle-gryphon")
