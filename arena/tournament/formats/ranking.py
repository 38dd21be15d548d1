"""Who is ahead of whom after some blocks, where a format needs to know it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from arena.tournament.records.earlier_results import Score


def rank_entrants(
    entrants: Iterable[int], scores: Mapping[int, Score], seats: int, absent: frozenset[int]
) -> list[int]:
    """The entrants, the best first: by the share of opponents beaten
    (:func:`arena.tournament.measures.measures.beaten_shares`), then money a match; those who have the same stay in the
    order in which they are given. Whoever has no match that counts is ranked with an even half of the points and the
    mean money of all, and so loses and gains nothing by a bye. Whoever is ``absent`` comes last."""
    matches = sum(score.matches for score in scores.values())
    mean = Fraction(sum(score.money for score in scores.values()), matches or 1)
    even = (Fraction(seats - 1), mean)  # points are two for each opponent

    def place(entrant: int) -> tuple[bool, Fraction, Fraction]:
        score = scores.get(entrant)
        points, money = even
        if score is not None and score.matches:
            points, money = Fraction(score.points, score.matches), Fraction(score.money, score.matches)
        return entrant in absent, -points, -money

    return sorted(entrants, key=place)
