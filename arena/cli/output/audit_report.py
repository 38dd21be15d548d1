"""Prints the result of an audit, in words and tables."""

from __future__ import annotations

from typing import Any, Self

import click
from tqdm import tqdm

from arena.cli.output.host_table import difference_lines
from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.cli.print_message import MESSAGE_STREAM
from arena.rerun.audited_matches import AuditListener
from arena.storage.audit_file import AuditDifference, AuditOutcome, AuditResult, AuditTally
from arena.tournament.standings.provenance import labels_in_short

SHOWN_MISMATCHES = 10
"""At most this number of matches that did not come out identical is printed one by one, for each kind of difference."""


class AuditBar(AuditListener):
    """Draws a progress bar of the matches played again, on a terminal, unless ``quiet``."""

    def __init__(self, quiet: bool) -> None:
        self._bar: Any = tqdm(unit=" matches", disable=True if quiet else None, file=MESSAGE_STREAM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._bar.close()

    def sample_drawn(self, matches: int) -> None:
        """Start the bar of ``matches`` matches."""
        self._bar.reset(matches)

    def played_again(self) -> None:
        """Count one more match."""
        self._bar.update()


def print_audit(shown: str, found: AuditResult, audit: str = "arena audit") -> None:
    """Print the result of an audit. ``shown`` is what messages call the audited matches; ``audit`` is the command."""
    click.echo(f"{_audit_summary(shown, found)}\n")
    click.echo(_tally_table("entrant", found.entrants) + "\n")
    click.echo(_tally_table("host", found.hosts) + "\n")
    for tally in found.entrants:
        if tally.absent:
            click.echo(fold_to_terminal(f"{tally.name}: not played again: {tally.absent}"))
    for line in labels_in_short(found.labels(audit)):
        click.echo(fold_to_terminal(line))
    click.echo()
    for came in (AuditOutcome.OTHERWISE, AuditOutcome.UNREPEATABLE, AuditOutcome.LATE):
        _print_others([each for each in found.others if each.came is came])
    for line in _audit_conclusions(found):
        click.echo(fold_to_terminal(line))


def _audit_summary(shown: str, found: AuditResult) -> str:
    lines = [f"{shown}: {found.matches} matches, root digest {found.root}"]
    if found.root_in_manifest not in ("", found.root):
        lines.append(
            f"manifest.json has another root digest, {found.root_in_manifest}: matches have been changed since"
        )
    drawn = f"{found.drawn} drawn at random"
    drawn += "" if found.seed == found.root else f" (seed {found.seed})"
    drawn += f", and {found.added} added for entrants and hosts with few" if found.added else ""
    drawn += f"; {found.timely} have faults that depend on time and cannot be compared" if found.timely else ""
    return "\n".join(fold_to_terminal(line) for line in [*lines, drawn])


def _tally_table(what: str, tallies: list[AuditTally]) -> str:
    labelled = what == "entrant"
    rows = [
        [each.name, each.matches, each.played, each.identical, *([each.label or "–"] if labelled else [])]
        for each in tallies
    ]
    return format_table(rows, [what, "matches", "played again", "identical", *(["label"] if labelled else [])])


def _print_others(others: list[AuditDifference]) -> None:
    """Print some of the matches with one kind of outcome, each with its first difference."""
    for each in others[:SHOWN_MISMATCHES]:
        click.echo(fold_to_terminal(f"{each.id} (played on {each.host}): {what_came(each)}"))
        if each.came is AuditOutcome.OTHERWISE and each.difference is not None:
            click.echo(difference_lines(each.difference))
    if more := len(others) - SHOWN_MISMATCHES:
        click.echo(f"and {more} more" if more > 0 else "", nl=more > 0)
    if others:
        click.echo()


def what_came(match: AuditDifference) -> str:
    """Says how a match that was played again differs, and what explains it."""
    if match.problem:
        first = f"; {match.entrant} is the first to differ, at ask {match.ask}" if match.entrant else ""
        return f"DIFFERS: {match.problem}{first}"
    where = f"from ask {match.ask} of {match.asks} on, where {match.entrant} answers differently" if match.ask else ""
    match match.came:
        case AuditOutcome.LATE:
            return "not compared: a bot was late on this machine"
        case AuditOutcome.UNREPEATABLE:
            others = ", and all other bots answer as recorded" if match.others_as_recorded else ""
            return f"other {where or 'than recorded; its replay was not kept'}, as it does each time{others}"
    return f"DIFFERS {where or 'from the recorded match; its replay was not kept, so the place is unknown'}"


def _audit_conclusions(found: AuditResult) -> list[str]:
    """What the audit shows, and what it does not."""
    came = {kind: sum(each.came is kind for each in found.others) for kind in AuditOutcome}
    first = f"{found.identical} of {found.played} identical"
    if came[AuditOutcome.OTHERWISE]:
        first += f"; {came[AuditOutcome.OTHERWISE]} DIFFER although all of their bots repeat themselves"
    if came[AuditOutcome.UNREPEATABLE]:
        first += f"; {came[AuditOutcome.UNREPEATABLE]} differ because of bots that do not repeat themselves"
    if came[AuditOutcome.LATE]:
        first += f"; {came[AuditOutcome.LATE]} not compared: late on this machine"
    lines = [f"{first}."]
    if found.bound is not None:
        lines.append(_bound_sentence(found))
    not_shown = "Not shown: how the seed was chosen, and whether bots work together."
    return [*lines, f"An audit compares only this: same bots, same seeds, same bytes. {not_shown}"]


def _bound_sentence(found: AuditResult) -> str:
    bound = found.bound
    assert bound is not None
    unsteady = any(each.label is not None and not each.label.is_repeatable for each in found.entrants)
    which = " of bots that repeat themselves" if unsteady else ""
    here = " whose bots are here" if any(each.absent for each in found.entrants) else ""
    if bound.drawn == bound.matches:
        return f"These are all {bound.matches} matches{which}{here}, so this is certain."
    share = 100 * bound.at_most / bound.matches
    return (
        f"With {100 * bound.confidence:.0f} % confidence at most {bound.at_most} of all {bound.matches} matches{which}"
        f"{here} ({share:.1f} %) would differ: {bound.differ} of {bound.drawn} drawn at random differ."
    )
