"""Pages that are walked through: their commands are run in order, and must print what is shown below them."""

from __future__ import annotations

import re
from pathlib import Path

from .pages import TEXT

LEFT_OUT = "[…]"
"""Alone on a line: some lines are left out here. At the end of a line: the rest of it."""


def in_order(page: str) -> list[tuple[str, str]]:
    """The Python and console blocks of a page, each with its kind."""
    return re.findall(r"^```(python|console)\n(.*?)^```$", TEXT[page], re.DOTALL | re.MULTILINE)


def shown_by(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what is shown below it."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def is_printed(shown: str, *printed: str) -> bool:
    """Whether what is ``shown`` is part of what was ``printed``: its lines in this order, and next to each other where
    none are left out between them. Numbers, their signs too, and how wide columns are, may differ."""
    lines = [line for text in printed for line in _lines(text)]
    at, free = 0, True
    for line in _lines(shown):
        if line == LEFT_OUT:
            free = True
            continue
        whole, cut, _ = line.partition(f" {LEFT_OUT}")
        same = str.startswith if cut else str.__eq__
        found = [place for place in range(at, len(lines)) if same(lines[place], whole)]
        if not found or not (free or found[0] == at):
            return False
        at, free = found[0] + 1, False
    return True


def _lines(text: str) -> list[str]:
    return [re.sub(r"[+-]?(\$?)[\d.-]+", r"\1N", re.sub(r" +", " ", line.strip())) for line in text.splitlines()]


def replace_hook(bot: Path, hook: str) -> None:
    """Put a method of a page in the place of the one of its name."""
    (name,) = re.findall(r"def (\w+)", hook)
    source, count = re.subn(
        rf"    def {name}\(.*?(?=\n    def |\Z)", lambda _: hook, bot.read_text("utf-8"), flags=re.DOTALL
    )
    assert count == 1
    bot.write_text(source, encoding="utf-8")
