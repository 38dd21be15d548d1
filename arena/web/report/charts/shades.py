"""The shades of a heat map's cells: steps from -10 through 0 to 10, which the style sheet turns into colours."""

from __future__ import annotations

SHADE_STEPS = 10


def shade_step(value: float | None, even: float, most: float) -> int | None:
    """Return the step of a value: 0 at ``even``; 10 at ``most`` or more above it; -10 at ``most`` or more below it;
    None for an unknown value."""
    if value is None:
        return None
    if most <= 0:
        return 0
    return max(-SHADE_STEPS, min(SHADE_STEPS, round(SHADE_STEPS * (value - even) / most)))
