"""``arena models``."""

from __future__ import annotations

import sys
from contextlib import closing

import click
import msgspec

from arena.cli.command_classes import ArenaGroup
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.models.words import print_models
from arena.config.tournament_yaml import load_tournament
from arena.consultation.backends import Backends
from arena.consultation.model_check import check_models
from arena.errors import UserError, nearest_hint
from arena.runs.planning.make_plan import find_config


@click.group(cls=ArenaGroup)
def models() -> None:
    """Try the language models that a tournament file names.

    \b
    Example:
      arena models check talk.yaml
    """


@models.command("check", short_help="Ask each model of a tournament file once, and say what fails.")
@click.argument("config", metavar="CONFIG")
@click.option("--model", "names", multiple=True, metavar="NAME", help="Only this model; repeatable.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change any key of CONFIG, e.g. models.fast.schema=native; repeatable.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the reports as JSON.")
def check(config: str, names: tuple[str, ...], settings: tuple[str, ...], as_json: bool) -> None:
    """Ask each model of the tournament file CONFIG for a greeting, twice: with a schema in the endpoint's own way, and
    with the schema in words. Print whether it is reached, takes its key, keeps to the schema either way, how many
    tokens a second it writes, and whether its price is known; for each failure, what to do next.

    This costs a few hundred tokens of each model. Exit code 1 if runs with one of them would fail.

    \b
    Examples:
      arena models check talk.yaml
      arena models check talk.yaml --model fast --set models.fast.schema=native
      arena models check talk.yaml --json
    """
    tournament = load_tournament(find_config(config), settings, files=False)
    if not tournament.models:
        raise UserError(f"{config} names no models: write 'models: {{NAME: {{url: …, model: …}}}}' (arena docs models)")
    for name in names:
        if name not in tournament.models:
            known = ", ".join(tournament.models)
            raise UserError(f"--model: {config} has no model {name!r}{nearest_hint(name, tournament.models)}: {known}")
    wanted = {name: model for name, model in tournament.models.items() if not names or name in names}
    with closing(Backends()) as backend:
        reports = check_models(
            wanted, backend, tournament.consulting, both_ways=True, tell=lambda name: print_message(f"asking {name}")
        )
    if as_json:
        print_json([{"works": each.works, **msgspec.to_builtins(each), "speed": each.speed} for each in reports])
    else:
        print_models(reports)
    sys.exit(0 if all(report.works for report in reports) else 1)
