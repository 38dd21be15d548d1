"""``arena picture``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options.game_options import game_option
from arena.cli.options.replay_arguments import replay_argument
from arena.cli.print_message import print_message
from arena.storage.files.atomic_files import check_place, write_whole


@click.command(short_help="Draw a negotiation of a replay.")
@replay_argument
@click.option(
    "--deal",
    type=click.IntRange(min=1),
    metavar="N",
    help="Draw this deal (in the card game this round); by default the one that paid most.",
)
@click.option("--list", "listed", is_flag=True, help="List the deals (in the card game the rounds) and draw none.")
@click.option("--seat", type=click.IntRange(min=0), help="Draw only what this seat knew.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the picture to this file (SVG).",
)
@game_option
def picture(file: Path, deal: int | None, listed: bool, seat: int | None, out: Path | None) -> None:
    """Draw one negotiation of a replay as a picture in SVG: the deal with a number, or the one that paid most. The
    replay is a FILE, or that of a MATCH of the run in DIR.

    The seats stand side by side, time runs from top to bottom: who offers what at what price, what is agreed, played
    and stopped, who is the Boss, and at the end who gets what. The picture is one file without scripts or links, made
    for a width of 900 pixels; it is printed unless --out names a file.

    \b
    Examples:
      arena picture match.jsonl --out deal.svg
      arena picture match.jsonl --list
      arena picture results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3 --deal 2 --out deal.svg
    """
    from arena.web.picture.render_picture import draw_deal, list_deals  # drawing is needed by no other command

    if listed and (deal, seat, out) != (None, None, None):
        raise click.UsageError("--list draws nothing; leave out --deal, --seat and --out")
    if deal is None:
        deals = list_deals(file)
        if not deals:
            print_message(f"{file}: no deal was opened")
            return
        if listed:
            for each in deals:
                click.echo(f"{each.number:>4}  {each.summary}")
            return
        most = max(deals, key=lambda each: each.paid)
        deal = most.number
        print_message(f"number {deal} of {len(deals)} paid most: {most.summary} (all of them: --list)")
    if out is None:
        click.echo(draw_deal(file, deal, seat).encode(), nl=False)  # UTF-8, whatever the terminal has
        return
    check_place(out, "--out")
    write_whole(out, draw_deal(file, deal, seat).encode())
    print_message(f"picture {out}")
