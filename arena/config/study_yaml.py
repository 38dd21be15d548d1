"""The file of a factorial study: a bot at a table with others, and what is varied of it, of the rules and of the
table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from arena.config.botspec import Scalar
from arena.config.documents.document import Document
from arena.config.documents.typed_yaml import convert_document
from arena.config.documents.yamlfile import read_yaml
from arena.config.tournament_config import Blocks
from arena.errors import UserError
from arena.study.factor_design import FactorDesign, make_design
from arena.tournament.inference.paired import PairedMeasure
from arena.tournament.schedule.seat_orders import SeatOrders

OFF, ON = "off", "on"
"""The levels of a factor that is a variant of the rules."""


class Factor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A factor: ``levels`` of an ``option`` of the bot or of a key of the rules (``rule``); a ``variant`` of the rules,
    without and with it; numbers of ``seats``; or ``fields``, the opponents at the table."""

    option: str | None = None
    rule: str | None = None
    levels: tuple[Scalar, ...] | None = None
    variant: str | None = None
    seats: tuple[int, ...] | None = None
    fields: tuple[tuple[str, ...], ...] | None = None

    @property
    def kind(self) -> str:
        """The key that says what is varied."""
        return next(
            name for name in ("option", "rule", "variant", "seats", "fields") if getattr(self, name) is not None
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The levels as they are written in tables."""
        if self.variant is not None:
            return OFF, ON
        if self.fields is not None:
            return tuple("+".join(field) for field in self.fields)
        return tuple(
            str(level).lower() if isinstance(level, bool) else str(level) for level in self.seats or self.levels or ()
        )

    def problem(self) -> str:
        """What is wrong with the factor; empty where nothing is."""
        given = [name for name in ("option", "rule", "variant", "seats", "fields") if getattr(self, name) is not None]
        if len(given) != 1:
            return f"expected one of option, rule, variant, seats and fields, got {' and '.join(given) or 'none'}"
        if (self.levels is None) == (given[0] in ("option", "rule")):
            return "expected levels for an option or a rule, and for nothing else"
        if len(self.names) < 2 or len(set(self.names)) < len(self.names):
            return f"expected two or more different levels, got {', '.join(self.names) or 'none'}"
        return ""


class FactorStudy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A study of a ``bot`` among ``opponents`` in ``deals`` deals: all cells play the same deals. ``resolution`` asks
    for a fraction with at least this one, ``find`` is the size of an effect that matters, to be found with the
    probability ``power``. Where a factor varies the opponents, none are given; the same holds for ``seats``."""

    name: str
    bot: str
    factors: dict[str, Factor]
    opponents: tuple[str, ...] = ()
    rules: str = "eagle-gryphon"
    variants: tuple[str, ...] = ()
    changes: dict[str, Scalar] = {}
    seats: int | None = None
    deals: Blocks = 40
    seed: str | int | None = None
    seat_orders: SeatOrders | None = None
    measure: PairedMeasure = PairedMeasure.BEATEN
    resolution: Annotated[int, Meta(ge=3, le=5)] | None = None
    find: Annotated[float, Meta(gt=0)] | None = None
    power: Annotated[float, Meta(gt=0, lt=1)] = 0.9

    def design(self) -> FactorDesign:
        """The design of its factors. Raises UserError as :func:`arena.study.factor_design.make_design`."""
        return make_design([len(each.names) for each in self.factors.values()], self.resolution)


def load_study(path: Path) -> FactorStudy:
    """The study in a file. Raises ConfigError for every mistake that can be found without loading bots."""
    document = read_yaml(path)
    study = convert_document(document, FactorStudy)
    for key, problem in _problems(study, document):
        raise document.error(key, problem)
    return study


def _problems(study: FactorStudy, document: Document) -> Iterator[tuple[str, str]]:
    kinds: list[tuple[str, str | None]] = []
    for name, factor in study.factors.items():
        if problem := factor.problem():
            yield f"factors.{name}", problem
            return
        what = (factor.kind, factor.option or factor.rule or factor.variant)
        if what in kinds:
            yield f"factors.{name}", "another factor varies the same"
        kinds.append(what)
    if not study.factors:
        yield "factors", "expected one factor or more"
    varied = {kind for kind, _ in kinds}
    if bool(study.opponents) == ("fields" in varied):
        yield "opponents", "expected opponents, either here or as the fields of a factor"
    if study.seats is not None and "seats" in varied:
        yield "seats", "a factor varies the seats; leave this out"
    try:
        study.design()
    except UserError as problem:
        yield "factors", str(problem)
