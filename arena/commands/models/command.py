"""``arena models``."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaGroup
from arena.cli.options.model_options import RunModelOptions, model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import running_command
from arena.cli.output.run_and_print import RunPrintOptions, play_and_print
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.models.trial import TRIAL_DEALS, set_up_trial
from arena.commands.models.words import played_data, print_models, print_played
from arena.config.tournament_config import MOST_BLOCKS
from arena.config.tournament_yaml import load_tournament
from arena.consultation.backends import Backends
from arena.consultation.model_check import check_models
from arena.errors import UserError, nearest_hint
from arena.runs.models.model_costs import model_costs
from arena.runs.planning.make_plan import find_config
from arena.runs.planning.open_folder import new_store
from arena.runs.run_options import RunOptions
from arena.runs.single_match import DEFAULT_RULES
from arena.tournament.standings.standings_text import standings_data


@click.group(cls=ArenaGroup)
def models() -> None:
    """Try the language models that a tournament file names, and compare how they bargain.

    \b
    Examples:
      arena models check talk.yaml
      arena models trial talk.yaml --money 5
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
        reports = check_models(wanted, backend, both_ways=True, tell=lambda name: print_message(f"asking {name}"))
    if as_json:
        print_json([{"works": each.works, **msgspec.to_builtins(each), "speed": each.speed} for each in reports])
    else:
        print_models(reports)
    sys.exit(0 if all(report.works for report in reports) else 1)


@models.command(short_help="Compare the models of a tournament file: how well do they bargain?")
@click.argument("config", metavar="CONFIG")
@click.option("--model", "names", multiple=True, metavar="NAME", help="Only this model; repeatable.")
@click.option(
    "--deals", type=click.IntRange(1, MOST_BLOCKS), default=TRIAL_DEALS, show_default=True, help="Number of deals."
)
@click.option("--rules", default=DEFAULT_RULES, show_default=True, help="A bundled edition, or a .yaml file.")
@click.option(
    "--language", type=click.Choice(["en", "nl"]), default="en", show_default=True, help="That of the prompts."
)
@click.option(
    "--ruler",
    multiple=True,
    type=click.IntRange(1, 100_000),
    metavar="PLAYOUTS",
    help="Let `planner` with so many playouts play too; repeatable; shows which of them a model equals.",
)
@click.option("--seed", help="Seed of all deals; a random one by default.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for the results; results/models-TIME by default."
)
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@model_options
@gathered(consulted=RunModelOptions)
def trial(
    config: str,
    names: tuple[str, ...],
    deals: int,
    rules: str,
    language: str,
    ruler: tuple[int, ...],
    seed: str | None,
    out: Path | None,
    as_json: bool,
    quiet: bool,
    consulted: RunModelOptions,
) -> None:
    """Let each model of the tournament file CONFIG play `talker` against dealmaker, fair and hard: all models on the
    same deals, each in every seat. Print one table, and write one page, report.html, beside the results.

    The results are a run: `arena verify` and `arena audit` check it, the latter from its cassettes, without asking a
    model. Budgets are those of CONFIG; without any, a bot may make 200 calls and use 400,000 tokens a match.

    \b
    Examples:
      arena models trial talk.yaml --money 5
      arena models trial talk.yaml --model fast --deals 6 --language nl
      arena models trial talk.yaml --rules sealed.yaml --ruler 10 --ruler 100
    """
    tournament = load_tournament(find_config(config), files=False)
    if not tournament.models:
        raise UserError(f"{config} names no models: write 'models: {{NAME: {{url: …, model: …}}}}' (arena docs models)")
    plan = set_up_trial(tournament, names, deals, rules, language, seed, ruler)
    store = new_store(plan.tournament.name, out)
    outcome = play_and_print(
        plan,
        store,
        1,
        RunOptions(command=running_command()),
        RunPrintOptions(as_json=False, quiet=quiet, table_every=None, outcome=not as_json),
        resumed=False,
        consulted=consulted,
    )
    from arena.web.report import write_report  # numpy and templates take longer to load than other commands run

    page = store.shown / "report.html"
    write_report(store.shown, page, 4, 1, lambda matches: None)
    if not as_json:
        click.echo()
        print_played(store.facts())
        click.echo(f"page     {page}")
        return
    costs = model_costs(store)
    data = {
        "standings": standings_data(outcome.standings, store.provenance()),
        "models": [] if costs is None else [dict(zip(costs.keys, row, strict=True)) for row in costs.rows],
        **played_data(store.facts()),
        "results": str(store.shown),
        "page": str(page),
    }
    print_json(data)
