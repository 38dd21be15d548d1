"""The options of commands that play matches without a tournament file: the edition, and the conditions of play."""

from __future__ import annotations

from dataclasses import dataclass

import click
from click.core import ParameterSource

from arena.bot import Limits
from arena.cli.options.shared_options import Function, IsolationOptions, SecondsOption, rules_options
from arena.config.tournament_config import MOST_STRIKES
from arena.games.game_bot import MOST_SECONDS
from arena.penalties import FaultPolicy
from arena.runs.planning.isolation_level import Isolation
from arena.runs.single_match import DEFAULT_RULES, MatchSetup


@dataclass(frozen=True, slots=True)
class MatchOptions(IsolationOptions):
    """The values of the options for the conditions of a match, as given."""

    rules: str
    variants: tuple[str, ...]
    settings: tuple[str, ...]
    seed: str | None
    ask: float
    bank: float
    match_time: float
    fault_policy: str
    strikes: int

    @property
    def limits(self) -> Limits:
        """The time limits."""
        return Limits(ask=self.ask, bank=self.bank, match=self.match_time)

    def setup(self, isolation: Isolation) -> MatchSetup:
        """The setup of a match with these options and this ``isolation`` of the bots."""
        return MatchSetup(
            rules=self.rules,
            variants=self.variants,
            settings=self.settings,
            seed=self.seed,
            limits=self.limits,
            fault_policy=FaultPolicy(self.fault_policy),
            strikes=self.strikes,
            isolation=isolation,
        )


def edition_options(command: Function) -> Function:
    """Add the options that choose the edition: ``rules``, ``variants``, ``settings``."""
    rules = click.option(
        "--rules",
        default=DEFAULT_RULES,
        metavar="NAME",
        show_default=True,
        help="Edition: a bundled name or a .yaml file.",
    )
    return rules(rules_options(command))


def condition_options(command: Function) -> Function:
    """Add the options for time limits and what faults cost: ``ask``, ``bank``, ``match_time``, ``fault_policy``,
    ``strikes``."""
    for option in (
        click.option(
            "--strikes",
            type=click.IntRange(1, MOST_STRIKES),
            default=3,
            show_default=True,
            help="Faults after which a bot is out (policy substitute).",
        ),
        click.option(
            "--fault-policy",
            type=click.Choice([each.value for each in FaultPolicy]),
            default="substitute",
            show_default=True,
            help="What a fault costs.",
        ),
        click.option(
            "--match-time",
            type=SecondsOption(min=0, min_open=True, max=MOST_SECONDS),
            default=60.0,
            show_default=True,
            help="Seconds that a bot may think in the whole match.",
        ),
        click.option(
            "--bank",
            type=SecondsOption(min=0, max=MOST_SECONDS),
            default=10.0,
            show_default=True,
            help="Seconds for the whole match that slow answers may use up.",
        ),
        click.option(
            "--ask",
            type=SecondsOption(min=0, min_open=True, max=MOST_SECONDS),
            default=1.0,
            show_default=True,
            help="Seconds that a bot may think about each question.",
        ),
    ):
        command = option(command)
    return command


def words_again(seed: str | None) -> list[str]:
    """The command-line words that repeat with this ``seed`` (None: with another one) what the running command plays:
    its edition, and those conditions that were given."""
    context = click.get_current_context()
    found = ["--rules", context.params["rules"], *(() if seed is None else ("--seed", seed))]
    found += [word for variant in context.params["variants"] for word in ("--variant", variant)]
    found += [word for setting in context.params["settings"] for word in ("--rule", setting)]
    for name in ("ask", "bank", "match_time", "fault_policy", "strikes"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            found += [f"--{name.replace('_', '-')}", str(context.params[name])]
    return found
