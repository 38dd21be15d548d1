"""A gauntlet without a tournament file: one bot, or one with several values of its options, against others."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.bot import Limits
from arena.config.botspec import BotSpec, Scalar, of_command, parse_bot
from arena.config.documents.document import Document
from arena.config.documents.patch import set_key
from arena.config.editions import load_edition
from arena.config.filesearch import FileSearch
from arena.config.tournament_config import NAME_LENGTH, EditionEntry, Entrant, Tournament, isolation_word
from arena.errors import ArenaError, BotError, ConfigError, UserError
from arena.match.work import Replays
from arena.penalties import FaultPolicy
from arena.runs.models.named_models import NO_NAMED_MODELS, NamedModels
from arena.runs.planning.guessable_seed import check_seed
from arena.runs.planning.make_plan import ready_plan
from arena.runs.planning.plan import Plan
from arena.runs.single_match import DEFAULT_RULES, number_names
from arena.sandbox.probe import Level
from arena.tournament.formats.make_format import Formats
from arena.tournament.schedule.balance import BALANCE_HINT, Balance
from arena.tournament.schedule.seat_orders import SeatOrders, seat_orders

MOST_SEATS = 4
"""The maximum number of seats at a table by default: more seats need more opponents, and more matches a deal."""


ROUND_ROBIN = "round-robin"
"""The bundled tournament file of a round robin between bots that are named on the command line."""


class GauntletOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The request for a gauntlet: the ``bot`` and its ``opponents`` as named on the command line, combinations of
    ``values`` for the bot's options (none: only the bot as named), ``rivals`` that challenge the same opponents at the
    same tables, the edition, the number of ``deals``, and the conditions; with ``named`` language models, which all
    bots may consult, the time limits are those for these. Where another field is None, :func:`set_up_gauntlet`
    chooses."""

    bot: str
    opponents: tuple[str, ...]
    rivals: tuple[str, ...] = ()
    values: Sequence[Mapping[str, Scalar]] = ()
    rules: str = DEFAULT_RULES
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    deals: int = 50
    seats: int | None = None
    orders: SeatOrders | None = None
    limits: Limits = Limits()
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: int = 3
    trust: bool = False
    isolate_all: bool = False
    require: Level = Level.NONE
    replays: Replays = "all"
    named: NamedModels | None = None


def set_up_gauntlet(wanted: GauntletOptions, seed: str | None = None) -> Plan:
    """The plan of a tournament of format `gauntlet`. Its challengers are the bot, once with each combination of values,
    and each rival. Tables have four seats, or as many as there are entrants and the edition allows; seat orders are
    balanced designs where one is known, else rotations. Raises UserError."""
    return ready_series(tournament_of(wanted), seed)


def ready_series(tournament: Tournament, seed: str | None) -> Plan:
    """The plan of a tournament that was given on the command line. Raises UserError."""
    if seed is not None:
        check_seed(seed)
    plan = ready_plan(tournament, _translate_problem, seed)
    return plan.with_all_isolated() if tournament.models else plan


def tournament_of(wanted: GauntletOptions) -> Tournament:
    """The tournament from which :func:`set_up_gauntlet` makes its plan."""
    changes = _rule_changes(wanted.settings)
    rules = os.path.abspath(wanted.rules) if wanted.rules.endswith((".yaml", ".yml")) else wanted.rules
    edition = EditionEntry(rules=rules, variants=wanted.variants, changes=changes)
    specs = [parse_bot(bot) for bot in (wanted.bot, *wanted.rivals, *wanted.opponents)]
    names = number_names(_entrant_names(specs, 1 + len(wanted.rivals)))
    others = [_make_entrant(spec, name) for spec, name in zip(specs[1:], names[1:], strict=True)]
    rivals, field = others[: len(wanted.rivals)], others[len(wanted.rivals) :]
    challengers = (*_list_challengers(specs[0], names[0], wanted.values), *rivals)
    entrants, named = (*challengers, *field), wanted.named or NO_NAMED_MODELS
    if named.models:
        entrants = tuple(msgspec.structs.replace(each, models=tuple(named.models)) for each in entrants)
    seats = wanted.seats or _default_seats(edition, len(wanted.opponents))
    return Tournament(
        name="comparison" if rivals else "gauntlet",
        entrants=entrants,
        editions=(edition,),
        seats=(seats,),
        blocks=wanted.deals,
        seat_orders=wanted.orders or _best_orders(seats),
        fault_policy=wanted.fault_policy,
        strikes=wanted.strikes,
        limits=named.limits if named.models else wanted.limits,
        replays=wanted.replays,
        isolation=isolation_word(wanted.trust, wanted.isolate_all),
        require=wanted.require,
        format=Formats.GAUNTLET,
        balance=Balance.ENTRANTS if rivals else Balance.PAIRS,
        challengers=tuple(each.name for each in challengers),
        models=named.models,
        consulting=named.budgets,
    )


def round_robin_settings(bots: Sequence[str]) -> list[str]:
    """The settings, as of ``arena run --set``, that enter these bots, named as on the command line, in the bundled
    tournament file :data:`ROUND_ROBIN`. Raises BotError."""
    specs = [parse_bot(bot) for bot in bots]
    names = number_names(_entrant_names(specs, len(specs)))
    entrants = [_make_entrant(spec, name) for spec, name in zip(specs, names, strict=True)]
    told = msgspec.json.encode([{"bot": each.bot, "name": each.name, "options": each.options} for each in entrants])
    return [f"entrants={told.decode()}", f"seats={min(MOST_SEATS, len(entrants))}"]


