"""What NumPy computes may be answered: its truth values are yes and no, its whole numbers stand in moves.

NumPy itself is not needed for it: its scalars are known by the names of their classes, as these stand-ins have them.
"""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.board import PlaceMarker
from arena.games.board.answers.hooks import HOOKS
from arena.games.contract import NO, YES
from arena.penalties import FaultKind
from arena.players.reply_checks import read_reply


def scalar(name: str, value: Any) -> Any:
    """A scalar as NumPy makes them: of no class of Python's own."""
    methods = {"__bool__": lambda self: bool(value), "__int__": lambda self: int(value)}
    return type(name, (), {"__module__": "numpy", **methods})()


@pytest.mark.parametrize("name", ["bool_", "bool"])
@pytest.mark.parametrize(("value", "move"), [(True, YES), (False, NO)])
def test_a_truth_value_is_yes_or_no(name: str, value: bool, move: object) -> None:
    hook = next(hook for hook in HOOKS.values() if type(YES) in hook.moves)
    answered = read_reply(hook, scalar(name, value))
    assert (answered.fault, answered.move) == (None, move)


@pytest.mark.parametrize("name", ["int64", "int32", "uint8"])
def test_a_whole_number_in_a_move_becomes_one_of_pythons(name: str) -> None:
    hook = next(hook for hook in HOOKS.values() if PlaceMarker in hook.moves)
    answered = read_reply(hook, PlaceMarker(scalar(name, 3)))
    assert (answered.fault, answered.move) == (None, PlaceMarker(3))
    assert isinstance(answered.move, PlaceMarker)
    assert type(answered.move.space) is int


def test_fractions_and_what_only_looks_like_numpys_are_garbled() -> None:
    hook = next(hook for hook in HOOKS.values() if PlaceMarker in hook.moves)
    own = type("int64", (), {"__int__": lambda self: 3})()
    for value in (scalar("float64", 3), own):
        fault = read_reply(hook, PlaceMarker(value)).fault
        assert fault is not None
        assert fault.kind is FaultKind.GARBLED
        assert fault.evidence == f"PlaceMarker: an object of class {type(value).__name__} is no value of a move"
    fault = read_reply(hook, scalar("bool_", True)).fault
    assert fault is not None
    assert fault.kind is FaultKind.GARBLED
