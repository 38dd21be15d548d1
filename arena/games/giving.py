"""What seats gave each other in a match, in money, found in the game's tables: shows whom a bot favours."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple


class Gift(NamedTuple):
    """What seat ``giver`` gave seat ``receiver`` in one act of a ``kind``; negative if it took something away.

    The gift is worth ``money``, plus ``times`` × the usual part in a ``like`` position (a ratio, see
    :class:`UsualAct`), in the game's unit. So selling below the usual price is a gift of ``times`` × usual - price.
    """

    giver: int
    receiver: int
    kind: str
    money: int
    times: int = 0
    like: Hashable = None


class UsualAct(NamedTuple):
    """One act in a ``like`` position, from which usual parts are computed over all matches of an edition. The usual
    part of such acts is the sum of their ``money`` divided by the sum of their ``of``."""

    like: Hashable
    money: int
    of: int


class MatchGifts(NamedTuple):
    """The gifts of a match, and the acts from which usual parts are computed."""

    gifts: tuple[Gift, ...]
    usual: tuple[UsualAct, ...] = ()


class GiftKind(NamedTuple):
    """A kind of gift: its ``name``, which heads a column, and ``told``, which says in a sentence what counts as one."""

    name: str
    told: str


class Giving(NamedTuple):
    """How gifts are found in a game: their ``kinds``, and ``find(tables, players)``, which finds those of a match in
    its tables (:attr:`arena.games.contract.Game.tables`)."""

    kinds: tuple[GiftKind, ...]
    find: Callable[[Mapping[str, Sequence[Any]], int], MatchGifts]
