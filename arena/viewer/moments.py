"""Places in a match worth going to at once: faults, ends of deals, new Bosses, payments, and the moments that a reader
of its tables would point at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum

import msgspec

from arena.games.board import events as board
from arena.games.cards import events as cards
from arena.games.contract import Event, Game
from arena.replay.ledger import Tables
from arena.replay.lines import Faulted
from arena.viewer.board_moments import board_moments
from arena.viewer.cards_moments import cards_moments
from arena.viewer.found import Found, FoundKind, Teller

MOST = 10
"""Moments, and payments, that a match has at most."""
OF_A_KIND = 4
"""Moments of one kind, where there are enough of others."""


class Jump(StrEnum):
    """What lies at a place: a ``fault``, the end of a ``deal`` (in the card game of a round), a change of ``boss``, one
    of the biggest ``payment``, one of the ten ``moment``."""

    FAULT = "fault"
    DEAL = "deal"
    BOSS = "boss"
    PAYMENT = "payment"
    MOMENT = "moment"


class Place(msgspec.Struct, omit_defaults=True):
    """A place to go to: line ``n``, what lies there (``jump``), and for payments and moments what it is (``text``) and
    its ``figure`` as it is told. ``of`` is the kind of a moment; ``only`` the seats that may know it (absent: all)."""

    n: int
    jump: Jump
    text: str = ""
    figure: str = ""
    of: FoundKind | None = None
    only: list[int] | None = None


Finder = Callable[[Tables, Game, Sequence[tuple[int, Event]], Teller], Iterable[Found]]
FINDERS: dict[str, Finder] = {"board": board_moments, "cards": cards_moments}
"""By game what finds its moments in a match's tables and numbered lines. Other games have none."""


def places_of(
    game: Game, lines: Sequence[Event], tables: Tables, names: Sequence[str], seat: int | None
) -> list[Place]:
    """The places of a match in the order of its lines, with a ``seat`` those that it knew."""
    numbered = list(enumerate(lines, 1))
    teller = Teller(game.unit, names)
    places = [place for number, line in numbered for place in _at(number, line)]
    places += _biggest(_payments(numbered, teller), teller)
    if game.name in FINDERS:
        found = FINDERS[game.name](tables, game, numbered, teller)
        places += [_moment(each, teller) for each in ten(found, seat)]
    known = [place for place in places if seat is None or place.only is None or seat in place.only]
    if seat is not None:
        for place in known:
            place.only = None
    return sorted(known, key=lambda place: place.n)


def _at(number: int, line: Event) -> Iterator[Place]:
    match line:
        case Faulted():
            yield Place(number, Jump.FAULT, only=[line.seat])
        case board.Closed() | board.Failed() | cards.Settled():
            yield Place(number, Jump.DEAL)
        case board.NewBoss():
            yield Place(number, Jump.BOSS)
        case cards.RoundBegan():
            yield Place(number, Jump.BOSS)


def _payments(numbered: Iterable[tuple[int, Event]], teller: Teller) -> Iterator[Found]:
    """What one seat paid another, or received at the end of a round."""
    for number, line in numbered:
        match line:
            case board.Closed():
                for seat, amount in enumerate(line.paid):
                    if amount:
                        text = f"{teller.seat(line.boss)} pays {teller.seat(seat)} {teller.money(amount)}"
                        yield Found(FoundKind.PAYMENT, number, text, amount)
            case cards.Settled():
                for seat, amount in enumerate(line.amounts):
                    if amount:
                        does = "receives" if amount > 0 else "pays"
                        text = f"{teller.seat(seat)} {does} {teller.money(abs(amount))}"
                        yield Found(FoundKind.PAYMENT, number, text, abs(amount))


def _biggest(payments: Iterable[Found], teller: Teller) -> Iterator[Place]:
    for each in sorted(payments, key=lambda found: (-found.figure, found.n))[:MOST]:
        yield Place(each.n, Jump.PAYMENT, each.text, teller.money(each.figure))


def ten(found: Iterable[Found], seat: int | None) -> list[Found]:
    """The ten with the highest figures, at most four of a kind while there are others; one of those that are equal is
    the first. With a ``seat`` of those that it may know."""
    known = [each for each in found if seat is None or each.only is None or seat in each.only]
    ordered = sorted(known, key=lambda each: (-each.figure, each.n, each.text))
    kept: list[Found] = []
    left: list[Found] = []
    for each in ordered:
        few = sum(other.kind is each.kind for other in kept) < OF_A_KIND
        (kept if few else left).append(each)
    return (kept + left)[:MOST] if len(kept) < MOST else kept[:MOST]


def _moment(found: Found, teller: Teller) -> Place:
    return Place(found.n, Jump.MOMENT, found.text, teller.money(found.figure), found.kind, found.only)
