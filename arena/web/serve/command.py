"""``arena serve``."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import games_option, plugin_option
from arena.cli.options.replay_arguments import FOLDER_TYPE
from arena.cli.print_message import print_message
from arena.errors import UserError
from arena.system.platform_support import usable_cores
from arena.web.serve.server import PORT, ListenAddress, ServeOptions, is_loopback, serve_folder


@click.command(cls=ArenaCommand)
@click.argument("folder", type=FOLDER_TYPE, metavar="DIR")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0: any free.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on; beyond localhost, everybody who can reach it can read everything.",
)
@click.option("--operator", is_flag=True, help="Also show what is not yet public of ladders; on localhost only.")
@games_option
@plugin_option
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
def serve(folder: Path, port: int, host: str, operator: bool, games: tuple[str, ...], opened: bool) -> None:
    """Show DIR in a browser on this machine: a run, a folder that holds runs, or a ladder. Standings, progress and
    faults are live; matches can be searched and opened in the viewer. Read-only; listens on localhost. Ctrl-C ends it.
    See arena docs serving.

    \b
    Examples:
      arena serve results
      arena serve results/quick-20260101-120000 --open
      arena serve my-ladder --port 0
    """
    if not is_loopback(host):
        if operator:
            raise UserError(f"--operator shows what is not public; it is for this machine alone, got --host {host}")
        print_message(f"warning: everybody who reaches {host} can read all of {folder}; nobody is asked who they are")

    def tell(at: ListenAddress) -> None:
        click.echo(at.url)
        print_message(f"serving {folder}; end it with Ctrl-C")
        if opened:
            webbrowser.open(at.url)

    serve_folder(folder, host, port, ServeOptions(operator, max(1, usable_cores() // 2), games), tell)
