"""The tables of one match, read from its replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from arena.errors import ReplayError
from arena.games.contract import Event, Ledger
from arena.replay.lines import Answered, Faulted, Header, ModelCall, Result, move_decoder
from arena.replay.read import game_of, read_replay_lines, rules_of

_OTHER_LINES = frozenset({ModelCall, Faulted, Header, Result})
"""The kinds of lines, besides answers, that are not events of the game."""
Tables = Mapping[str, Sequence[msgspec.Struct]]
"""Rows by table; empty for a game without tables."""


def tables_in(content: bytes, events: bool = False) -> Tables:
    """The tables of the match in a replay file, as its game defines them (:attr:`arena.games.contract.Game.tables`);
    with ``events`` also its activities, where the game tells them.

    Raises ReplayError if the file is not a finished replay, or an event does not follow from those before it.
    """
    header, lines = read_replay_lines(content)
    return replay_tables(header, lines[1:], events)


def replay_tables(header: Header, lines: Iterable[Event], events: bool = False) -> Tables:
    """The tables of a match with these ``lines`` below the header. Raises ReplayError as :func:`tables_in`."""
    game = game_of(header)
    if not game.tables:
        return {}
    try:
        made = game.activities if events and game.activities is not None else game.ledger
        ledger = made(rules_of(header), len(header.seats))
    except ValueError as problem:
        raise ReplayError(f"line 1: {problem}") from None
    heard = {hook: move_decoder(header.game, hook) for hook in ledger.hears}
    number = 1
    line: Any
    try:
        for number, line in enumerate(lines, 2):  # noqa: B007 - it is told where it fails
            kind = type(line)
            if kind is Answered:
                _tell_answer(ledger, heard, line)
            elif kind not in _OTHER_LINES:
                ledger.follow(line)
            elif kind is Faulted:
                ledger.fail(line.ask, line.seat, line.hook, line.out)
    except (ValueError, IndexError) as problem:  # what msgspec raises is a ValueError
        raise ReplayError(f"line {number}: {problem}") from None
    return ledger.tables()


def _tell_answer(ledger: Ledger, heard: Mapping[str, msgspec.json.Decoder[Any]], line: Any) -> None:
    """Pass an answer to the ledger; ``heard`` has the decoders of the hooks whose answers the ledger wants."""
    decoder = heard.get(line.hook)
    if decoder is not None:
        ledger.answer(line.ask, line.seat, line.hook, decoder.decode(line.move))
