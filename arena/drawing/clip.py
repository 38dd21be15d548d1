"""Draws a clip: events one after the other as an animated SVG, without scripts.

The seats stand side by side; between them stands what the event is about, below it the event in words, and in grey
those before it. What stays the same is drawn once, for as long as it stays. Where nothing may move
(``prefers-reduced-motion``), and in programs that do not animate, the last event is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby

from arena.drawing import rows
from arena.drawing.draw import SCENE_EDGE, SCENE_WIDTH, item_parts
from arena.drawing.measure import cut_middle, cut_to_width, wrap_to_width
from arena.drawing.pieces import LINE_HEIGHT, define_chips, draw_parts, parts_width, wrap_parts
from arena.drawing.rows import Lanes
from arena.drawing.scene import Chip, Item, ScenePart, SceneRecord
from arena.drawing.style import picture_style
from arena.drawing.svg import Svg

LEAST_SECONDS, LETTER_SECONDS, MOST_SECONDS = 1.1, 0.03, 6.0
"""How long an event is shown at least, for each letter of its sentences, and at most."""
LAST_SECONDS = 3.0
"""How much longer the last event is shown."""
TOLD_LINES, EARLIER_LINES = 5, 4
"""The most lines of an event's sentences, and how many earlier events stand below them."""
MOST_ITEMS_HEIGHT = 220.0
"""The height that what an event is about may take up, in pixels; the rest is left out."""
ITEM_GAP = 4.0


class ClipSeat(SceneRecord, frozen=True):
    """A seat after an event: its ``name``, its ``money`` in words ("" where it is not known), what it ``holds``, and
    whether it is the ``boss`` and on ``turn``."""

    name: str
    money: str
    holds: tuple[ScenePart, ...]
    boss: bool = False
    turn: bool = False


class ClipFrame(SceneRecord, frozen=True):
    """An event: its ``label``, its sentences (``told``), the ``items`` to draw, and the ``seats`` after it."""

    label: str
    told: tuple[str, ...]
    items: tuple[Item, ...]
    seats: tuple[ClipSeat, ...]


def draw_clip(title: str, frames: Sequence[ClipFrame]) -> str:
    """The frames, at least one, as an animated SVG document that begins again at its end."""
    return Clip(title, frames).svg_text()


