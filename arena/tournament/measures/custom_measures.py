"""Measures that a tournament file defines: one fact from the record of a match, or a test of it.

``{of: money}`` is the mean of the fact over matches, ``{of: rank, equals: 2}`` the share of matches in which the fact
passes the test. Facts are those of :class:`Fact`, or a :class:`SeatFact` from outside arena, named ``module:Name``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

import msgspec
from msgspec import UnsetType

from arena.errors import UserError, cut_text, nearest_hint
from arena.penalties import FaultKind, SeatEnd
from arena.plugins import PluginKind, check_name, is_plugin
from arena.tournament.measures.measures import (
    MEASURES,
    Measure,
    MeasureUnit,
    Number,
    SeatInMatch,
    beaten_shares,
    no_step,
    shared_wins,
    step_of_beaten,
    whole_step,
)

LONGEST_NAME = 40
RESERVED_NAMES = frozenset(
    {"edition", "games", "place", "entrant", "opponent", "matches", "even_share", "seat", "blocks"}
)
"""Names of the columns of standings files that are not measures."""
DERIVED_ENDINGS = ("_half_width", "_low", "_high", "_by_kind")
"""Endings of the columns that standings files derive from a measure."""


class Fact(StrEnum):
    """The facts that the record of a match has about a seat."""

    MONEY = "money"
    LEAD = "lead"
    RANK = "rank"
    WIN = "win"
    BEATEN = "beaten"
    FAULTS = "faults"
    ENDED = "ended"
    SEAT = "seat"
    ASKS = "asks"
    PLAYERS = "players"
    TERMINATION = "termination"
    COUNT = "count"


class CustomMeasure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A measure as a tournament file defines it: ``of`` names the fact (a :class:`Fact` or ``module:Name``), ``kind``
    limits faults to one kind, ``count`` names one of the game's counts. The other fields are tests, all of which must
    pass."""

    of: str
    kind: FaultKind | None = None
    count: str | None = None
    equals: int | float | str | None = None
    below: int | float | None = None
    at_most: int | float | None = None
    above: int | float | None = None
    at_least: int | float | None = None


class SeatFact(NamedTuple):
    """A fact about a seat: ``of`` computes it, ``unit`` is its unit, ``decimals`` its decimals in tables, and ``step``
    the least difference between two unequal values (:class:`arena.tournament.measures.measures.Measure`). Values are
    added up exactly, so they are whole numbers or fractions."""

    of: Callable[[SeatInMatch], Number | str]
    unit: MeasureUnit = MeasureUnit.POINTS
    decimals: int = 1
    step: Callable[[int], float] = no_step


SEAT_FACTS = PluginKind[SeatFact](
    "measure",
    "arena.measures",
    lambda part: "" if isinstance(part, SeatFact) else f"expected a SeatFact, got {cut_text(repr(part))}",
)
"""Facts from outside arena."""


_BOUND_TESTS: Mapping[str, tuple[str, Callable[[Number, float], bool]]] = {
    "below": ("below", lambda value, bound: value < bound),
    "at_most": ("at most", lambda value, bound: value <= bound),
    "above": ("above", lambda value, bound: value > bound),
    "at_least": ("at least", lambda value, bound: value >= bound),
}
_FACT_VALUES = {
    Fact.MONEY: SeatFact(lambda at: at.seat.money, MeasureUnit.MONEY),
    Fact.LEAD: SeatFact(lambda at: _money_lead(at), MeasureUnit.MONEY),
    Fact.RANK: SeatFact(lambda at: at.seat.rank, MeasureUnit.RANK, 2, whole_step),
    Fact.WIN: SeatFact(lambda at: shared_wins(at.ranks)[at.number], MeasureUnit.SHARE, step=whole_step),
    Fact.BEATEN: SeatFact(lambda at: beaten_shares(at.ranks)[at.number], MeasureUnit.SHARE, step=step_of_beaten),
    Fact.FAULTS: SeatFact(lambda at: sum(at.seat.faults.values()), MeasureUnit.POINTS, 2),
    Fact.ENDED: SeatFact(lambda at: str(at.seat.ended), MeasureUnit.POINTS),
    Fact.SEAT: SeatFact(lambda at: at.number, MeasureUnit.POINTS, 2),
    Fact.ASKS: SeatFact(lambda at: at.record.asks, MeasureUnit.POINTS),
    Fact.PLAYERS: SeatFact(lambda at: len(at.ranks), MeasureUnit.POINTS, 2),
    Fact.TERMINATION: SeatFact(lambda at: at.record.termination, MeasureUnit.POINTS),
    Fact.COUNT: SeatFact(lambda at: 0, MeasureUnit.POINTS, 2),
}
WORD_FACTS = frozenset({Fact.ENDED, Fact.TERMINATION})
"""Facts whose values are words, not numbers."""


