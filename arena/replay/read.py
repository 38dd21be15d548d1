"""A replay file taken apart: header, decisions, everything in typed lines."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import ReplayError, UserError
from arena.games import load_game
from arena.games.contract import Event, Game
from arena.replay.formats import FORMATS, decode_header, format_of, upgrade
from arena.replay.lines import Header, Result, decoder

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What the decoder raises for lines that hold no JSON, other JSON, no UTF-8, or are nested too deeply."""


def read_replay(path: Path) -> bytes:
    """The bytes of a replay file. Raises ReplayError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as problem:
        raise ReplayError(f"{path}: {problem.strerror or problem}") from None


def split(content: bytes) -> list[bytes]:
    """The lines of a replay without their line breaks. Raises ReplayError for a file that is empty or cut off."""
    if not content:
        raise ReplayError("the file is empty")
    lines = content.split(b"\n")
    if lines.pop():
        raise ReplayError(f"line {len(lines) + 1}: cut off in the middle of a line")
    return lines


def read_header(line: bytes) -> Header:
    """The first line. Raises ReplayError where it is no header, or of another format than this arena reads."""
    try:
        if (written := format_of(line)) not in FORMATS:
            raise ReplayError(f"line 1: the format is {written!r}; this arena reads {', '.join(FORMATS)}")
        header = decode_header(line)
    except UNREADABLE as problem:
        raise ReplayError(f"line 1: no replay header: {problem}") from None
    if not all(part.isidentifier() for part in header.game.split(".")):
        raise ReplayError(f"line 1: there is no game {header.game!r}")
    return header


def game_of(header: Header) -> Game:
    """The header's game. Raises ReplayError for one that this arena does not have.

    A file from a stranger must not make us import what it likes: dotted names count only where they are loaded.
    """
    if "." in header.game and header.game not in sys.modules:
        raise ReplayError(f"line 1: there is no game {header.game!r} here; if you know it: --game {header.game}")
    try:
        return load_game(header.game)
    except UserError as problem:
        raise ReplayError(f"line 1: {problem}") from None


def read_line(header: Header, line: bytes, number: int) -> Event:
    """Any line below the header. Raises ReplayError, naming line ``number``, where it is none."""
    try:
        return upgrade(decoder(header.game).decode(line), header)
    except UNREADABLE as problem:
        raise ReplayError(f"line {number}: {problem}") from None


def read_lines(content: bytes) -> tuple[Header, list[Event]]:
    """The header, and all lines with it. Raises ReplayError for anything that is no finished replay."""
    raw = split(content)
    header = read_header(raw[0])
    game_of(header)
    lines = [header, *(read_line(header, line, number) for number, line in enumerate(raw[1:], 2))]
    if not isinstance(lines[-1], Result):
        raise ReplayError(f"line {len(lines)}: cut off: the result is missing")
    return header, lines


def rules_of(header: Header) -> Any:
    """The game's typed rules in the header. Raises ReplayError where they do not fit or their digest is wrong."""
    plain = msgspec.json.encode(header.rules, order="deterministic")
    if (digest := sha256(plain).hexdigest()) != header.rules_sha256:
        raise ReplayError(f"line 1: rules_sha256 is {header.rules_sha256}, but the rules have {digest}")
    game = game_of(header)
    try:
        rules = msgspec.convert(header.rules, game.rules_type, strict=False, str_keys=True)
    except msgspec.ValidationError as problem:
        raise ReplayError(f"line 1: rules: {problem}") from None
    if problems := game.check_rules(rules):
        raise ReplayError(f"line 1: rules: {problems[0]}")
    return rules
