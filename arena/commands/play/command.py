"""``arena play``."""

from __future__ import annotations

import errno
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import gettempdir

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.match_options import MatchOptions, condition_options, edition_options, words_again
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import SECRET_HELP, isolation_options
from arena.cli.output.terminal import fold_to_terminal, format_table, terminal_width, use_color
from arena.cli.print_message import print_message
from arena.commands.play import human_match as app
from arena.commands.play.hang_up import HangUpLines, hear_hang_up, throw_away_output
from arena.errors import ArenaError
from arena.games import load_game
from arena.human.answer import Leaving
from arena.runs.planning.guessable_seed import judge_seed
from arena.storage.files.atomic_files import write_whole

LEFT_TABLE = "left the table"


@click.command(cls=ArenaCommand)
@click.argument("more", nargs=-1, metavar="[BOT]...")
@click.option("--bots", "listed", multiple=True, metavar="BOT,...", help="Your opponents; the same as naming them.")
@click.option("--seat", type=int, metavar="N", help="Your seat, from 0; by default random, from the seed.")
@click.option("--name", default=app.HUMAN_NAME, show_default=True, help="Your name at the table.")
@edition_options
@click.option("--seed", help="Seed of the match; by default random, and printed at the end.")
@condition_options
@isolation_options(SECRET_HELP)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the replay to this new file; by default to play-SEED.jsonl here.",
)
@click.option(
    "--color/--no-color", default=None, help="Colour the table; by default on a terminal, unless NO_COLOR is set."
)
@gathered(given=MatchOptions)
def play(
    more: tuple[str, ...],
    listed: tuple[str, ...],
    seat: int | None,
    name: str,
    out: Path | None,
    color: bool | None,
    given: MatchOptions,
) -> None:
    """Play a match yourself, in the terminal, against bots.

    You sit in one seat, the bots in the others, in the given order. At each question type the number of a choice, or a
    command such as: offer blue 5. Type help for the list. You may think as long as you like. Input may also come from a
    pipe. More: `arena docs playing`.

    \b
    Examples:
      arena play --bots greedy,hoarder,dealmaker
      arena play fair hard --rules face2face-2003 --seed 7 --seat 0
      arena play dealmaker greedy fair --rules card-game
    """
    bots = [*more, *(bot for each in listed for bot in each.split(",") if bot)]
    if not bots:
        raise click.UsageError("name your opponents, as in: arena play --bots greedy,hoarder,dealmaker")
    ready = app.set_up_human_match(bots, given.setup(given.choose()), seat, name)
    judge_seed(ready.spec.seed, ready.opponents, ready.isolation, given.level)
    place = out or app.default_place(ready.spec.seed)
    app.check_new(place)
    here = Path.cwd() / place
    _welcome(ready)
    screen = app.screen_for(sys.stdin, _print_line, terminal_width, use_color(color))
    screen.lines = lines = HangUpLines(screen.lines)
    with hear_hang_up(lines):
        played = app.play_human_match(ready, screen)
    _print_result(ready, played, _save_replay(here, place, played.replay), _repeat_command(bots, ready))
    if played.left is not None:
        print_message("you left before the end; your seat's defaults were played for the rest")
    if played.left is Leaving.HUNG_UP:
        raise ArenaError("the terminal was closed before the match was over")
    if played.cut_off:
        raise ArenaError("the input ended before the match did")


def _save_replay(here: Path, place: Path, replay: bytes) -> Path:
    """Write the replay to the path ``here``, which the human calls ``place``; if that has become unwritable, to the
    folder for temporary files. Returns the path to show."""
    saved = app.free_place(here)
    try:
        write_whole(saved, replay)
        return place.with_name(saved.name)
    except OSError as problem:
        aside = app.free_place(Path(gettempdir()) / here.name)
        try:
            write_whole(aside, replay)
        except OSError:
            raise problem from None
        print_message(f"arena: {place}: {problem.strerror or problem}; the replay is in {aside}")
        return aside


def _print_line(line: str) -> None:
    """Print a line of the conversation at once. A closed terminal is ignored, and so is a reader that has ended, such
    as ``head``: neither ends a match."""
    try:
        click.echo(line, color=True)
    except OSError as problem:
        if problem.errno not in (errno.EIO, errno.EPIPE) or not throw_away_output():
            raise


def _welcome(ready: app.HumanMatch) -> None:
    """Print who plays, and what to type."""
    names = [f"{number} {each}{' (you)' if number == ready.seat else ''}" for number, each in enumerate(ready.names)]
    _print_line(fold_to_terminal(f"{ready.spec.edition}. The seats: {', '.join(names)}."))
    _print_line(
        fold_to_terminal(
            "Type the number of a choice, or a command; help lists the commands, help game explains the game."
        )
    )


def _print_result(ready: app.HumanMatch, played: app.HumanMatchResult, place: Path, again: str) -> None:
    """Print the result, and where the replay is."""
    record = played.record
    rows = [
        (seat.rank, number, _seat_name(number, ready), seat.money, _ending_word(number, seat.ended, ready, played))
        for number, seat in enumerate(record.seats)
    ]
    rows.sort()
    _print_line("")
    _print_line(format_table(rows, ["rank", "seat", "player", load_game(record.game).unit, "ended"], wrap=[2]))
    _print_line("")
    _print_line(f"{record.edition}: {record.termination} after {record.asks} asks" + (", void" if record.void else ""))
    _print_line(f"replay {place}  (watch it with: arena view {shlex.quote(str(place))})")
    print_message(f"seed {record.seed}; the same deal again:\n  {again}")


def _seat_name(number: int, ready: app.HumanMatch) -> str:
    """Who sits in a seat."""
    return ready.names[number] + (" (you)" if number == ready.seat else "")


def _ending_word(number: int, ended: str, ready: app.HumanMatch, played: app.HumanMatchResult) -> str:
    """How a seat ended. The replay has only one word for seats that are out, so a human who left is told apart here
    from one struck out for faults."""
    return LEFT_TABLE if played.left is not None and number == ready.seat else ended


def _repeat_command(bots: Sequence[str], ready: app.HumanMatch) -> str:
    """The command that deals the same once more."""
    again = ["arena", "play", *bots, *words_again(ready.spec.seed), "--seat", str(ready.seat)]
    name = ready.names[ready.seat]
    return shlex.join([*again, *(["--name", name] if name != app.HUMAN_NAME else [])])
