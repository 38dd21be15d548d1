"""Ranks entrants by their results in some blocks, for formats that need a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from arena.tournament.records.earlier_results import Score


def rank_entrants(
    entrants: Iterable[int], scores: Mapping[int, Score], seats: int, absent: frozenset[int]
) -> list[int]:
    """The entrants, best first: by the share of opponents beaten
    (:func:`arena.tournament.measures.measures.beaten_shares`), then by money per match; entrants with equal results
    stay in the given order. An entrant without a match that counts is ranked with half of the possible points and the
    mean money of all, so that a bye neither helps nor hurts. ``absent`` entrants come last."""
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
