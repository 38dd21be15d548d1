"""The small parts of a picture: cards, lines of words and cards, offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from arena.drawing.measure import cut_to_width, flow_in_rows, text_width
from arena.drawing.scene import Chip, ScenePart, Token
from arena.drawing.svg import Svg

LETTER_SIZE = 12.0
CHIP_SIZE = 11.0
CHIP_HEIGHT = 17.0
LINE_HEIGHT = 21.0
"""The height of a line of words and cards."""
PIECE_GAP = 4.0
PIECE_PADDING = 7.0
TOKEN_HEIGHT = 20.0
TICK_SIGN, MORE_SIGN = "✓", "…"


def chip_width(chip: Chip) -> float:
    """The width of a card."""
    return max(17.0, text_width(chip.text, CHIP_SIZE, bold=True) + 7)


def symbol_of(chip: Chip) -> str:
    """The id of the card's SVG symbol."""
    said = "".join(letter if letter.isascii() and letter.isalnum() else f"_{ord(letter):x}" for letter in chip.text)
    return f"{'c' if chip.outlined else 'p'}-{chip.paint}-{said}"


def define_chips(svg: Svg, chips: Iterable[Chip]) -> None:
    """Define the SVG symbol of each card once, for :func:`draw_chip` to use."""
    for chip in sorted(set(chips), key=symbol_of):
        wide = chip_width(chip)
        with svg.symbol(symbol_of(chip)):
            if chip.outlined:
                svg.rect(1.2, 1.2, wide - 2.4, CHIP_HEIGHT - 2.4, f"o-{chip.paint}", rx=5)
            else:
                svg.rect(0, 0, wide, CHIP_HEIGHT, f"f-{chip.paint}", rx=2)
            ink = "chip" if chip.outlined else f"chip i-{chip.paint}"
            svg.text(wide / 2, CHIP_HEIGHT / 2 + 4, chip.text, ink)


def draw_chip(svg: Svg, chip: Chip, x: float, y: float) -> None:
    """Draw a card with its upper left corner at ``x``, ``y``."""
    svg.use(symbol_of(chip), x, y)


def part_width(part: ScenePart, bold: bool = False) -> float:
    """The width of a text or a card, in pixels."""
    return chip_width(part) if isinstance(part, Chip) else text_width(part, LETTER_SIZE, bold)


def parts_width(parts: Sequence[ScenePart], bold: bool = False) -> float:
    """The width of texts and cards side by side, in pixels."""
    return sum(part_width(part, bold) for part in parts) + PIECE_GAP * max(0, len(parts) - 1)


def draw_parts(
    svg: Svg,
    parts: Sequence[ScenePart],
    x: float,
    middle: float,
    style: str = "",
    bold: bool = False,
    flush: bool = False,
) -> None:
    """Draw texts and cards side by side from ``x`` on, vertically centred at ``middle``. Each text is centred in the
    room reserved for the widest font; ``flush``: it begins at the left of that room."""
    for part in parts:
        wide = part_width(part, bold)
        if isinstance(part, Chip):
            draw_chip(svg, part, x, middle - CHIP_HEIGHT / 2)
        elif flush:
            svg.text(x, middle + 4.3, part, f"{style} left".lstrip())
        else:
            svg.text(x + wide / 2, middle + 4.3, part, style)
        x += wide + PIECE_GAP


def wrap_parts(parts: Sequence[ScenePart], room: float, most: int = 9) -> list[tuple[ScenePart, ...]]:
    """Break texts and cards into at most ``most`` lines no wider than ``room``; the rest is replaced by an ellipsis.
    Texts are broken between words, but not at a no-break space."""
    single: list[ScenePart] = []
    for part in parts:
        single += (
            [part]
            if isinstance(part, Chip)
            else [cut_to_width(word, room, LETTER_SIZE) for word in part.split(" ") if word]
        )
    lines = flow_in_rows([part_width(part) for part in single], room, PIECE_GAP)
    if len(lines) > most:
        lines, over = lines[:most], "…"
        while lines[-1] and parts_width([*(single[index] for index in lines[-1]), over]) > room:
            lines[-1].pop()
        single.append(over)
        lines[-1].append(len(single) - 1)
    return [_join_texts([single[index] for index in line]) for line in lines]


def _join_texts(parts: Iterable[ScenePart]) -> tuple[ScenePart, ...]:
    joined: list[ScenePart] = []
    for part in parts:
        if joined and isinstance(part, str) and isinstance(joined[-1], str):
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return tuple(joined)


def fit_token(token: Token, room: float, done: bool) -> Token:
    """The offer, with its last cards left out until it fits into ``room``; its price always stays."""
    while token_width(token, done) > room and len(token.parts) > 2:
        left = token.parts[:-2] if token.parts[-2] == MORE_SIGN else token.parts[:-1]
        token = replace(token, parts=(*left[:-1], MORE_SIGN, token.parts[-1]))
    if token_width(token, done) > room and isinstance(token.parts[0], str):
        left_over = room - token_width(replace(token, parts=()), done)
        token = replace(token, parts=(cut_to_width(token.parts[0], left_over, LETTER_SIZE, done), *token.parts[1:]))
    return token


def token_width(token: Token, done: bool = False) -> float:
    """The width of an offer, in pixels; ``done``: of an offer drawn as an agreement."""
    marked = text_width(TICK_SIGN, LETTER_SIZE, bold=True) + PIECE_GAP if done else 0
    return parts_width(token.parts, bold=done) + 2 * PIECE_PADDING + marked


def draw_token(svg: Svg, token: Token, x: float, y: float, done: bool = False) -> None:
    """Draw an offer with its upper left corner at ``x``, ``y``; ``done``: as an agreement."""
    wide, middle = token_width(token, done), y + TOKEN_HEIGHT / 2
    if done:
        svg.rect(x, y, wide, TOKEN_HEIGHT, "done", rx=10)
        draw_parts(svg, (TICK_SIGN, *token.parts), x + PIECE_PADDING, middle, "w", bold=True)
        return
    svg.rect(x, y, wide, TOKEN_HEIGHT, "yes" if token.agreed else "no", rx=10)
    if token.agreed:
        draw_parts(svg, token.parts, x + PIECE_PADDING, middle)
        return
    with svg.group("fade"):
        draw_parts(svg, token.parts, x + PIECE_PADDING, middle)
