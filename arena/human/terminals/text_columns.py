"""Aligns text in columns and folds it to a width; escape sequences count as having no width."""

from __future__ import annotations

from collections.abc import Sequence

from arena.human.terminals.ink import strip_escapes

TEXT_GAP = "  "


def align_columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """The rows as lines with aligned columns; the columns ``right`` (from 0) are aligned at the right."""
    widths = [max(len(strip_escapes(row[column])) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for column, cell in enumerate(row):
            room = " " * (widths[column] - len(strip_escapes(cell)))
            cells.append(room + cell if column in right else cell + room)
        lines.append(TEXT_GAP.join(cells).rstrip())
    return lines


def fold_text(line: str, width: int, indent: int = 0) -> list[str]:
    """The line folded at spaces to at most ``width`` columns; lines after the first are indented by ``indent``."""
    if len(strip_escapes(line)) <= width:
        return [line]
    words = [part for word in line.split(" ") for part in _slash_parts(word, width - indent)]
    lines, current = [], words[0]
    for word in words[1:]:
        if len(strip_escapes(current)) + 1 + len(strip_escapes(word)) > width and strip_escapes(current).strip():
            lines.append(current)
            current = " " * indent + word
        else:
            current = f"{current}{'' if current.endswith('/') else ' '}{word}"
    return [*lines, current]


def _slash_parts(word: str, room: int) -> list[str]:
    """The word as a list of one, or if it is wider than ``room`` its parts, split after each slash."""
    if len(strip_escapes(word)) <= room or "/" not in word:
        return [word]
    *parts, last = word.split("/")
    return [*(f"{part}/" for part in parts), last]


def heading_line(text: str, width: int) -> list[str]:
    """A rule across the screen with a heading in it; only the heading, folded, if there is no room for the rule."""
    return [f"── {text} ".ljust(width, "─")] if len(text) + 4 < width else fold_text(text, width, 2)