class Clip:
    """The drawing of some frames; ``y`` is the height reached so far."""

    def __init__(self, title: str, frames: Sequence[ClipFrame]) -> None:
        self.title, self.frames, self.svg = title, frames, Svg()
        self.count = len(frames[0].seats)
        gap = (SCENE_WIDTH - 2 * SCENE_EDGE) / max(1, self.count)
        self.lanes = Lanes(SCENE_EDGE + gap / 2, gap, self.count)
        self.ends = [*accumulate(map(_frame_seconds, frames))]
        self.ends[-1] += LAST_SECONDS
        self.spans: dict[tuple[int, int], str] = {}
        self.y = SCENE_EDGE

    def svg_text(self) -> str:
        """The SVG document."""
        define_chips(self.svg, _frame_chips(self.frames))
        self._heading()
        self._seats()
        self._items()
        self._words()
        self._progress()
        high = self.y + SCENE_EDGE
        whole = Svg()
        whole.rect(0.5, 0.5, SCENE_WIDTH - 1, high - 1, "page", rx=8)
        whole.parts += self.svg.parts
        about = " ".join(text for frame in self.frames for text in frame.told)
        return whole.document(SCENE_WIDTH, high, self.title, f"{picture_style()}\n{self._moving_style()}", about)

    def _changing(self, value: Callable[[ClipFrame], Hashable], paint: Callable[[ClipFrame], None]) -> None:
        """Paint something anew whenever its value changes, each time for as long as the value stays."""
        numbered = enumerate(self.frames)
        for _, group in groupby(numbered, key=lambda each: value(each[1])):
            same = list(group)
            with self.svg.group(self._span(same[0][0], same[-1][0] + 1)):
                paint(same[0][1])

    def _span(self, first: int, end: int) -> str:
        """The name of the style of what is shown from one frame until another."""
        if (first, end) == (0, len(self.frames)):
            return ""
        return self.spans.setdefault((first, end), f"m{len(self.spans)}")

    def _moving_style(self) -> str:
        """The style sheet of what is not always shown."""
        whole, starts = self.ends[-1], [0.0, *self.ends]
        rules = ["@media (prefers-reduced-motion:no-preference){svg:hover *{animation-play-state:paused!important}"]
        still = []
        for (first, end), name in self.spans.items():
            begin, stop = 100 * starts[first] / whole, 100 * starts[end] / whole
            before = "0%{visibility:hidden}" if first else ""
            after = f"{stop:.3f}%{{visibility:hidden}}" if end < len(self.frames) else ""
            rules.append(f"@keyframes {name}{{{before}{begin:.3f}%{{visibility:visible}}{after}}}")
            rules.append(f".{name}{{animation:{name} {whole:.2f}s step-end infinite}}")
            if end < len(self.frames):
                still.append(f".{name}{{visibility:hidden}}")
        rules.append("@keyframes go{from{transform:scaleX(0)}}")
        rules.append(f".go{{transform-box:fill-box;animation:go {whole:.2f}s linear infinite}}}}")
        return "\n".join([*still, *rules])

    def _heading(self) -> None:
        for line in wrap_to_width(self.title, SCENE_WIDTH - 2 * SCENE_EDGE - 120, 18, 2, bold=True):
            self.y += 23
            self.svg.text(SCENE_EDGE, self.y - 5, line, "title left")
        right, y = SCENE_WIDTH - SCENE_EDGE - 50, self.y - 5
        self._changing(lambda frame: frame.label, lambda frame: self.svg.text(right, y, frame.label, "step"))
        self.y += 8

    def _seats(self) -> None:
        tall = 40 + LINE_HEIGHT * max(
            (len(wrap_parts(each.holds, self.lanes.room)) for frame in self.frames for each in frame.seats), default=0
        )
        for seat in range(self.count):
            self._changing(partial(_seat_of, seat), partial(self._seat, seat, tall))
        self.y += tall + 14

    def _seat(self, seat: int, tall: float, frame: ClipFrame) -> None:
        each, x, y, room = frame.seats[seat], self.lanes.x(seat), self.y, self.lanes.room
        self.svg.rect(x - room / 2, y, room, tall + 6, "boss" if each.boss else "k-play" if each.turn else "note", rx=6)
        self.svg.text(x, y + 17, cut_middle(each.name, room - 8, 13, bold=True), "name")
        roles = " · ".join([*(["Boss"] if each.boss else []), *(["on turn"] if each.turn else [])])
        self.svg.text(x, y + 34, " · ".join(filter(None, (each.money, roles))), "")
        y += 40
        for parts in wrap_parts(each.holds, room):
            draw_parts(self.svg, parts, x - parts_width(parts) / 2, y + LINE_HEIGHT / 2, "")
            y += LINE_HEIGHT

    def _items(self) -> None:
        """What an event is about, between the lanes of the seats."""
        top = self.y
        tall = max((sum(map(self._row_height, self._rows(frame))) for frame in self.frames), default=0.0)
        for seat in range(self.count):
            self.svg.line(self.lanes.x(seat), top - 4, self.lanes.x(seat), top + tall + 6, "lane")
        self._changing(lambda frame: frame, lambda frame: self._frame_items(frame, top))
        self.y = top + tall + 12

    def _frame_items(self, frame: ClipFrame, y: float) -> None:
        for row in self._rows(frame):
            for item in row:
                rows.draw_item(self.svg, item, self.lanes, y)
            y += self._row_height(row)

    def _rows(self, frame: ClipFrame) -> list[list[Item]]:
        """The rows of a frame's items that there is room for."""
        packed = rows.pack_rows(frame.items)
        heights = accumulate(map(self._row_height, packed))
        return [row for row, height in zip(packed, heights, strict=True) if height <= MOST_ITEMS_HEIGHT]

    def _row_height(self, row: Sequence[Item]) -> float:
        return max(rows.item_height(item, self.lanes) for item in row) + ITEM_GAP

    def _words(self) -> None:
        """The event in words, and those before it."""
        room, top = SCENE_WIDTH - 2 * SCENE_EDGE, self.y
        lines = [
            [line for text in frame.told for line in wrap_to_width(text, room, 13, TOLD_LINES, bold=True)][:TOLD_LINES]
            for frame in self.frames
        ]
        most = max(map(len, lines))
        for number in range(len(self.frames)):
            with self.svg.group(self._span(number, number + 1)):
                for place, line in enumerate(lines[number]):
                    self.svg.text(SCENE_EDGE, top + 14 + 17 * place, line, "name left")
                earlier = [text for frame in self.frames[:number] for text in frame.told][-EARLIER_LINES:]
                for place, text in enumerate(reversed(earlier)):
                    told = cut_to_width(text, room, 12)
                    self.svg.text(SCENE_EDGE, top + 20 + 17 * (most + place), told, "q left")
        self.y = top + 24 + 17 * (most + EARLIER_LINES)

    def _progress(self) -> None:
        wide = SCENE_WIDTH - 2 * SCENE_EDGE
        self.svg.rect(SCENE_EDGE, self.y, wide, 4, "band")
        self.svg.rect(SCENE_EDGE, self.y, wide, 4, "done go")
        self.y += 4


def _seat_of(seat: int, frame: ClipFrame) -> ClipSeat:
    return frame.seats[seat]


def _frame_seconds(frame: ClipFrame) -> float:
    return min(MOST_SECONDS, LEAST_SECONDS + LETTER_SECONDS * sum(map(len, frame.told)))


def _frame_chips(frames: Sequence[ClipFrame]) -> Iterator[Chip]:
    """Every card that appears."""
    for frame in frames:
        parts = [part for seat in frame.seats for part in seat.holds]
        parts += [part for item in frame.items for part in item_parts(item)]
        yield from (part for part in parts if isinstance(part, Chip))
