"""``arena refeed``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
import msgspec

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.game_options import game_option, game_words, json_option
from arena.cli.options.model_options import ReplayedModelOptions, replayed_model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.replay_arguments import AskOptions, at_option, replay_or_run_argument
from arena.cli.options.shared_options import (
    IsolationOptions,
    PrintOptions,
    SecondsOption,
    isolation_options,
    say_isolation,
)
from arena.cli.output.terminal import LookOptions, fold_to_terminal, look_options
from arena.cli.output.terminal import show_paged as show_text
from arena.cli.print_message import MESSAGE_STREAM, print_message
from arena.commands.refeed.refeed import RefeedOptions, RefeedResult, refeed_match, refeed_run
from arena.commands.refeed.refeed_debugger import debug_refeed
from arena.commands.refeed.results import RefeedFinding
from arena.commands.refeed.sentences import refeed_headline
from arena.commands.refeed.words import counted_text, found_text, print_refeed_json, refeed_data
from arena.config.botspec import COMMAND_PREFIX
from arena.config.tournament_config import MOST_JOBS
from arena.errors import UserError
from arena.recorded.event_address import address_of
from arena.recorded.replay_names import command_line_names
from arena.runs.job_count import up_to_cores
from arena.runs.models.live_desks import LiveDesks


@click.command(cls=ArenaCommand)
@replay_or_run_argument
@click.option(
    "--seat", type=click.IntRange(min=0), help="The seat whose questions are asked; event and ask numbers are its own."
)
@click.option("--entrant", metavar="NAME", help="The entrant whose questions are asked, in any seat.")
@click.option("--bot", metavar="BOT", help="The bot that is asked; by default the entrant's own.")
@at_option("Stop at this event or ask, whatever the answer.")
@click.option("--all", "every", is_flag=True, help="Do not stop: count the answers by hook.")
@click.option("--pdb", is_flag=True, help="Run in arena's own process, and open a debugger in the bot where it stops.")
@click.option(
    "--slow", type=SecondsOption(0, min_open=True), help="Count an answer that takes longer than this as slow."
)
@click.option("--ignore-words", is_flag=True, help="Count answers as equal if only their words differ.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Processes for many matches; all cores by default."
)
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@game_option
@isolation_options()
@replayed_model_options
@json_option
@look_options
@gathered(
    stop=AskOptions,
    isolating=IsolationOptions,
    consulted=ReplayedModelOptions,
    printing=PrintOptions,
    look=LookOptions,
)
def refeed(
    place: Path,
    entrant: str | None,
    bot: str | None,
    every: bool,
    pdb: bool,
    slow: float | None,
    ignore_words: bool,
    jobs: int | None,
    stop: AskOptions,
    isolating: IsolationOptions,
    consulted: ReplayedModelOptions,
    printing: PrintOptions,
    look: LookOptions,
) -> None:
    """Ask a bot the questions of recorded matches, in order, and compare its answers with the recorded ones. Give a
    FILE, a MATCH of the run in DIR, or, for all its matches, an entrant in DIR.

    The bot sees the recorded views; whatever it answers, the next ask is the recorded one. The command stops at the
    first answer that is different, illegal, slow or a fault, and prints that ask: the view, the legal answers, the
    recorded answer, and the new answer. With --all it counts the answers instead. Without --seat and --entrant, --at
    determines the seat. With --seat, all numbers are the seat's own (`arena show --seat`). Exit code 0: all as
    recorded; 1: something differs; 3: a replay does not verify.

    \b
    Examples:
      arena refeed match.jsonl --seat 2 --bot ./mybot.py
      arena refeed match.jsonl --at 412 --bot ./mybot.py
      arena refeed match.jsonl --at 412 --bot ./mybot.py --pdb
      arena refeed results/quick-20260101-120000 --entrant mybot --bot ./mybot.py --all
      arena refeed results/quick-20260101-120000 eagle-gryphon-4p/b0000/0-1-2-3 --entrant greedy
    """
    if every and stop.at is not None:
        raise UserError("--all does not stop: leave out --at")
    if pdb and (every or place.is_dir()):
        remedy = "leave out --all" if every else "name the match after the folder"
        raise UserError(f"--pdb stops in one match: {remedy}")
    if pdb and bot is None and not isolating.trust:
        raise UserError(
            "--pdb runs the bot that the replay names in arena's own process, without isolation; if you trust it, "
            "add --trust, or name your own bot with --bot"
        )
    consulted.check()
    if pdb and consulted.allow_models:
        raise UserError("in the debugger models answer as recorded: leave out --allow-models, or --pdb")
    jobs = up_to_cores(jobs)
    wanted = RefeedOptions(
        seat=stop.seat,
        entrant=entrant,
        bot=bot,
        isolation=replace(isolating, trust=isolating.trust or pdb).choose(),
        every=every,
        event=stop.event,
        ask=stop.ask,
        slow=slow,
        ignore_words=ignore_words,
        keep=None if printing.as_json else 3,
        own=stop.seat is not None,
    )

    def ready() -> None:
        say_isolation(wanted.isolation)

    if consulted.allow_models:
        with LiveDesks(consulted.models, consulted.calls) as live:
            wanted = msgspec.structs.replace(wanted, live=live)
            refed = _refeed_place(place, wanted, jobs, ready, printing.quiet)
    elif not pdb:
        refed = _refeed_place(place, wanted, jobs, ready, printing.quiet)
    else:
        refed, opened = debug_refeed(place, wanted, ready)
        if refed.stopped:
            raise KeyboardInterrupt
        if not (opened or refed.same):
            print_message("arena: the debugger did not open, because the bot was not asked there")
    found = refed.counted.found
    commands = [] if found is None else _closer_commands(found, bot, stop.seat)
    if refed.instead:
        print_message(f"arena: {refed.instead}")
    if refed.options:
        given = ", ".join(f"{key}={value}" for key, value in refed.options.items())
        print_message(
            f"arena: {refed.entrant} was played with {given}; {refed.bot} has its own (options follow a question mark)"
        )
    if printing.as_json:
        print_refeed_json(refeed_data(refed, every, commands))
    else:
        show_text(_refeed_text(refed, every, commands), look.color, look.pager)
    if refed.stopped:
        print_message("arena: stopped; the remaining questions were not asked")
        sys.exit(refed.stopped)
    sys.exit(0 if refed.same else 1)


def _refeed_place(
    place: Path, wanted: RefeedOptions, jobs: int, ready: Callable[[], None], quiet: bool
) -> RefeedResult:
    """Ask a bot again: in all matches of a folder, or in one."""
    if not place.is_dir():
        return refeed_match(place, wanted, ready=ready)
    with _progress_bar(quiet) as tell:
        return refeed_run(place, wanted, jobs, tell, ready)


def _refeed_text(refed: RefeedResult, every: bool, commands: list[list[str]]) -> str:
    found = refed.counted.found
    if found is not None:
        return found_text(refed, found, commands)
    return counted_text(refed) if every else f"{fold_to_terminal(refeed_headline(refed))}\n"


def _closer_commands(found: RefeedFinding, bot: str | None, seat: int | None) -> list[list[str]]:
    """The commands that look further at the ask at which a bot was stopped: by the own count of a ``seat`` that was
    named, else by that of the match."""
    one, place = found.one, found.place
    if one is None:
        return [] if bot is None else [["arena", "bots", "check", bot]]
    replay, game = command_line_names(Path(one.file)), game_words(found.game)
    whose = [] if seat is None else ["--seat", str(seat)]
    at = ["--at", address_of(place.event, place.ask)]
    own = [] if bot is None else ["--bot", bot]
    again = ["arena", "refeed", *replay, *whose, *own, *at, *game]
    debugged = ["--pdb"] if bot is not None else ["--pdb", "--trust"]
    commands = [again if bot is not None and bot.startswith(COMMAND_PREFIX) else [*again, *debugged]]
    commands.append(["arena", "show", *replay, *whose, *at, *game])
    commands.append(["arena", "branch", *replay, *whose, *at, *own, *game])
    return commands


@contextmanager
def _progress_bar(quiet: bool) -> Iterator[Callable[[int, int], object]]:
    """A bar on a terminal, unless ``quiet``."""
    from tqdm import tqdm

    with tqdm(unit=" matches", file=MESSAGE_STREAM, disable=True if quiet else None, leave=False) as bar:

        def tell(done: int, all: int) -> None:
            bar.total = all
            bar.update(done - bar.n)

        yield tell
