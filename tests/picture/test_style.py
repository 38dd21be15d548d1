"""Everything in a picture can be read, and told apart without its colour."""

from __future__ import annotations

import re

import pytest

from arena.drawing import style
from arena.drawing.scene import CardColor, MarkKind

from .drawings import REPLAYS, drawn, replay, telling


def light(color: str) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(map(light, (one, other)))
    return (bright + 0.05) / (dark + 0.05)


def faded(color: str) -> str:
    """The colour, painted over the ground of an offer that came to nothing."""
    parts = [int(color[place : place + 2], 16) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(style.FADED_OPACITY * part + (1 - style.FADED_OPACITY) * 255):02x}" for part in parts)


@pytest.mark.parametrize("paint", CardColor)
def test_the_letters_of_cards_can_be_read(paint: CardColor) -> None:
    fill, ink = style.CARD_FILLS[paint]
    assert contrast(fill, ink) >= 4.5
    assert contrast(faded(fill), faded(ink)) >= 3


@pytest.mark.parametrize("kind", MarkKind)
def test_the_words_of_marks_can_be_read(kind: MarkKind) -> None:
    fill, _, ink = style.MARK_BOXES[kind]
    assert contrast(fill, ink) >= 4.5


def test_other_words_can_be_read_on_their_grounds() -> None:
    for ground in (style.GROUND, style.BAND):
        assert contrast(style.QUIET, ground) >= 4.5
        assert contrast(style.INK, ground) >= 4.5
    for ground in (*style.SHARE_GROUNDS, style.GOLD):
        assert contrast(style.INK, ground) >= 4.5
    assert contrast("#ffffff", style.INK) >= 4.5
    assert contrast("#ffffff", style.STOP_COLOR) >= 4.5
    assert contrast(faded(style.INK), style.GROUND) >= 4.5


def test_every_class_that_is_used_has_one_rule() -> None:
    named = re.findall(r"\.([a-z][\w-]*)\{", style.picture_style())
    assert len(named) == len(set(named))
    used = set()
    for name in REPLAYS:
        header, lines = replay(name)
        for span in telling(header, lines)[:3]:
            for styles in re.findall(r'class="([^"]*)"', drawn(header, lines, span)):
                used |= set(styles.split())
    assert used <= set(named)
    assert len(used) > 30