def entrant_words(wanted: GauntletOptions, plan: Plan) -> dict[str, str]:
    """For each entrant's name, the bot as named on the command line, with its options."""
    typed = [wanted.bot.partition("?")[0]] * (len(plan.tournament.challengers) - len(wanted.rivals))
    typed += [rival.partition("?")[0] for rival in wanted.rivals]
    typed += [opponent.partition("?")[0] for opponent in wanted.opponents]
    found = {}
    for entrant, word in zip(plan.tournament.entrants, typed, strict=True):
        options = "&".join(f"{key}={option_text(value)}" for key, value in entrant.options.items())
        found[entrant.name] = f"{word}?{options}" if options else word
    return found


def base_challenger(wanted: GauntletOptions, plan: Plan) -> str:
    """The challenger that the others are compared with: the one whose options are those in the bot's name on the
    command line, if they are among the values, else the first."""
    named = parse_bot(wanted.bot).options
    for challenger, values in zip(plan.tournament.challengers, wanted.values, strict=False):
        if all(key in named and named[key] == value for key, value in values.items()):
            return challenger
    return plan.tournament.challengers[0]


def _rule_changes(settings: Sequence[str]) -> dict[str, Any]:
    """The single changes of the edition's rules."""
    document = Document("", {})
    for setting in settings:
        document = set_key(document, setting, "--rule")
    found: dict[str, Any] = document.data
    return found


def _list_challengers(spec: BotSpec, name: str, values: Sequence[Mapping[str, Scalar]]) -> tuple[Entrant, ...]:
    """The bot as an entrant, once for each combination of values, with these in its name."""
    if not values:
        return (_make_entrant(spec, name),)
    told = ["&".join(f"{key}={option_text(value)}" for key, value in each.items()) for each in values]
    if any(len(f"{name}?{each}") > NAME_LENGTH or "/" in each or not each.isprintable() for each in told):
        told = [f"value{number}" for number in range(1, len(values) + 1)]
    return tuple(
        _make_entrant(spec, f"{name[:20]}?{each}"[:NAME_LENGTH], values)
        for each, values in zip(told, values, strict=True)
    )


def option_text(value: Scalar) -> str:
    """An option's value as it is written behind a question mark; text is quoted if it could be taken for another
    type."""
    if not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    try:
        plain = parse_bot(f"bot?option={value}").options == {"option": value}
    except BotError:
        plain = False
    return value if plain else msgspec.json.encode(value).decode()


def _make_entrant(spec: BotSpec, name: str, options: Mapping[str, Scalar] | None = None) -> Entrant:
    """The entrant as in a tournament file, with absolute paths."""
    given = {**spec.options, **(options or {})}
    if spec.kind == "file":
        spec = msgspec.structs.replace(spec, target=os.path.abspath(spec.target))
    elif spec.kind == "command":
        here = FileSearch(Document("", {}), Path(), required=False)
        spec = of_command([here.find_path(word) for word in spec.words])
    return Entrant(bot=spec.text, name=name, options=given)


def _entrant_name(spec: BotSpec) -> str:
    """The bot's own name, made valid as an entrant's name."""
    name = "".join(letter if letter.isprintable() and letter != "/" else "-" for letter in spec.default_name)
    return name[: NAME_LENGTH - 4].strip(" .") or "bot"


def _entrant_names(specs: Sequence[BotSpec], challengers: int) -> list[str]:
    """The bots' own names. Where several challengers share a name, their options are added to it."""
    names = [_entrant_name(spec) for spec in specs]
    for place, spec in enumerate(specs[:challengers] if challengers > 1 else ()):
        told = "&".join(f"{key}={option_text(value)}" for key, value in spec.options.items())
        full = f"{names[place]}?{told}"
        shared = sum(_entrant_name(each) == _entrant_name(spec) for each in specs) > 1
        if told and shared and len(full) <= NAME_LENGTH - 4 and "/" not in told and told.isprintable():
            names[place] = full
    return names


def _default_seats(edition: EditionEntry, opponents: int) -> int:
    try:
        allowed = load_edition(edition.rules, edition.variants, edition.changes).seats
    except ConfigError as problem:
        if re.split(r"[.\[]", problem.key)[0] in edition.changes:  # the mistake is not in the rules file
            raise UserError(f"--rule {problem.key}: {problem.message}") from None
        raise
    if opponents + 1 < allowed[0]:
        few = f"{edition.rules} is for {allowed[0]} to {allowed[-1]} players"
        raise UserError(f"{few}: name {allowed[0] - 1} opponents or more, got {opponents}")
    return max(allowed[0], min(MOST_SEATS, opponents + 1, allowed[-1]))


def _best_orders(seats: int) -> SeatOrders:
    try:
        seat_orders(SeatOrders.BALANCED, seats)
    except UserError:
        return SeatOrders.ROTATIONS
    return SeatOrders.BALANCED


def _translate_problem(key: str, problem: ArenaError) -> ArenaError:
    """A problem of the tournament, reworded for the command line."""
    option = {"seats": "--seats", "seats[0]": "--seats", "seat_orders": "--seat-orders"}.get(key)
    if option is None and key.startswith("editions[0].changes."):
        option = f"--rule {key.removeprefix('editions[0].changes.')}"
    if key == "blocks":
        return UserError(str(problem).removesuffix(BALANCE_HINT))  # there is no file that could say it
    return problem if option is None else UserError(f"{option}: {problem}")
