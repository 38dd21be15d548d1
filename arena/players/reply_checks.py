"""Interprets a hook's return value: as a move with words, or as a fault."""

from __future__ import annotations

import re
import resource
import traceback
from typing import Any

import msgspec

from arena.bot import MOVE_LENGTH, NOTE_LENGTH, SAY_LENGTH, Reply
from arena.games.contract import NO, YES, Hook, Move
from arena.games.field_types import trust_move
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.players.watch import Overrun

EVIDENCE_LENGTH = 2000
_MEMORY_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")


EMPTY_ANSWER = TimedAnswer(None, None, 0.0)
"""The answer that does nothing and says nothing."""
PLAIN_ANSWERS = TimedAnswer(NO, None, 0.0), TimedAnswer(YES, None, 0.0)
"""No and yes without words."""


def read_reply(hook: Hook, reply: Any) -> TimedAnswer:
    """The answer that a hook's return value represents; a ``garbled`` fault where it represents none."""
    say: Any = ""
    note: Any = ""
    if type(reply) is Reply:
        made: Any = reply  # whatever the types of its fields are: a bot has made it
        say, note, reply = made.say, made.note, made.move
        if wrong := _check_words(say, SAY_LENGTH, "say") or _check_words(note, NOTE_LENGTH, "note"):
            return _garbled_answer(wrong)
    if reply is None and hook.idle is not None:
        return TimedAnswer(None, None, 0.0, say, note) if say or note else EMPTY_ANSWER
    if reply is True or reply is False or _is_numpys(reply, "bool"):
        spoken = YES if reply else NO
        if type(spoken) in hook.moves:
            return TimedAnswer(spoken, None, 0.0, say, note) if say or note else PLAIN_ANSWERS[spoken is YES]
        reply = bool(reply)
    if type(reply) not in hook.moves:
        expected = ", ".join(kind.__name__ for kind in hook.moves)
        return _garbled_answer(f"{hook.name} is answered by {expected}; got {_describe_value(reply)}")
    try:
        # a move is a plain value: what its fields hold is checked here, once, at the edge
        written = msgspec.json.encode(reply, enc_hook=_plain_scalar)
        if len(written) > MOVE_LENGTH:
            return _garbled_answer(f"{type(reply).__name__} takes {len(written)} bytes as JSON; at most {MOVE_LENGTH}")
        checked: Move = msgspec.json.decode(written, type=type(reply))
    except Exception as problem:
        return _garbled_answer(f"{type(reply).__name__}: {problem}")
    trust_move(checked)
    return TimedAnswer(checked, None, 0.0, say, note)


def _is_numpys(value: Any, kind: str) -> bool:
    """Whether a value is a NumPy scalar of this kind, judged by the name of its class: NumPy is not imported here."""
    cls = type(value)
    return cls.__module__ == "numpy" and cls.__name__.rstrip("_").startswith(kind)


def _plain_scalar(value: Any) -> bool | int:
    """The Python value of a NumPy scalar in a move's field. Raises TypeError for anything else, including NumPy's
    floats, because no field takes a fraction."""
    if _is_numpys(value, "bool"):
        return bool(value)
    if _is_numpys(value, "int") or _is_numpys(value, "uint"):
        return int(value)
    raise TypeError(f"an object of class {type(value).__name__} is no value of a move")


def _check_words(text: Any, longest: int, name: str) -> str:
    if type(text) is not str:
        return f"{name} is no text: {_describe_value(text)}"
    if len(text) > longest:
        return f"{name} has {len(text)} characters; at most {longest}"
    try:
        text.encode()
    except UnicodeEncodeError:
        return f"{name} is no valid Unicode"
    return ""


def _garbled_answer(evidence: str) -> TimedAnswer:
    return TimedAnswer(None, Fault(FaultKind.GARBLED, tidy_evidence(evidence)), 0.0)


def _describe_value(value: Any) -> str:
    """Describe a value as evidence, without calling any code of the bot."""
    if value is None or type(value) in (bool, int, float, str):
        return ascii(value)[:100]
    return f"an object of class {type(value).__name__}"


def _memory_limit() -> str:
    """The memory limit of this process, and the key that raises it; empty where it has no limit."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return ""
    return f" (its process may have {limit >> 20} MB; the key sandbox.memory of the tournament or ladder allows more)"


def tidy_evidence(text: str) -> str:
    """Make evidence reproducible: no addresses, no lone surrogates, limited length."""
    return _MEMORY_ADDRESS.sub("0x…", text.encode("utf-8", "backslashreplace").decode())[:EVIDENCE_LENGTH]


def exception_fault(
    problem: BaseException, seconds: float, path: str, kind: FaultKind = FaultKind.BROKEN
) -> TimedAnswer:
    """The fault for an exception: its class and message, and the lines of the bot's own file that it passed through."""
    try:
        message = str.__str__(str(problem))  # plain text, even where the bot made a class of text
    except Overrun:
        raise
    except BaseException:
        message = "(its message cannot be printed)"
    lines = [
        f"line {frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(problem.__traceback__)
        if frame.filename == path
    ]
    if isinstance(problem, MemoryError):
        message = f"{message or 'out of memory'}{_memory_limit()}"
    where = f" at {', '.join(lines[-5:])}" if lines else ""
    return TimedAnswer(None, Fault(kind, tidy_evidence(f"{type(problem).__name__}: {message}{where}")), seconds)
