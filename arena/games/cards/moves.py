"""What a bot may answer in the card game, hook by hook. Seats count from 0 clockwise.

===========  ==========================================================================
hook         answers
===========  ==========================================================================
``lead``     :class:`Lead`, or :class:`NameColor` without a card to lead
``offer``    :class:`Propose` (a seat on its turn), :class:`Request` (the Boss), or :class:`NoBargain`
``accept``   yes or no
``play``     :class:`Play`, :class:`Pass`, under a bargain also :class:`Drop`;
             while a move card is used :class:`Shift` or :class:`Enough`
``discard``  :class:`Discard`
===========  ==========================================================================
"""

from __future__ import annotations

from enum import StrEnum
from typing import final

import msgspec

from arena.games.cards.cards import Card, Color
from arena.games.contract import Move


@final
class Lead(Move, frozen=True, tag="lead"):
    """Lead a positive or negative card; its colour is the colour of the round (C3.1)."""

    card: Card


@final
class NameColor(Move, frozen=True, tag="color"):
    """Name the colour of the round, if the hand has no positive or negative card to lead (C3.1)."""

    color: Color


@final
class Shift(Move, frozen=True, tag="shift"):
    """One move of a move card (C3.3): take ``card`` from in front of seat ``source`` (None: from the centre) to
    seat ``to`` (None: to the discard pile)."""

    card: Card
    source: int | None = None
    to: int | None = None


@final
class Enough(Move, frozen=True, tag="enough"):
    """Make no further move with the move card (C3.3)."""


@final
class Play(Move, frozen=True, tag="play"):
    """Play a card of the round's colour, or a wild POTA (C3.2, C3.3).

    POTA and reverse cards go in front of seat ``to``. For a move card, the moves are asked for afterwards, one at a
    time; only a proposal to the Boss contains them, in order, as ``shifts``, because a bargain is about one exact
    action (C4.2).
    """

    card: Card
    to: int | None = None
    shifts: tuple[Shift, ...] = ()


@final
class Drop(Move, frozen=True, tag="drop"):
    """Discard a card without effect, which is allowed only under a bargain (C4.3)."""

    card: Card


@final
class Pass(Move, frozen=True, tag="pass"):
    """Turn one disk, or with ``double`` both at once (C3.4)."""

    double: bool = False


Action = Play | Drop | Pass


@final
class Propose(Move, frozen=True, tag="propose"):
    """Offer the Boss an exact ``action`` for a Cousin token (C4.2)."""

    action: Action


class Want(StrEnum):
    """The kinds of action the Boss may give a Cousin token for (C4.2).

    A positive or a negative card of at least a given size, a POTA in front of the Boss, discarding a reverse card,
    passing once or twice; or a gift, after which the seat acts freely.
    """

    POSITIVE = "positive"
    NEGATIVE = "negative"
    POTA = "pota"
    REVERSE = "reverse"
    PASS = "pass"
    GIFT = "gift"


@final
class Request(Move, frozen=True, tag="request"):
    """The Boss offers the seat on turn a Cousin token for a kind of action (C4.2). ``least`` is the smallest card that
    fulfils it, without its sign: 1 to 4 for ``positive``, 2 to 5 for ``negative``; 0 for kinds without a value."""

    want: Want
    least: int = 0


@final
class NoBargain(Move, frozen=True, tag="no bargain"):
    """Offer no bargain."""


@final
class Discard(Move, frozen=True, tag="discard"):
    """Between rounds: discard these cards, face down (C6.2)."""

    cards: tuple[Card, ...] = ()


class Bargain(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A bargain on offer: the seat that made the offer, and the offer."""

    by: int
    offer: Propose | Request


NO_BARGAIN, ENOUGH_MOVES, PASS, PASS_TWICE, KEEP_ALL = NoBargain(), Enough(), Pass(), Pass(double=True), Discard()
LeadMove = Lead | NameColor
OfferMove = Propose | Request | NoBargain
PlayMove = Play | Drop | Pass | Shift | Enough
"""The moves that answer a hook, where there are several."""
