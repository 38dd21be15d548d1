"""``arena view``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import games_option
from arena.cli.options.replay_arguments import at_option, optional_replay_argument
from arena.cli.print_message import print_message
from arena.recorded.event_address import Address
from arena.storage.files.atomic_files import check_place, write_whole


@click.command(cls=ArenaCommand)
@optional_replay_argument
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the page to this file and open nothing.",
)
@click.option("--seat", type=click.IntRange(min=0), help="Show only what this seat knew; the page holds nothing else.")
@at_option("Open at this event or ask; with --seat, use its own numbers.")
@click.option(
    "--open-page",
    is_flag=True,
    help="Write a page that opens any match written by `arena show --jsonl`.",
)
@games_option
def view(
    file: Path | None, out: Path | None, seat: int | None, at: Address | None, open_page: bool, games: tuple[str, ...]
) -> None:
    """Look at a match in the browser: the table after every event, offers, agreements, money, and the words of the
    bots. Give the replay as a FILE, or as a MATCH of the run in DIR.

    It writes one page that needs no network, and opens it. Events have the numbers that `arena show` prints; an address
    ending in #event=412 or #ask=47 always leads to that event or ask. On the page, ? shows the keys. Without --seat the
    page holds every hand, all notes, and the seed: do not give it to anybody who still plays this deal. More:
    `arena docs viewing`.

    With --open-page it writes one page for all matches. To open a match, drop a file written by `arena show --jsonl` on
    the page; or, if both are on the same web server, name the file in the address (viewer.html?match=shown.jsonl).

    \b
    Examples:
      arena view match.jsonl
      arena view results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3
      arena view match.jsonl --seat 2 --out seat2.html
      arena view match.jsonl --at 412
      arena view --open-page --out viewer.html
    """
    from arena.web.viewer.open_page import write_open_page  # pages are needed by few commands
    from arena.web.viewer.write_page import show_in_browser, write_page

    if out is not None:
        check_place(out, "--out")
    if open_page:
        if file is not None or seat is not None or at is not None or out is None:
            raise click.UsageError("--open-page writes a page without a match: give --out, and no FILE, --seat or --at")
        write_whole(out, write_open_page(games).encode())
        print_message(f"page {out}")
        return
    if file is None:
        raise click.UsageError("Missing argument 'FILE|DIR MATCH'.")
    page = write_page(file, out, seat, at)
    print_message(f"page {page}")
    if out is None and not show_in_browser(page, at if seat is None else None):
        print_message("there is no browser here that can be opened; open the page in one")
