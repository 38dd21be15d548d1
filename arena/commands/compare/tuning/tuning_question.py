"""What is tuned, and the plans from which its matches are made."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

import msgspec

from arena.commands.compare.comparison import ComparisonQuestion, plan_comparison
from arena.config.tournament_config import Entrant
from arena.config.variations import parse_ranges
from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.games.chance import Chance
from arena.runs.gauntlet_setup import GauntletOptions, option_text, ready_series, tournament_of
from arena.runs.planning.load_bots import check_loading
from arena.runs.planning.plan import Plan
from arena.runs.single_match import number_names
from arena.tournament.schedule.balance import Balance
from arena.tuning.option_space import NamedValues, NumberRange, OptionSpace, OptionValues, Scalar
from arena.tuning.tuning_course import TuningMethod, TuningSettings

TUNED_NAME = "tuned"
"""The name of the bot with its best values in the comparison at the end."""


class TuningQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a tuning: the ``options`` with their ranges, as on the command line; how they are searched for
    (:class:`arena.tuning.tuning_course.TuningSettings`); and the greatest number of deals of the comparison at the end
    (``most``)."""

    options: tuple[str, ...]
    method: TuningMethod
    rounds: int
    deals: int
    candidates: int
    most: int

    @property
    def space(self) -> OptionSpace:
        """The options. Raises UserError where a range is none."""
        return parse_ranges(self.options)

    @property
    def settings(self) -> TuningSettings:
        """How they are searched for."""
        return TuningSettings(method=self.method, rounds=self.rounds, deals=self.deals, candidates=self.candidates)


def usual_method(space: OptionSpace) -> TuningMethod:
    """The method for these options: SPSA where all are numbers, else successive halving."""
    named = any(isinstance(each, NamedValues) for each in space.ranges)
    return TuningMethod.HALVING if named else TuningMethod.SPSA


def set_up_tuning(wanted: GauntletOptions, asked: TuningQuestion, seed: str | None) -> Plan:
    """The plan of the bot as it is named, against its opponents, with as many deals as may be needed. Raises UserError
    for wrong options, a range that the method cannot search, and a bot that cannot be loaded with its ends."""
    space = asked.space
    if not space.ranges:
        raise UserError("expected an option to tune, such as: --options greed=0.1:0.9")
    for each in space.ranges:
        if asked.method is TuningMethod.SPSA and isinstance(each, NamedValues):
            told = "its values have no order, so there is no direction in which to move"
            raise UserError(f"--options {each.name}: {told}; use --method {TuningMethod.HALVING}")
    tournament = tournament_of(msgspec.structs.replace(wanted, deals=asked.settings.most_deals, replays="none"))
    tournament = msgspec.structs.replace(tournament, name="tuning", balance=Balance.ENTRANTS)
    plan = ready_series(tournament, seed)
    tries = [each.values if isinstance(each, NamedValues) else _range_ends(each) for each in space.ranges]
    rows = zip_longest(*tries)
    values = [dict(zip(space.names, row, strict=True)) for row in rows]
    tried = [{name: value for name, value in each.items() if value is not None} for each in values]
    check_loading([_with_values(tuned_bot(plan), each) for each in tried], plan.isolation)
    return plan


def _range_ends(option: NumberRange) -> tuple[Scalar, Scalar]:
    return option.value_at(0.0), option.value_at(1.0)


def tuned_entrant(plan: Plan) -> Entrant:
    """The bot that is tuned, as it was named."""
    (name,) = plan.tournament.challengers
    return plan.tournament.entrants[plan.names.index(name)]


def tuned_bot(plan: Plan) -> BotRef:
    """The bot that is tuned, as it was named."""
    return plan.bots[plan.names.index(tuned_entrant(plan).name)]


def start_values(plan: Plan, space: OptionSpace) -> OptionValues:
    """The values from which the search starts: those that the bot was named with."""
    options = tuned_entrant(plan).options
    return {name: options[name] for name in space.names if name in options}


def plan_of_candidate(plan: Plan, values: Mapping[str, Scalar]) -> Plan:
    """The same plan with these values in place of the bot's own."""
    own = plan.names.index(tuned_entrant(plan).name)
    bots = tuple(_with_values(bot, values) if place == own else bot for place, bot in enumerate(plan.bots))
    return msgspec.structs.replace(plan, bots=bots)


def _with_values(bot: BotRef, values: Mapping[str, Scalar]) -> BotRef:
    return msgspec.structs.replace(bot, options={**bot.options, **values})


def plan_verdict(plan: Plan, best: OptionValues, asked: TuningQuestion) -> tuple[Plan, ComparisonQuestion]:
    """The comparison of the best values with the bot as it was named, on deals that the search has not seen."""
    entrant, tournament = tuned_entrant(plan), plan.tournament
    name = number_names([*plan.names, TUNED_NAME])[-1]
    tuned = msgspec.structs.replace(entrant, name=name, options={**entrant.options, **best})
    tournament = msgspec.structs.replace(
        tournament,
        name="comparison",
        seed=None,
        blocks=asked.most,
        replays="all",
        challengers=(name, entrant.name),
        entrants=(tuned, entrant, *(each for each in tournament.entrants if each is not entrant)),
    )
    question = ComparisonQuestion(new=name, old=entrant.name, most=asked.most)
    return plan_comparison(tournament, question, Chance(plan.seed).derive("verdict"))


def bot_words(plan: Plan, values: Mapping[str, Scalar]) -> str:
    """The bot with these values, as it is named on the command line."""
    entrant = tuned_entrant(plan)
    options = {**entrant.options, **values}
    told = "&".join(f"{key}={option_text(value)}" for key, value in options.items())
    return f"{entrant.bot}?{told}" if told else entrant.bot
