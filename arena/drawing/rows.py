"""Rows of a picture: what stands in each, how high it is, and how it is drawn between the lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from arena.drawing.measure import cut, flow, width
from arena.drawing.pieces import (
    GAP,
    LINE,
    PAD,
    SIZE,
    TOKEN_HEIGHT,
    draw_parts,
    draw_token,
    fitted,
    lines_of,
    parts_width,
    token_width,
)
from arena.drawing.scene import Arrow, Banner, Bond, Closing, Item, Mark, MarkKind, ScenePart, Token
from arena.drawing.svg import Svg

CLEAR = 8.0
"""Between a lane and what stands beside it."""
TIP = 10.0
"""What the head of an arrow takes."""
HALF = 0.49
"""Half of what a mark takes of the lanes' distance."""
SAY_LINES = 2
PITCH = TOKEN_HEIGHT + 3
"""From one line of offers to the next."""
STOP_WIDTH, STOP_HEIGHT = 44.0, 23.0


@dataclass(frozen=True)
class Lanes:
    """Where the lanes are: the middle of the first, and the distance of one to the next; ``count`` of them."""

    first: float
    gap: float
    count: int

    def x(self, seat: float) -> float:
        """The middle of a lane."""
        return self.first + seat * self.gap

    @property
    def room(self) -> float:
        """The width of a mark on a lane, at most."""
        return self.gap - 10


def packed(items: Sequence[Item]) -> list[list[Item]]:
    """What happens at once, in as few rows as keep it apart."""
    rows: list[list[Item]] = []
    for item in items:
        low, high = reach(item)
        for row in rows:
            if all(high <= other[0] or other[1] <= low for other in map(reach, row)):
                row.append(item)
                break
        else:
            rows.append([item])
    return rows


def reach(item: Item) -> tuple[float, float]:
    """From which lane to which lane an item goes, in lanes."""
    match item:
        case Arrow(a, b) | Bond(a, b):
            return min(a, b), max(a, b)
        case Mark(seat, stopped_by=int(stopper)):
            return min(seat, stopper) - HALF, max(seat, stopper) + HALF
        case Mark(seat):
            return seat - HALF, seat + HALF
        case _:
            return -1, 99


def height(item: Item, lanes: Lanes) -> float:
    """How high an item is, in pixels."""
    match item:
        case Arrow(a, b, tokens):
            return PITCH * len(_token_lines(tokens, lanes, a, b, False))
        case Bond(a, b, tokens):
            return PITCH * len(_token_lines(tokens, lanes, a, b, True))
        case Mark():
            return LINE * len(_mark_lines(item, lanes)) + 3
        case Closing(_, shares):
            return max(LINE * len(lines_of(parts, lanes.room - 2 * PAD)) for _, parts in shares) + 5
        case _:
            return LINE


def draw(svg: Svg, item: Item, lanes: Lanes, top: float) -> None:
    """Draw an item in the row that begins at ``top``."""
    match item:
        case Arrow():
            with svg.group(hint=item.hint):
                _draw_arrow(svg, item, lanes, top)
        case Bond():
            with svg.group(hint=item.hint):
                _draw_bond(svg, item, lanes, top)
        case Mark():
            with svg.group(hint=item.hint):
                _draw_mark(svg, item, lanes, top)
        case Closing():
            with svg.group(hint=item.hint):
                _draw_closing(svg, item, lanes, top)
        case Banner(text):
            middle = (lanes.x(0) + lanes.x(lanes.count - 1)) / 2
            text = cut(text, lanes.gap * lanes.count - 2 * PAD, SIZE)
            wide = width(text, SIZE) + 2 * PAD
            svg.rect(middle - wide / 2, top, wide, LINE, "note", rx=4)
            svg.text(middle, top + LINE / 2 + 4.3, text, "q")


def _token_lines(tokens: Sequence[Token], lanes: Lanes, a: int, b: int, done: bool) -> list[list[Token]]:
    room = abs(a - b) * lanes.gap - 2 * CLEAR - (0 if done else TIP)
    fit = [fitted(token, room, done) for token in tokens]
    return [[fit[index] for index in line] for line in flow([token_width(token, done) for token in fit], room, GAP)]


