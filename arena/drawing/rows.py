"""The rows of a picture: which items share a row, how high each is, and how it is drawn between the lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from arena.drawing.measure import cut_to_width, flow_in_rows, text_width
from arena.drawing.pieces import (
    LETTER_SIZE,
    LINE_HEIGHT,
    PIECE_GAP,
    PIECE_PADDING,
    TOKEN_HEIGHT,
    draw_parts,
    draw_token,
    fit_token,
    parts_width,
    token_width,
    wrap_parts,
)
from arena.drawing.scene import Arrow, Banner, Bond, Closing, Item, Mark, MarkKind, ScenePart, Token
from arena.drawing.svg import Svg

LANE_MARGIN = 8.0
"""The distance between a lane and an offer beside it, in pixels."""
ARROW_TIP = 10.0
"""The length that the head of an arrow takes up, in pixels."""
HALF_MARK = 0.49
"""Half the width of a mark, as a part of the distance between two lanes."""
SAY_LINES = 2
OFFER_PITCH = TOKEN_HEIGHT + 3
"""The distance from one line of offers to the next, in pixels."""
STOP_WIDTH, STOP_HEIGHT = 44.0, 23.0


@dataclass(frozen=True)
class Lanes:
    """The places of ``count`` lanes: ``first`` is the x of the first one's middle, ``gap`` the distance of two."""

    first: float
    gap: float
    count: int

    def x(self, seat: float) -> float:
        """The x of the middle of this seat's lane."""
        return self.first + seat * self.gap

    @property
    def room(self) -> float:
        """The greatest width of a mark on a lane, in pixels."""
        return self.gap - 10


def pack_rows(items: Sequence[Item]) -> list[list[Item]]:
    """Distribute items that happen at the same time over as few rows as possible, so that none overlap in a row."""
    rows: list[list[Item]] = []
    for item in items:
        low, high = lane_span(item)
        for row in rows:
            if all(high <= other[0] or other[1] <= low for other in map(lane_span, row)):
                row.append(item)
                break
        else:
            rows.append([item])
    return rows


def lane_span(item: Item) -> tuple[float, float]:
    """The leftmost and rightmost position of an item, in lanes: 0 is the first lane, 1 the second."""
    match item:
        case Arrow(a, b) | Bond(a, b):
            return min(a, b), max(a, b)
        case Mark(seat, stopped_by=int(stopper)):
            return min(seat, stopper) - HALF_MARK, max(seat, stopper) + HALF_MARK
        case Mark(seat):
            return seat - HALF_MARK, seat + HALF_MARK
        case _:
            return -1, 99


def item_height(item: Item, lanes: Lanes) -> float:
    """The height of an item, in pixels."""
    match item:
        case Arrow(a, b, tokens):
            return OFFER_PITCH * len(_token_lines(tokens, lanes, a, b, False))
        case Bond(a, b, tokens):
            return OFFER_PITCH * len(_token_lines(tokens, lanes, a, b, True))
        case Mark():
            return LINE_HEIGHT * len(_mark_lines(item, lanes)) + 3
        case Closing(_, shares):
            return max(LINE_HEIGHT * len(wrap_parts(parts, lanes.room - 2 * PIECE_PADDING)) for _, parts in shares) + 5
        case _:
            return LINE_HEIGHT


def draw_item(svg: Svg, item: Item, lanes: Lanes, top: float) -> None:
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
            text = cut_to_width(text, lanes.gap * lanes.count - 2 * PIECE_PADDING, LETTER_SIZE)
            wide = text_width(text, LETTER_SIZE) + 2 * PIECE_PADDING
            svg.rect(middle - wide / 2, top, wide, LINE_HEIGHT, "note", rx=4)
            svg.text(middle, top + LINE_HEIGHT / 2 + 4.3, text, "q")


def _token_lines(tokens: Sequence[Token], lanes: Lanes, a: int, b: int, done: bool) -> list[list[Token]]:
    room = abs(a - b) * lanes.gap - 2 * LANE_MARGIN - (0 if done else ARROW_TIP)
    fit = [fit_token(token, room, done) for token in tokens]
    return [
        [fit[index] for index in line]
        for line in flow_in_rows([token_width(token, done) for token in fit], room, PIECE_GAP)
    ]


