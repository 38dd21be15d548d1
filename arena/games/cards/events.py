"""The events of the card game, in the order in which they happen. They suffice to follow cards and money by hand.
:meth:`seen_by` hides from each seat what it must not know (C6.2)."""

from __future__ import annotations

from arena.games.cards.cards import Card, Color
from arena.games.cards.moves import Action, Want
from arena.games.contract import Chanced, Event, Natural


class Drew(Event, frozen=True, tag="drew"):
    """``seat`` drew ``count`` cards; only the seat itself sees which (C2.3, C3.4, C6.2)."""

    seat: Natural
    count: Natural
    cards: tuple[Card, ...] = ()

    def seen_by(self, seat: int) -> Event | None:
        return self if seat == self.seat else Drew(self.seat, self.count)


class XOpened(Event, frozen=True, tag="x"):
    """``seat`` drew an X card, which was laid open: from now on the multiplier is ``multiplier`` (C6.3)."""

    seat: Natural
    multiplier: int


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """The discard pile of ``count`` cards became the deck; ``third_x``: the X from under the disk is now among them
    (C6.4)."""

    count: Natural
    third_x: bool = False


class RoundBegan(Event, frozen=True, tag="round"):
    """Round ``round`` (from 1) began under ``boss`` (C3.1)."""

    round: int
    boss: Natural


class Led(Event, frozen=True, tag="led"):
    """The Boss led a card; its colour is the colour of the round (C3.1)."""

    seat: Natural
    card: Card


class ColorNamed(Event, frozen=True, tag="color"):
    """The Boss named the colour of the round, having no card to lead (C3.1)."""

    seat: Natural
    color: Color


class Proposed(Event, frozen=True, tag="proposed"):
    """``seat`` offered the Boss an exact action for a Cousin token (C4.2)."""

    seat: Natural
    action: Action


class Requested(Event, frozen=True, tag="requested"):
    """The Boss offered ``to`` a Cousin token for a kind of action (C4.2); ``least`` as in :class:`Request`."""

    to: Natural
    want: Want
    least: int = 0


class Refused(Event, frozen=True, tag="refused"):
    """``seat`` said no to the offer just made (C4.2)."""

    seat: Natural


class CousinMade(Event, frozen=True, tag="cousin"):
    """The offer just made was accepted: ``seat`` has a Cousin token to the end of the round (C4.1)."""

    seat: Natural


class Played(Event, frozen=True, tag="played"):
    """``seat`` played a card (C3.3): to the centre, in front of seat ``to``, or a move card."""

    seat: Natural
    card: Card
    to: Natural | None = None


class Shifted(Event, frozen=True, tag="shifted"):
    """A move card of ``seat`` moved a card (C3.3): from in front of seat ``source`` (None: from the centre) to seat
    ``to`` (None: to the discard pile)."""

    seat: Natural
    card: Card
    source: Natural | None = None
    to: Natural | None = None


class Dropped(Event, frozen=True, tag="dropped"):
    """``seat`` discarded a card without effect, as agreed (C4.3)."""

    seat: Natural
    card: Card


class Passed(Event, frozen=True, tag="passed"):
    """``seat`` passed and has now turned ``disks`` of its two (C3.4); with the second it is out."""

    seat: Natural
    disks: int


class Settled(Event, frozen=True, tag="settled"):
    """The round ended (C5): what a share was worth, in $, and what each seat received (negative: paid), in $."""

    round: int
    boss: Natural
    value: int
    amounts: tuple[int, ...]


class Discarded(Event, frozen=True, tag="discarded"):
    """Between rounds ``seat`` discarded ``count`` cards face down; only the seat itself sees which (C6.2)."""

    seat: Natural
    count: Natural
    cards: tuple[Card, ...] = ()

    def seen_by(self, seat: int) -> Event | None:
        return self if seat == self.seat else Discarded(self.seat, self.count)


EVENTS: tuple[type[Event], ...] = (
    Chanced,
    RoundBegan,
    Drew,
    XOpened,
    Reshuffled,
    Led,
    ColorNamed,
    Proposed,
    Requested,
    Refused,
    CousinMade,
    Played,
    Shifted,
    Dropped,
    Passed,
    Settled,
    Discarded,
)
