"""Fits a small network to decisions, so that it likes the action taken best of the legal ones; in NumPy alone.

One hidden layer or several with ReLU, the cross-entropy over the legal actions, and Adam (D. P. Kingma & J. Ba, 2015,
algorithm 1). The floats of the fit differ between machines in their last digits; what is written as a bot is whole
numbers, and plays the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy
from numpy.typing import NDArray

from arena.coding.network import FloatLayer
from arena.learning.decisions import Decisions
from arena.learning.fit_settings import DEFAULT_FIT, FitSettings

Floats = NDArray[numpy.float32]

FIRST_DECAY, SECOND_DECAY, SMALL = 0.9, 0.999, 1e-8
NOT_LEGAL = -1e9
PREDICTED_TOGETHER = 4096


def fit_network(
    decisions: Decisions, settings: FitSettings = DEFAULT_FIT, tell: Callable[[int], object] = lambda epoch: None
) -> list[FloatLayer]:
    """The layers of a network fitted to ``decisions``; ``tell`` is called after each epoch."""
    rng = numpy.random.default_rng(settings.seed)
    count, inputs = decisions.observations.shape
    layers = _first_layers((inputs, *settings.hidden, decisions.masks.shape[1]), rng)
    adam = _Adam([part for layer in layers for part in layer])
    steps, done = settings.epochs * -(-count // settings.batch), 0
    for epoch in range(settings.epochs):
        order = rng.permutation(count)
        for start in range(0, count, settings.batch):
            rows = order[start : start + settings.batch]
            slopes = _slopes(layers, decisions.observations[rows], decisions.masks[rows], decisions.actions[rows])
            adam.step(slopes, settings.rate * (1 - done / steps))
            done += 1
        tell(epoch + 1)
    return [(weights, bias) for weights, bias in layers]


def share_predicted(layers: Sequence[FloatLayer], decisions: Decisions) -> float:
    """The share of ``decisions`` in which the network likes the action taken best of the legal ones."""
    right = 0
    for start in range(0, len(decisions.actions), PREDICTED_TOGETHER):
        rows = slice(start, start + PREDICTED_TOGETHER)
        scores = _outputs(layers, decisions.observations[rows])[-1]
        chosen = numpy.where(decisions.masks[rows], scores, NOT_LEGAL).argmax(axis=1)
        right += int((chosen == decisions.actions[rows]).sum())
    return right / len(decisions.actions)


def _first_layers(widths: Sequence[int], rng: numpy.random.Generator) -> list[tuple[Floats, Floats]]:
    """First weights after He (2015): normal, with a variance of 2 ÷ inputs."""
    return [
        (
            (rng.standard_normal((inputs, outputs)) * (2 / inputs) ** 0.5).astype(numpy.float32),
            numpy.zeros(outputs, numpy.float32),
        )
        for inputs, outputs in pairwise(widths)
    ]


def _outputs(layers: Sequence[FloatLayer], observations: Floats) -> list[NDArray[numpy.floating]]:
    """What goes into each layer, and what comes out of the last."""
    flow: list[NDArray[numpy.floating]] = [observations]
    for number, (weights, bias) in enumerate(layers, 1):
        out = flow[-1] @ weights + bias
        flow.append(numpy.maximum(out, 0) if number < len(layers) else out)
    return flow


def _slopes(
    layers: Sequence[FloatLayer], observations: Floats, masks: NDArray[numpy.int8], actions: NDArray[numpy.int64]
) -> list[NDArray[numpy.floating]]:
    """The derivative of the mean cross-entropy by each weight and bias, in the order of the layers."""
    flow = _outputs(layers, observations)
    scores = numpy.where(masks, flow[-1], NOT_LEGAL)
    chances = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    chances[numpy.arange(len(actions)), actions] -= 1
    back = (chances / len(actions)).astype(numpy.float32)
    found: list[NDArray[numpy.floating]] = []
    for number in range(len(layers) - 1, -1, -1):
        found = [flow[number].T @ back, back.sum(axis=0), *found]
        if number:
            back = (back @ layers[number][0].T) * (flow[number] > 0)
    return found


class _Adam:
    """Steps along slopes, each weight by its own mean slope over its root mean square. Changes the weights in place."""

    def __init__(self, weights: Sequence[Floats]) -> None:
        self.weights = weights
        self._first = [numpy.zeros_like(each) for each in weights]
        self._second = [numpy.zeros_like(each) for each in weights]
        self._steps = 0

    def step(self, slopes: Sequence[NDArray[numpy.floating]], rate: float) -> None:
        self._steps += 1
        even = rate * (1 - SECOND_DECAY**self._steps) ** 0.5 / (1 - FIRST_DECAY**self._steps)
        for weight, slope, first, second in zip(self.weights, slopes, self._first, self._second, strict=True):
            first += (1 - FIRST_DECAY) * (slope - first)
            second += (1 - SECOND_DECAY) * (slope * slope - second)
            weight -= even * first / (numpy.sqrt(second) + SMALL)
