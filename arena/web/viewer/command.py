"""``arena view``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option
from arena.cli.options.replay_arguments import AskAddress, replay_argument
from arena.cli.print_message import print_message
from arena.recorded.event_address import Address
from arena.storage.files.atomic_files import check_place


@click.command(cls=ArenaCommand, short_help="Look at a match in the browser.")
@replay_argument
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the page to this file and open nothing.",
)
@click.option("--seat", type=click.IntRange(min=0), help="Show only what this seat knew; the page holds nothing else.")
@click.option(
    "--at",
    type=AskAddress(),
    metavar="EVENT|askN",
    help="Open at this event or ask; with --seat by its own count.",
)
@game_option
def view(file: Path, out: Path | None, seat: int | None, at: Address | None) -> None:
    """Look at a match in the browser: the table after every event, offers, agreements, money, what the bots said. The
    replay is a FILE, or that of a MATCH of the run in DIR.

    Writes one page that needs no network, and opens it. Events have the numbers that `arena show` prints, and an
    address ending in #event=412 or #ask=47 is that event or ask for good. In the page, the keys are shown by ?. Without
    --seat it holds every hand, what all bots noted, and the seed; give that one to nobody who is to play on. `arena
    docs viewing` has more.

    \b
    Examples:
      arena view match.jsonl
      arena view results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3
      arena view match.jsonl --seat 2 --out seat2.html
      arena view match.jsonl --at 412
    """
    from arena.web.viewer.write_page import open_page, write_page  # pages are needed by few commands

    if out is not None:
        check_place(out, "--out")
    page = write_page(file, out, seat, at)
    print_message(f"page {page}")
    if out is None and not open_page(page, at if seat is None else None):
        print_message("there is no browser here that can be opened; open the page in one")
