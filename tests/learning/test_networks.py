"""Networks of whole numbers: near to the floats they were rounded from, exact, written to a file, and refused."""

from __future__ import annotations

import io
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy
import pytest

from arena.coding.network import (
    UNIT,
    Activation,
    FloatLayer,
    Network,
    WholeLayer,
    round_layers,
)
from arena.coding.network_file import DescribedNetwork, encode_network, read_network
from arena.errors import UserError

both = pytest.mark.parametrize("activation", list(Activation))


def random_layers(*widths: int, seed: int = 0) -> list[FloatLayer]:
    rng = numpy.random.default_rng(seed)
    return [
        (rng.standard_normal((inputs, outputs)) / inputs**0.5, rng.standard_normal(outputs) / 4)
        for inputs, outputs in pairwise(widths)
    ]


def float_scores(layers: list[FloatLayer], activation: Activation, observation: numpy.ndarray) -> numpy.ndarray:
    values = observation
    for number, (weights, bias) in enumerate(layers, 1):
        values = values @ weights + bias
        if number < len(layers):
            values = numpy.maximum(values, 0) if activation is Activation.RELU else numpy.tanh(values)
    return values


def exact_scores(network: Network, observation: numpy.ndarray) -> list[int]:
    """The same in Python's own whole numbers and fractions, term by term from the last to the first."""
    values = [round(Fraction(float(number)) * UNIT) for number in observation]
    for number, layer in enumerate(network.layers, 1):
        sums = [
            int(layer.bias[out]) + sum(int(layer.weights[at, out]) * values[at] for at in reversed(range(len(values))))
            for out in range(layer.weights.shape[1])
        ]
        if number == len(network.layers):
            return sums
        values = [max(0, (total + (1 << layer.shift >> 1)) // (1 << layer.shift)) for total in sums]
    raise AssertionError


@both
def test_a_rounded_network_chooses_as_its_floats_do(activation: Activation) -> None:
    layers = random_layers(200, 64, 32, 150)
    network, rng = round_layers(layers, activation), numpy.random.default_rng(1)
    same = 0
    for _ in range(200):
        observation = rng.uniform(-1, 1, 200).astype(numpy.float32)
        scores, actions = float_scores(layers, activation, observation), sorted(rng.choice(150, 20, replace=False))
        best = actions[int(scores[actions].argmax())]
        chosen = network.choose(observation, actions)
        same += chosen == best
        assert scores[chosen] > scores[best] - 0.01
    assert same >= 196


def test_scores_are_exact_whatever_the_order_of_the_sums() -> None:
    network = round_layers(random_layers(30, 12, 9), Activation.RELU)
    for observation in numpy.random.default_rng(2).uniform(-1, 1, (20, 30)).astype(numpy.float32):
        assert network.score(observation).tolist() == exact_scores(network, observation)


def test_no_tangent_lies_so_near_to_a_half_that_its_last_digit_decides() -> None:
    values = [math.tanh(place / UNIT) * UNIT for place in range(4 * UNIT + 1)]
    assert min(abs(value % 1 - 0.5) for value in values) > 1e-6


def test_of_equal_scores_the_first_action_is_chosen() -> None:
    network = round_layers([(numpy.zeros((3, 5)), numpy.array([0.0, 1.0, 2.0, 2.0, 1.0]))], Activation.RELU)
    observation = numpy.zeros(3, numpy.float32)
    assert network.choose(observation, [0, 2, 3]) == 2
    assert network.choose(observation, [1, 4]) == 1


@both
def test_a_network_comes_out_of_its_file_as_it_went_in(activation: Activation, tmp_path: Path) -> None:
    described = DescribedNetwork(round_layers(random_layers(20, 8, 6), activation), "board", "digest")
    content = encode_network(described)
    assert content == encode_network(described)
    (tmp_path / "weights.npz").write_bytes(content)
    read = read_network(tmp_path / "weights.npz")
    assert read[1:] == ("board", "digest")
    assert read.network.activation is activation
    assert encode_network(read) == content


def weights(inputs: int, outputs: int, kind: type = numpy.int16) -> numpy.ndarray:
    return numpy.ones((inputs, outputs), kind)


def bias(outputs: int, value: int = 0) -> numpy.ndarray:
    return numpy.full(outputs, value, numpy.int64)


@pytest.mark.parametrize(
    ("layers", "what"),
    [
        ([], "expected layers, got none"),
        ([WholeLayer(weights(3, 2, numpy.float64), bias(2), 0)], "int16"),
        ([WholeLayer(weights(3, 2), bias(3), 0)], "3 × 2 weights, 3 biases"),
        ([WholeLayer(weights(3, 2), bias(2), 0), WholeLayer(weights(3, 2), bias(2), 0)], "layer 2 .* 2 came in"),
        ([WholeLayer(weights(3, 2), bias(2), 60)], "out of bounds"),
        ([WholeLayer(weights(3, 2), bias(2, 1 << 60), 0)], "out of bounds"),
        ([WholeLayer(weights(3, 2), bias(2, -(1 << 63)), 0)], "out of bounds"),
    ],
)
def test_layers_that_could_not_be_computed_are_refused(layers: list[WholeLayer], what: str) -> None:
    with pytest.raises(UserError, match=what):
        Network(layers, Activation.RELU)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e6])
def test_weights_that_cannot_be_rounded_are_refused(value: float) -> None:
    with pytest.raises(UserError, match=r"finite|up to"):
        round_layers([(numpy.array([[value]]), numpy.zeros(1))], Activation.RELU)


def archive(**arrays: object) -> bytes:
    file = io.BytesIO()
    numpy.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


GOOD = {"game": "board", "coding": "", "activation": "relu", "weights_0": weights(2, 2), "bias_0": bias(2)}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK no archive",
        archive(**GOOD),  # no shift
        archive(**GOOD, shift_0="four"),
        archive(**GOOD | {"activation": "sine"}, shift_0=1),
        archive(**GOOD | {"weights_0": numpy.array([[{}]], object)}, shift_0=1),  # a pickle
        archive(**{f"weights_{number}": weights(1, 1) for number in range(40)}),
    ],
)
def test_a_damaged_file_is_refused_by_its_name(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(content)
    with pytest.raises(UserError, match=r"weights.npz: expected the weights of a network"):
        read_network(tmp_path / "weights.npz")


def test_a_file_that_unpacks_to_too_much_is_not_unpacked(tmp_path: Path) -> None:
    file = io.BytesIO()
    numpy.savez_compressed(file, weights_0=numpy.zeros((9000, 4000), numpy.int16))
    assert len(file.getvalue()) < 200_000
    (tmp_path / "weights.npz").write_bytes(file.getvalue())
    with pytest.raises(UserError, match="more than"):
        read_network(tmp_path / "weights.npz")
