"""What isolated bots print, in a file for each entrant: match by match, ask by ask.

::

    == hasty printed in eagle-gryphon-4p/b0000/0-1-2-3, seat 0, replay 3f8a12c09b7e:
    ask 0 start:
      ready
    ask 11 accept:
      Traceback (most recent call last):
    finish:
      bye
    [1200 bytes more]

What a bot printed is moved in by two columns, line by line, and of it nothing but tabs and what can be seen is kept: so
a line that is not moved in is arena's, whatever a bot prints.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from arena.foreign_files import open_descriptor
from arena.isolation.worker.printed_at import PrintedText
from arena.match.work import SeatOutput
from arena.printable import printable_text
from arena.tournament.records.match_record import MatchRecord

BOT_LOG_LIMIT = 16 << 20
"""The maximum size of an entrant's log in bytes, over all matches of the run."""

REST_HINT = "; write all of it to a folder with: --logs FOLDER"
TEXT_INDENT = "  "
HASH_DIGITS = 12
"""How many digits of a replay's hash name it in a log."""
_ASK_LINE = re.compile(r"(?:ask (\d+) (\w+)|(finish)):")


def log_heading(entrant: str, id: str, seat: int, sha256: str) -> str:
    """The heading of a bot's output in a match: the entrant, the match, the seat, and the beginning of the replay's
    closing hash."""
    return f"== {entrant} printed in {id}, seat {seat}, replay {sha256[:HASH_DIGITS]}:"


def log_path(folder: Path, entrant: str) -> Path:
    """The log of an entrant."""
    return folder / f"{entrant}.log"


def output_lines(text: bytes) -> list[str]:
    """A bot's output as printable lines: bytes that are no text are written as ``\\xff``, and each character that is
    invisible or would move a terminal's cursor is replaced by a mark."""
    whole = text.decode("utf-8", "backslashreplace")
    return [printable_text(line, kept="\t") for line in re.split("\r\n|\n|\r", whole.removesuffix("\n"))]


def ask_heading(part: PrintedText) -> str:
    """The heading of what a bot printed at one ask."""
    return f"{part.hook}:" if part.number is None else f"ask {part.number} {part.hook}:"


def log_entry(record: MatchRecord, printed: SeatOutput) -> bytes:
    """The log entry of a bot's output in a match."""
    lines = [log_heading(record.seats[printed.seat].entrant, record.id, printed.seat, record.sha256)]
    for part in printed.parts:
        lines += [ask_heading(part), *(f"{TEXT_INDENT}{line}" for line in output_lines(part.text))]
    if printed.lost:
        lines.append(f"[{printed.lost} bytes more]")
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def log_beginning(record: MatchRecord, printed: SeatOutput, most: int, rest: str = REST_HINT) -> str:
    """The first ``most`` lines of a bot's output, to be shown after the match; ``rest`` says where the others are."""
    lines = [f"== {record.seats[printed.seat].entrant} printed in {record.id}, seat {printed.seat}:"]
    left = most
    for part in printed.parts:
        if left > 0:
            text = [f"{TEXT_INDENT}{line[:500]}" for line in output_lines(part.text)]
            lines += [ask_heading(part), *text[:left]]
        left -= len(output_lines(part.text))
    if left < 0:
        lines.append(f"[{-left:,} lines more{rest}]")
    elif printed.lost:
        lines.append(f"[{printed.lost} bytes more]")
    return "".join(f"{line}\n" for line in lines)


class BotLogs:
    """Logs below ``folder``, each up to :data:`BOT_LOG_LIMIT`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, record: MatchRecord, printed: SeatOutput) -> None:
        """Append the output of a bot in a match to its entrant's log."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = log_path(self.folder, record.seats[printed.seat].entrant)
        with open(open_descriptor(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), "ab") as file:
            if os.fstat(file.fileno()).st_size <= BOT_LOG_LIMIT:
                file.write(log_entry(record, printed))


def find_entry(log: str, head: str) -> list[PrintedText] | None:
    """The output below the last line of a log that equals ``head``, part by part; None where there is no such line. If
    output was dropped because it was too long, the last line of the text says so."""
    at = f"\n{log}".rfind(f"\n{head}\n")
    if at < 0:
        return None
    return list(_entry_parts(log[at + len(head) + 1 :].split("\n")))


def _entry_parts(lines: list[str]) -> Iterator[PrintedText]:
    """The parts of a log entry: each ask heading with its text."""
    number, hook, text = None, "finish", list[str]()
    for line in lines:
        if line.startswith(TEXT_INDENT):
            text.append(line.removeprefix(TEXT_INDENT))
            continue
        if line.startswith("["):
            text.append(line)
            continue
        if text:
            yield PrintedText(number, hook, "\n".join(text).encode())
        found = _ASK_LINE.fullmatch(line)
        if found is None:
            return
        number, hook, text = None if found[3] else int(found[1]), found[3] or found[2], []
