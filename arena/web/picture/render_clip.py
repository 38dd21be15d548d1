"""A span of a match's events as a clip: an animated SVG, drawn from a replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.drawing.clip import ClipFrame, ClipSeat, draw_clip
from arena.drawing.scene import Item
from arena.drawing.spans import whose_knowledge
from arena.errors import UserError
from arena.games import load_game
from arena.games.contract import Event
from arena.recorded.seat_numbers import TableFollower, check_seat
from arena.replay.read import rules_of
from arena.replay.replay_sentences import Sentences, amount_told
from arena.web.picture.render_picture import ReadReplay, read_pictures, translate_errors

USUAL_EVENTS, MOST_EVENTS = 60, 200
"""How many events a clip has where only one end is given, and how many it may have."""


def draw_events(path: Path, first: int | None, last: int | None, seat: int | None = None) -> str:
    """The events of a replay from ``first`` to ``last`` as an animated SVG; with ``seat`` only what that seat knew, by
    its own count. Where one end is not given, 60 events are taken. Raises UserError for events or a seat that the match
    did not have, ReplayError for a file that is no replay."""
    if first is None:
        assert last is not None
        first = max(1, last - USUAL_EVENTS + 1)
    last = first + USUAL_EVENTS - 1 if last is None else last
    if not first <= last < first + MOST_EVENTS:
        raise UserError(f"expected 1 to {MOST_EVENTS} events, got --from {first} --to {last}")
    read = read_pictures(path)
    check_seat(read.header, seat)
    frames = translate_errors(path, lambda: list(_clip_frames(read, seat, first, last)))
    if not frames:
        whose = "" if seat is None else f" of seat {seat}"
        raise UserError(f"{path}: the events {first} to {last}{whose} have no sentences")
    about = " · ".join((read.header.edition, *whose_knowledge(read.header, read.names, seat)))
    return draw_clip(f"{about}, events {first} to {last}", frames)


def _clip_frames(read: ReadReplay, seat: int | None, first: int, last: int) -> Iterator[ClipFrame]:
    """Yield a frame for each event in this span that is told in words."""
    rules = rules_of(read.header)
    sentences, table = Sentences(read.header, rules, read.names), TableFollower(read.header, rules, seat)
    items, seen = _drawn_items(read, rules, seat), 0
    for number, line in enumerate(read.lines, 1):
        told = tuple(each.text.strip() for each in sentences.line_sentences(line, seat))
        changed = table.follow(line)
        seen += bool(told) or changed
        at = number if seat is None else seen
        if at > last:
            return
        if told and at >= first:
            word = "event" if seat is None else "seen"
            yield ClipFrame(f"{word} {at}", told, items.get(number, ()), _clip_seats(read, rules, table.table))


def _drawn_items(read: ReadReplay, rules: Any, seat: int | None) -> dict[int, tuple[Item, ...]]:
    """What is drawn of the lines of negotiations, by the number of the line."""
    found: dict[int, tuple[Item, ...]] = {}
    for span in read.spans:
        lines: list[Event] = read.lines[span.first : span.last]
        found |= dict(enumerate(read.pictures.items(rules, lines, read.names, seat), span.first + 1))
    return found


def _clip_seats(read: ReadReplay, rules: Any, table: Any) -> tuple[ClipSeat, ...]:
    """The seats as they stand on a table."""
    unit, over = load_game(read.header.game).unit, getattr(table, "over", False)
    return tuple(
        ClipSeat(
            name,
            amount_told(table.money[seat], unit),
            read.pictures.holds(rules, table, seat),
            boss=table.boss == seat and not over,
            turn=table.on_turn == seat and not over,
        )
        for seat, name in enumerate(read.names)
    )
