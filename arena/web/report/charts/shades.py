"""How dark a cell of a heat map is: steps from -10 by 0 to 10, which the style sheet turns into colours."""

from __future__ import annotations

SHADE_STEPS = 10


def shade_step(value: float | None, even: float, most: float) -> int | None:
    """The step of a value: 0 at ``even``, 10 as far above it as ``most`` or farther, -10 as far below; None where it
    is unknown."""
    if value is None:
        return None
    if most <= 0:
        return 0
    return max(-SHADE_STEPS, min(SHADE_STEPS, round(SHADE_STEPS * (value - even) / most)))
