"""``arena branch --scan``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from arena.analysis.bot_losses import losses_of
from arena.cli.options.game_options import game_words
from arena.cli.options.shared_options import PrintOptions, jobs_text, say_isolation
from arena.cli.output.progress_line import RunProgressLine
from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.cli.print_json import print_json
from arena.cli.print_message import print_message
from arena.commands.branch.branches import BranchedMatch
from arena.commands.branch.inference.dearest import CostVerdict
from arena.commands.branch.inference.decision_worth import unseen_share
from arena.commands.branch.scan import ScanOptions, ScanPlan, ScanResult, plan_scan, play_scan, seconds_expected
from arena.commands.branch.scan_words import DearestDecision, dearest_of, scan_csv, scan_data
from arena.config.documents.duration import duration_in_words
from arena.executors.interrupt import ignore_all
from arena.executors.make import make_executor
from arena.games import load_game
from arena.recorded.event_address import address_of
from arena.recorded.replay_names import command_line_names, is_run
from arena.replay.lines import Faulted
from arena.storage.files.atomic_files import write_whole
from arena.tournament.tables.rounded_figures import estimate_text

MARKS = {CostVerdict.CLEAR: "", CostVerdict.ALIKE: " =", CostVerdict.UNCLEAR: " ?"}
"""The marks that follow a cost, by verdict."""
CLOSER_REPEATS = 200
"""Repetitions in the suggested commands for a closer look."""


def scan_seat(
    match: BranchedMatch,
    wanted: ScanOptions,
    jobs: int,
    options: list[str],
    csv: Path | None,
    printing: PrintOptions,
) -> tuple[int, bool]:
    """Scan a seat and print the result; ``options`` are words that the suggested commands need too. Returns the exit
    code of a signal that stopped the scan, else 0; and whether a bot did not repeat itself."""
    planned = plan_scan(match, wanted)
    say_isolation(match.isolation, match.bots)
    scanned = _play_with_progress(planned, jobs, printing.quiet)
    found = dearest_of(planned, scanned)
    commands = [_closer_command(match, each, options) for each in found]
    if csv is not None:
        write_whole(csv, scan_csv(found).encode())
    for told in _doubt_sentences(planned, scanned):
        print_message(fold_to_terminal(told))
    if printing.as_json:
        print_json(scan_data(planned, scanned, found, commands))
    else:
        click.echo(_scan_text(planned, scanned, found, commands))
    return scanned.stopped, bool(scanned.unrepeated)


def _play_with_progress(planned: ScanPlan, jobs: int, quiet: bool) -> ScanResult:
    with closing(make_executor(jobs)) as executor:
        seconds = seconds_expected(planned, executor)
        print_message(fold_to_terminal(_scan_line(planned, jobs, seconds)))
        with RunProgressLine(planned.branches, quiet, unit="branches") as progress:
            scanned = play_scan(planned, executor, progress)
            if scanned.stopped:
                ignore_all()
                progress.say(f"stopped: {scanned.played} of at most {planned.branches} branches are played")
    return scanned


def _scan_line(planned: ScanPlan, jobs: int, seconds: float) -> str:
    """What is about to be played, in a line."""
    looked = f"{len(planned.chosen)} of {planned.choice} decisions, {len(planned.compared_answers)} other answers"
    isolation = f"{jobs_text(jobs)}, {planned.match.isolation.words(planned.match.bots)}"
    return (
        f"scan of {_seat_name(planned)}: {looked}; at most {planned.branches} branches, {isolation}, "
        f"about {duration_in_words(max(1.0, seconds))}"
    )


def _closer_command(match: BranchedMatch, found: DearestDecision, options: list[str]) -> str:
    """The command that looks closer at a decision."""
    decision = found.decision
    where = ["--at", address_of(decision.line, decision.number)]
    words = [
        "arena",
        "branch",
        *command_line_names(match.path),
        *where,
        "--move",
        found.typed,
        "--repeat",
        str(CLOSER_REPEATS),
        *options,
    ]
    words += game_words(match.spec.game)
    return shlex.join(words)


def _scan_text(planned: ScanPlan, scanned: ScanResult, found: list[DearestDecision], commands: list[str]) -> str:
    """The printed result: the table, its meaning in sentences, and the commands for a closer look."""
    who, unit = _seat_name(planned), _money_unit(planned)
    if not found and scanned.stopped:
        return f"Stopped before anything was known about the decisions of {who}."
    listed = [each for each in found if each.cost_verdict is not CostVerdict.NOTHING]
    others = found[len(listed) :]  # they come last
    if not listed:
        parts = [
            f"None of the decisions of {who} that were looked at seems to have cost it anything.",
            *_unlisted_sentences(others),
        ]
        nothing = fold_to_terminal(" ".join([*parts, _scope_sentence(planned)]))
        return f"{nothing}\n\n{next_match(planned.match, planned.wanted.seat)}"
    rows = [
        [
            _event_name(each),
            each.decision.hook,
            answer_phrase(each),
            each.better,
            estimate_text(each.cost, 1) + MARKS[each.cost_verdict],
            estimate_text(each.worth.matchpoints, 0, share=True),
        ]
        for each in listed
    ]
    headers = ["at", "hook", "it answered", "better", f"cost {unit}", "matchpoints"]
    title = fold_to_terminal(f"The decisions of {who} that cost it most, in {planned.match.path}:")
    notes = [
        *map(fold_to_terminal, _unlisted_sentences(others)),
        fold_to_terminal(" ".join([_scope_sentence(planned), *_figure_notes(listed)])),
    ]
    closer = "\n".join(f"  {each}" for each in commands[: len(listed)])
    if not any(each.cost_verdict is CostVerdict.CLEAR for each in listed):
        notes.append(fold_to_terminal(f"So in this match no decision of {who} had a significant cost."))
        closer += f"\n{next_match(planned.match, planned.wanted.seat)}"
    return "\n\n".join([title, format_table(rows, headers, wrap=(2, 3), plain=True), *notes, f"Look closer:\n{closer}"])


def next_match(match: BranchedMatch, seat: int) -> str:
    """What to scan in place of this match: the one of the same run that cost the entrant in the ``seat`` most."""
    folder, *id = command_line_names(match.path)
    if not id or not is_run(Path(folder)):
        return "To scan another match: arena losses DIR BOT lists the matches of a run that cost a bot most."
    every = losses_of(Path(folder), match.spec.seats[seat].entrant)
    others = [each for each in every if each.game == match.spec.game and each.match != id[0] and each.has_replay]
    best = max(others, key=lambda each: each.cost, default=None)
    if best is None or best.cost <= 0:
        return "In every other match of this run it had as much as others in the same seat of the same deal, or more."
    words = ["arena", "branch", folder, best.match, "--scan", str(best.seat), *game_words(match.spec.game)]
    return f"The most costly other match:\n  {shlex.join(words)}"


def _seat_name(planned: ScanPlan) -> str:
    return f"{planned.match.entrants[planned.wanted.seat]} (seat {planned.wanted.seat})"


def _money_unit(planned: ScanPlan) -> str:
    return load_game(planned.match.spec.game).unit


def _event_name(found: DearestDecision) -> str:
    """The address of a decision as the table prints it, such as ``#412`` or ``ask47``."""
    decision = found.decision
    return address_of(None, decision.number) if decision.line is None else f"#{decision.line}"


