"""The last `play` in a folder of ladders, recorded so that `arena ladder health` can say why nothing was played."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.ladder.database.ladder_folder import LAST_PLAY, LadderFolder
from arena.storage.files.atomic_files import write_whole


class PlayAttempt(msgspec.Struct, frozen=True):
    """A `play` of a ladder: when it ``began`` and ``ended`` (UTC; None: it has not ended, or was killed), the number of
    ``matches`` that it finished, why it ``stopped`` early ("": it did not), and its exit code."""

    ladder: str
    began: str
    ended: str | None = None
    matches: int = 0
    stopped: str = ""
    exit_code: int | None = None


def note_attempt(place: LadderFolder, attempt: PlayAttempt) -> None:
    """Record this attempt in place of the previous one; errors are ignored, because the disk may be full."""
    with suppress(OSError):
        write_whole(place.folder / LAST_PLAY, msgspec.json.encode(attempt), durable=False)


def last_attempt(place: LadderFolder) -> PlayAttempt | None:
    """The last `play` in the folder; None where that cannot be read."""
    try:
        return msgspec.json.decode(read_foreign_file(place.folder / LAST_PLAY), type=PlayAttempt)
    except (OSError, *DECODE_ERRORS):
        return None
