"""``arena audit``."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec
from tqdm import tqdm

from arena.app.audited import Again, Audited, Came, Tally
from arena.app.auditing import audit as play_sample
from arena.app.auditing import keep
from arena.app.cores import count_jobs
from arena.app.folder import FolderStore
from arena.app.lock import not_written_to
from arena.app.replanning import plan_again
from arena.app.runfiles import AUDIT, LOCK
from arena.app.sample import LEAST, Wanted, read_wanted
from arena.cli.commands import TALK, Command, isolation_options, say
from arena.cli.hosts import told
from arena.cli.naming import FOLDER, bots_by_entrant
from arena.cli.terminal import folded, table
from arena.config.tournament import MOST_JOBS
from arena.errors import Mismatch
from arena.executors.make import make_executor
from arena.sandbox.probe import Level
from arena.tournament.provenance import labels_in_short

SHOWN = 10
"""Matches that did not come out identical that are shown one by one, of each kind."""


def _wanted(context: click.Context, option: click.Parameter, text: str) -> Wanted:
    return read_wanted(text)


@click.command(cls=Command, short_help="Play a sample of a run's matches again and compare.")
@click.argument("folder", type=FOLDER, metavar="DIR")
@click.option(
    "--sample",
    default="5%",
    show_default=True,
    callback=_wanted,
    metavar="SIZE",
    help="How many matches to draw: a share such as 5%, or a number.",
)
@click.option(
    "--each",
    type=click.IntRange(0),
    default=LEAST,
    show_default=True,
    metavar="N",
    help="Matches that every entrant and every host has at least; what is missing is added to the sample.",
)
@click.option("--seed", default="", metavar="TEXT", help="Decides which are drawn; by default the run's root digest.")
@click.option("--bot", "bots", multiple=True, metavar="ENTRANT=BOT", help="Where an entrant's bot is now.")
@click.option("-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default.")
@click.option("--oversubscribe", is_flag=True, help="Allow more jobs than cores.")
@click.option("--no-write", is_flag=True, help="Leave the folder as it is: no audit.json, no labels in the standings.")
@isolation_options()
@click.option("-q", "--quiet", is_flag=True, help="Hide the progress bar.")
@click.option("--json", "as_json", is_flag=True, help="Print what is found as JSON.")
def audit(
    folder: Path,
    sample: Wanted,
    each: int,
    seed: str,
    bots: tuple[str, ...],
    jobs: int | None,
    oversubscribe: bool,
    no_write: bool,
    trust: bool,
    require: Level | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play random matches of the run in DIR again, with its bots, and compare all bytes: how many are identical, by
    entrant and by host, and what that says of the rest. Each bot gets a label, which says whether it repeats itself.

    What is found is written to audit.json in DIR, and the labels to its standings. Exit code 3 if a match comes out
    otherwise, unless a bot that does not repeat itself explains it, or if the matches have not the root digest that is
    in manifest.json; then nothing is written.

    \b
    Examples:
      arena audit results/quick-20260101-120000
      arena audit results/quick-20260101-120000 --sample 200 --seed "lottery numbers of 3 January" -j 4
      arena audit results/quick-20260101-120000 --bot mybot=versions/mybot_v7.py --no-write
    """
    number = count_jobs(jobs, None, oversubscribe)
    store = FolderStore(folder)
    with not_written_to(folder / LOCK, folder):
        plan, absent = plan_again(folder, bots_by_entrant(bots), trust, require or Level.NONE)
        bar: Any = tqdm(unit=" matches", disable=True if quiet else None, file=TALK)

        def begin(number: int) -> None:
            bar.reset(number)

        with bar, closing(make_executor(number)) as executor:
            found = play_sample(plan, store, executor, sample, each, seed, absent, (begin, bar.update))
        if not no_write and found.root_in_manifest in ("", found.root):
            keep(store, found)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
    else:
        _print(folder, found)
        if not no_write and found.root_in_manifest in ("", found.root):
            say(f"written to {folder / AUDIT}; the standings show the labels")
    sys.exit(0 if found.passed else Mismatch.exit_code)


