"""``arena show``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, json_option
from arena.cli.options.option_records import gathered
from arena.cli.options.replay_arguments import AskOptions, RangeOptions, at_option, range_options, replay_argument
from arena.cli.output import match_layout
from arena.cli.output.terminal import LookOptions, look_options
from arena.cli.output.terminal import show_paged as show_text
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.show.bot_output import BotOutput, insert_bot_output, printed_at, read_logs
from arena.errors import UserError
from arena.recorded.ask_detail import AskDetail, ask_at, one_ask
from arena.recorded.deal_stories import DealStories, replay_deals
from arena.recorded.match_lines import LineRange, match_lines
from arena.recorded.story import Story, tell_story


@click.command(cls=ArenaCommand)
@replay_argument
@range_options("First event (line of the file) or ask to show.", "Last event or ask to show.")
@click.option("--seat", type=click.IntRange(min=0), help="Show only what this seat knew, with its own numbers.")
@at_option("Show one decision: view, legal answers, answer. Give the ask's number, or the line of its answer or fault.")
@click.option("--deals", is_flag=True, help="Print a line for each deal (in the card game: each round).")
@click.option(
    "--bot-log",
    is_flag=False,
    flag_value="",
    metavar="[ENTRANT]",
    callback=lambda _, __, value: _entrant_option(value),
    help="Also show the output of all bots, or only of this entrant. Put the option after FILE.",
)
@click.option(
    "--logs", type=click.Path(path_type=Path), help="The folder of the bots' logs, if it is not the one of the run."
)
@json_option
@click.option(
    "--jsonl",
    is_flag=True,
    help="Print a line of JSON for each event, with the table after it; `arena view --open-page` opens them.",
)
@look_options
@game_option
@gathered(place=AskOptions, span=RangeOptions, look=LookOptions)
def show(
    file: Path,
    deals: bool,
    bot_log: str | None,
    logs: Path | None,
    as_json: bool,
    jsonl: bool,
    place: AskOptions,
    span: RangeOptions,
    look: LookOptions,
) -> None:
    """Print a recorded match as sentences. Give the replay as a FILE, or as a MATCH of the run in DIR.

    Each sentence begins with its line in the file, and the number of the ask if there is one. --at shows one decision:
    the view of the seat, the legal answers, its answer and the events that followed; with --seat, --at means the first
    ask of this seat there or later. With --seat, all numbers are the seat's own: they count the events that it saw and
    the questions that it was asked. --deals prints a line for each deal. --jsonl prints each line of the file with its
    sentences and the table after it (`arena docs replay`, "As lines of JSON"). --bot-log also shows the output of
    isolated bots; for a FILE of arena match, name its --logs folder too.

    \b
    Examples:
      arena show match.jsonl
      arena show results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3
      arena show match.jsonl --from 200 --to 260 --seat 1
      arena show match.jsonl --from ask40 --to ask47
      arena show match.jsonl --at ask47
      arena show match.jsonl --at 412 --seat 1
      arena show match.jsonl --deals
      arena show match.jsonl --jsonl --from 412
      arena show match.jsonl --logs logs --bot-log mybot
    """
    log_wanted = bot_log is not None or logs is not None
    if log_wanted and (deals or jsonl):
        raise UserError(f"--bot-log cannot be combined with {'--jsonl' if jsonl else '--deals'}; give one of them")
    ask, seat = place.ask, place.seat
    if place.event is not None:
        ask, instead = ask_at(file, place.event, seat)
        if instead:
            print_message(f"arena: {instead}")
    first, last = span.events(file, seat)
    if jsonl:
        if deals or as_json:
            raise UserError(f"--jsonl and {'--deals' if deals else '--json'} print different things; give one of them")
        _check_range(first, last)
        _print_lines(file, LineRange(first or 1, last, ask, seat))
        return
    if (ask is not None or deals) and (first is not None or last is not None or deals == (ask is not None)):
        raise UserError("--at, --deals, and --from or --to show different things; give one of them")
    _check_range(first, last)
    printed = _read_output(file, bot_log or "", logs, seat) if log_wanted else []
    found: DealStories | AskDetail | Story
    if deals:
        found = replay_deals(file, seat)
        text = match_layout.deals_text(found)
    elif ask is not None:
        found = one_ask(file, ask, seat)
        found.printed = printed_at(printed, ask)
        text = match_layout.ask_text(found)
    else:
        found = tell_story(file, first or 1, last, seat)
        found = insert_bot_output(file, found, printed, first or 1, last, seat) if printed else found
        text = match_layout.story_text(found)
    if as_json:
        print_json(found)
    else:
        show_text(text, look.color, look.pager)


def _entrant_option(value: str | None) -> str | None:
    """The value of ``--bot-log``. Raises UsageError if the option has swallowed the name of the replay."""
    if value and (value.endswith(".jsonl") or Path(value).exists()):
        raise click.UsageError(f"--bot-log takes {value} for an entrant; put --bot-log after the replay")
    return value


def _read_output(file: Path, entrant: str, logs: Path | None, seat: int | None) -> list[BotOutput]:
    """What the bots' logs have of the match; prints a message about bots without output."""
    found, nothing = read_logs(file, entrant, logs, seat)
    for each in nothing:
        print_message(each)
    return found


def _check_range(first: int | None, last: int | None) -> None:
    if first is not None and last is not None and last < first:
        raise UserError(f"--from {first} --to {last}: there are no such lines")


def _print_lines(file: Path, wanted: LineRange) -> None:
    """Print lines of JSON as they are made."""
    from arena.web.viewer.open_page import page_of_match  # pages are needed by few commands

    none = True
    for line in match_lines(file, wanted, page_of_match):
        click.echo(line, nl=False)
        none = False
    if none and wanted.ask is not None:
        print_message(
            f"ask {wanted.ask} has no line, because its answer was idle (leave out --jsonl to see the question)"
        )
