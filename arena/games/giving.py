"""What one seat gave another in a match, in money: found in the game's tables, for comparing whom a bot gives more."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple


class Gift(NamedTuple):
    """What seat ``giver`` gave seat ``receiver`` in one act of a ``kind``; negative if it took something away.

    It is worth ``money`` and ``times`` the usual part of acts in a ``like`` position (:class:`UsualAct`), both in the
    game's unit: so a price below the usual one is a gift of ``times`` × usual - price.
    """

    giver: int
    receiver: int
    kind: str
    money: int
    times: int = 0
    like: Hashable = None


class UsualAct(NamedTuple):
    """One act in a ``like`` position, from which the usual part of such acts is computed over all matches of an
    edition: the sum of their ``money`` divided by the sum of what each was ``of``."""

    like: Hashable
    money: int
    of: int


class MatchGifts(NamedTuple):
    """A match's gifts, and the acts with which its prices are compared."""

    gifts: tuple[Gift, ...]
    usual: tuple[UsualAct, ...] = ()


class GiftKind(NamedTuple):
    """A kind of gift: its ``name`` as the head of a column, and what counts as one, ``told`` in a sentence."""

    name: str
    told: str


class Giving(NamedTuple):
    """How gifts are found in a game: their ``kinds``, and ``find(tables, players)``, which finds those of a match in
    its tables (:attr:`arena.games.contract.Game.tables`)."""

    kinds: tuple[GiftKind, ...]
    find: Callable[[Mapping[str, Sequence[Any]], int], MatchGifts]
