"""How a folder of ladders stands, in words."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from arena.cli.options.shared_options import jobs_text
from arena.cli.output.terminal import fold_to_terminal
from arena.config.documents.duration import duration_in_words
from arena.ladder.show.ladder_status import LadderState, LadderStatus


def ladder_lines(found: LadderStatus) -> str:
    """A status as lines, each with its subject in front."""
    return "\n".join(fold_to_terminal(f"{subject:9} {told}") for subject, told in _lines(found))


def _lines(found: LadderStatus) -> Iterator[tuple[str, str]]:
    yield "ladders", f"in {found.folder}: {_playing(found)}"
    for each in found.ladders:
        yield "ladder", f"{each.name}, season {each.season}: {each.matches} matches; closed rounds: {each.rounds}"
        if each.open is not None:
            yield "round", _open(each, found)
        if each.waits:
            first = each.waits[0]
            yield "waits", f"{len(each.waits)}; {first.name}, tried {first.tries} times: {first.why}"
    if found.why:
        yield "stopped", found.why
    for line in found.log:
        yield "log", line
    yield "more", f"arena ladder show {quote(found.folder)}"


def _playing(found: LadderStatus) -> str:
    if found.process is None:
        return "nobody plays"
    where = f" in process {found.process}" if found.process else ""
    where += f" on {found.host}" if found.host else ""
    return f"playing{where}{f', {jobs_text(found.jobs)}' if found.jobs is not None else ''}"


def _open(ladder: LadderState, found: LadderStatus) -> str:
    assert ladder.open is not None
    told = f"{ladder.open.number}: {ladder.open.finished} of {ladder.open.matches} matches"
    if found.rate is not None and len(found.ladders) == 1:  # else nobody knows of which it is
        told += f", lately {found.rate:.1f} a second"
        told += f", about {duration_in_words(found.left)} left" if found.left is not None else ""
    return told
