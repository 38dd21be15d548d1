"""Whether a move is a proper value: every field holds exactly what its type says.

What bots send is checked when it is read; a move made in a program is not, and one that holds a word in place of a
seat must be refused like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.games.cards import moves
from arena.games.cards.cards import Card, Color
from arena.games.contract import Move

SEAT = (int, type(None))
"""A seat, or none. By exact type: True and False are no seats."""


def is_proper(move: Move) -> bool:
    """Whether ``move``, of a class that answers some hook, holds what it must."""
    check = FIELDS.get(type(move))
    return check is None or check(move)


def _card(move: Any) -> bool:
    return type(move.card) is Card


def _shift(shift: Any) -> bool:
    return type(shift) is moves.Shift and _card(shift) and type(shift.source) in SEAT and type(shift.to) in SEAT


def _play(play: Any) -> bool:
    return _card(play) and type(play.to) in SEAT and type(play.shifts) is tuple and all(map(_shift, play.shifts))


def _propose(propose: Any) -> bool:
    return isinstance(propose.action, moves.Action) and is_proper(propose.action)


def _request(request: Any) -> bool:
    return type(request.want) is moves.Want and type(request.least) is int


def _discard(discard: Any) -> bool:
    return type(discard.cards) is tuple and all(type(card) is Card for card in discard.cards)


FIELDS: dict[type[Move], Callable[[Any], bool]] = {
    moves.Lead: _card,
    moves.NameColor: lambda move: type(move.color) is Color,
    moves.Shift: _shift,
    moves.Play: _play,
    moves.Drop: _card,
    moves.Pass: lambda move: type(move.double) is bool,
    moves.Propose: _propose,
    moves.Request: _request,
    moves.Discard: _discard,
}
