"""Ratings as numbers for programs: JSON-able data and CSV. All are rounded, so that equal matches give equal bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy

from arena.ratings.by_money.money_ratings import MoneyRating, MoneyRatings
from arena.ratings.by_order.orders import POINTS, OrderRating, SeatEffect, against_average
from arena.ratings.connected import Components
from arena.ratings.match_ups import MatchUps
from arena.ratings.order_columns import RatingMatches
from arena.ratings.rate import Basis, Ratings
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.result_table import (
    ResultColumn,
    ResultTable,
    estimate_column,
    keyed_table,
    rows_data,
    table_csv,
)
from arena.tournament.tables.rounded_figures import json_number


def estimate_in_points(estimate: Estimate) -> Estimate:
    """A log-worth in points: 400 are odds of ten to one."""
    return _map_estimate(estimate, lambda value: value * POINTS)


def better_than_average(estimate: Estimate) -> Estimate:
    """A log-worth as the share of matches in which the entrant ranks better than one of log-worth 0."""
    return _map_estimate(estimate, against_average)


def _map_estimate(estimate: Estimate, of: Callable[[float], float]) -> Estimate:
    mean, low, high = (None if each is None else of(each) for each in (estimate.mean, estimate.low, estimate.high))
    return Estimate(mean=mean, low=low, high=high, clusters=estimate.clusters)


def anchor_scale(scale: RatingScale, anchor: str) -> RatingScale:
    """The scale relative to the ``anchor`` if that is on it, else the scale as it is."""
    return scale.anchored(anchor) if anchor in scale.names else scale


def scales_of(ratings: Ratings) -> list[RatingScale]:
    """The scales by order of finish, relative to the anchor if it is on the scale."""
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
                matches.names, matches.match_counts().tolist(), matches.blocks_of()[0].tolist(), strict=True
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


def _match_ups_data(fit: MatchUps | None) -> dict[str, object] | None:
    if fit is None:
        return None
    numbers = {name: json_number(getattr(fit, name)) for name in ("chance", "found", "expected")}
    return {**numbers, "one": fit.one, "two": fit.two, "shown": fit.shown}


def _order_data(rating: OrderRating, ratings: Ratings) -> dict[str, object]:
    scales = [
        {
            "relative_to": scale.anchor or "mean",
            "rows": rows_data(order_rows(ratings, scale).pick(["entrant", *ORDER_KEYS])),
            **_comparison_data(scale),
        }
        for scale in scales_of(ratings)
    ]
    return {
        "scales": scales,
        **_components_data(rating.components, ratings.matches),
        "seats": rows_data(seat_effect_rows(rating.seats)),
        "ties_among_equals": json_number(rating.tie),
        "notes": list(rating.notes),
        "match_ups": _match_ups_data(rating.match_ups),
    }


def _money_data(rating: MoneyRatings, ratings: Ratings) -> dict[str, object]:
    scales = []
    for each in rating.ratings:
        own, _, _ = money_scales(each, ratings.wanted.anchor)
        rows = rows_data(money_rows(ratings, each).pick(["entrant", *MONEY_KEYS]))
        scales.append({"relative_to": own.anchor or "mean", "rows": rows, **_comparison_data(own)})
    return {
        "game": rating.game,
        "scales": scales,
        "mean": json_number(rating.ratings[0].base) if rating.ratings else None,
        "deals_taken_out": rating.deals,
        **_components_data(rating.components, ratings.matches),
        "seats": rows_data(seat_effect_rows(rating.seats)),
        "notes": list(rating.notes),
        "match_ups": _match_ups_data(rating.match_ups),
    }


FIXED = (
    ResultColumn("place", "#"),
    ResultColumn("entrant", "entrant", left=True),
    ResultColumn("matches", "matches"),
    ResultColumn("blocks", "blocks"),
)
ORDER_KEYS = ("log_worth", "points", "better_than_average")
MONEY_KEYS = ("own", "others", "lead")


def order_rows(ratings: Ratings, scale: RatingScale) -> ResultTable:
    """The entrants on a scale by order of finish, the best first."""
    better = f"better than {scale.anchor or 'average'}"
    columns = (
        estimate_column("log_worth", "log-worth", decimals=2),
        estimate_column("points", "points", decimals=0),
        estimate_column("better_than_average", better, share=True),
    )
    found = [scale.estimate(at) for at in range(len(scale.names))]
    values = [(each, estimate_in_points(each), better_than_average(each)) for each in found]
    return _scale_rows(ratings, Basis.ORDER, scale, columns, values)


def money_rows(ratings: Ratings, rating: MoneyRating) -> ResultTable:
    """The entrants on a scale in money, the best first. People see the columns of others and lead only if others is
    known."""
    own, others, lead = money_scales(rating, ratings.wanted.anchor)
    heads = ("own", "others", "lead") if others is not None else ("own", "", "")
    columns = [estimate_column(key, head, signed=True) for key, head in zip(MONEY_KEYS, heads, strict=True)]
    values = [
        (own.estimate(at), None if others is None else others.estimate(at), lead.estimate(at))
        for at in range(len(own.names))
    ]
    return _scale_rows(ratings, Basis.MONEY, own, columns, values)


def _scale_rows(
    ratings: Ratings,
    basis: Basis,
    scale: RatingScale,
    columns: Sequence[ResultColumn],
    values: Sequence[Sequence[Estimate | None]],
) -> ResultTable:
    matches = ratings.matches
    number = {name: at for at, name in enumerate(matches.names)}
    robust = ratings.clone_robust.values.get(basis) if ratings.clone_robust is not None else None
    played, blocks = matches.match_counts().tolist(), matches.blocks_of()[0].tolist()
    rows = []
    for place, at in enumerate(scale.order, 1):
        whole = number[scale.names[at]]
        second = None if robust is None else float(robust[whole])
        rows.append([place, scale.names[at], played[whole], blocks[whole], *values[at], second])
    last = ResultColumn("clone_robust", "" if robust is None else "clone-robust", share=basis is Basis.ORDER)
    return ResultTable((*FIXED, *columns, last), rows)


def money_scales(rating: MoneyRating, anchor: str) -> tuple[RatingScale, RatingScale | None, RatingScale]:
    """The scales of own, others and lead, relative to the anchor if it is one of the entrants."""
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


def seat_effect_rows(seats: Sequence[SeatEffect], heading: str = "", decimals: int = 1) -> ResultTable:
    """The effect of each seat; ``heading`` is what people read above this column."""
    columns = (
        ResultColumn("edition", "edition", left=True),
        ResultColumn("players", "players"),
        ResultColumn("seat", "seat"),
        estimate_column("effect", heading, decimals=decimals),
    )
    return ResultTable(columns, [(each.group.edition, each.group.players, each.seat, each.effect) for each in seats])


def ratings_csv(ratings: Ratings) -> str:
    """One line for each entrant and each basis that it is rated by, in the order of the ratings. ``scale`` numbers the
    scales of a basis from 0, and values on two of them cannot be compared; unknown values are empty."""
    keys = (*ORDER_KEYS, *MONEY_KEYS)
    columns: list[str | ResultColumn] = ["basis", "scale", *FIXED, *map(estimate_column, keys), "clone_robust"]
    tables = [(Basis.ORDER, at, order_rows(ratings, each)) for at, each in enumerate(scales_of(ratings))]
    money = ratings.money.ratings if ratings.money is not None else ()
    tables += [(Basis.MONEY, at, money_rows(ratings, each)) for at, each in enumerate(money)]
    rows = []
    for basis, number, table in tables:
        for row in table.rows:
            known = dict(zip(table.keys, row, strict=True))
            rows.append([basis.value, number, *row[: len(FIXED)], *(known.get(key) for key in (*keys, "clone_robust"))])
    return table_csv(keyed_table(columns, rows))
