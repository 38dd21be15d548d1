"""``arena bots``."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from pathlib import Path

import click

from arena.cli.command_classes import ArenaGroup
from arena.cli.options.game_options import game_option
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import run_permission_options
from arena.cli.output.terminal import format_table
from arena.cli.print_json import print_json
from arena.commands.bots.check import check_bot, check_in_league
from arena.commands.bots.clone import clone
from arena.commands.bots.league_conditions import find_league
from arena.commands.bots.new_bot import new_bot, write_bot_folder
from arena.commands.bots.words import print_report
from arena.executors.make import make_executor
from arena.games import DEFAULT_GAME
from arena.runs import bundled_bots as app
from arena.runs.job_count import up_to_cores
from arena.runs.planning.isolation_level import BotPermissions
from arena.sandbox.policy import Amounts
from arena.sandbox.probe import Level


@click.group(cls=ArenaGroup)
def bots() -> None:
    """List the bots that ship with arena, write a new bot, check a bot, or clone one from replays.

    \b
    Examples:
      arena bots list
      arena bots new mybot
      arena bots check ./mybot.py
      arena bots clone results/quick-20260101-120000 dealmaker --out ./copycat
    """


bots.add_command(clone)


@bots.command("list", short_help="List the bots that ship with arena.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def list_(as_json: bool) -> None:
    """List the bots that ship with arena, the games they play, and the place of their files.

    \b
    Example:
      arena bots list
    """
    found = app.list_bots()
    if as_json:
        print_json(found)
        return
    rows = [(each.name, ", ".join(each.games), each.description) for each in found]
    click.echo(format_table(rows, ["bot", "games", "what it does"], wrap=[2]))
    click.echo(f"\ntheir files lie in {Path(found[0].file).parent}")


@bots.command(short_help="Write a new bot with tests.")
@click.argument("name")
@click.option("--game", default=DEFAULT_GAME, show_default=True, metavar="NAME", help="Game that the bot plays.")
@click.option("--rules", default="", metavar="NAME", help="Rules of its example table, for a game outside arena.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Folder to write to.")
@click.option("--full", is_flag=True, help="Write a folder NAME with bot, tests, a tournament and a README.")
def new(name: str, game: str, rules: str, folder: Path, full: bool) -> None:
    """Write NAME.py, a working bot, and test_NAME.py, its tests, for you to change.

    \b
    Examples:
      arena bots new mybot
      arena bots new mybot --full --game cards
      arena bots new mybot --game pies.pie --rules pie.yaml
    """
    wrote = (write_bot_folder if full else new_bot)(name, folder, game, rules)
    if full:
        click.echo(f"wrote {wrote.home}/ with {', '.join(wrote.files)}; now try:\n  cd {shlex.quote(str(wrote.home))}")
    else:
        click.echo(f"wrote {wrote.home / wrote.bot} and {wrote.home / wrote.test}; now try:")
    here = Path() if full else wrote.home
    file = shlex.quote(f"{here}/{wrote.bot}")
    at_table = shlex.join([*wrote.opponents, *(["--rules", wrote.rules] if wrote.rules else [])])
    click.echo(f"  arena match {file} {at_table}")
    click.echo(f"  arena bots check {file}\n  pytest {shlex.quote(str(here / wrote.test))}")
    click.echo("  arena run tournament.yaml" if full else f"  arena gauntlet {file} {at_table}")


@bots.command(short_help="Check a bot against the bundled ones.")
@click.argument("bot")
@click.option(
    "--as",
    "as_in",
    metavar="CONFIG",
    help="Check it for a league: a tournament's or ladder's file, the folder of a run or of ladders.",
)
@click.option("--ladder", default="", metavar="NAME", help="The ladder, if the folder of --as holds several.")
@run_permission_options()
@game_option
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@gathered(word=BotPermissions)
def check(bot: str, as_in: str | None, ladder: str, as_json: bool, word: BotPermissions) -> None:
    """Play BOT against bundled bots in every edition and number of players of its games, each match twice. Report the
    hooks used, faults with rule numbers, time and memory, whether equal seeds give equal matches, and what to do next.

    With --as the bot plays at the tables of a league instead: in its editions and seats, under its limits, fault policy
    and isolation. The report compares the bot's times with these limits, and this machine with the league's.

    Exit code 1 if anything is wrong.

    \b
    Examples:
      arena bots check ./mybot.py
      arena bots check ./mybot.py --as quick
      arena bots check ./mybot.py --as results/league-of-june --json
    """
    if ladder and as_in is None:
        raise click.UsageError("--ladder chooses a ladder in the folder of --as; add --as DIR")
    league = None if as_in is None else find_league(as_in, ladder, word)
    with closing(make_executor(up_to_cores(None))) as executor:
        if league is not None:
            report = check_in_league(bot, league, executor)
        else:
            report = check_bot(bot, executor, word.choose(Amounts(), Level.NONE))
    if as_json:
        print_json(report)
    else:
        print_report(report)
    sys.exit(0 if report.passed else 1)
