"""Draws a scene: lanes side by side, time from top to bottom, and at the bottom how much each seat gets."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from arena.drawing import rows
from arena.drawing.legend import draw_legend
from arena.drawing.measure import cut_middle, text_width, wrap_to_width
from arena.drawing.pieces import LETTER_SIZE, LINE_HEIGHT, define_chips, draw_parts, parts_width, wrap_parts
from arena.drawing.rows import Lanes
from arena.drawing.scene import Arrow, Banner, Bond, Chip, Closing, Item, Mark, Scene, ScenePart, Step, Token
from arena.drawing.style import picture_style
from arena.drawing.svg import Svg

SCENE_WIDTH = 900.0
SCENE_EDGE = 16.0
LANE_GUTTER = 84.0
"""The x at which the lanes begin, in pixels; the names of the steps stand to the left of it."""
MOST_BYTES = 60_000
OFFER_LIMITS = (12, 6, 4, 3, 2, 1)
"""The most offers drawn of one arrow: the first limit with which the picture fits into ``MOST_BYTES`` is taken."""
MOST_STEPS = (32, 24, 16, 12, 10, 8, 6, 4)
"""The most steps drawn if no limit of offers suffices; half of them are the first steps, half the last."""


def draw_svg(scene: Scene) -> str:
    """The scene as an SVG document of at most ``MOST_BYTES``, without references; a large scene is shortened."""
    drawn = ""
    for smaller in _shorter_scenes(scene):
        drawn = Picture(smaller).svg_text()
        if len(drawn.encode()) <= MOST_BYTES:
            break
    return drawn


def _shorter_scenes(scene: Scene) -> Iterator[Scene]:
    """Shortened versions of the scene, each shorter than the one before."""
    for limit in OFFER_LIMITS:
        yield limit_offers(scene, limit)
    for most in MOST_STEPS:
        if len(scene.steps) > most:
            left_out = f"{len(scene.steps) - most} steps are left out here"
            gap = Step("…", ((Banner(left_out),),))
            steps = (*scene.steps[: most // 2], gap, *scene.steps[-most // 2 :])
            yield limit_offers(replace(scene, steps=steps), OFFER_LIMITS[-1])


def limit_offers(scene: Scene, limit: int) -> Scene:
    """The scene with at most ``limit`` offers for each arrow and a note of how many are left out; agreed offers are
    always kept. If ``limit`` is below the usual one, hints are dropped too."""

    def short(item: Item) -> Item:
        if isinstance(item, Arrow | Bond) and limit < OFFER_LIMITS[0]:
            item = replace(item, hint="")
        if not isinstance(item, Arrow) or len(item.tokens) <= limit:
            return item
        agreed = [token for token in item.tokens if token.agreed]
        others = [token for token in item.tokens if not token.agreed]
        kept = [*agreed, *others[: max(0, limit - len(agreed))]]
        if len(kept) == len(item.tokens):
            return item
        more = Token((f"+{len(item.tokens) - len(kept)} more",), False)
        return replace(item, tokens=(*kept, more))

    def of(step: Step) -> Step:
        return replace(step, moments=tuple(tuple(map(short, moment)) for moment in step.moments))

    return replace(scene, steps=tuple(map(of, scene.steps)))


class Picture:
    """The drawing of one scene; ``y`` is the height reached so far. Layers are painted in this order: bands, lanes,
    ``bars`` of the Boss, then all the rest on top."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        gap = (SCENE_WIDTH - SCENE_EDGE - LANE_GUTTER) / len(scene.lanes)
        self.lanes = Lanes(LANE_GUTTER + gap / 2, gap, len(scene.lanes))
        self.y = SCENE_EDGE
        self.bands, self.lines, self.bars, self.svg = Svg(), Svg(), Svg(), Svg()

    def svg_text(self) -> str:
        """The SVG document."""
        define_chips(self.svg, _scene_chips(self.scene))
        self._heading()
        self._names()
        top = self.y
        self._steps()
        for seat in range(self.lanes.count):
            self.lines.line(self.lanes.x(seat), top, self.lanes.x(seat), self.y + 4, "lane")
        self._amounts()
        self._split()
        self.y = draw_legend(self.svg, self.scene, SCENE_EDGE, self.y, SCENE_WIDTH - 2 * SCENE_EDGE)
        high = self.y + 8
        whole = Svg()
        whole.rect(0.5, 0.5, SCENE_WIDTH - 1, high - 1, "page", rx=8)
        for layer in (self.bands, self.lines, self.bars, self.svg):
            whole.parts += layer.parts
        return whole.document(SCENE_WIDTH, high, self.scene.title, picture_style())

    # Above

    def _heading(self) -> None:
        room = SCENE_WIDTH - 2 * SCENE_EDGE
        for line in wrap_to_width(self.scene.title, room, 18, 2, bold=True):
            self.y += 23
            self.svg.text(SCENE_EDGE, self.y - 5, line, "title left")
        self.y += 4
        for number, fact in enumerate(self.scene.facts, 1):
            style = "q" if number == len(self.scene.facts) else ""
            for parts in wrap_parts(fact, room, 3):
                draw_parts(self.svg, parts, SCENE_EDGE, self.y + LINE_HEIGHT / 2, style, flush=True)
                self.y += LINE_HEIGHT
        self.y += 6

    def _names(self) -> None:
        self.svg.line(SCENE_EDGE, self.y, SCENE_WIDTH - SCENE_EDGE, self.y, "rule")
        self.y += 20
        highest = self.y
        for seat, lane in enumerate(self.scene.lanes):
            y, x, room = self.y, self.lanes.x(seat), self.lanes.room
            with self.svg.group(hint=f"seat {seat}: {lane.name}"):
                self.svg.text(x, y, cut_middle(lane.name, room, 13, bold=True), "name")
            self.svg.text(x, y + 15, f"seat {seat}", "q")
            y += 21
            for fact in lane.about:
                for parts in wrap_parts(fact, room):
                    draw_parts(self.svg, parts, x - parts_width(parts) / 2, y + LINE_HEIGHT / 2, "q")
                    y += LINE_HEIGHT
            highest = max(highest, y)
        self.y = highest + 6

    # Between

    def _steps(self) -> None:
        boss, since = None, self.y
        for number, step in enumerate(self.scene.steps):
            top = self.y
            self.y += 6
            least = self._label(step.label)
            for moment in step.moments:
                for row in rows.pack_rows(moment):
                    for item in row:
                        if isinstance(item, Mark) and item.boss:
                            self._bar(boss, since, self.y)
                            boss, since = item.seat, self.y + 6
                        rows.draw_item(self.svg, item, self.lanes, self.y)
                    self.y += max(rows.item_height(item, self.lanes) for item in row) + 4
            self.y = max(self.y + 2, least)
            if number % 2 == 0:
                self.bands.rect(1, top, SCENE_WIDTH - 2, self.y - top, "band")
        self._bar(boss, since, self.y)

    def _label(self, label: str) -> float:
        """Write the label of a step; return the y that the step must reach at least."""
        lines = wrap_to_width(label, LANE_GUTTER - SCENE_EDGE - 4, LETTER_SIZE, 2, bold=True)
        for line, text in enumerate(lines):
            self.svg.text(SCENE_EDGE, self.y + 15.5 + 15 * line, text, "step left")
        return self.y + 7 + 15 * len(lines)

    def _bar(self, boss: int | None, top: float, bottom: float) -> None:
        if boss is not None:
            self.bars.rect(self.lanes.x(boss) - 4, top, 8, bottom - top, "boss", rx=3)

    # Below

    def _money(self, amount: int) -> str:
        first, rest = self.scene.unit[0], self.scene.unit[1:]
        return f"{'−' if amount < 0 else ''}{first}{abs(amount)}{rest}"

    def _amounts(self) -> None:
        self.y += 8
        for seat, lane in enumerate(self.scene.lanes):
            x = self.lanes.x(seat)
            if lane.amount:
                self.svg.text(x, self.y + 17, self._money(lane.amount), "sum")
                self.svg.text(x, self.y + 32, lane.verb, "q")
            else:
                self.svg.text(x, self.y + 17, "nothing", "q")
        self.y += 42

    def _split(self) -> None:
        self.svg.text(SCENE_EDGE, self.y + 17.3, "split", "step left")
        left, room = LANE_GUTTER, SCENE_WIDTH - SCENE_EDGE - LANE_GUTTER
        paid = [(seat, lane, lane.amount) for seat, lane in enumerate(self.scene.lanes) if (lane.amount or 0) > 0]
        whole = sum(amount or 0 for _, _, amount in paid)
        if not whole:
            self.svg.rect(left, self.y + 0.5, room, 25, "none", rx=3)
            self.svg.text(left + room / 2, self.y + 17.3, "nobody is paid", "q")
        others = 0
        for seat, lane, amount in paid:
            wide = room * (amount or 0) / whole
            style = "gold" if seat == self.scene.boss else f"s{others % 2}"
            others += seat != self.scene.boss
            self.svg.rect(left, self.y, wide, 26, style)
            self._share(lane.name, amount or 0, whole, left, wide)
            left += wide
        self.y += 26 + 14

    def _share(self, name: str, amount: int, whole: int, left: float, wide: float) -> None:
        """Write the longest form of a share's label that fits into its part of the bar, or none."""
        money = self._money(amount)
        for text in (f"{name} {money} ({100 * amount / whole:.0f} %)", f"{name} {money}", money):
            if text_width(text, LETTER_SIZE) <= wide - 8:
                self.svg.text(left + wide / 2, self.y + 17.3, text, "")
                return


def _scene_chips(scene: Scene) -> Iterator[Chip]:
    """Every card that appears in the scene."""
    for chip, _ in scene.key:
        yield chip
        if scene.outlined:
            yield replace(chip, outlined=True)
    parts: list[ScenePart] = [part for fact in scene.facts for part in fact]
    for lane in scene.lanes:
        parts += [part for fact in lane.about for part in fact]
    for step in scene.steps:
        for moment in step.moments:
            for item in moment:
                parts += item_parts(item)
    yield from (part for part in parts if isinstance(part, Chip))


def item_parts(item: Item) -> list[ScenePart]:
    """The texts and cards of an item."""
    match item:
        case Arrow(_, _, tokens) | Bond(_, _, tokens):
            return [part for token in tokens for part in token.parts]
        case Mark(_, _, parts):
            return list(parts)
        case Closing(_, shares):
            return [part for _, share in shares for part in share]
        case _:
            return []
