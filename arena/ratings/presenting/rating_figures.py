"""Ratings as numbers for programs: JSON-able data and CSV. All are rounded, so that equal matches give equal bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy

from arena.ratings.by_money.money_ratings import MoneyRating, MoneyRatings
from arena.ratings.by_order.orders import POINTS, OrderRating, SeatEffect, against_average
from arena.ratings.connected import Components
from arena.ratings.order_columns import RatingMatches
from arena.ratings.rate import Basis, Ratings
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import Estimate
from arena.tournament.standings.rounded_figures import (
    csv_number,
    csv_text,
    estimate_cells,
    estimate_columns,
    estimate_data,
    json_number,
)


def estimate_in_points(estimate: Estimate) -> Estimate:
    """A log-worth in points: 400 are odds of ten to one."""
    return _map_estimate(estimate, lambda value: value * POINTS)


def better_than_average(estimate: Estimate) -> Estimate:
    """A log-worth as the share of matches in which its owner ranks better than one of log-worth 0."""
    return _map_estimate(estimate, against_average)


def _map_estimate(estimate: Estimate, of: Callable[[float], float]) -> Estimate:
    mean, low, high = (None if each is None else of(each) for each in (estimate.mean, estimate.low, estimate.high))
    return Estimate(mean=mean, low=low, high=high, clusters=estimate.clusters)


def anchor_scale(scale: RatingScale, anchor: str) -> RatingScale:
    """The scale relative to the ``anchor``, if there is one and it stands on it."""
    return scale.anchored(anchor) if anchor in scale.names else scale


def scales_of(ratings: Ratings) -> list[RatingScale]:
    """The scales by order of finish, as they are shown."""
    return [] if ratings.order is None else [anchor_scale(each, ratings.wanted.anchor) for each in ratings.order.scales]


def ratings_data(ratings: Ratings) -> dict[str, object]:
    """All ratings, ready for JSON. Estimates are ``{"mean", "half_width", "low", "high", "clusters"}``, unknown values
    null, numbers rounded to 6 decimals."""
    matches = ratings.matches
    data: dict[str, object] = {
        "matches": matches.matches,
        "voids": matches.voids,
        "blocks": matches.blocks,
        "games": list(matches.games),
        "editions": sorted({group.edition for group in matches.groups}),
        "anchor": ratings.wanted.anchor or None,
        "entrants": {
            name: {"matches": played, "blocks": blocks}
            for name, played, blocks in zip(
                matches.names, matches.played().tolist(), matches.blocks_of()[0].tolist(), strict=True
            )
        },
        "order": None if ratings.order is None else _order_data(ratings.order, ratings),
        "money": None if ratings.money is None else _money_data(ratings.money, ratings),
    }
    if ratings.clone_robust is not None:
        found = ratings.clone_robust
        data["clone_robust"] = {
            basis.value: dict(zip(matches.names, map(json_number, values.tolist()), strict=True))
            for basis, values in found.values.items()
        } | {"never_met": None if found.strangers is None else list(found.strangers)}
    return data


def _order_data(rating: OrderRating, ratings: Ratings) -> dict[str, object]:
    scales = []
    for scale in scales_of(ratings):
        rows = [
            {
                "entrant": scale.names[at],
                "log_worth": estimate_data(scale.estimate(at)),
                "points": estimate_data(estimate_in_points(scale.estimate(at))),
                "better_than_average": estimate_data(better_than_average(scale.estimate(at))),
            }
            for at in scale.order
        ]
        scales.append({"relative_to": scale.anchor or "mean", "rows": rows, **_comparison_data(scale)})
    return {
        "scales": scales,
        **_components_data(rating.components, ratings.matches),
        "seats": _seats_data(rating.seats),
        "ties_among_equals": json_number(rating.tie),
        "notes": list(rating.notes),
    }


def _money_data(rating: MoneyRatings, ratings: Ratings) -> dict[str, object]:
    scales = []
    for each in rating.ratings:
        own, others, lead = money_scales(each, ratings.wanted.anchor)
        rows = [
            {
                "entrant": own.names[at],
                "own": estimate_data(own.estimate(at)),
                "others": None if others is None else estimate_data(others.estimate(at)),
                "lead": estimate_data(lead.estimate(at)),
            }
            for at in own.order
        ]
        scales.append({"relative_to": own.anchor or "mean", "rows": rows, **_comparison_data(own)})
    return {
        "game": rating.game,
        "scales": scales,
        "mean": json_number(rating.ratings[0].base) if rating.ratings else None,
        "deals_taken_out": rating.deals,
        **_components_data(rating.components, ratings.matches),
        "seats": _seats_data(rating.seats),
        "notes": list(rating.notes),
    }


def money_scales(rating: MoneyRating, anchor: str) -> tuple[RatingScale, RatingScale | None, RatingScale]:
    """The scales of own, others and lead, relative to the anchor if it is one of these."""
    others = None if rating.others is None else anchor_scale(rating.others, anchor)
    return anchor_scale(rating.own, anchor), others, anchor_scale(rating.lead, anchor)


def _comparison_data(scale: RatingScale) -> dict[str, object]:
    return {
        "above": {
            scale.names[at]: {
                scale.names[other]: json_number(chance)
                for other, chance in zip(scale.order, row, strict=True)
                if other != at
            }
            for at, row in zip(scale.order, scale.matrix(), strict=True)
        },
        "not_told_apart": scale.not_apart(),
    }


def _components_data(components: Components, matches: RatingMatches) -> dict[str, object]:
    ahead = zip(*(column.tolist() for column in numpy.nonzero(components.ahead)), strict=True)
    return {
        "components": [[matches.names[at] for at in members] for members in components.members],
        "always_ahead": [list(pair) for pair in ahead],
        "connected_by_matches": list(components.part),
    }


def _seats_data(seats: Sequence[SeatEffect]) -> list[dict[str, object]]:
    return [
        {
            "edition": each.group.edition,
            "players": each.group.players,
            "seat": each.seat,
            "effect": estimate_data(each.effect),
        }
        for each in seats
    ]


_VALUE_NAMES = ("log_worth", "points", "better_than_average", "own", "others", "lead")


def ratings_csv(ratings: Ratings) -> str:
    """One line for each entrant and each basis that it is rated by, in the order of the ratings. ``scale`` numbers the
    scales of a basis from 0, and values on two of them cannot be compared; unknown values are empty."""
    columns = [column for name in _VALUE_NAMES for column in estimate_columns(name)]
    lines: list[Sequence[object]] = [
        ("basis", "scale", "place", "entrant", "matches", "blocks", *columns, "clone_robust")
    ]
    for number, scale in enumerate(scales_of(ratings)):
        values = [scale.estimate(at) for at in range(len(scale.names))]
        cells = [(value, estimate_in_points(value), better_than_average(value), None, None, None) for value in values]
        lines += _csv_lines(ratings, Basis.ORDER, number, scale, cells)
    for number, rating in enumerate(ratings.money.ratings if ratings.money is not None else ()):
        own, others, lead = money_scales(rating, ratings.wanted.anchor)
        parts = [
            (None, None, None, own.estimate(at), None if others is None else others.estimate(at), lead.estimate(at))
            for at in range(len(own.names))
        ]
        lines += _csv_lines(ratings, Basis.MONEY, number, own, parts)
    return csv_text(lines)


def _csv_lines(
    ratings: Ratings, basis: Basis, number: int, scale: RatingScale, values: Sequence[Sequence[Estimate | None]]
) -> Iterator[Sequence[object]]:
    matches = ratings.matches
    robust = ratings.clone_robust.values.get(basis) if ratings.clone_robust is not None else None
    played, blocks = matches.played().tolist(), matches.blocks_of()[0].tolist()
    for place, at in enumerate(scale.order, 1):
        whole = matches.names.index(scale.names[at])
        cells = [cell for value in values[at] for cell in estimate_cells(value)]
        second = "" if robust is None else csv_number(float(robust[whole]))
        yield basis.value, number, place, scale.names[at], played[whole], blocks[whole], *cells, second
