"""Places in a match worth going to at once: faults, ends of deals, new Bosses, payments, and the moments that a reader
of its tables would point at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum

import msgspec

from arena.games.board import events as board
from arena.games.board.presenting.moments import board_moments
from arena.games.cards import events as cards
from arena.games.cards.presenting.moments import cards_moments
from arena.games.contract import Event, Game
from arena.replay.ledger_events import Tables
from arena.replay.lines import Faulted
from arena.web.viewer.moment import FoundKind, FoundMoment, MomentTeller

MOST = 10
"""Moments, and payments, of a match at most, and of each of its seats."""
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


class JumpPlace(msgspec.Struct, omit_defaults=True):
    """A place to go to: line ``n``, what lies there (``jump``), and for payments and moments what it is (``text``) and
    its ``figure`` as it is told. ``of`` is the kind of a moment; ``only`` the seats that may know it (absent: all).

    ``seats`` are those whose place it is too: of moments and payments those that it is one of the ten of. ``extra``: it
    is one of a seat's ten, but none of the ten of the match. A deal has the ``number`` of its negotiation in the match,
    from 1 (in the card game of its round), and may have ``failed``.
    """

    n: int
    jump: Jump
    text: str = ""
    figure: str = ""
    of: FoundKind | None = None
    only: list[int] | None = None
    seats: list[int] = []
    extra: bool = False
    number: int | None = None
    failed: bool = False


Finder = Callable[[Tables, Game, Sequence[tuple[int, Event]], MomentTeller], Iterable[FoundMoment]]
FINDERS: dict[str, Finder] = {"board": board_moments, "cards": cards_moments}
"""By game what finds its moments in a match's tables and numbered lines. Other games have none."""


def places_of(
    game: Game, lines: Sequence[Event], tables: Tables, names: Sequence[str], seat: int | None
) -> list[JumpPlace]:
    """The places of a match in the order of its lines, with a ``seat`` those that it knew."""
    numbered = list(enumerate(lines, 1))
    teller = MomentTeller(game.unit, names)
    places = [*_bosses_and_faults(numbered), *_deals(numbered)]
    places += _tens(list(_payments(numbered, teller)), Jump.PAYMENT, teller, seat)
    if game.name in FINDERS:
        found = FINDERS[game.name](tables, game, numbered, teller)
        places += _tens(list(found), Jump.MOMENT, teller, seat)
    known = [place for place in places if seat is None or place.only is None or seat in place.only]
    if seat is not None:
        for place in known:
            place.only = None
    return sorted(known, key=lambda place: place.n)


def _bosses_and_faults(numbered: Iterable[tuple[int, Event]]) -> Iterator[JumpPlace]:
    for number, line in numbered:
        match line:
            case Faulted(seat=seat):
                yield JumpPlace(number, Jump.FAULT, only=[seat], seats=[seat])
            case board.NewBoss(seat) | cards.RoundBegan(boss=seat):
                yield JumpPlace(number, Jump.BOSS, seats=[seat])


def _deals(numbered: Iterable[tuple[int, Event]]) -> Iterator[JumpPlace]:
    """The ends of negotiations, closed or failed, counted as they were opened; in the card game of rounds. They are
    those of the Boss and of all who were paid."""
    deal = 0
    for number, line in numbered:
        match line:
            case board.Opened():
                deal += 1
            case board.Closed():
                yield JumpPlace(number, Jump.DEAL, seats=_paid(line.boss, line.paid), number=deal)
            case board.Failed():
                yield JumpPlace(number, Jump.DEAL, seats=[line.boss], number=deal, failed=True)
            case cards.Settled():
                yield JumpPlace(number, Jump.DEAL, seats=_paid(line.boss, line.amounts), number=line.round)


def _paid(boss: int, amounts: Sequence[int]) -> list[int]:
    return [seat for seat, amount in enumerate(amounts) if amount or seat == boss]


def _payments(numbered: Iterable[tuple[int, Event]], teller: MomentTeller) -> Iterator[FoundMoment]:
    """What one seat paid another, or received at the end of a round."""
    for number, line in numbered:
        match line:
            case board.Closed():
                for seat, amount in enumerate(line.paid):
                    if amount:
                        text = f"{teller.seat(line.boss)} pays {teller.seat(seat)} {teller.money(amount)}"
                        yield FoundMoment(FoundKind.PAYMENT, number, text, amount, (line.boss, seat))
            case cards.Settled():
                for seat, amount in enumerate(line.amounts):
                    if amount:
                        does = "receives" if amount > 0 else "pays"
                        text = f"{teller.seat(seat)} {does} {teller.money(abs(amount))}"
                        yield FoundMoment(FoundKind.PAYMENT, number, text, abs(amount), (seat,))


def _tens(found: Sequence[FoundMoment], jump: Jump, teller: MomentTeller, seat: int | None) -> Iterator[JumpPlace]:
    """The ten of the match, and the ten of each of its seats, in the order in which they were found."""
    of_match = _places_in(found, ten(found, seat))
    concerned = [[one for one in found if each in one.seats] for each in range(len(teller.names))]
    of_seats = [_places_in(found, ten(its, seat)) for its in concerned]
    for at, one in enumerate(found):
        seats = [each for each, its in enumerate(of_seats) if at in its]
        if seats or at in of_match:
            kind, figure = one.kind if jump is Jump.MOMENT else None, teller.money(one.figure)
            yield JumpPlace(one.n, jump, one.text, figure, kind, one.only, seats, at not in of_match)


def _places_in(found: Sequence[FoundMoment], kept: Iterable[FoundMoment]) -> set[int]:
    """Where those that are kept stand among the found, of which some may be alike."""
    ids = {id(each) for each in kept}
    return {at for at, each in enumerate(found) if id(each) in ids}


def ten(found: Iterable[FoundMoment], seat: int | None) -> list[FoundMoment]:
    """The ten with the highest figures, at most four of a kind while there are others; one of those that are equal is
    the first. With a ``seat`` of those that it may know."""
    known = [each for each in found if seat is None or each.only is None or seat in each.only]
    ordered = sorted(known, key=lambda each: (-each.figure, each.n, each.text))
    kept: list[FoundMoment] = []
    left: list[FoundMoment] = []
    for each in ordered:
        few = sum(other.kind is each.kind for other in kept) < OF_A_KIND
        (kept if few else left).append(each)
    return (kept + left)[:MOST] if len(kept) < MOST else kept[:MOST]
