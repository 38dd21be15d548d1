"""Ratings in money: what an entrant makes, and what it leaves to the others at its table.

For every entrant there are three numbers, each relative to an average entrant, in the game's unit:

- *own*: how much more it makes, at the same seat of the same deal against the same opponents;
- *others*: how much more each of its opponents makes because it sits there;
- *lead*: own less others, which is how far it comes out in front of its opponents.

All are estimated together (:mod:`arena.ratings.by_money.regression`), with errors by block. *Own* and *others* can be
told apart only if an entrant meets different opponents; *lead* can always be estimated. If deals are played by several
tables, the mean of each deal is subtracted. Otherwise *own* and *others* could then no longer be told apart, so only
the mean of each edition is subtracted. Deals are drawn independently of who plays them, so this choice changes how sure
the numbers are, but not what they mean."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy

from arena.errors import UserError
from arena.ratings.by_money.regression import Regression, RegressionLayout
from arena.ratings.by_order.orders import SeatEffect, seat_effects, seat_ranges
from arena.ratings.clustered import clustered_covariance
from arena.ratings.connected import Components, ahead_of, components_in
from arena.ratings.match_ups import MatchUps, money_match_ups
from arena.ratings.order_columns import Numbers, RatingMatches
from arena.ratings.scale import RatingScale

FROM_SEVERAL = 1.5
"""The mean of each deal is subtracted if deals are played by at least this many different tables on average."""


@dataclass(frozen=True, slots=True)
class MoneyRating:
    """The ratings in money of entrants connected by matches: scales of ``own``, ``others`` and ``lead``; ``others`` is
    None if it does not differ significantly from ``own``. ``base`` is what an average entrant makes."""

    own: RatingScale
    others: RatingScale | None
    lead: RatingScale
    base: float


@dataclass(frozen=True, slots=True)
class MoneyRatings:
    """The ratings in money, one for each set of entrants connected by matches. ``seats`` are the effects of seats;
    ``deals`` says whether the mean of each deal was subtracted, rather than of each edition; ``notes`` say what was not
    estimated, and why; ``match_ups`` whether pairs do what the ratings say (None: not tested)."""

    game: str
    components: Components
    ratings: tuple[MoneyRating, ...]
    seats: tuple[SeatEffect, ...]
    deals: bool
    notes: tuple[str, ...]
    match_ups: MatchUps | None = None


def rate_money(matches: RatingMatches, seats: bool = True, match_ups: bool = True) -> MoneyRatings:
    """The ratings in money of the entrants of these matches, which are of one game. Raises UserError for several games:
    money has no common unit. ``match_ups`` is as for :func:`arena.ratings.by_order.orders.rate_orders`."""
    if len(matches.games) > 1:
        raise UserError(f"money has no common unit in {' and '.join(matches.games)}: choose editions of one game")
    met = ahead_of(matches)
    parts = components_in(met + met.T)
    found = _choose_model(matches, parts, seats)
    if found is None:
        note = "the matches do not distinguish the entrants: each always sat in the same seat"
        return MoneyRatings(matches.games[0], parts, (), (), False, (note,))
    regression, values, errors, notes = found
    layout = regression.layout
    effects = seat_effects(matches, layout.seats, values, errors)
    scales = _money_scales(matches, layout, values, errors)
    base = _mean_of_all(matches)
    fit = money_match_ups(matches, regression.residuals) if match_ups and layout.opponents else None
    made = tuple(
        MoneyRating(
            scales[0].scale_of(members),
            None if scales[1] is None else scales[1].scale_of(members),
            scales[2].scale_of(members),
            base,
        )
        for members in parts.members
        if len(members) > 1
    )
    return MoneyRatings(matches.games[0], parts, made, effects, regression.absorbed, tuple(notes), fit)


def _choose_model(
    matches: RatingMatches, parts: Components, seats: bool
) -> tuple[Regression, Numbers, Numbers, list[str]] | None:
    """The fullest model whose parameters the matches tell apart: the solved regression, its values, their covariance,
    and notes on what it lacks. None if there is no such model."""
    deals = _base_numbers(matches, parts, by_deal=True)
    editions = _base_numbers(matches, parts, by_deal=False)
    several = _tables_a_deal(matches, deals) >= FROM_SEVERAL
    for with_seats in (True, False) if seats else (False,):
        for opponents, absorbed in ((True, several), (True, False), (False, True)):
            base = deals if absorbed else editions
            regression = Regression(
                matches, _layout(matches, parts, with_seats, opponents, base, absorbed), base, absorbed
            )
            solved = regression.solve()
            if solved is None:
                continue
            values, information = solved
            errors = clustered_covariance(regression, matches.blocks, regression.layout.pin(information))
            notes = []
            if seats and not with_seats:
                notes.append(
                    "effects of seats cannot be separated from those of the entrants in them, and are left out"
                )
            if not opponents:
                notes.append(
                    "*own* and *others* cannot be separated, because everybody always met the same opponents: money "
                    "is relative to the mean of the table"
                )
            return regression, values, errors, notes
    return None


def _layout(
    matches: RatingMatches, parts: Components, with_seats: bool, opponents: bool, base: list[Numbers], absorbed: bool
) -> RegressionLayout:
    size = len(matches.names)
    first = size * (2 if opponents else 1)
    seats = seat_ranges(matches, [with_seats] * len(matches.groups), first)
    bases = 0 if absorbed else 1 + max(int(each.max()) for each in base)
    pinned = [tuple(members) for members in parts.members]
    if opponents:
        pinned += [tuple(size + at for at in members) for members in parts.members]
    pinned += [tuple(each) for each in seats if each is not None]
    return RegressionLayout(size, opponents, tuple(seats), bases, tuple(pinned))


def _base_numbers(matches: RatingMatches, parts: Components, by_deal: bool) -> list[Numbers]:
    """The number of each match's base: matches share one if they have the same edition and the same set of connected
    entrants, and, with ``by_deal``, the same block and deal."""
    keys, count = [], 0
    for tables in matches.tables:
        part = parts.number[tables.entrants[:, 0]].astype(numpy.int64)
        rows = [part, tables.group]
        if by_deal:
            rows += [tables.block, tables.deal]
        keys.append(_pack_columns(rows) + count)
        count = 1 + int(keys[-1].max())
    _, numbers = numpy.unique(numpy.concatenate(keys), return_inverse=True)
    return numpy.split(numbers.ravel(), numpy.cumsum([len(each) for each in keys])[:-1])


def _pack_columns(columns: list[Numbers]) -> Numbers:
    """A number for each row, the same only for equal rows."""
    found = numpy.zeros(len(columns[0]), dtype=numpy.int64)
    for column in columns:
        values, numbers = numpy.unique(column, return_inverse=True)
        _, found = numpy.unique(found * len(values) + numbers.ravel(), return_inverse=True)
        found = found.ravel()
    return found


def _tables_a_deal(matches: RatingMatches, deals: list[Numbers]) -> float:
    """The number of different tables that play a deal, on average; different seat orders are the same table."""
    pairs = count = 0
    for tables, deal in zip(matches.tables, deals, strict=True):
        rows = numpy.column_stack([deal, numpy.sort(tables.entrants, axis=1)])
        rows = rows[numpy.lexsort(rows.T)]
        pairs += 1 + int((rows[1:] != rows[:-1]).any(axis=1).sum())
        count += len(numpy.unique(deal))
    return pairs / count


def _money_scales(
    matches: RatingMatches, layout: RegressionLayout, values: Numbers, errors: Numbers
) -> tuple[RatingScale, RatingScale | None, RatingScale]:
    size, (blocks, equal) = len(matches.names), matches.blocks_of()
    own = RatingScale(matches.names, values[:size], errors[:size, :size], blocks, equal)
    if not layout.opponents:
        return own, None, own
    others_share = 1 / (_mean_players(matches) - 1)
    both = numpy.concatenate([numpy.eye(size), -others_share * numpy.eye(size)], axis=1)
    here = slice(0, 2 * size)
    others = RatingScale(
        matches.names,
        others_share * values[size : 2 * size],
        others_share**2 * errors[size : 2 * size, size : 2 * size],
        blocks,
        equal,
    )
    lead = replace(own, values=both @ values[here], covariance=both @ errors[here, here] @ both.T)
    return own, others, lead


def _mean_players(matches: RatingMatches) -> float:
    """The number of players at a table, averaged over seats."""
    seats = sum(each.matches * each.players for each in matches.tables)
    return sum(each.matches * each.players**2 for each in matches.tables) / seats


def _mean_of_all(matches: RatingMatches) -> float:
    """The mean money of all seats."""
    seats = sum(each.matches * each.players for each in matches.tables)
    return float(sum(each.money.sum() for each in matches.tables)) / seats
