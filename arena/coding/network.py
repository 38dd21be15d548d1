"""A network of whole numbers, whose answers are the same on every machine.

A sum of floats depends on the order of its terms, which differs between processors and between versions of NumPy; a sum
of whole numbers does not. So weights are rounded to 16 bits, each layer by a power of two of its own, and what goes
from layer to layer is counted in units of 1/4096. What is left in floats is done number by number, as IEEE 754 says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from arena.coding.coding import Observation
from arena.errors import UserError

UNIT = 4096
"""How many units make one, between layers."""
UNIT_BITS = 12
MOST_WEIGHT, MOST_SHIFT = 32767, 24
MOST_ACTIVITY, MOST_BIAS = 2**31, 2**56
"""Bounds within which no sum of a layer with up to 65,536 inputs leaves 63 bits."""
MOST_INPUTS = 65_536
TANH_END = 4
"""From here on the hyperbolic tangent is taken as its value here, 0.9993."""

FloatLayer = tuple[NDArray[numpy.floating], NDArray[numpy.floating]]
"""The weights of a layer as floats, of the shape (inputs, outputs), and its biases, one for each output."""
WholeNumbers = NDArray[numpy.int64]


class Activation(StrEnum):
    """What is done with the outputs of each layer but the last."""

    RELU = "relu"
    TANH = "tanh"


class WholeLayer(NamedTuple):
    """``weights`` times 2**``shift``, of the shape (inputs, outputs), and ``bias`` times 2**``shift`` in units."""

    weights: NDArray[numpy.int16]
    bias: WholeNumbers
    shift: int


class Network:
    """Layers of whole numbers. Raises UserError for layers that do not follow each other, or out of bounds."""

    def __init__(self, layers: Sequence[WholeLayer], activation: Activation) -> None:
        self.layers, self.activation = tuple(layers), activation
        _check_layers(self.layers)
        self.inputs, self.outputs = self.layers[0].weights.shape[0], self.layers[-1].weights.shape[1]
        self._wide = [layer.weights.astype(numpy.int64) for layer in self.layers]

    def score(self, observation: Observation) -> WholeNumbers:
        """A number for each action, the larger the better; only their order has a meaning."""
        last = len(self.layers) - 1
        activity = numpy.rint(observation.astype(numpy.float64) * UNIT).astype(numpy.int64)
        for place, (layer, weights) in enumerate(zip(self.layers, self._wide, strict=True)):
            activity = activity @ weights + layer.bias
            if place < last:
                rounded = (activity + (1 << layer.shift >> 1)) >> layer.shift
                activity = _activate(rounded, self.activation)
        return activity

    def choose(self, observation: Observation, actions: Sequence[int]) -> int:
        """That of the ``actions`` with the best score; of equal ones the first."""
        return actions[int(self.score(observation)[list(actions)].argmax())]


def round_layers(layers: Sequence[FloatLayer], activation: Activation) -> Network:
    """The network nearest to these layers of floats. Raises UserError for weights that are no finite numbers, and as
    :class:`Network` does."""
    return Network([_round_layer(weights, bias) for weights, bias in layers], activation)


def _round_layer(weights: NDArray[numpy.floating], bias: NDArray[numpy.floating]) -> WholeLayer:
    if not (numpy.isfinite(weights).all() and numpy.isfinite(bias).all()):
        raise UserError("a network: expected finite weights, got infinity or not a number")
    peak = float(numpy.abs(weights).max(initial=0.0))
    if peak > MOST_WEIGHT or float(numpy.abs(bias).max(initial=0.0)) > MOST_WEIGHT:
        raise UserError(f"a network: expected weights up to {MOST_WEIGHT}, got larger ones")
    shift = min(MOST_SHIFT, math.floor(math.log2(MOST_WEIGHT / peak))) if peak else 0
    whole = numpy.rint(weights.astype(numpy.float64) * 2.0**shift)
    return WholeLayer(
        numpy.clip(whole, -MOST_WEIGHT, MOST_WEIGHT).astype(numpy.int16),
        numpy.rint(bias.astype(numpy.float64) * 2.0 ** (shift + UNIT_BITS)).astype(numpy.int64),
        shift,
    )


def _check_layers(layers: Sequence[WholeLayer]) -> None:
    if not layers:
        raise UserError("a network: expected layers, got none")
    before = None
    for number, (weights, bias, shift) in enumerate(layers, 1):
        if weights.dtype != numpy.int16 or weights.ndim != 2 or bias.dtype != numpy.int64:
            raise UserError(f"layer {number} of a network: expected a matrix of int16 and a vector of int64")
        inputs, outputs = weights.shape
        if bias.shape != (outputs,) or before not in (None, inputs) or not 0 < inputs <= MOST_INPUTS or not outputs:
            came = "" if before is None else f", {before} came in"
            raise UserError(f"layer {number} of a network: got {inputs} × {outputs} weights, {len(bias)} biases{came}")
        if not 0 <= shift <= MOST_SHIFT or bias.min() < -MOST_BIAS or bias.max() > MOST_BIAS:
            raise UserError(f"layer {number} of a network: its shift or a bias is out of bounds")
        before = outputs


def _activate(activity: WholeNumbers, activation: Activation) -> WholeNumbers:
    if activation is Activation.RELU:
        bounded: WholeNumbers = numpy.clip(activity, 0, MOST_ACTIVITY)
        return bounded
    places = numpy.minimum(numpy.abs(numpy.clip(activity, -MOST_ACTIVITY, MOST_ACTIVITY)), TANH_END * UNIT)
    values: WholeNumbers = numpy.sign(activity) * _tanh_values()[places]
    return values


@cache
def _tanh_values() -> WholeNumbers:
    """The hyperbolic tangent of 0, 1, 2 … units, in units. None lies so near to a half that a library's last digit
    could round it the other way."""
    return numpy.array([round(math.tanh(place / UNIT) * UNIT) for place in range(TANH_END * UNIT + 1)], numpy.int64)