def _print(folder: Path, found: Audited) -> None:
    click.echo(f"{_drawn(folder, found)}\n")
    click.echo(_table("entrant", found.entrants) + "\n")
    click.echo(_table("host", found.hosts) + "\n")
    for tally in found.entrants:
        if tally.absent:
            click.echo(folded(f"{tally.name}: not played again: {tally.absent}"))
    for line in labels_in_short(found.labels()):
        click.echo(folded(line))
    click.echo()
    for came in (Came.OTHERWISE, Came.UNREPEATABLE, Came.LATE):
        _print_others([each for each in found.others if each.came is came])
    for line in _conclusions(found):
        click.echo(folded(line))


def _drawn(folder: Path, found: Audited) -> str:
    lines = [f"{folder}: {found.matches} matches, root digest {found.root}"]
    if found.root_in_manifest not in ("", found.root):
        lines.append(f"manifest.json has another one, {found.root_in_manifest}: matches have been changed since")
    drawn = f"{found.drawn} drawn at random"
    drawn += "" if found.seed == found.root else f" (seed {found.seed})"
    drawn += f", and {found.added} added for entrants and hosts with few" if found.added else ""
    drawn += f"; {found.timely} have faults that depend on time and cannot be chosen" if found.timely else ""
    return "\n".join(folded(line) for line in [*lines, drawn])


def _table(what: str, tallies: list[Tally]) -> str:
    labelled = what == "entrant"
    rows = [
        [each.name, each.matches, each.played, each.identical, *([each.label or "–"] if labelled else [])]
        for each in tallies
    ]
    return table(rows, [what, "matches", "played again", "identical", *(["label"] if labelled else [])])


def _print_others(others: list[Again]) -> None:
    """Some of the matches that came out in one of the ways, each with where it parts."""
    for each in others[:SHOWN]:
        click.echo(folded(f"{each.id} (played on {each.host}): {_what(each)}"))
        if each.came is Came.OTHERWISE and each.difference is not None:
            click.echo(told(each.difference))
    if more := len(others) - SHOWN:
        click.echo(f"and {more} more" if more > 0 else "", nl=more > 0)
    if others:
        click.echo()


def _what(match: Again) -> str:
    """What is other in a match, and what explains it."""
    if match.problem:
        return f"DIFFERS: {match.problem}"
    where = f"from ask {match.ask} of {match.asks} on, where {match.entrant} answers otherwise" if match.ask else ""
    match match.came:
        case Came.LATE:
            return "not compared: a bot was late here"
        case Came.UNREPEATABLE:
            others = ", and all others answer as recorded" if match.others_as_recorded else ""
            return f"other {where or 'than recorded; its replay was not kept'}, as it does each time{others}"
    return f"DIFFERS {where or 'from what is recorded; its replay was not kept, so that nothing tells where'}"


def _conclusions(found: Audited) -> list[str]:
    """What the audit shows, and what it does not."""
    came = {kind: sum(each.came is kind for each in found.others) for kind in Came}
    first = f"{found.identical} of {found.played} identical"
    if came[Came.OTHERWISE]:
        first += f"; {came[Came.OTHERWISE]} DIFFER, and no bot that does not repeat itself explains it"
    if came[Came.UNREPEATABLE]:
        first += f"; {came[Came.UNREPEATABLE]} differ because of bots that do not repeat themselves"
    if came[Came.LATE]:
        first += f"; {came[Came.LATE]} not compared: late here"
    lines = [f"{first}."]
    if found.bound is not None:
        lines.append(_bound(found))
    not_shown = "Not shown: how the seed was chosen, and whether bots work together."
    return [*lines, f"Same bots, same seeds, same bytes: that is all that this compares. {not_shown}"]


def _bound(found: Audited) -> str:
    bound = found.bound
    assert bound is not None
    unsteady = any(each.label is not None and not each.label.repeats for each in found.entrants)
    which = " of bots that repeat themselves" if unsteady else ""
    here = " whose bots are here" if any(each.absent for each in found.entrants) else ""
    if bound.drawn == bound.matches:
        return f"These are all {bound.matches} matches{which}{here}, so nothing is left to chance."
    share = 100 * bound.at_most / bound.matches
    return (
        f"With {100 * bound.confidence:.0f} % confidence at most {bound.at_most} of all {bound.matches} matches{which}"
        f"{here} ({share:.1f} %) would come out otherwise: {bound.differ} of {bound.drawn} drawn at random did."
    )
