"""The events of the board game, in the order in which they happen. They suffice to follow cards and money by hand.
:meth:`seen_by` hides from each seat what it must not know (B5.6)."""

from __future__ import annotations

from arena.games.board.cards import Card, Family
from arena.games.board.deal_money import DealMoney
from arena.games.board.moves import Agreement, Offer, Play
from arena.games.contract import Chanced, Event, Natural


class Hidden(Event, frozen=True):
    """Base of events hidden from all seats, because they would reveal hands (B4.5)."""

    def seen_by(self, seat: int) -> Event | None:
        return None


class PlacardDealt(Event, frozen=True, tag="placard dealt"):
    """Set-up: ``placard`` goes to ``seat``, or aside (None) (B2.1)."""

    placard: Family
    seat: Natural | None = None


class Drew(Event, frozen=True, tag="drew"):
    """``seat`` drew ``count`` cards; only the seat itself sees which (B2.2, B3.2)."""

    seat: Natural
    count: Natural
    cards: tuple[Card, ...] = ()

    def seen_by(self, seat: int) -> Event | None:
        return self if seat == self.seat else Drew(self.seat, self.count)


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """The discard pile of ``count`` cards became the draw pile (B3.2)."""

    count: Natural


class TurnBegan(Event, frozen=True, tag="turn"):
    """Turn ``turn`` began; ``seat`` is on turn."""

    turn: int
    seat: Natural


class MarkerMoved(Event, frozen=True, tag="marker"):
    """The marker went to ``space``: in the set-up (B2.4), by a ``roll`` of the die (B3.1), or after a deal (B7.2)."""

    space: Natural
    roll: int | None = None


class Opened(Event, frozen=True, tag="opened"):
    """``seat`` opened the deal on ``space``, worth ``proceeds`` in $M (B4.1)."""

    seat: Natural
    space: Natural
    proceeds: int


class TickBegan(Event, frozen=True, tag="tick"):
    """Tick ``tick`` of the negotiation began (B4.5)."""

    tick: int


class Laid(Event, frozen=True, tag="laid"):
    """``seat`` laid clan cards face up (B5.1)."""

    seat: Natural
    clans: tuple[Family, ...]


class Offered(Event, frozen=True, tag="offered"):
    """The open offers of ``seat`` are now these (B4.5)."""

    seat: Natural
    offers: tuple[Offer, ...]


class Agreed(Event, frozen=True, tag="agreed"):
    """An agreement was made (B4.4)."""

    agreement: Agreement


class AgreementFell(Event, frozen=True, tag="fell"):
    """An agreement fell, because a card of it travelled or changed hands (B4.8)."""

    agreement: Agreement


class Fizzled(Hidden, frozen=True, tag="fizzled"):
    """An answer of ``seat``, a play or a yes, had become impossible when it was to take effect (B4.5)."""

    seat: Natural
    rule: str


class Played(Event, frozen=True, tag="played"):
    """``seat`` played influence cards that can still be stopped; they are discarded or on the table (B5)."""

    seat: Natural
    play: Play


class Stopped(Event, frozen=True, tag="stopped"):
    """``seat`` spent a STOP: the play just made is cancelled (B5.5)."""

    seat: Natural


class Travelled(Event, frozen=True, tag="travelled"):
    """The placard of ``family``, or the clan card of ``family`` in front of ``clan_of``, is out of the deal (B5.2)."""

    family: Family
    clan_of: Natural | None = None


class NewBoss(Event, frozen=True, tag="new boss"):
    """``seat`` is the Boss now; all agreements and offers fell (B5.3, B4.8)."""

    seat: Natural


class Recruited(Event, frozen=True, tag="recruited"):
    """``seat`` took ``placard`` from seat ``owner``, or from aside (None) (B5.4)."""

    seat: Natural
    placard: Family
    owner: Natural | None = None


class Named(Event, frozen=True, tag="named"):
    """The Boss named a closing (B4.5); with a last call the others may still play."""

    seat: Natural
    placards: tuple[Family, ...] = ()
    clans: tuple[Family, ...] = ()
    partners: tuple[Agreement, ...] = ()


class Closed(Event, DealMoney, frozen=True, tag="closed"):
    """A deal was closed (B7.1): the bank paid ``proceeds`` to ``boss``, who paid ``paid[seat]`` to each seat.

    ``number`` is the deal card's, ``space`` the space it covers now.
    """

    number: int
    space: Natural
    boss: Natural
    proceeds: int
    paid: tuple[int, ...]


class Failed(Event, frozen=True, tag="failed"):
    """The negotiation failed: the Boss gave up, or time ran out (B4.9)."""

    boss: Natural
    gave_up: bool = False


class Returned(Event, frozen=True, tag="returned"):
    """Unused clan cards went back to the hand of ``seat`` (B6.1)."""

    seat: Natural
    clans: tuple[Family, ...]


class Discarded(Event, frozen=True, tag="discarded"):
    """Cards of ``seat`` went to the discard pile: laid clan cards that were used (B6.1) or a discard (B3.3)."""

    seat: Natural
    cards: tuple[Card, ...]


class TravelEnded(Event, frozen=True, tag="travel ended"):
    """Placards stopped travelling; the travel ``cards`` on them were discarded (B6.1)."""

    placards: tuple[Family, ...]
    cards: tuple[Card, ...]


class EndRolled(Event, frozen=True, tag="end roll"):
    """The roll that may end the match (B7.3)."""

    roll: int
    ends: bool


EVENTS: tuple[type[Event], ...] = (
    Chanced,
    PlacardDealt,
    Drew,
    Reshuffled,
    TurnBegan,
    MarkerMoved,
    Opened,
    TickBegan,
    Laid,
    Offered,
    Agreed,
    AgreementFell,
    Fizzled,
    Played,
    Stopped,
    Travelled,
    NewBoss,
    Recruited,
    Named,
    Closed,
    Failed,
    Returned,
    Discarded,
    TravelEnded,
    EndRolled,
)
