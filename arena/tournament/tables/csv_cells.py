"""CSV as arena writes it, with no cell that a spreadsheet takes for a formula.

A spreadsheet computes a cell whose text begins with ``=``, ``+``, ``-`` or ``@``, also behind a tab or a line break,
and a stranger chooses a bot's name. So such texts are written with an apostrophe before them, as OWASP says of CSV
injection; numbers are written as they are. :func:`text_of` takes the apostrophe away where CSV is read.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import StringIO
from typing import Any, TextIO

FORMULA_BEGINNINGS = "=+-@\t\r\n"
"""The first characters of texts that a spreadsheet may compute."""
TEXT_MARK = "'"
_NEGATIVE_NUMBER = re.compile(r"-[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


def safe_cell(cell: object) -> object:
    """The cell as it is written: a text that could be a formula gets one more apostrophe in front."""
    if not isinstance(cell, str) or cell[:1] not in MARKED_BEGINNINGS or not _could_be_formula(cell):
        return cell
    return TEXT_MARK + cell


def text_of(cell: str) -> str:
    """The text from which :func:`safe_cell` made the cell."""
    return cell[1:] if cell[:1] == TEXT_MARK and _could_be_formula(cell) else cell


MARKED_BEGINNINGS = frozenset(FORMULA_BEGINNINGS + TEXT_MARK)


def _could_be_formula(text: str) -> bool:
    """Whether the text begins like a formula, after any apostrophes, and is no number. Texts with apostrophes of their
    own count too, so that reading gives each text back."""
    return text.lstrip(TEXT_MARK)[:1] in frozenset(FORMULA_BEGINNINGS) and not _NEGATIVE_NUMBER.fullmatch(text)


def write_csv(
    file: TextIO,
    lines: Iterable[Sequence[Any]],
    written: Mapping[int, Callable[[Any], object]] | None = None,
    end: str = "\n",
) -> None:
    """Write lines of CSV to ``file``: RFC 4180 except for the ``end`` of lines. No text in them is a formula (`safe`).

    ``written`` maps the number of a column to a function that converts its values, for callers that know which columns
    need it; the others are then written as they are.
    """
    writer = csv.writer(file, lineterminator=end)
    if written is None:
        writer.writerows(map(safe_cell, line) for line in lines)
        return
    if not written:
        writer.writerows(lines)
        return
    for line in lines:
        cells = list(line)
        for place, write in written.items():
            cells[place] = write(cells[place])
        writer.writerow(cells)


def csv_text(lines: Iterable[Sequence[object]], end: str = "\n") -> str:
    """Lines of CSV as text, written as `write_csv` writes them."""
    text = StringIO()
    write_csv(text, lines, end=end)
    return text.getvalue()
