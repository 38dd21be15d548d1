"""What chance brought in a match above its expected value, computed from the match's replay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arena.errors import ReplayError
from arena.games.chances import ChanceEvent
from arena.games.contract import Event
from arena.replay.lines import Answered, Faulted, Header, Result
from arena.replay.read import game_of, read_lines, rules_of

Excess = list[list[float]]
"""By seat and feature: what all random events of a match brought, less what they would have brought on average. Its
expected value is 0, whatever the bots do."""


def excess_in(content: bytes) -> Excess:
    """The excess of the match in a replay file. Raises ReplayError if the file is not a finished replay, an event does
    not follow from those before it, or the game does not tell what chance did."""
    header, lines = read_lines(content)
    return excess_of(header, lines[1:])


def excess_of(header: Header, lines: Iterable[Event]) -> Excess:
    """The excess of a match whose ``lines`` below the header these are. Raises ReplayError as :func:`excess_in`."""
    game, players = game_of(header), len(header.seats)
    if game.chances is None:
        raise ReplayError(f"line 1: the game {header.game!r} does not tell what chance did")
    chances = game.chances(_rules(header), players)
    found = [[0.0] * len(chances.features) for _ in range(players)]
    for number, line in enumerate(lines, 2):
        if isinstance(line, Answered | Faulted | Result):
            continue
        try:
            for event in chances.follow(line):
                add(found, event)
        except (ValueError, IndexError) as problem:
            raise ReplayError(f"line {number}: {problem}") from None
    return found


def add(found: Excess, event: ChanceEvent) -> None:
    """Add to ``found`` what the outcome of an event brought, less what its outcomes bring on average."""
    ways = sum(event.ways)
    for count, gains in zip(event.ways, event.gains, strict=True):
        if count:
            share = count / ways
            for seat, feature, amount in gains:
                found[seat][feature] -= share * amount
    for seat, feature, amount in event.gains[event.came]:
        found[seat][feature] += amount


def _rules(header: Header) -> Any:
    return rules_of(header)
