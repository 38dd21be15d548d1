"""Every error arena raises on purpose.

::

    ArenaError                 something the user, or an author, can act on; never a traceback
    ├── UserError              exit 2: the command line or a file is wrong, nothing was done
    │   ├── ConfigError        a YAML file: knows file, line, column and key path
    │   ├── BotError           a bot that cannot be found or loaded
    │   └── UnsafeFile         a file that is not read: a link, a pipe, a device, too large; an OSError too
    ├── ReplayError            exit 2: a file that is no replay, or is cut off or malformed
    ├── MatchSuspended         a match cannot go on for now, through nobody's fault: it goes on when the run is resumed
    │   └── CassetteMiss       a model is asked what its recordings do not answer
    ├── MachinesLost           the machines that play are out of reach: the run can be resumed
    ├── ForkServerLost         never shown by itself: the match it breaks off is played again
    ├── Mismatch               exit 3: a replay that does not verify
    └── IllegalMove            a move the rules refuse: knows the rule's number

A bot's misbehaviour in a match is never an exception: it is a fault in the match's result.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


class ArenaError(Exception):
    """Root of the tree; ``str()`` of it is a whole message for a person."""

    exit_code = 1


class UserError(ArenaError):
    """The command line or a file is wrong; nothing was done."""

    exit_code = 2


class ConfigError(UserError):
    """A YAML file does not say what it must.

    ``where`` is ``file:line:column`` (1-based) as far as known, ``key`` the dotted key path.
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0, key: str = "") -> None:
        self.message, self.file, self.line, self.column, self.key = message, file, line, column, key
        where = ":".join([file, *(str(number) for number in (line, column) if number)]) if file else ""
        parts = [part for part in (where, key, message) if part]
        super().__init__(": ".join(parts))


class MachinesLost(ArenaError):
    """The machines that play matches are out of reach, so no submitted match can be played. Finished matches are
    kept."""


class MatchSuspended(ArenaError):
    """A match cannot go on for now, because a model is out of reach or a budget is used up: nobody's fault. What its
    bots' models have answered is kept, and the match goes on at the same ask when the run is resumed. ``stop`` says
    that others of this run could not go on either."""

    def __init__(self, reason: str, stop: bool = False) -> None:
        self.stop = stop
        super().__init__(reason)


class CassetteMiss(MatchSuspended):
    """A bot asks a model, at this ``ask`` of its match, what the recordings of the match do not answer, and nothing may
    be asked anew. The message has the first difference from the nearest recording (``where``)."""

    def __init__(self, ask: int, seat: int, where: str) -> None:
        self.ask = ask
        super().__init__(f"ask {ask}, seat {seat}: the request is in no cassette: {where}")


class ForkServerLost(ArenaError):
    """The fork server of isolated bots has ended in the middle of a match, though it has worked before."""


class BotError(UserError):
    """A bot cannot be found or loaded."""


class UnsafeFile(UserError, OSError):
    """A file of possibly foreign origin that arena refuses to read: a link, a pipe, a device, or too large."""

    @property
    def reason(self) -> str:
        """What is wrong, without the name of the file."""
        return str(self.strerror)

    def __str__(self) -> str:
        return f"{self.filename}: {self.reason}"


class ReplayError(ArenaError):
    """A file is no replay, is cut off, or holds a line that cannot be read."""

    exit_code = 2


class Mismatch(ArenaError):
    """A replay does not verify: the message names the first line that differs."""

    exit_code = 3


class IllegalMove(ArenaError):
    """The rules refuse a move. ``rule`` is the rule's number, such as ``"B4.5"``."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule, self.reason = rule, reason
        super().__init__(f"{rule}: {reason}")


def cut_text(text: str, length: int = 60) -> str:
    """The text, or its beginning where it is longer, for a message of one line."""
    return text if len(text) <= length else f"{text[: length - 3]}..."


def one_line_message(problem: object) -> str:
    """A message in one line without control characters for the terminal, whatever names it contains; very long words
    are cut."""
    text = re.sub(r"\S{300,}", lambda word: f"{word[0][:60]}...", " ".join(str(problem).splitlines()))
    return cut_text("".join(each if each.isprintable() else ascii(each)[1:-1] for each in text), 2000)


def reason_of(problem: ArenaError | OSError) -> str:
    """What is wrong, in one line, with the name of the file where there is one."""
    if isinstance(problem, ArenaError):
        return one_line_message(problem)
    about = f"{problem.filename}: " if problem.filename else ""
    return one_line_message(f"{about}{problem.strerror or problem}")


def nearest_hint(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` for the known word closest to ``word``, or an empty string."""
    if len(word) > 200:
        return ""

    def likeness(other: str) -> float:
        """The similarity to the whole word, or to as many letters of it as ``word`` has (a cut-off name)."""
        lower, start = word.casefold(), other[: len(word)].casefold()
        return max(
            difflib.SequenceMatcher(None, lower, other.casefold()).ratio(),
            0.9 * difflib.SequenceMatcher(None, lower, start).ratio(),
        )

    close = max(known, key=likeness, default=None)
    return f" (did you mean {close!r}?)" if close is not None and likeness(close) >= 0.55 else ""


def unknown_entrant(name: str, known: Iterable[str], where: str = "") -> UserError:
    """The error for a name that no entrant has, in the run ``where``; it says the nearest and all ``known`` names."""
    names = list(known)
    place = f" in {where}" if where else ""
    return UserError(f"no entrant {name!r}{place}{nearest_hint(name, names)}; there are {', '.join(names)}")