def _draw_tokens(svg: Svg, tokens: Sequence[Token], lanes: Lanes, a: int, b: int, top: float, done: bool) -> None:
    """Tokens line by line between two lanes: beside the first, or where they are too wide for that, in the middle."""
    lines = [[(token, token_width(token, done)) for token in line] for line in _token_lines(tokens, lanes, a, b, done)]
    widest = max(sum(wide + GAP for _, wide in line) for line in lines) - GAP
    near = widest <= lanes.gap - 2 * CLEAR
    middle = (lanes.x(a) + lanes.x(a + (1 if b > a else -1) if near else b)) / 2
    for number, line in enumerate(lines):
        x = middle - (sum(wide + GAP for _, wide in line) - GAP) / 2
        for token, wide in line:
            draw_token(svg, token, x, top + 1 + number * PITCH, done)
            x += wide + GAP


def _draw_arrow(svg: Svg, arrow: Arrow, lanes: Lanes, top: float) -> None:
    onward = 1 if arrow.target > arrow.source else -1
    start, end = lanes.x(arrow.source) + onward * 2, lanes.x(arrow.target) - onward * 6
    middle = top + 1 + TOKEN_HEIGHT / 2
    svg.line(start, middle, end - onward * 6, middle, "way")
    svg.polygon([(end, middle), (end - onward * 8, middle - 4.5), (end - onward * 8, middle + 4.5)], "tip")
    _draw_tokens(svg, arrow.tokens, lanes, arrow.source, arrow.target, top, False)


def _draw_bond(svg: Svg, bond: Bond, lanes: Lanes, top: float) -> None:
    middle = top + 1 + TOKEN_HEIGHT / 2
    svg.line(lanes.x(bond.partner), middle, lanes.x(bond.boss), middle, "deal")
    _draw_tokens(svg, bond.tokens, lanes, bond.partner, bond.boss, top, True)


def _mark_lines(mark: Mark, lanes: Lanes) -> list[tuple[ScenePart, ...]]:
    room = lanes.room - 2 * PAD
    if mark.kind is MarkKind.SAY:
        (said,) = mark.parts
        return lines_of((f"“{said}”",), room, SAY_LINES)
    return lines_of(mark.parts, room)


def _draw_mark(svg: Svg, mark: Mark, lanes: Lanes, top: float) -> None:
    lines, x = _mark_lines(mark, lanes), lanes.x(mark.seat)
    wide, high = max(map(parts_width, lines)) + 2 * PAD, LINE * len(lines) + 1
    if mark.stopped_by is not None:
        svg.line(x, top + 1 + high / 2, lanes.x(mark.stopped_by), top + 1 + high / 2, "cut")
    style = f"t-{mark.kind}" + (" struck" if mark.stopped_by is not None else "")
    style += " say" if mark.kind is MarkKind.SAY else ""
    svg.rect(x - wide / 2, top + 1, wide, high, f"k-{mark.kind}", rx=4)
    for number, line in enumerate(lines):
        draw_parts(svg, line, x - parts_width(line) / 2, top + 1.5 + LINE * (number + 0.5), style)
    if mark.stopped_by is not None:
        draw_stop(svg, lanes.x(mark.stopped_by), top + 1 + high / 2)


def draw_stop(svg: Svg, x: float, y: float) -> None:
    """The sign of a STOP, its middle at ``x``, ``y``."""
    corners = [pi / 8 + turn * pi / 4 for turn in range(8)]
    wide, high = STOP_WIDTH / 2 / cos(pi / 8), STOP_HEIGHT / 2 / cos(pi / 8)
    svg.polygon([(x + wide * cos(corner), y + high * sin(corner)) for corner in corners], "halt")
    svg.text(x, y + 4, "STOP", "w chip")


def _draw_closing(svg: Svg, closing: Closing, lanes: Lanes, top: float) -> None:
    sizes = {seat: lines_of(parts, lanes.room - 2 * PAD) for seat, parts in closing.shares}
    high = max(LINE * len(lines) for lines in sizes.values()) + 3
    xs = [lanes.x(seat) for seat in sizes]
    svg.line(min(xs), top + 1 + high / 2, max(xs), top + 1 + high / 2, "cut" if closing.foiled else "deal")
    for seat, lines in sizes.items():
        wide = max(parts_width(line, bold=True) for line in lines) + 2 * PAD
        style, x = ("" if closing.foiled else "w"), lanes.x(seat)
        svg.rect(x - wide / 2, top + 1, wide, high, "foiled" if closing.foiled else "done", rx=4)
        first = top + 1 + high / 2 - LINE * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            draw_parts(svg, line, x - parts_width(line, True) / 2, first + LINE * number, style, bold=True)
