"""What a bot may answer in the board game, hook by hook. Money is whole $M, seats count from 0.

=================  ==============================================================
hook               answers
=================  ==============================================================
``place_marker``   :class:`PlaceMarker`
``turn``           :class:`Open`, :class:`Roll` (before rolling), :class:`Draw` (after it)
``offer``          :class:`Offers`, or :class:`Unchanged`
``accept``         Yes or No
``interrupt``      :class:`Lay`, :class:`Travel`, :class:`TakeOver`, :class:`Recruit`, or :class:`Pass`;
                   to a STOP question :class:`Stop` or :class:`Pass`
``close``          :class:`Close`, :class:`GiveUp`, or :class:`GoOn`
``discard``        :class:`Discard`, or :class:`Recruit` where the edition allows it
=================  ==============================================================
"""

from __future__ import annotations

from typing import final

import msgspec

from arena.games.board.cards import Card, Family
from arena.games.contract import Move


@final
class PlaceMarker(Move, frozen=True, tag="place"):
    """Set-up: put the marker on ``space`` (B2.4), counted from 0 clockwise."""

    space: int


@final
class Open(Move, frozen=True, tag="open"):
    """Open the deal where the marker stands and become its Boss (B4.1), laying own clan cards."""

    lay: tuple[Family, ...] = ()


@final
class Roll(Move, frozen=True, tag="roll"):
    """Roll the die and move the marker (B3.1)."""


@final
class Draw(Move, frozen=True, tag="draw"):
    """Draw cards and end the turn (B3.2)."""


class Offer(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Terms between the Boss and one other seat, the *partner* (B4.4): the partner's cards take part for ``price``.

    ``to`` is the addressee: a seat for the Boss's offers, the Boss for everybody else's. Without cards
    it is a side promise: the Boss pays the partner ``price`` for goodwill when the deal closes.
    """

    to: int
    price: int
    placards: tuple[Family, ...] = ()
    clans: tuple[Family, ...] = ()


@final
class Offers(Move, frozen=True, tag="offers"):
    """All offers that this seat wants to have open; an empty tuple withdraws all (B4.5)."""

    offers: tuple[Offer, ...] = ()


@final
class Unchanged(Move, frozen=True, tag="unchanged"):
    """Leave the seat's own offers as they are."""


@final
class Lay(Move, frozen=True, tag="lay"):
    """Lay clan cards face up (B5.1); a family named twice lays two."""

    clans: tuple[Family, ...]


@final
class Travel(Move, frozen=True, tag="travel"):
    """Send a card travelling (B5.2): the placard of ``family``, or the clan card of ``family`` that lies
    in front of seat ``clan_of``. ``wild`` spends a wild travel card instead of the family's own."""

    family: Family
    clan_of: int | None = None
    wild: bool = False


@final
class TakeOver(Move, frozen=True, tag="boss"):
    """Play a boss card and become the Boss (B5.3)."""


@final
class Recruit(Move, frozen=True, tag="recruit"):
    """Play three recruitment cards and take ``placard`` for good (B5.4)."""

    placard: Family


@final
class Stop(Move, frozen=True, tag="stop"):
    """Spend a STOP on the play asked about (B5.5)."""


@final
class Pass(Move, frozen=True, tag="pass"):
    """Play nothing."""


class Agreement(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Agreed terms: the cards of ``partner`` take part, and the Boss pays ``price`` when it closes (B4.4)."""

    partner: int
    price: int
    placards: tuple[Family, ...] = ()
    clans: tuple[Family, ...] = ()


@final
class Close(Move, frozen=True, tag="close"):
    """Close the deal with a named card for each need (B4.5).

    ``placards`` and ``clans`` are the Boss's own cards (laid clan cards are used before those in hand). ``partners``
    are the others' cards with the price of each: standing agreements, offers to the Boss that are still open (using one
    accepts it), and, if B9 holds, single cards at their fair share.
    """

    placards: tuple[Family, ...] = ()
    clans: tuple[Family, ...] = ()
    partners: tuple[Agreement, ...] = ()


@final
class GiveUp(Move, frozen=True, tag="give up"):
    """End the negotiation without a deal."""


@final
class GoOn(Move, frozen=True, tag="go on"):
    """Neither close nor give up: another tick."""


@final
class Discard(Move, frozen=True, tag="discard"):
    """Discard exactly as many cards as the hand exceeds the limit by (B3.3)."""

    cards: tuple[Card, ...]


UNCHANGED, PASS, GO_ON, GIVE_UP, ROLL, DRAW, TAKE_OVER, STOP_IT = (
    Unchanged(),
    Pass(),
    GoOn(),
    GiveUp(),
    Roll(),
    Draw(),
    TakeOver(),
    Stop(),
)
Play = Travel | TakeOver | Recruit
"""The plays that can be stopped (B5.5)."""
TurnMove = Open | Roll | Draw
OfferMove = Offers | Unchanged
InterruptMove = Lay | Travel | TakeOver | Recruit | Stop | Pass
CloseMove = Close | GiveUp | GoOn
DiscardMove = Discard | Recruit
"""The moves that answer a hook, where there are several."""
