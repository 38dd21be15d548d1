"""The result of a round in figures, if it ended now or after an action (C5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.games.cards.cards import Card
from arena.games.cards.moves import Action, Bargain, Pass, Play, Propose, Request, Shift, Want
from arena.games.cards.rules import Rules
from arena.games.cards.table import paid_amount, share_value, signed_stake
from arena.games.cards.views import CardsView


class Outlook(NamedTuple):
    """The figures of a round: the sum of the ``centre``; the $ that each point of it is worth (``per_point``: factor ×
    multiplier); the ``limit`` of a share's value in $ (None: none); and by seat the ``shares`` (C5.2), the ``reverses``
    in front and the ``passes`` (disks turned; 2: out)."""

    centre: int
    per_point: int
    limit: int | None
    shares: tuple[int, ...]
    reverses: tuple[int, ...]
    passes: tuple[int, ...]

    @property
    def value(self) -> int:
        """What a share is worth, cut to the limit, in $ (C5.1)."""
        return self.value_of(self.centre)

    def value_of(self, centre: int) -> int:
        """What a share would be worth with this sum in the centre, cut to the limit, in $ (C5.1)."""
        return share_value(self.per_point, centre, self.limit)

    def stake(self, seat: int) -> int:
        """The seat's shares, negative where an odd number of reverse cards lies in front of it (C5.2)."""
        return signed_stake(self.shares[seat], self.reverses[seat])

    @property
    def stakes(self) -> list[int]:
        """:meth:`stake` of every seat."""
        return list(map(signed_stake, self.shares, self.reverses))

    def receives(self, seat: int) -> int:
        """What the seat would receive (negative: pay, as far as its money goes), in $ (C5.2)."""
        return self.stake(seat) * self.value

    def amounts(self, money: Iterable[int]) -> list[int]:
        """What each seat would receive, in $, given the ``money`` of each: nobody pays more than it has (C5.3)."""
        value = self.value
        return [paid_amount(stake * value, have) for stake, have in zip(self.stakes, money, strict=True)]

    def lead_of(self, seat: int, money: Iterable[int]) -> float:
        """How much more the seat would receive than the others on average, in $, given the ``money`` of each."""
        amounts = self.amounts(money)
        return (amounts[seat] * len(amounts) - sum(amounts)) / (len(amounts) - 1)

    def with_token(self, seat: int) -> Outlook:
        """The outlook once the seat has been given a Cousin token (C4.1)."""
        return self._replace(shares=_add_count(self.shares, seat, 1))


def _add_count(counts: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + number, *counts[seat + 1 :])


def outlook(view: CardsView, rules: Rules) -> Outlook:
    """The outlook if the round ended now (C5)."""
    shares, reverses = [0] * view.players, [0] * view.players
    shares[view.boss] = 1
    for seat in view.cousins:
        shares[seat] += 1
    for seat, front in enumerate(view.fronts):
        flips = sum(card.is_reverse for card in front)
        reverses[seat] = flips
        shares[seat] += len(front) - flips
    return Outlook(
        sum(card.worth for card in view.centre),
        rules.factor * view.multiplier,
        None if rules.limit is None else rules.limit[view.players],
        tuple(shares),
        tuple(reverses),
        view.passes,
    )


def after(found: Outlook, seat: int, action: Action) -> Outlook:
    """The outlook after ``action`` of ``seat`` (C3.3, C3.4). A move card makes only the moves in its ``shifts``."""
    match action:
        case Pass(double):
            return found._replace(passes=_add_count(found.passes, seat, 2 if double else 1))
        case Play(card, None, shifts):
            for shift in shifts:
                found = shifted(found, shift)
            return found._replace(centre=found.centre + card.worth) if card.worth else found
        case Play(card, to) if to is not None:
            return _lay_card(found, to, card, 1)
        case _:
            return found


def shifted(found: Outlook, shift: Shift) -> Outlook:
    """The outlook after one move of a move card (C3.3)."""
    if shift.source is None:
        return found._replace(centre=found.centre - shift.card.worth)
    found = _lay_card(found, shift.source, shift.card, -1)
    return found if shift.to is None else _lay_card(found, shift.to, shift.card, 1)


def _lay_card(found: Outlook, seat: int, card: Card, number: int) -> Outlook:
    if card.is_reverse:
        return found._replace(reverses=_add_count(found.reverses, seat, number))
    return found._replace(shares=_add_count(found.shares, seat, number))


def accepted(view: CardsView, rules: Rules, bargain: Bargain) -> Outlook:
    """The outlook after ``bargain`` has been accepted: the seat on turn has its token and, if the offer is an exact
    action, has done it (C4.2). For a request only the smallest card that fulfils it is counted."""
    found, seat = outlook(view, rules).with_token(view.on_turn), view.on_turn
    match bargain.offer:
        case Propose(action):
            return after(found, seat, action)
        case Request(Want.POSITIVE, least):
            return found._replace(centre=found.centre + least)
        case Request(Want.NEGATIVE, least):
            return found._replace(centre=found.centre - least)
        case Request(Want.POTA):
            return found._replace(shares=_add_count(found.shares, view.boss, 1))
        case Request(Want.PASS):
            return after(found, seat, Pass())
        case _:
            return found
