"""Formats output for a terminal: colours, lines of its width, a pager.

Output for programs stays plain: in a pipe nothing is coloured, wrapped or paged, and tables have at most
``PIPE_COLUMNS`` columns."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, TypeVar

import click
from tabulate import tabulate

from arena.cli.print_message import print_message

Function = TypeVar("Function", bound=Callable[..., Any])

PIPE_COLUMNS = 100
"""Greatest width of a table that is not printed on a terminal."""
NARROWEST_CELL = 12
"""Least width of a cell, however narrow the terminal is."""
COLUMN_GAP = 2
"""Spaces between the columns of a table; a column is at least this much wider than its header."""


@dataclass(frozen=True, slots=True)
class LookOptions:
    """Whether to ``color`` the output (None: where a terminal shows it), and to show it in a ``pager``."""

    color: bool | None
    pager: bool


def look_options(command: Function) -> Function:
    """Add the options of :class:`LookOptions`."""
    color = click.option(
        "--color/--no-color",
        default=None,
        help="Colour the output; by default on a terminal, unless NO_COLOR is set.",
    )
    return color(pager_option(command))


pager_option = click.option(
    "--pager/--no-pager",
    default=True,
    help="On a terminal, show long output in a pager ($PAGER, or less); the default.",
)


def on_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def use_color(wanted: bool | None) -> bool:
    """Whether to use colours: as ``wanted``, or if None, on a terminal with colours, unless NO_COLOR is set
    (https://no-color.org)."""
    if wanted is not None:
        return wanted
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """How wide a table may be: the terminal's width, or COLUMNS; without both ``PIPE_COLUMNS``."""
    return shutil.get_terminal_size((PIPE_COLUMNS, 0)).columns


def fold_to_terminal(line: str) -> str:
    """Break a line that is wider than the terminal into several, all but the first indented; words stay whole."""
    if len(line) <= terminal_width():
        return line
    return fill(line, terminal_width(), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def show_paged(text: str, color: bool | None, pager: bool) -> None:
    """Print ``text``, which ends in a line break, in a pager if it is longer than the terminal. ``color`` is the value
    of the option: without colours, styles in ``text`` are removed."""
    keep = use_color(color)
    height = shutil.get_terminal_size((PIPE_COLUMNS, 0)).lines
    if pager and on_terminal() and 0 < height <= text.count("\n") + 1 and _pager_is_readable():
        click.echo_via_pager(text.removesuffix("\n"), color=color if keep else False)
    else:
        click.echo(text, nl=False, color=keep)


def _pager_is_readable() -> bool:
    """Whether $PAGER can be parsed into words; prints a message if not."""
    try:
        shlex.split(os.environ.get("PAGER", ""))
    except ValueError as problem:
        print_message(f"arena: output is not paged: PAGER cannot be read: {problem}")
        return False
    return True


def format_table(
    rows: Sequence[Sequence[object]],
    headers: Sequence[str] = (),
    wrap: Sequence[int] = (),
    look: str = "simple",
    plain: bool = False,
    whole: bool = False,
) -> str:
    """A table no wider than the terminal, if possible: cells in the columns ``wrap`` (numbered from 0) are broken into
    lines, the widest column first, and words are broken only if nothing else helps. ``look`` is the name of a tabulate
    format; ``plain`` leaves numbers in cells as they are written, ``whole`` never breaks words."""
    if not rows:
        return tabulate(rows, headers=headers, tablefmt=look)
    cells = [
        [f"{''.join(headers[at : at + 1])}{' ' * COLUMN_GAP}", *(row[at] for row in rows)] for at in range(len(rows[0]))
    ]
    widths = [max(len(line) for cell in column for line in str(cell).split("\n")) for column in cells]
    longest = [max(len(word) for cell in column for word in re.split("[ \n]", str(cell))) for column in cells]
    limits: list[int | None] = [None] * len(widths)
    over = sum(widths) + COLUMN_GAP * (len(widths) - 1) - terminal_width()
    for least in [longest] if whole else [longest, [0] * len(widths)]:
        while over > 0 and (narrower := [at for at in wrap if widths[at] > max(least[at], NARROWEST_CELL)]):
            widest = max(narrower, key=lambda at: widths[at])
            widths[widest] -= 1
            limits[widest] = widths[widest]
            over -= 1
    return tabulate(
        rows,
        headers=headers,
        tablefmt=look,
        disable_numparse=plain,
        maxcolwidths=limits if any(limits) else None,
    )
