"""The conditions of play for a bot that is checked, and the matches that check it under these conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import cycle, islice

import msgspec

from arena.bot import Limits
from arena.config.editions import Edition
from arena.config.ladder_config import LadderConfig
from arena.config.tournament_config import Tournament
from arena.consultation.model_spec import CallBudgets, MatchModels, ModelSpec
from arena.finding.reference import BotRef, find_file
from arena.games import built_in_games
from arena.match.work import Work
from arena.penalties import FaultPolicy
from arena.rerun.play_twice import CHECKED_ENTRANT
from arena.runs.bundled_bots import bundled_for
from arena.runs.planning.isolation_level import Isolation
from arena.runs.planning.make_spec import MatchConditions, seats_of, spec_of
from arena.sandbox.demand import Demand


class CheckConditions(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions of a check: the edition, the number of ``seats`` at a table, the time limits, the penalties for
    faults, and the isolation of the bots (``demand``); the language ``models`` of the tournament or ladder, within
    which budgets these may be asked, and which of them the checked bot may consult (``allowed``), and which each of its
    first opponents (``others_allowed``)."""

    edition: Edition
    seats: int
    limits: Limits = Limits()
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: int = 3
    demand: Demand = Demand()
    models: dict[str, ModelSpec] = {}
    budgets: CallBudgets = CallBudgets()
    allowed: tuple[str, ...] = ()
    others_allowed: tuple[tuple[str, ...], ...] = ()


def conditions_of(
    config: Tournament | LadderConfig, edition: Edition, seats: int, isolation: Isolation
) -> CheckConditions:
    """The conditions that a tournament or a ladder sets for this edition and number of seats."""
    return CheckConditions(
        edition=edition,
        seats=seats,
        limits=config.limits,
        fault_policy=config.fault_policy,
        strikes=config.strikes,
        demand=isolation.demand,
    )


def company_of(conditions: CheckConditions, others: Sequence[BotRef]) -> list[BotRef]:
    """The opponents of a bot in a check: the ``others``, filled up with bundled bots of the game if they are too few
    for a table."""
    found, game = list(others), conditions.edition.game
    if len(found) < conditions.seats - 1 and game in built_in_games():
        names = bundled_for(game)[: conditions.seats - 1 - len(found)]
        found += [find_file(name) for name in names]
    return found


def works_under(
    conditions: CheckConditions, ref: BotRef, others: Sequence[BotRef], matches: int, seed: str, name: str = "check"
) -> Iterator[Work]:
    """Make ``matches`` matches of the bot ``ref`` against the ``others`` under these conditions; its seat changes from
    match to match. Each match has its own deal, derived from the ``seed``. Without others the bot meets itself. Their
    ids begin with ``name``."""
    company, seats = company_of(conditions, others) or [ref], conditions.seats
    uses = (*conditions.others_allowed, *[()] * len(company))[: len(company)]
    for number in range(matches):
        met = list(islice(cycle(zip(company, uses, strict=True)), number, number + seats - 1))
        seat = number % seats
        met.insert(seat, (ref, conditions.allowed))
        bots = tuple(bot for bot, _ in met)
        names = [CHECKED_ENTRANT if index == seat else f"{bot.name}#{index}" for index, bot in enumerate(bots)]
        spec = spec_of(
            conditions.edition,
            seats_of(names, bots),
            id=f"{name}/{number + 1}",
            tournament="check",
            seed=sha256(f"{seed}/{number + 1}".encode()).hexdigest()[:32],
            conditions=MatchConditions(conditions.limits, conditions.fault_policy, conditions.strikes),
        )
        models = None
        if conditions.models:
            models = MatchModels(conditions.models, tuple(allowed for _, allowed in met), conditions.budgets)
        yield Work(spec=spec, bots=bots, demand=conditions.demand, models=models)
