"""Options and arguments that several commands of ladders share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.cli.options.game_options import game_option
from arena.cli.options.shared_options import ISOLATE_ALL_HELP, WIDER_HELP
from arena.ladder.database.ladder_folder import LadderFolder
from arena.runs.planning.isolation_level import BotPermissions

Function = TypeVar("Function", bound=Callable[..., Any])


def folder_argument(command: Function) -> Function:
    """Add the argument for the folder of ladders, passed as ``place``, and the option for games that are not part of
    arena."""
    return click.argument(
        "place",
        metavar="DIR",
        type=click.Path(path_type=Path, file_okay=False),
        callback=lambda _, __, value: LadderFolder(value),
    )(game_option(command))


def ladder_permission_options(command: Function) -> Function:
    """Add the options with which the operator permits the bots of a ladder more, ``trust`` and ``wider``, or isolates
    bundled bots too (``isolate_all``). The command receives them within ``place``."""

    @wraps(command)
    def with_word(*, place: LadderFolder, trust: bool, isolate_all: bool, wider: bool, **given: Any) -> Any:
        word = BotPermissions(trust=trust, wider=wider, isolate_all=isolate_all)
        return command(place=LadderFolder(place.shown, word), **given)

    trust = click.option(
        "--trust", is_flag=True, help="Trust bots if the ladder's file trusts them (`isolation: none`)."
    )
    wider = click.option("--wider-sandbox", "wider", is_flag=True, help=WIDER_HELP)
    every = click.option("--isolate-all", is_flag=True, help=ISOLATE_ALL_HELP)
    return trust(every(wider(with_word)))  # type: ignore[return-value]


def ladder_option(command: Function) -> Function:
    """Add the option that names a ladder of the folder."""
    return click.option("--ladder", default="", metavar="NAME", help="The ladder, if DIR holds several.")(command)


@dataclass(frozen=True, slots=True)
class SeasonOptions:
    """Which ladder of the folder ("": the only one), and which season of it (None: the last one)."""

    ladder: str
    season: int | None


def season_option(command: Function) -> Function:
    """Add the option that names a season."""
    return click.option(
        "--season", type=click.IntRange(1), metavar="N", help="Number of the season; by default the last one."
    )(command)


def author_options(command: Function) -> Function:
    """Add the options that identify the author: name and token."""
    author = click.option(
        "--author", default="", metavar="NAME", help="The author; by default the owner of the token, or the operator."
    )
    token = click.option(
        "--token",
        default="",
        metavar="TOKEN",
        envvar="ARENA_LADDER_TOKEN",
        help="The author's token. ARENA_LADDER_TOKEN is safer, because lists of processes do not show it.",
    )
    return author(token(command))


bot_argument = click.argument("bot", metavar="BOT[:N]")
