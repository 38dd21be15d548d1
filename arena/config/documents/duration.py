"""Durations as people write them: ``90s``, ``30m``, ``2h``, ``1h30m``, ``1d``, or a number of seconds."""

from __future__ import annotations

import math
import re

from arena.errors import UserError

_UNIT_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION_PARTS = re.compile("".join(rf"(?:(\d+(?:\.\d+)?){unit})?" for unit in _UNIT_SECONDS))
EXPECTED_DURATION = "a duration above 0, such as 90s, 30m, 2h or 1h30m"


def parse_duration(text: str) -> float:
    """Seconds. Raises UserError."""
    plain = text.strip().lower().replace(" ", "")
    try:
        seconds = float(plain)
    except ValueError:
        found = _DURATION_PARTS.fullmatch(plain)
        parts = zip(found.groups(), _UNIT_SECONDS.values(), strict=True) if found else ()
        seconds = sum(float(number) * unit for number, unit in parts if number is not None)
    if not (seconds > 0 and math.isfinite(seconds)):
        raise UserError(f"expected {EXPECTED_DURATION}, got {text!r}")
    return seconds


def duration_in_words(seconds: float) -> str:
    """The duration in its largest units, in short form: ``0.5s``, ``45s``, ``12m30s``, ``2h05m``, ``3d04h``."""
    if 0 < seconds < 10 and not float(seconds).is_integer():
        return f"{seconds:.1f}s"
    whole = max(0, round(seconds))
    for large, small in (("d", "h"), ("h", "m"), ("m", "s")):
        if whole >= _UNIT_SECONDS[large]:
            rest = whole % _UNIT_SECONDS[large] // _UNIT_SECONDS[small]
            return f"{whole // _UNIT_SECONDS[large]}{large}" + (f"{rest:02}{small}" if rest else "")
    return f"{whole}s"