def answer_phrase(found: DearestDecision) -> str:
    """What the bot answered, and to which question."""
    decision = found.decision
    did = decision.move_text(decision.found.played)
    if found.unasked:
        did = f"is not asked, because it has no hook {decision.hook}; {did}"
    elif isinstance(decision.found.line, Faulted):
        did = f"fails ({decision.found.line.kind}); {did}"
    return f"{did} ({found.ask_text})" if found.ask_text else did


def _scope_sentence(planned: ScanPlan) -> str:
    """How many decisions were looked at, of how many."""
    looked, others = len(planned.chosen), len(planned.compared_answers)
    what = "all with another answer to compare" if looked == planned.choice else f"of {planned.choice}"
    opinion = f", {planned.wanted.opinion} the second opinion" if planned.wanted.opinion else ""
    return (
        f"Looked at: {looked} decisions ({what}; it was asked {planned.asked} times), {others} other answers{opinion}."
    )


def _unlisted_sentences(found: list[DearestDecision]) -> Iterator[str]:
    """A sentence on the decisions of the last round that the table does not list."""
    if found:
        told = ", ".join(f"{_event_name(each)} ({estimate_text(each.cost, 1)})" for each in found)
        them = "1 more decision was" if len(found) == 1 else f"{len(found)} more decisions were"
        yield (
            f"{them} tried again and cost nothing: {told}. The table shows only those that did, so its figures alone "
            f"are a little too high; all figures together are right on average."
        )


def _figure_notes(found: list[DearestDecision]) -> Iterator[str]:
    """The meaning of the figures."""
    pairs = sorted({each.worth.pairs for each in found})
    times = f"{pairs[0]}" if len(pairs) == 1 else f"{pairs[0]} to {pairs[-1]}"
    yield (
        f"Cost: how much more the better answer brings, on average over {times} repetitions that were not used to "
        f"choose it; ± is half of a 95 % interval. Matchpoints: the share of repetitions in which it brings more; "
        f"equal ones count half."
    )
    told = {each.cost_verdict for each in found}
    if CostVerdict.UNCLEAR in told:
        yield "?: not significantly above 0. By chance alone, 1 harmless decision in 40 lacks the ?."
    if CostVerdict.ALIKE in told:
        rare = f"{100 * unseen_share(pairs[0]):.0f} %"
        yield f"=: the same in all repetitions; an outcome with a frequency of {rare} or less may not have come up."
    if any(each.cost_verdict is CostVerdict.CLEAR and each.cost.alike for each in found):
        yield "Without ± and mark: the same in all repetitions."
    yield "All figures are hindsight: they are for the actual hands, even those that the seat could not see."


def _doubt_sentences(planned: ScanPlan, scanned: ScanResult) -> Iterator[str]:
    """Reasons to doubt the figures, in sentences."""
    entrants = planned.match.entrants
    for seat, ask in sorted(scanned.unrepeated.items()):
        yield (
            f"{entrants[seat]} (seat {seat}) answers differently when re-asked, first at ask "
            f"{ask}: its state may differ from its state in the match"
        )
    if scanned.lost:
        yield f"{scanned.lost} branches do not count: {scanned.why_lost}"