def _draw_tokens(svg: Svg, tokens: Sequence[Token], lanes: Lanes, a: int, b: int, top: float, done: bool) -> None:
    """Draw offers in lines between lanes ``a`` and ``b``: next to ``a`` if they fit there, else in the middle."""
    lines = [[(token, token_width(token, done)) for token in line] for line in _token_lines(tokens, lanes, a, b, done)]
    widest = max(sum(wide + PIECE_GAP for _, wide in line) for line in lines) - PIECE_GAP
    near = widest <= lanes.gap - 2 * LANE_MARGIN
    middle = (lanes.x(a) + lanes.x(a + (1 if b > a else -1) if near else b)) / 2
    for number, line in enumerate(lines):
        x = middle - (sum(wide + PIECE_GAP for _, wide in line) - PIECE_GAP) / 2
        for token, wide in line:
            draw_token(svg, token, x, top + 1 + number * OFFER_PITCH, done)
            x += wide + PIECE_GAP


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
    room = lanes.room - 2 * PIECE_PADDING
    if mark.kind is MarkKind.SAY:
        (said,) = mark.parts
        return wrap_parts((f"“{said}”",), room, SAY_LINES)
    return wrap_parts(mark.parts, room)


def _draw_mark(svg: Svg, mark: Mark, lanes: Lanes, top: float) -> None:
    lines, x = _mark_lines(mark, lanes), lanes.x(mark.seat)
    wide, high = max(map(parts_width, lines)) + 2 * PIECE_PADDING, LINE_HEIGHT * len(lines) + 1
    if mark.stopped_by is not None:
        svg.line(x, top + 1 + high / 2, lanes.x(mark.stopped_by), top + 1 + high / 2, "cut")
    style = f"t-{mark.kind}" + (" struck" if mark.stopped_by is not None else "")
    style += " say" if mark.kind is MarkKind.SAY else ""
    svg.rect(x - wide / 2, top + 1, wide, high, f"k-{mark.kind}", rx=4)
    for number, line in enumerate(lines):
        draw_parts(svg, line, x - parts_width(line) / 2, top + 1.5 + LINE_HEIGHT * (number + 0.5), style)
    if mark.stopped_by is not None:
        draw_stop(svg, lanes.x(mark.stopped_by), top + 1 + high / 2)


def draw_stop(svg: Svg, x: float, y: float) -> None:
    """Draw the sign of a STOP with its centre at ``x``, ``y``."""
    corners = [pi / 8 + turn * pi / 4 for turn in range(8)]
    wide, high = STOP_WIDTH / 2 / cos(pi / 8), STOP_HEIGHT / 2 / cos(pi / 8)
    svg.polygon([(x + wide * cos(corner), y + high * sin(corner)) for corner in corners], "halt")
    svg.text(x, y + 4, "STOP", "w chip")


def _draw_closing(svg: Svg, closing: Closing, lanes: Lanes, top: float) -> None:
    sizes = {seat: wrap_parts(parts, lanes.room - 2 * PIECE_PADDING) for seat, parts in closing.shares}
    high = max(LINE_HEIGHT * len(lines) for lines in sizes.values()) + 3
    xs = [lanes.x(seat) for seat in sizes]
    svg.line(min(xs), top + 1 + high / 2, max(xs), top + 1 + high / 2, "cut" if closing.foiled else "deal")
    for seat, lines in sizes.items():
        wide = max(parts_width(line, bold=True) for line in lines) + 2 * PIECE_PADDING
        style, x = ("" if closing.foiled else "w"), lanes.x(seat)
        svg.rect(x - wide / 2, top + 1, wide, high, "foiled" if closing.foiled else "done", rx=4)
        first = top + 1 + high / 2 - LINE_HEIGHT * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            draw_parts(svg, line, x - parts_width(line, True) / 2, first + LINE_HEIGHT * number, style, bold=True)
