"""All ratings of some matches: by order of finish, in money, and the clone-robust second opinion."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy

from arena.errors import UserError, nearest_hint
from arena.ratings.by_money.money_ratings import MoneyRatings, rate_money
from arena.ratings.by_order.orders import OrderRating, rate_orders
from arena.ratings.deviation import deviation_ratings, pair_payoffs
from arena.ratings.order_columns import Numbers, RatingMatches


class Basis(StrEnum):
    """What entrants are rated by."""

    ORDER = "order"
    """By the order in which they finish."""

    MONEY = "money"
    """By the money that they make."""


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """What to rate: by which ``bases`` (none means both, but money only within one game), relative to the entrant
    ``anchor`` (their mean if empty), with effects of ``seats``, and with the ``clone_robust`` opinion."""

    bases: tuple[Basis, ...] = ()
    anchor: str = ""
    seats: bool = True
    clone_robust: bool = False


@dataclass(frozen=True, slots=True)
class CloneRobust:
    """The deviation ratings by entrant and basis; None for a basis in which some entrants never met. ``strangers``
    names two of these."""

    values: dict[Basis, Numbers]
    strangers: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of ``matches``; None for each rating that was not requested. ``left_out`` says why money is not rated
    although it was not excluded."""

    matches: RatingMatches
    wanted: RatingOptions
    order: OrderRating | None
    money: MoneyRatings | None
    clone_robust: CloneRobust | None
    left_out: str = ""


def rate_entrants(matches: RatingMatches, wanted: RatingOptions) -> Ratings:
    """The ratings. Raises UserError if no match counts, for an anchor that is not an entrant's name, and for money over
    several games."""
    if not matches.matches:
        raise UserError("no match to rate: none is finished, or none is in the chosen editions")
    if wanted.anchor and wanted.anchor not in matches.names:
        raise UserError(
            f"no entrant {wanted.anchor!r}{nearest_hint(wanted.anchor, matches.names)} in these matches; there are "
            f"{', '.join(matches.names)}"
        )
    bases = wanted.bases or tuple(Basis)
    left_out = ""
    if not wanted.bases and len(matches.games) > 1:
        bases = (Basis.ORDER,)
        left_out = f"money is not rated: it has no common unit in {' and '.join(matches.games)} (choose with --edition)"
    return Ratings(
        matches,
        wanted,
        rate_orders(matches, wanted.seats) if Basis.ORDER in bases else None,
        rate_money(matches, wanted.seats) if Basis.MONEY in bases else None,
        _clone_robust(matches, bases) if wanted.clone_robust else None,
        left_out,
    )


def _clone_robust(matches: RatingMatches, bases: tuple[Basis, ...]) -> CloneRobust:
    payoffs = {basis: pair_payoffs(matches, basis is Basis.MONEY) for basis in bases}
    _, met = next(iter(payoffs.values()))
    one, two = numpy.nonzero((met == 0) & ~numpy.eye(len(met), dtype=bool))
    if len(one):
        return CloneRobust({}, (matches.names[int(one[0])], matches.names[int(two[0])]))
    return CloneRobust({basis: deviation_ratings(payoff) for basis, (payoff, _) in payoffs.items()}, None)
