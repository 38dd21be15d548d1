"""The pages as tests read them."""

from __future__ import annotations

import re
from pathlib import Path

from arena.commands.docs.page_groups import PAGE_GROUPS
from arena.commands.docs.topics import SCHEMA_TOPICS
from arena.games import built_in_games, load_game

ROOT = Path(__file__).parents[2]
PAGES = tuple(name for group in PAGE_GROUPS for name in group.pages if name not in SCHEMA_TOPICS)
TEXT = {name: (ROOT / "arena" / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES}
FLAT = {name: " ".join(text.split()) for name, text in TEXT.items()}

GAMES = {name: load_game(name) for name in built_in_games()}
RULES_PAGE = {"board": "rules", "cards": "card-rules"}
"""Where the rules of each game stand. A new game needs a page, and parts of its own in those for both."""
LETTER = {"board": "B", "cards": "C"}
"""What the numbers of its rules begin with."""
BOTS_PAGE = {"board": "board-bots", "cards": "cards-bots"}
"""Where the hooks, moves and views of each game stand."""
PARENT = {"board": "board-base", "cards": "card-game"}
"""The rules file whose values its page calls base."""


def blocks(name: str, info: str) -> list[str]:
    """The fenced blocks of a page that begin with ``info``."""
    return re.findall(rf"^```{info}\n(.*?)^```$", TEXT[name], re.DOTALL | re.MULTILINE)


def codes(text: str) -> set[str]:
    """Everything in backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


def section(name: str, heading: str) -> str:
    """What stands below a heading of any level, up to the next that is not below it."""
    found = re.split(rf"^(##+) {re.escape(heading)}$", TEXT[name], maxsplit=1, flags=re.MULTILINE)
    assert len(found) == 3, f"{name} has no part {heading!r}"
    return re.split(rf"^#{{2,{len(found[1])}}} ", found[2], maxsplit=1, flags=re.MULTILINE)[0]


def rows(name: str, heading: str) -> list[list[str]]:
    """The rows of all tables below a heading that begin with a name in backticks."""
    text = section(name, heading)
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines() if line.startswith("| `")]
