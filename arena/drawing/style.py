"""The look of a picture: its colours and its style sheet.

The background is light and opaque, so that a picture looks the same on light and dark pages. Every text has a contrast
of at least 4.5 to its background, 3 in faded offers; no meaning depends on colour alone.
"""

from __future__ import annotations

from arena.drawing.scene import CardColor, MarkKind

INK, QUIET, FAINT, LINE_COLOR, GROUND, BAND = "#1f2328", "#57606a", "#c9d1d9", "#8c959f", "#ffffff", "#f3f5f8"
GOLD, GOLD_INK, STOP_COLOR = "#ffd35c", "#8a6100", "#b3261e"

FADED_OPACITY = 0.72
"""The opacity of offers that were not agreed."""

CARD_FILLS: dict[CardColor, tuple[str, str]] = {
    CardColor.RED: ("#c0272d", "#ffffff"),
    CardColor.YELLOW: ("#f5d33f", INK),
    CardColor.BLUE: ("#1f5fbf", "#ffffff"),
    CardColor.MAGENTA: ("#a8328e", "#ffffff"),
    CardColor.ORANGE: ("#f28e2b", INK),
    CardColor.GREEN: ("#1d7a46", "#ffffff"),
    CardColor.PLAIN: ("#e1e5ea", INK),
}
"""For each colour of cards, its background and the colour of its letters."""

MARK_BOXES: dict[MarkKind, tuple[str, str, str]] = {
    MarkKind.SAY: (GROUND, GROUND, QUIET),
    MarkKind.LAY: (GROUND, LINE_COLOR, INK),
    MarkKind.PLAY: ("#e6e4fb", "#5e4fc0", INK),
    MarkKind.BOSS: (GOLD, GOLD_INK, INK),
    MarkKind.FELL: (GROUND, STOP_COLOR, INK),
    MarkKind.FAULT: ("#fde7e5", STOP_COLOR, "#8c1d18"),
}
"""For each kind of mark, the colours of its background, border and letters."""

SHARE_GROUNDS = ("#d5deea", "#e7ecf3")
"""The backgrounds, in turn, of the amounts paid to seats other than the Boss."""

FONTS = "-apple-system,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif"


def picture_style() -> str:
    """The style sheet."""
    rules = [
        f"text{{font-family:{FONTS};font-size:12px;fill:{INK};text-anchor:middle}}",
        ".left{text-anchor:start}",
        ".title{font-size:18px;font-weight:700}",
        ".name{font-size:13px;font-weight:700}",
        ".sum{font-size:16px;font-weight:700}",
        f".step{{fill:{QUIET};font-weight:700}}",
        f".q{{fill:{QUIET}}}",
        ".w{fill:#fff;font-weight:700}",
        ".say{font-style:italic}",
        ".struck{text-decoration:line-through}",
        ".chip{font-size:11px;font-weight:700}",
        f".page{{fill:{GROUND};stroke:{FAINT}}}",
        f".band{{fill:{BAND}}}",
        f".note{{fill:{GROUND};stroke:{FAINT}}}",
        f".rule{{stroke:{FAINT}}}",
        f".lane{{stroke:{FAINT};stroke-width:1.5}}",
        f".boss{{fill:{GOLD};stroke:{GOLD_INK}}}",
        f".way{{stroke:{LINE_COLOR};stroke-width:1.5}}",
        f".tip{{fill:{LINE_COLOR}}}",
        f".deal{{stroke:{INK};stroke-width:3}}",
        f".no{{fill:{GROUND};stroke:{LINE_COLOR};stroke-dasharray:3 2}}",
        f".yes{{fill:{GROUND};stroke:{INK};stroke-width:1.6}}",
        f".fade{{opacity:{FADED_OPACITY}}}",
        f".done{{fill:{INK}}}",
        f".foiled{{fill:{GROUND};stroke:{INK};stroke-dasharray:4 3}}",
        f".halt{{fill:{STOP_COLOR};stroke:#fff;stroke-width:1.5}}",
        f".cut{{stroke:{STOP_COLOR};stroke-width:2;stroke-dasharray:5 3}}",
        f".gold{{fill:{GOLD}}}",
        f".none{{fill:none;stroke:{LINE_COLOR};stroke-dasharray:4 3}}",
        *(f".s{number}{{fill:{fill}}}" for number, fill in enumerate(SHARE_GROUNDS)),
    ]
    for paint, (fill, ink) in CARD_FILLS.items():
        rules.append(
            f".f-{paint}{{fill:{fill}}}.i-{paint}{{fill:{ink}}}.o-{paint}{{fill:#fff;stroke:{fill};stroke-width:2.5}}"
        )
    for kind, (fill, line, ink) in MARK_BOXES.items():
        rules.append(f".k-{kind}{{fill:{fill};stroke:{line}}}.t-{kind}{{fill:{ink}}}")
    return "\n".join(rules)
