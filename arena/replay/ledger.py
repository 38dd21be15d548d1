"""The tables of one match, read from its replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from arena.errors import ReplayError
from arena.games.contract import Event, Ledger
from arena.replay.lines import Answered, Faulted, Header, Result, move_decoder
from arena.replay.read import game_of, read_lines, rules_of

Tables = Mapping[str, Sequence[msgspec.Struct]]
"""Rows by table; of a game without tables there are none."""


def tables_in(content: bytes) -> Tables:
    """The tables of the match in a replay file, as its game defines them (:attr:`arena.games.contract.Game.tables`).

    Raises ReplayError if the file is not a finished replay, or an event does not follow from those before it.
    """
    header, lines = read_lines(content)
    return tables_of(header, lines[1:])


def tables_of(header: Header, lines: Iterable[Event]) -> Tables:
    """The tables of a match whose ``lines`` below the header these are. Raises ReplayError as :func:`tables_in`."""
    game = game_of(header)
    if not game.tables:
        return {}
    try:
        ledger = game.ledger(rules_of(header), len(header.seats))
    except ValueError as problem:
        raise ReplayError(f"line 1: {problem}") from None
    heard = {hook: move_decoder(header.game, hook) for hook in ledger.hears}
    for number, line in enumerate(lines, 2):
        try:
            _follow(ledger, heard, line)
        except (ValueError, IndexError) as problem:
            raise ReplayError(f"line {number}: {problem}") from None
    return ledger.tables()


def _follow(ledger: Ledger, heard: Mapping[str, msgspec.json.Decoder[Any]], line: Event) -> None:
    """One line; ``heard`` decodes the answers that the ledger is told. Raises ValueError (or msgspec's, which is
    one) or IndexError where it does not follow from the lines before it."""
    match line:
        case Answered(ask, seat, hook, move):
            if hook in heard:
                ledger.answer(ask, seat, hook, heard[hook].decode(move))
        case Faulted():
            ledger.fail(line.ask, line.seat, line.hook, line.out)
        case Header() | Result():
            return
        case _:
            ledger.follow(line)
