"""Parses a replay file into typed lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import ReplayError, UserError
from arena.foreign_files import DECODE_ERRORS, LONGEST_LINE, read_argument, read_foreign_file
from arena.games import load_game
from arena.games.canonical_rules import rules_digest
from arena.games.contract import Event, Game
from arena.replay.formats import FORMATS, decode_header, format_of, upgrade_line
from arena.replay.lines import REPLAY_FORMAT, Header, Result, line_decoder

KNOWN_RULES = 32
"""How many rules are kept, typed."""


def read_replay(path: Path, kept: bool = False) -> bytes:
    """The bytes of a replay file that a user has named, or that is ``kept`` in a run's folder. Raises ReplayError if it
    cannot be read."""
    try:
        return read_foreign_file(path) if kept else read_argument(path, expected="a replay")
    except OSError as problem:
        raise ReplayError(f"{path}: {problem.strerror or problem}") from None


def split_replay(content: bytes) -> list[bytes]:
    """The lines of a replay without their line breaks. Raises ReplayError for a file that is empty or cut off."""
    if not content:
        raise ReplayError("the file is empty")
    lines = content.split(b"\n")
    if lines.pop():
        raise ReplayError(f"line {len(lines) + 1}: cut off in the middle of a line")
    if len(content) > LONGEST_LINE and (number := _too_long(lines)):
        raise ReplayError(f"line {number} has more than {LONGEST_LINE >> 20} MiB")
    return lines


def _too_long(lines: Sequence[bytes]) -> int:
    """The number of the first line that is too long; 0 if none is."""
    return next((number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE), 0)


def read_header(line: bytes) -> Header:
    """The first line. Raises ReplayError if it is no header, or has a format that this arena does not read."""
    try:
        if (written := format_of(line)) not in FORMATS:
            raise ReplayError(f"line 1: the format is {written!r}; this arena reads {', '.join(FORMATS)}")
        header = decode_header(line)
    except DECODE_ERRORS as problem:
        raise ReplayError(f"line 1: not a replay header: {problem}") from None
    if not all(part.isidentifier() for part in header.game.split(".")):
        raise ReplayError(f"line 1: there is no game {header.game!r}")
    return header


def game_of(header: Header) -> Game:
    """The header's game. Raises ReplayError for one that this arena does not have."""
    try:
        return load_game(header.game)
    except UserError as problem:
        raise ReplayError(f"line 1: {problem}") from None


def read_replay_line(header: Header, line: bytes, number: int) -> Event:
    """Any line below the header. Raises ReplayError, which names line ``number``, if it is invalid."""
    try:
        read: Event = line_decoder(header.game).decode(line)
        return upgrade_line(read, header)
    except DECODE_ERRORS as problem:
        raise ReplayError(f"line {number}: {problem}") from None


def read_replay_lines(content: bytes) -> tuple[Header, list[Event]]:
    """The header and all lines. Raises ReplayError if the file is not a finished replay."""
    raw = split_replay(content)
    header = read_header(raw[0])
    game_of(header)
    lines = [header, *_read_events(header, content, raw)]
    if not isinstance(lines[-1], Result):
        raise ReplayError(f"line {len(lines)}: cut off: the result is missing")
    return header, lines


def _read_events(header: Header, content: bytes, raw: Sequence[bytes]) -> list[Event]:
    """All lines below the header, decoded together; if that fails, one after another, to report which is wrong."""
    if header.format == REPLAY_FORMAT and len(raw) > 1:
        try:
            lines: list[Event] = line_decoder(header.game).decode_lines(content[len(raw[0]) + 1 :])
        except DECODE_ERRORS:
            pass
        else:
            if len(lines) == len(raw) - 1:  # an empty line is none
                return lines
    return [read_replay_line(header, line, number) for number, line in enumerate(raw[1:], 2)]


def rules_of(header: Header) -> Any:
    """The game's typed rules in the header. Raises ReplayError if they are invalid or their digest is wrong."""
    game_of(header)
    return _typed_rules(header.game, header.rules_sha256, msgspec.json.encode(header.rules))


@lru_cache(maxsize=KNOWN_RULES)
def _typed_rules(game: str, digest: str, written: bytes) -> Any:
    """The typed rules that are ``written`` as JSON: thousands of replays have the same, and so each that follows one
    with the same rules has these very objects. Raises ReplayError, as :func:`rules_of`."""
    plain, known = msgspec.json.decode(written), load_game(game)
    if (found := rules_digest(plain)) != digest:
        raise ReplayError(f"line 1: rules_sha256 is {digest}, but the rules have {found}")
    try:
        rules = msgspec.convert(plain, known.rules_type, strict=False, str_keys=True)
    except msgspec.ValidationError as problem:
        raise ReplayError(f"line 1: rules: {problem}") from None
    if problems := known.check_rules(rules):
        raise ReplayError(f"line 1: rules: {problems[0]}")
    return rules
