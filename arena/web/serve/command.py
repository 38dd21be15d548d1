"""``arena serve``."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import games_option, plugin_option
from arena.cli.options.model_options import allow_models_option
from arena.cli.options.replay_arguments import FOLDER_TYPE
from arena.cli.options.shared_options import WIDER_HELP
from arena.cli.print_message import print_message
from arena.errors import UserError
from arena.system.platform_support import usable_cores
from arena.web.serve.server import PORT, ListenAddress, ServeOptions, is_loopback, serve_folder
from arena.web.serve.uploads.upload_options import CHECKS_A_DAY, LARGEST_UPLOAD, UploadOptions


@click.command(cls=ArenaCommand)
@click.argument("folder", type=FOLDER_TYPE, metavar="DIR")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0: any free port."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on. With an address other than localhost, everybody who can reach it can read "
    "everything.",
)
@click.option("--operator", is_flag=True, help="Also show what is not yet public in ladders; only on localhost.")
@click.option(
    "--public-name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A host name under which a proxy makes the server public; repeatable.",
)
@click.option("--submit", "submits", is_flag=True, help="Take bots for the ladders of DIR from authors with a token.")
@click.option(
    "--checks-a-day",
    type=click.IntRange(1),
    default=CHECKS_A_DAY,
    show_default=True,
    help="Uploads of an author that are checked on one day, refused ones included.",
)
@click.option(
    "--largest-upload",
    type=click.IntRange(1, 256),
    default=LARGEST_UPLOAD,
    show_default=True,
    metavar="MIB",
    help="The largest upload, in MiB.",
)
@click.option(
    "--wider-sandbox", "wider", is_flag=True, help=f"For checks of uploads: {WIDER_HELP[0].lower()}{WIDER_HELP[1:]}"
)
@allow_models_option
@games_option
@plugin_option
@click.option("--open", "opened", is_flag=True, help="Open the first page in the browser.")
def serve(
    folder: Path,
    port: int,
    host: str,
    operator: bool,
    names: tuple[str, ...],
    submits: bool,
    checks_a_day: int,
    largest_upload: int,
    wider: bool,
    allow_models: bool,
    games: tuple[str, ...],
    opened: bool,
) -> None:
    """Show DIR in a browser on this machine: a run, a folder that holds runs, or a ladder. Standings, progress and
    faults are live; matches can be searched and opened in the viewer. The server is read-only, unless --submit lets
    authors upload bots, and listens on localhost. Ctrl-C ends it. More: `arena docs serving`.

    \b
    Examples:
      arena serve results
      arena serve results/quick-20260101-120000 --open
      arena serve my-ladder --port 0
      arena serve my-ladder --submit --public-name league.example.org
    """
    if operator and (submits or names):
        raise UserError("--operator shows data that is not public; serve it apart from --submit and --public-name")
    if not is_loopback(host):
        if operator:
            raise UserError(f"--operator shows data that is not public; it is only for this machine, got --host {host}")
        print_message(f"warning: everybody who can reach {host} can read all of {folder}; there is no login")
        if submits:
            print_message(f"warning: tokens cross the network to {host} unencrypted, unless a proxy adds TLS")

    def tell(at: ListenAddress) -> None:
        click.echo(at.url)
        print_message(f"serving {folder}; end it with Ctrl-C")
        if opened:
            webbrowser.open(at.url)

    uploads = UploadOptions(checks_a_day, largest_upload << 20, wider, allow_models) if submits else None
    serve_folder(folder, host, port, ServeOptions(operator, max(1, usable_cores() // 2), games, names, uploads), tell)
