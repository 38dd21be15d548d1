"""Inserts what bots printed in a match into its story, at the asks where they printed it.

The text comes from the logs of isolated bots (:mod:`arena.storage.logs.bot_logs`): a run has them in its folder,
``arena match`` writes them to the folder of ``--logs``."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from arena.errors import Mismatch, ReplayError, UserError, nearest_hint
from arena.foreign_files import LARGEST_LOG, read_foreign_file
from arena.isolation.worker.printed_at import PrintedText
from arena.match.walk.timeline import Timeline
from arena.recorded.seat_numbers import SeatNumbers, seat_numbers_in
from arena.recorded.story import Story, StoryLine, StorySource, story_source
from arena.replay.lines import Answered, Faulted, Result
from arena.replay.replay_sentences import SentenceKind
from arena.storage.layout import BOT_LOGS
from arena.storage.logs.bot_logs import BOT_LOG_LIMIT, find_entry, log_heading, log_path
from arena.storage.packs.replay_packs import id_in


class BotOutput(NamedTuple):
    """What the bot in a ``seat`` printed in the match, and that bot's name; by asks of the match, or where only this
    seat is told of by its own count."""

    seat: int
    entrant: str
    parts: list[PrintedText]

    def lines(self, part: PrintedText) -> list[str]:
        """The lines that the bot printed at one ask, each after the bot's name."""
        return [f"{self.entrant} ({self.seat}) | {line}" for line in part.text.decode().split("\n")]


def read_logs(path: Path, entrant: str, logs: Path | None, seat: int | None) -> tuple[list[BotOutput], list[str]]:
    """What bots printed in the match of the replay at ``path``, by seat: all of them, or one ``entrant`` (empty: all),
    or the one in a ``seat``, at asks by its own count; and in words who printed nothing. ``logs`` is the folder where
    their logs are, if it is not the run's own. Raises UserError where there is no such entrant or folder, and as
    :func:`arena.recorded.story.story_source`.
    """
    of = story_source(path, seat)
    if entrant and entrant not in of.names:
        raise UserError(
            f"no {entrant!r} played in {path}{nearest_hint(entrant, of.names)}; its bots: {', '.join(of.names)}"
        )
    if entrant and seat is not None and of.names[seat] != entrant:
        raise UserError(f"seat {seat} is {of.names[seat]}'s, and does not know what {entrant} printed")
    folder = _logs_folder(path, logs)
    result = of.lines[-1]
    assert isinstance(result, Result)
    found, nothing = [], []
    for number, name in enumerate(of.names):
        if (entrant and name != entrant) or seat not in (None, number):
            continue
        log = log_path(folder, name)
        parts = _log_entry(log, log_heading(name, of.header.id, number, result.sha256))
        if parts is not None:
            found.append(BotOutput(number, name, parts if seat is None else _own_parts(parts, of.timeline, seat)))
        elif _is_full(log):
            nothing.append(f"{log} is full ({BOT_LOG_LIMIT >> 20} MiB) and has no output from this match")
        elif entrant or seat is not None:
            nothing.append(f"{folder} has no output of {name} in this match")
    if not found and not nothing:
        nothing.append(f"{folder} has no output of bots in this match")
    return found, nothing


def _own_parts(parts: Sequence[PrintedText], timeline: Timeline, seat: int) -> list[PrintedText]:
    numbers = seat_numbers_in(timeline, seat)
    return [part._replace(number=numbers.own_ask(part.number)) for part in parts]


def _logs_folder(path: Path, logs: Path | None) -> Path:
    """The folder of the logs. Raises UserError if there is none."""
    if logs is not None:
        if not logs.is_dir():
            raise UserError(f"--logs {logs}: there is no such folder")
        return logs
    run = id_in(path)
    if run is None:
        raise UserError(
            f"{path} is not in a run's folder: name the folder of its bots' logs with --logs FOLDER (arena match "
            f"--logs FOLDER "
            "writes them)"
        )
    folder = run[0] / BOT_LOGS
    if not folder.is_dir():
        raise UserError(f"there is no {folder}: in this run no bot printed anything, or they were trusted")
    return folder


def _log_entry(log: Path, head: str) -> list[PrintedText] | None:
    try:
        return find_entry(read_foreign_file(log, LARGEST_LOG).decode("utf-8", "replace"), head)
    except FileNotFoundError:
        return None


def _is_full(log: Path) -> bool:
    return log.exists() and log.stat().st_size > BOT_LOG_LIMIT


def insert_bot_output(
    path: Path, story: Story, found: Sequence[BotOutput], first: int, last: int | None, seat: int | None
) -> Story:
    """The sentences of the replay at ``path``, from line ``first`` to ``last`` (None: the end). What a bot printed
    stands in front of the answer that followed, as lines of the kind ``printed``. With a ``seat`` they are for this
    seat alone, by its own count."""
    of = story_source(path, None)
    numbers = None if seat is None else seat_numbers_in(of.timeline, seat)
    places, end = output_places(of), len(of.lines)
    if numbers is not None:
        places, end = numbers.places(places), numbers.last
    printed = [
        (place, inf if part.number is None else part.number, by, part)
        for by in found
        for part in by.parts
        if first <= (place := places.get(part.number, end)) <= (end + 1 if last is None or last >= end else last)
    ]
    coming = sorted(printed, key=lambda each: each[:2])
    told: list[StoryLine] = []
    for line in story.lines:
        while coming and coming[0][0] <= line.number:
            told += _story_lines(*coming.pop(0), numbers)
        told.append(line)
    for each in coming:
        told += _story_lines(*each, numbers)
    return msgspec.structs.replace(story, lines=told)


def _story_lines(
    place: int, number: float, by: BotOutput, part: PrintedText, numbers: SeatNumbers | None
) -> list[StoryLine]:
    line, seen = (place, UNSET) if numbers is None else (UNSET, place)
    return [StoryLine(line, text, ask=part.number, kind=SentenceKind.PRINTED, seen=seen) for text in by.lines(part)]


def output_places(of: StorySource) -> dict[int | None, int]:
    """By ask, the line of the file in front of which the output of that ask is shown: the line of its answer or fault;
    if it has none, that of the next answer in its phase, or the first line after the phase. Output at the start (0)
    stands before the first decision, output after the end (None) after the last line."""
    made = [(at, line) for at, line in enumerate(of.lines, 1) if isinstance(line, Answered | Faulted)]
    decided: dict[int | None, int] = {line.ask: at for at, line in made if line.ask}
    starts = (at for at, line in made if not line.ask)
    places = {None: len(of.lines) + 1, **decided}
    try:
        for phase in of.timeline.phases():
            places.setdefault(0, next(starts, phase.decisions.start))
            at = phase.decisions.stop
            for number in reversed(range(phase.first, phase.first + len(phase.asks))):
                places[number] = at = decided.get(number, at)
    except (Mismatch, ReplayError):
        pass  # what is printed further on stands at its own answers, if it has some
    return places


def printed_at(found: Sequence[BotOutput], ask: int) -> list[str]:
    """The lines that bots printed at one ask."""
    return [line for by in found for part in by.parts if part.number == ask for line in by.lines(part)]
