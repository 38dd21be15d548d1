"""``arena ladder play``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
import msgspec
from msgspec.structs import replace

from arena.cli.command_classes import ArenaCommand
from arena.cli.options.executor_options import ExecutorOptions, executor_options
from arena.cli.options.game_options import plugin_option
from arena.cli.options.model_options import PlayModelOptions, play_model_options
from arena.cli.options.option_records import gathered
from arena.cli.options.shared_options import JobOptions, PrintOptions, job_options, jobs_or_slots_text, running_command
from arena.cli.output.progress_line import RunProgressLine
from arena.cli.print_message import print_message
from arena.config.documents.duration import duration_in_words
from arena.errors import ArenaError, one_line_message, reason_of
from arena.executors.interrupt import exit_code, signal_in_words
from arena.executors.make import make_executor
from arena.ladder.command.ladder_options import folder_argument, ladder_option, ladder_permission_options
from arena.ladder.command.play.play_notice import HIDDEN_OPTIONS, NoticeOptions, notice_options
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import utc_now
from arena.ladder.play.play_attempt import PlayAttempt, note_attempt
from arena.ladder.play.play_listener import PlayListener

if TYPE_CHECKING:
    from arena.executors.executor import Executor
    from arena.ladder.database.rounds import Round
    from arena.ladder.play.results import PlayResult
    from arena.match.work import WorkResult
    from arena.runs.planning.plan import Plan
    from arena.storage.store import RunRemains


@dataclass(frozen=True, slots=True)
class SpendingOptions:
    """Limits on how much is played (:class:`arena.ladder.play.play_ladder.Spending`)."""

    matches: int | None
    minutes: float | None
    rounds: int | None
    look: float | None


@click.command(cls=ArenaCommand)
@folder_argument
@ladder_permission_options
@ladder_option
@plugin_option
@click.option("--matches", type=click.IntRange(1), help="Number of matches to play.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Number of minutes to play.")
@click.option("--rounds", type=click.IntRange(1), help="Number of rounds to close.")
@click.option(
    "--look-seconds",
    "look",
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="Look for clones and gifts this long after each round; by default a tenth of the round's time; 0: never.",
)
@click.option("--wait", is_flag=True, help="If another process plays in DIR, wait until it has ended.")
@job_options
@executor_options
@click.option(
    "--weaker-isolation",
    "weaker",
    is_flag=True,
    help="Continue an open round at a weaker isolation level than it began with.",
)
@play_model_options
@notice_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one line of JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress.")
@gathered(
    allowed=SpendingOptions,
    jobs=JobOptions,
    machines=ExecutorOptions,
    consulted=PlayModelOptions,
    notice=NoticeOptions,
    printing=PrintOptions,
)
def play(
    place: LadderFolder,
    ladder: str,
    wait: bool,
    weaker: bool,
    allowed: SpendingOptions,
    jobs: JobOptions,
    machines: ExecutorOptions,
    consulted: PlayModelOptions,
    notice: NoticeOptions,
    printing: PrintOptions,
) -> None:
    """Play matches until the time or number that you allow is used up. `arena docs ladder-standings` says how tables
    are chosen. You may stop it at any moment, in any way: the next `play` continues where this one ended.

    The last line of the output is a summary; --on-end and --webhook hand it to a command and to a web address, even
    if play fails. Exit codes: 0: the allowed time or number is used up; 1: failed; 2: too few versions
    play, or the command is wrong; 130: stopped by Ctrl-C; 143: stopped by SIGTERM.

    \b
    Examples:
      arena ladder play my-ladder --matches 500
      arena ladder play my-ladder --minutes 120 --wait --json -q
      arena ladder play my-ladder --minutes 120 -q --on-end 'mail -s league me@example.org'
    """
    # numpy takes longer to load than other commands run
    from arena.ladder.models.season_executor import season_executor
    from arena.ladder.play.play_ladder import Spending, check_spending, hold_play_lock, play_ladder

    notice.check()
    minutes = None if allowed.minutes is None else allowed.minutes * 60
    spending = Spending(allowed.matches, minutes, allowed.rounds, weaker, allowed.look)
    check_spending(spending)
    way, many, scheduler = machines.choose(), jobs.count(), machines.scheduler
    watching = PlayPrinter(printing.quiet, jobs_or_slots_text(many, None))
    command = running_command(HIDDEN_OPTIONS)

    def play_all() -> PlayResult:
        def processes() -> Executor:
            return make_executor(many, way=way, scheduler=scheduler, tell=print_message)

        with closing(season_executor(place, ladder, consulted.models, way, processes, watching.use_slots)) as plays:
            return play_ladder(place, ladder, plays, spending, watching, command)

    try:
        with hold_play_lock(place, wait, print_message):
            played = _note_play(place, ladder, watching, play_all)
    except (ArenaError, OSError) as problem:
        (why, code), matches = _failure_of(problem), watching.matches
        summary = {"ladder": ladder, "matches": matches, "stopped": why, "exit_code": code}
        notice.send(summary, f"{place.shown}: {_failed_in_words(matches)}: {why}")
        raise
    finally:
        watching.end()
    for each in played.unplayed:
        print_message(f"{each.id} could not be played, through no fault of a bot: {each.reason}")
    if played.why:
        print_message(f"no more matches: {one_line_message(played.why)}")
    summary, text = _play_summary(played), _in_words(played)
    click.echo(msgspec.json.encode(summary).decode() if printing.as_json else text)
    notice.send(summary, text + (f"; {one_line_message(played.why)}" if played.why else ""))
    sys.exit(played.exit_code)


def _note_play(
    place: LadderFolder, ladder: str, watching: PlayPrinter, play_all: Callable[[], PlayResult]
) -> PlayResult:
    """Play, and record in the folder when this began and how it ended; only a kill leaves no ending."""
    begun = PlayAttempt(ladder, utc_now())
    note_attempt(place, begun)
    try:
        played = play_all()
    except BaseException as problem:
        (why, code), matches = _failure_of(problem), watching.matches
        note_attempt(place, replace(begun, ended=utc_now(), matches=matches, stopped=why, exit_code=code))
        raise
    ended = replace(begun, ladder=played.ladder, ended=utc_now(), matches=played.matches)
    note_attempt(place, replace(ended, stopped=played.why, exit_code=played.exit_code))
    return played


def _failure_of(problem: BaseException) -> tuple[str, int]:
    """Return why a play ended with this, and its exit code."""
    match problem:
        case KeyboardInterrupt():
            return f"stopped {signal_in_words(problem)}", exit_code(problem)
        case ArenaError():
            return reason_of(problem), problem.exit_code
        case OSError():
            return reason_of(problem), 1
    return one_line_message(problem), 1


def _failed_in_words(matches: int) -> str:
    if not matches:
        return "nothing was played"
    return f"play failed after {'1 match' if matches == 1 else f'{matches} matches'}"


class PlayPrinter(PlayListener):
    """Prints the progress of a ladder while it is played, and counts the ``matches`` that are finished."""

    def __init__(self, quiet: bool, place: str) -> None:
        self.quiet, self.place = quiet, place
        self.matches = 0
        self._shown: RunProgressLine | None = None
        self._warned: set[str] = set()

    def use_slots(self, slots: int) -> None:
        """Say from now on that matches are played in so many slots."""
        self.place = jobs_or_slots_text(1, slots)

    def round_begun(self, round: Round, plan: Plan) -> None:
        """Report that a round begins or continues."""
        self.end()
        for warning in plan.warn():
            if warning not in self._warned:
                self._warned.add(warning)
                print_message(warning)
        if not self.quiet:
            print_message(
                f"round {round.number} of {plan.tournament.name}: {round.matches} matches of {len(plan.names)} "
                f"versions, {self.place}, {plan.isolation_words}"
            )
        self._shown = RunProgressLine(round.matches, self.quiet)

    def recovered(self, remains: RunRemains) -> None:
        """Report which matches of a continued round are finished already."""
        if self._shown is not None:
            self._shown.recovered(remains)

    def finished(self, done: WorkResult) -> None:
        """Count one more finished match."""
        self.matches += 1
        if self._shown is not None:
            self._shown.finished(done)

    def fallen_away(self, matches: int) -> None:
        """Report that this many matches of the round will not be played after all."""
        if self._shown is not None:
            self._shown.fallen_away(matches)

    def waiting(self) -> None:
        """Refresh the progress bar; called often."""
        if self._shown is not None:
            self._shown.waiting()

    def round_closed(self, round: Round, suspended: list[str]) -> None:
        """Report a closed round, and the versions that were suspended when it closed."""
        self.end()
        for each in suspended:
            print_message(f"suspended: {each}")

    def suspicions_found(self, suspicions: list[str]) -> None:
        """Report pairs that answer alike, or give each other unusually much."""
        for each in suspicions:
            print_message(f"look at: {each}")

    def end(self) -> None:
        """Close the progress bar."""
        if self._shown is not None:
            self._shown.__exit__(None, None, None)
            self._shown = None


def _play_summary(played: PlayResult) -> dict[str, object]:
    return {
        "ladder": played.ladder,
        "season": played.season,
        "matches": played.matches,
        "rounds": played.rounds,
        "seconds": round(played.seconds, 1),
        "faults": played.faults,
        "left_out": played.left_out,
        "unplayed": [{"match": each.id, "reason": each.reason} for each in played.unplayed],
        "suspended": played.suspended,
        "suspicions": played.suspicions,
        "pairs": played.pairs,
        "open": played.open,
        "stopped": played.why or None,
        "exit_code": played.exit_code,
    }


def _in_words(played: PlayResult) -> str:
    rounds = "1 round" if played.rounds == 1 else f"{played.rounds} rounds"
    matches = f"{played.matches} matches played in {duration_in_words(played.seconds)}"
    faults = "1 fault" if played.faults == 1 else f"{played.faults or 'no'} faults"
    told = [f"{played.ladder}.{played.season}: {matches}, {rounds} closed", faults]
    if played.left_out:
        told.append(f"{played.left_out} left out because versions no longer play")
    if played.unplayed:
        told.append(f"{len(played.unplayed)} given up")
    if played.suspended:
        told.append(f"{len(played.suspended)} suspended")
    if played.suspicions:
        told.append(f"{len(played.suspicions)} to look at: {played.suspicions[0]}")
    if (pairs := played.pairs) is not None:
        unrated = f", {pairs.unrated} unrated" if pairs.unrated else ""
        told.append(f"pairs: {pairs.apart} apart, {pairs.equal} equal, {pairs.open} open{unrated}")
    if played.open:
        told.append("a round is open: the next play continues it")
    return "; ".join(told)
