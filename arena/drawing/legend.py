"""Draws the legend below a picture, which explains only the signs that occur in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from arena.drawing.measure import cut_to_width, flow_in_rows, text_width
from arena.drawing.pieces import (
    CHIP_HEIGHT,
    LETTER_SIZE,
    LINE_HEIGHT,
    TOKEN_HEIGHT,
    chip_width,
    draw_chip,
    draw_token,
    token_width,
)
from arena.drawing.rows import STOP_WIDTH, draw_stop
from arena.drawing.scene import Arrow, Bond, Chip, Closing, Item, Mark, Scene, Token
from arena.drawing.svg import Svg

NAME_ROOM = 120
ENTRY_GAP = 18.0


class LegendEntry(NamedTuple):
    """``sample(svg, x, middle)`` draws an example of a sign, ``wide`` pixels wide; ``text`` explains the sign."""

    sample: Callable[[Svg, float, float], None]
    wide: float
    text: str


def draw_legend(svg: Svg, scene: Scene, left: float, y: float, room: float) -> float:
    """Draw the legend, ``room`` pixels wide, from ``left``, ``y`` on; return the y of its lower end."""
    svg.line(left, y, left + room, y, "rule")
    y += 8
    for entries in (list(_card_entries(scene)), list(_sign_entries(scene))):
        for line in flow_in_rows(
            [each.wide + 5 + text_width(each.text, LETTER_SIZE) for each in entries], room, ENTRY_GAP
        ):
            x = left
            for index in line:
                sample, wide, text = entries[index]
                sample(svg, x, y + LINE_HEIGHT / 2)
                svg.text(x + wide + 5, y + LINE_HEIGHT / 2 + 4.3, text, "q left")
                x += wide + 5 + text_width(text, LETTER_SIZE) + ENTRY_GAP
            y += LINE_HEIGHT + 4
    return y


def _card_entries(scene: Scene) -> Iterator[LegendEntry]:
    for chip, name in scene.key:
        yield _chip_entry(chip, cut_to_width(name, NAME_ROOM, LETTER_SIZE))
    if scene.filled:
        example = scene.key[0][0]
        yield _chip_entry(example, scene.filled)
        yield _chip_entry(replace(example, outlined=True), scene.outlined)


def _chip_entry(chip: Chip, text: str) -> LegendEntry:
    return LegendEntry(lambda svg, x, middle: draw_chip(svg, chip, x, middle - CHIP_HEIGHT / 2), chip_width(chip), text)


def _sign_entries(scene: Scene) -> Iterator[LegendEntry]:
    items: list[Item] = [item for step in scene.steps for moment in step.moments for item in moment]
    tokens = [token for item in items if isinstance(item, Arrow) for token in item.tokens]
    yield LegendEntry(lambda svg, x, middle: svg.rect(x, middle - 8, 8, 16, "boss", rx=3), 8, "the Boss")
    if any(token.agreed for token in tokens):
        yield _token_entry(Token((scene.offer,), True), "agreed offer")
    if not all(token.agreed for token in tokens):
        yield _token_entry(Token((scene.offer,), False), "other offer")
    if any(isinstance(item, Bond) for item in items):
        yield _token_entry(Token((scene.agreement,), True), "agreement", done=True)
    closings = [item for item in items if isinstance(item, Closing)]
    if any(closing.foiled for closing in closings):
        yield LegendEntry(lambda svg, x, middle: svg.rect(x, middle - 9, 22, 18, "foiled", rx=4), 22, "foiled closing")
    if not all(closing.foiled for closing in closings):
        yield LegendEntry(lambda svg, x, middle: svg.rect(x, middle - 9, 22, 18, "done", rx=4), 22, "closing")
    if any(isinstance(item, Mark) and item.stopped_by is not None for item in items):
        yield LegendEntry(lambda svg, x, middle: draw_stop(svg, x + STOP_WIDTH / 2, middle), STOP_WIDTH, "play stopped")


def _token_entry(token: Token, text: str, done: bool = False) -> LegendEntry:
    def sample(svg: Svg, x: float, middle: float) -> None:
        draw_token(svg, token, x, middle - TOKEN_HEIGHT / 2, done)

    return LegendEntry(sample, token_width(token, done), text)
