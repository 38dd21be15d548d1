"""Matches that differ from a given one only in what one seat did not know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from arena.games import load_game
from arena.games.board import events as board
from arena.games.cards import events as cards
from arena.games.contract import Chanced, Event
from arena.penalties import FaultKind
from arena.replay.lines import Answered, Faulted, Header
from arena.replay.read import rules_of


def with_more_that_is_hidden(header: Header, lines: Iterable[Event], seat: int) -> Iterator[Event]:
    """The match with more answers of others that nobody saw, and in the board game with more plays that came to
    nothing."""
    other = (seat + 1) % len(header.seats)
    for line in lines:
        yield line
        if isinstance(line, Answered) and line.seat != seat and not line.say and line.hook != "accept":
            yield line
        if isinstance(line, board.Played | board.Opened):
            yield board.Fizzled(other, "B5.2")


def without_what_came_to_nothing(lines: list[Event], seat: int) -> list[Event]:
    """The match in which others had said no, or not played, where their yes or play came to nothing."""
    left: list[Event] = []
    for line in lines:
        if not isinstance(line, board.Fizzled) or line.seat == seat:
            left.append(line)
            continue
        said = [at for at, each in enumerate(left) if isinstance(each, Answered) and each.seat == line.seat]
        del left[said[-1]]
    return left


def with_other_secrets(header: Header, lines: Iterable[Event], seat: int) -> list[Event]:
    """The match with another seed, other notes and faults of other seats, and other cards in their hands."""
    cards_now = exchanged(header, list(lines), seat)
    return [_other(line, seat) for line in cards_now]


def _other(line: Event, seat: int) -> Event:
    match line:
        case Header():
            seats = tuple(replace(each, sha256="0" * 64, options={"x": 1}) for each in line.seats)
            return replace(line, seed="another", seats=seats)
        case Chanced(name="deck", value=tuple(value)):
            return replace(line, value=value[::-1])
        case Answered() if line.seat != seat and line.note:
            return replace(line, note="another note")
        case Faulted() if line.seat != seat:
            return replace(line, evidence="another", rule="B0", kind=FaultKind.LATE)
    return line


def exchanged(header: Header, lines: list[Event], seat: int) -> list[Event]:
    """The match with a card of one other seat exchanged for one of another, both of which they never played
    (clan cards may have lain open and come back)."""
    fold = load_game(header.game).fold(rules_of(header), len(header.seats), None)
    for line in lines:
        fold.follow(line)
    hands: Any = getattr(fold.table, "hands")  # noqa: B009 - every game's own
    others = [each for each in range(len(hands)) if each != seat]
    for one in others:
        for two in others:
            pairs = [(a, b) for a in hands[one] for b in hands[two] if one < two and a != b and "clan" not in a + b]
            if pairs:
                return swap(lines, {one: pairs[0], two: pairs[0][::-1]})
    return lines


def swap(lines: list[Event], cards_by_seat: dict[int, tuple[str, str]]) -> list[Event]:
    """For each seat the last card that it drew of a kind becomes one of another."""
    wanted = dict(cards_by_seat)
    changed: list[Event] = []
    for line in reversed(lines):
        if isinstance(line, board.Drew | cards.Drew) and line.seat in wanted and wanted[line.seat][0] in line.cards:
            old, new = wanted.pop(line.seat)
            drawn: list[Any] = list(line.cards)
            drawn[drawn.index(old)] = new
            line = replace(line, cards=tuple(drawn))
        changed.append(line)
    assert not wanted
    return changed[::-1]
