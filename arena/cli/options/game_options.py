"""The options of commands that read matches: ``--json``, and ``--game`` and ``--plugin``, which name modules outside
arena."""

from __future__ import annotations

import click

from arena.games import import_game, must_be_named
from arena.plugins import FORM, import_plugin


def _import_games(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        import_game(name)
    return names


def _import_parts(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        import_plugin(name)
    return names


_GAME_HELP = "Module of the matches' game, if it is not part of arena."
game_option = click.option(
    "--game",
    multiple=True,
    metavar="MODULE",
    expose_value=False,
    callback=_import_games,
    help=_GAME_HELP,
)
games_option = click.option("--game", "games", multiple=True, metavar="MODULE", callback=_import_games, help=_GAME_HELP)
"""``--game`` for a command that needs the names of the modules, because it starts other processes that read replays."""
plugin_option = click.option(
    "--plugin",
    multiple=True,
    metavar=FORM,
    expose_value=False,
    callback=_import_parts,
    help="An executor, pairing policy or measure that a folder names, if it is not part of arena.",
)
"""For commands that fold standings or choose tables."""


def game_words(name: str) -> list[str]:
    """The option that a command needs for matches of this game, if any."""
    return ["--game", name] if must_be_named(name) else []


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
