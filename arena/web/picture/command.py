"""``arena picture``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options.game_options import game_option
from arena.cli.options.option_records import gathered
from arena.cli.options.replay_arguments import RangeOptions, range_options, replay_argument
from arena.cli.print_message import print_message
from arena.storage.files.atomic_files import check_place, write_whole


@click.command()
@replay_argument
@click.option(
    "--deal",
    type=click.IntRange(min=1),
    metavar="N",
    help="Draw this deal (in the card game this round); by default the one that paid most.",
)
@click.option("--list", "listed", is_flag=True, help="List the deals (in the card game the rounds) and draw none.")
@range_options("Make a clip, from this event or ask.", "Make a clip, to this event or ask.")
@click.option("--seat", type=click.IntRange(min=0), help="Draw only what this seat knew.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the picture to this file (SVG).",
)
@game_option
@gathered(span=RangeOptions)
def picture(file: Path, deal: int | None, listed: bool, seat: int | None, out: Path | None, span: RangeOptions) -> None:
    """Draw one negotiation of a replay as an SVG picture: the deal given with --deal, or the one that paid most; or
    make a clip of some events. Give the replay as a FILE, or as a MATCH of the run in DIR.

    The seats are side by side, and time runs from top to bottom: who offers what at which price, what is agreed, played
    and stopped, who is the Boss, and at the end who gets what. The picture is one file without scripts or links, made
    for a width of 900 pixels. Without --out it goes to standard output.

    With --from and --to it is a clip: an animated SVG that shows these events one after another in a loop, with the
    offers and plays between the seats, the money of each seat, and the sentence. It pauses while the pointer is on it.

    \b
    Examples:
      arena picture match.jsonl --out deal.svg
      arena picture match.jsonl --list
      arena picture results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3 --deal 2 --out deal.svg
      arena picture match.jsonl --from 320 --to 360 --out clip.svg
    """
    from arena.web.picture.render_clip import draw_events  # drawing is needed by no other command
    from arena.web.picture.render_picture import draw_deal, list_deals

    if out is not None:
        check_place(out, "--out")
    if span.is_given:
        if listed or deal is not None:
            raise click.UsageError(
                "--from and --to make a clip of events; leave them out, or leave out --deal and --list"
            )
        _hand_over(draw_events(file, *span.events(file, seat), seat), out, "clip")
        return
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
        print_message(f"number {deal} of {len(deals)} paid most: {most.summary} (--list shows all)")
    _hand_over(draw_deal(file, deal, seat), out, "picture")


def _hand_over(drawn: str, out: Path | None, what: str) -> None:
    """Print a drawing, or write it to a file and say so."""
    if out is None:
        click.echo(drawn.encode(), nl=False)  # UTF-8, whatever the terminal has
        return
    write_whole(out, drawn.encode())
    print_message(f"{what} {out}")
