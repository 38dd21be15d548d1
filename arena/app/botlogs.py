"""What isolated bots print, in a file for each entrant."""

from __future__ import annotations

import os
from pathlib import Path

from arena.match.work import Printed
from arena.tournament.records import MatchRecord

BOT_LOG_LIMIT = 16 << 20
"""The maximum size of an entrant's log in bytes, over all matches of the run."""

REST = "; write all of it to a folder with: --logs FOLDER"


def entry(record: MatchRecord, printed: Printed) -> bytes:
    """What a bot printed in a match, below a line that names the match and the bot."""
    more = f"\n[{printed.lost} bytes more]".encode() if printed.lost else b""
    head = f"== {record.seats[printed.seat].entrant} printed in {record.id}, seat {printed.seat}:\n".encode()
    return head + printed.text.rstrip(b"\n") + more + b"\n"


def beginning(record: MatchRecord, printed: Printed, most: int, rest: str = REST) -> bytes:
    """The same, but of what was printed only the first ``most`` lines; ``rest`` says where the others are."""
    lines = printed.text.rstrip(b"\n").split(b"\n")
    if len(lines) <= most:
        return entry(record, printed)
    shown = b"\n".join(line[:500] for line in lines[:most])
    more = f"\n[{len(lines) - most:,} lines more{rest}]".encode()
    return entry(record, Printed(printed.seat, shown + more))


class BotLogs:
    """Logs below ``folder``, each up to :data:`BOT_LOG_LIMIT`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, record: MatchRecord, printed: Printed) -> None:
        """Add what was printed in a match."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{record.seats[printed.seat].entrant}.log").open("ab") as file:
            if os.fstat(file.fileno()).st_size <= BOT_LOG_LIMIT:
                file.write(entry(record, printed))