def measure_problem(name: str, made: CustomMeasure) -> tuple[str, str] | None:
    """The key at fault in a measure of this name ("": the measure itself) and what is wrong; None if all is right."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > LONGEST_NAME:
        small = f"of at most {LONGEST_NAME} small letters, digits and '_' that begins with a letter"
        return "", f"expected a name {small}, got {name!r}"
    if name in RESERVED_NAMES or name in {each.name for each in MEASURES}:
        return "", f"standings have {name!r} already; expected another name"
    if name.endswith(DERIVED_ENDINGS):
        return "", f"expected a name that does not end with {', '.join(DERIVED_ENDINGS)}, got {name!r}"
    try:
        check_name(made.of, "measure", Fact)
    except UserError as mistake:
        return "of", str(mistake)
    if made.kind is not None and made.of != Fact.FAULTS:
        return "kind", f"only faults have a kind, not {made.of}"
    if (made.of == Fact.COUNT) != (made.count is not None):
        return "count", f"{made.of} has no count" if made.count is not None else "expected one of the game's counts"
    if made.of not in WORD_FACTS:
        if isinstance(made.equals, str):
            return "equals", f"{made.of} is a number; expected a number, got {made.equals!r}"
        return None
    if bound := next((test for test in _BOUND_TESTS if getattr(made, test) is not None), ""):
        return bound, f"{made.of} is a word and can only be tested with 'equals'"
    if not isinstance(made.equals, str):
        return "equals", f"{made.of} is a word: expected the one to compare with, got {made.equals or 'none'}"
    return None


def fact_words(fact: str, terminations: Iterable[str]) -> Sequence[str]:
    """The possible words of a fact, in a tournament whose matches can end for the reasons ``terminations``."""
    return sorted(terminations) if fact == Fact.TERMINATION else [each.value for each in SeatEnd]


def with_made(made: Mapping[str, CustomMeasure], names: Sequence[str] = ()) -> tuple[Measure, ...]:
    """The measures that all standings have, or only those with these ``names``, followed by the ``made`` ones, by name.
    Raises UserError for an unknown name, and for a fact from outside arena whose module is not imported
    (:class:`arena.plugins.PluginKind`)."""
    known = {each.name: each for each in MEASURES}
    if unknown := [name for name in names if name not in known]:
        raise UserError(f"this arena has no measure {unknown[0]!r}{nearest_hint(unknown[0], known)}")
    shared = [known[name] for name in names] if names else MEASURES
    return (*shared, *(_custom_measure(name, each) for name, each in made.items()))


def _custom_measure(name: str, made: CustomMeasure) -> Measure:
    told = _fact(made.of)
    tests = _value_tests(made)
    value = _fact_value(made)
    return Measure(
        name=name,
        meaning=_measure_meaning(made),
        of=(lambda at: all(test(value(at)) for test in tests)) if tests else value,
        unit=MeasureUnit.SHARE if tests else told.unit,
        header=name.replace("_", " "),
        decimals=1 if tests else told.decimals,
        interval=True,
        across_games=told.unit is not MeasureUnit.MONEY and made.of != Fact.COUNT,
        less_is_better=not tests and told.unit is MeasureUnit.RANK,
        made=True,
        step=whole_step if tests else told.step,
    )


def _fact(name: str) -> SeatFact:
    """The fact of this name; each value of a fact from outside arena is checked."""
    if not is_plugin(name):
        return _FACT_VALUES[Fact(name)]
    fact = SEAT_FACTS.load(name)

    def checked(at: SeatInMatch) -> Number:
        try:
            number = fact.of(at)
        except Exception as error:
            raise UserError(f"measure {name}, match {at.record.id}: {type(error).__name__}: {error}") from None
        if not isinstance(number, int | Fraction):
            told = f"expected a whole number or a Fraction, got {cut_text(repr(number))}"
            raise UserError(f"measure {name}, match {at.record.id}: {told}")
        return number

    return fact._replace(of=checked)


def _fact_value(made: CustomMeasure) -> Callable[[SeatInMatch], Number]:
    """The function that gives a seat's value of the fact; a word counts 1 if it is the one to compare with, else 0."""
    of, kind, word = _fact(made.of).of, made.kind, made.equals
    if kind is not None:
        return lambda at: at.seat.faults.get(kind, 0)
    if (count := made.count) is not None:
        return lambda at: _count(at, count)
    if made.of in WORD_FACTS:
        return lambda at: int(of(at) == word)
    return of  # type: ignore[return-value]  # the others are numbers


def _value_tests(made: CustomMeasure) -> list[Callable[[Number], bool]]:
    """The tests of a value; the test of a word is that it is the one to compare with."""
    wanted = 1 if made.of in WORD_FACTS else made.equals
    found: list[Callable[[Number], bool]] = [] if wanted is None else [lambda value: value == wanted]
    for name, (_, passes) in _BOUND_TESTS.items():
        if (bound := getattr(made, name)) is not None:
            found.append(lambda value, passes=passes, bound=bound: passes(value, bound))  # type: ignore[misc]
    return found


def _measure_meaning(made: CustomMeasure) -> str:
    """The meaning of the measure, in words."""
    what = f"{made.kind} faults" if made.kind is not None else made.count or str(made.of)
    tests = [
        f"{words} {getattr(made, name)}" for name, (words, _) in _BOUND_TESTS.items() if getattr(made, name) is not None
    ]
    tests = [*([] if made.equals is None else [f"equal to {made.equals}"]), *tests]
    return f"share of matches with {what} {' and '.join(tests)}" if tests else f"mean of {what}"


def _count(at: SeatInMatch, name: str) -> Number:
    """The seat's count of this ``name``. Raises UserError if the record does not have it, as older records do not."""
    counts = at.record.counts
    if isinstance(counts, UnsetType) or name not in counts:
        raise UserError(f"{at.record.id}: its record has no count {name!r}; play it again")
    return counts[name][at.number]


def _money_lead(at: SeatInMatch) -> Number:
    """How much more money a seat has than the mean of its table."""
    return at.seat.money - Fraction(sum(seat.money for seat in at.record.seats), len(at.record.seats))
