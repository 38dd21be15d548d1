"""``arena bots``."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.app import bots as app
from arena.app.check import Report, check_bot
from arena.app.cores import cores
from arena.app.isolation import choose
from arena.app.newbot import new_bot, new_folder
from arena.cli.commands import Commands, isolation_options
from arena.cli.terminal import table
from arena.executors.make import make_executor
from arena.sandbox.probe import Level


@click.group(cls=Commands, short_help="List, make and check bots.")
def bots() -> None:
    """Bots: those that ship with arena, a new one of yours, a check of any.

    \b
    Examples:
      arena bots list
      arena bots new mybot
      arena bots check ./mybot.py
    """


@bots.command("list", short_help="List the bots that ship with arena.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def list_(as_json: bool) -> None:
    """The bots that ship with arena, the games they play, and where their files lie.

    \b
    Example:
      arena bots list
    """
    found = app.list_bots()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
        return
    rows = [(each.name, ", ".join(each.games), each.description) for each in found]
    click.echo(table(rows, ["bot", "games", "what it does"], wrap=[2]))
    click.echo(f"\ntheir files lie in {Path(found[0].file).parent}")


@bots.command(short_help="Write a new bot with tests.")
@click.argument("name")
@click.option("--game", default="board", show_default=True, metavar="NAME", help="Game that the bot plays.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Folder to write to.")
@click.option("--full", is_flag=True, help="Write a folder NAME with bot, tests, a tournament and a README.")
def new(name: str, game: str, folder: Path, full: bool) -> None:
    """Write NAME.py, a bot that plays, and test_NAME.py, tests that pass. Change them as you like.

    \b
    Examples:
      arena bots new mybot
      arena bots new mybot --full --game cards
    """
    wrote = (new_folder if full else new_bot)(name, folder, game)
    if full:
        click.echo(f"wrote {wrote.home}/ with {', '.join(wrote.files)}; now try:\n  cd {shlex.quote(str(wrote.home))}")
    else:
        click.echo(f"wrote {wrote.home / wrote.bot} and {wrote.home / wrote.test}; now try:")
    here = Path() if full else wrote.home
    file = shlex.quote(f"{here}/{wrote.bot}")
    rules = f" --rules {wrote.rules}" if wrote.rules else ""
    click.echo(f"  arena match {file} {' '.join(wrote.opponents)}{rules}")
    click.echo(f"  arena bots check {file}\n  pytest {shlex.quote(str(here / wrote.test))}")
    click.echo("  arena run tournament.yaml" if full else f"  arena gauntlet {file} {' '.join(wrote.opponents)}{rules}")


@bots.command(short_help="Check a bot against the bundled ones.")
@click.argument("bot")
@isolation_options()
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def check(bot: str, trust: bool, require: Level | None, as_json: bool) -> None:
    """Play BOT against bundled bots in every edition and number of players of its games, each match twice. Report the
    hooks used, faults with rule numbers, time per question, and whether equal seeds give equal matches.

    Exit code 1 if anything is wrong.

    \b
    Example:
      arena bots check ./mybot.py
    """
    with closing(make_executor(cores())) as executor:
        report = check_bot(bot, executor, choose(trust, require or Level.NONE))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)))
    else:
        _print(report)
    sys.exit(0 if report.passed else 1)


def _print(report: Report) -> None:
    games = " and ".join(report.games)
    click.echo(f"{report.bot}: {report.matches} matches of {games}, isolation level {report.level}\n")
    if report.asks:
        rows = sorted(report.asks.items(), key=lambda item: -item[1])
        click.echo(table(rows, ["hook", "asks"]))
        per_ask = f"median {report.median * 1e6:.0f} µs, mean {report.mean * 1e6:.0f} µs"
        click.echo(f"\nstart         {report.start * 1e3:.1f} ms")
        click.echo(f"time per ask  {per_ask}, worst {report.worst * 1e3:.2f} ms")
        if report.memory:
            click.echo(f"memory        at most {report.memory / 2**20:.0f} MB")
            click.echo(f"bytes per ask {report.sent:,.0f} to the bot, {report.received:,.0f} from it")
    elif not report.faults:
        click.echo("it implements no hook: defaults are played for it")
    click.echo(
        "repeats       " + ("yes, every match twice the same" if report.repeats else f"NO: {report.differs} differs")
    )
    if not report.faults:
        click.echo("faults        none")
        return
    click.echo("faults\n")
    for fault in report.faults:
        rule = f" [{fault.rule}]" if fault.rule else ""
        where = f"first in {fault.edition}, {fault.players} players, seed {fault.seed}"
        click.echo(f"{fault.count} × {fault.kind}{rule} in {fault.hook}: {fault.evidence}\n    {where}")
