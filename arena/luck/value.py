"""The value function: what each feature of luck is worth in money. It is fitted once, on other matches, and frozen.

The correction of a seat is the excess of chance in its match (:mod:`arena.luck.excess`) times these weights. The excess
is 0 on average whatever the bots do, so money less its correction has the same expected value as money, whatever the
weights are: good ones make it vary less, bad ones more. Weights must not be fitted on the matches that they correct,
because then they would fit the chance outcomes of these. This is the chance part of AIVAT (N. Burch, M. Schmid, M.
Moravčík, D. Morrill, M. Bowling: AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect
Information Games, AAAI 2018); the choices of bots, whose odds nobody knows, are left as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from arena.errors import UserError
from arena.games import load_game
from arena.luck.excess import Excess

LUCK_FORMAT = "arena-luck/1"
MONEY_UNITS = 1_000_000
"""Corrections are whole millionths of the game's unit of money: so they add up the same in any order."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one unit of each of the ``features`` is worth at tables of so many ``players``, in the game's unit of money:
    ``own`` to the seat that has it, ``others`` to each of the other seats. ``matches`` is how many matches the weights
    were fitted on."""

    game: str
    players: int
    matches: int
    features: tuple[str, ...]
    own: tuple[float, ...]
    others: tuple[float, ...]


class ValueSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament on which a value function was fitted."""

    name: str
    seed: str
    matches: int


class ValueFunction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights by game and number of players, with the tournaments they were fitted on."""

    format: str
    name: str
    sources: tuple[ValueSource, ...]
    weights: tuple[Weights, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the function as canonical JSON, in hexadecimal."""
        return sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()

    def weights_for(self, game: str, players: int) -> Weights | None:
        """The weights for tables of this game and number of players; None if there are none."""
        return next((each for each in self.weights if (each.game, each.players) == (game, players)), None)


def read_value(content: bytes, where: str) -> ValueFunction:
    """Parse the content of a value function's file; ``where`` names the file. Raises UserError if the file holds no
    value function, or one for features that its game does not have."""
    try:
        value = msgspec.json.decode(content, type=ValueFunction)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise UserError(f"{where}: expected a value function, as arena luck --fit writes it: {problem}") from None
    if value.format != LUCK_FORMAT:
        raise UserError(f"{where}: format: expected {LUCK_FORMAT!r}, got {value.format!r}")
    for each in value.weights:
        _check_weights(each, f"{where}: weights for {each.game} with {each.players} players")
    return value


def _check_weights(weights: Weights, where: str) -> None:
    count = len(weights.features)
    if not len(weights.own) == len(weights.others) == count:
        raise UserError(
            f"{where}: expected {count} numbers each, for {count} features, got {len(weights.own)} own and "
            f"{len(weights.others)} others"
        )
    if "." in weights.game:  # a file must not make arena import modules: it is checked when its matches are read
        return
    chances = load_game(weights.game).chances
    if chances is None or tuple(chances.features) != weights.features:
        raise UserError(f"{where}: made for features that this version of {weights.game} does not have; fit it again")


def write_value(value: ValueFunction) -> bytes:
    """The content of a file that holds this value function."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def luck_corrections(excess: Excess, weights: Weights) -> tuple[int, ...]:
    """What chance brought each seat, in millionths of the unit of money. Raises ValueError if the excess is of other
    features."""
    if any(len(each) != len(weights.features) for each in excess):
        raise ValueError(f"expected the excess of {len(weights.features)} features, got {len(excess[0])}")
    values = [_dot_product(own, weights.own) for own in excess]
    spread = [_dot_product(own, weights.others) for own in excess]
    whole = sum(spread)
    return tuple(round((own + whole - other) * MONEY_UNITS) for own, other in zip(values, spread, strict=True))


def _dot_product(numbers: Sequence[float], weights: Sequence[float]) -> float:
    return sum(number * weight for number, weight in zip(numbers, weights, strict=True))
