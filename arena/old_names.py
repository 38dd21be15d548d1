"""The one list of old names of options, keys and pages of the documentation, each with its new one.

An old name works for one more release: it is read as the new one, help texts leave it out, and one line on standard
error names the new one. ``arena docs changes old-names`` shows the list.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OldOption:
    """A renamed option of these ``commands``: its ``old`` name, and the ``new`` words that replace it, none where its
    value alone is typed now. ``mark`` stands before the value now, ``value`` is the value's name."""

    commands: tuple[str, ...]
    old: str
    new: tuple[str, ...]
    mark: str = ""
    value: str = ""

    @property
    def new_words(self) -> str:
        """The new words as they are typed."""
        return " ".join([*self.new, *filter(None, [self.mark + self.value])])

    def replaced(self, value: str) -> list[str]:
        """The new words with a value that stood behind an equals sign."""
        *before, last = self.new or ("",)
        return [*before, f"{last}={self.mark}{value}" if last else value]


@dataclass(frozen=True)
class OldKey:
    """A renamed key of the tournament file, in each entry of the list ``within``: its ``old`` name and its ``new``
    one."""

    within: str
    old: str
    new: str


@dataclass(frozen=True)
class OldPage:
    """A page of the documentation, or a section of one, that has moved: its ``old`` and its ``new`` place, as the words
    after ``arena docs``."""

    old: str
    new: str


OLD_OPTIONS = (
    OldOption(("match", "rules show", "rules check"), "--set", ("--rule",)),
    OldOption(("run", "match", "rerun", "bots check"), "--untrusted", ("--require", "locked")),
    OldOption(("compare",), "--field", (), value="OPPONENT..."),
    OldOption(("show", "refeed", "branch"), "--ask", ("--at",), mark="ask", value="N"),
    OldOption(("view",), "--event", ("--at",), value="EVENT"),
)
EDITION_CHANGES = OldKey("editions", "set", "changes")
OLD_KEYS = (EDITION_CHANGES,)
OLD_PAGES = (
    OldPage("agents", "first-bot"),
    OldPage("bots board-hooks", "board-bots hooks"),
    OldPage("bots board-moves", "board-bots moves"),
    OldPage("bots board-views", "board-bots views"),
    OldPage("bots board-ready-made-functions", "board-bots ready-made-functions"),
    OldPage("bots the-board-game", "board-bots"),
    OldPage("bots cards-a-bot-in-twenty-lines", "cards-bots a-bot-in-twenty-lines"),
    OldPage("bots cards-hooks", "cards-bots hooks"),
    OldPage("bots cards-moves", "cards-bots moves"),
    OldPage("bots cards-views", "cards-bots views"),
    OldPage("bots cards-ready-made-functions", "cards-bots ready-made-functions"),
    OldPage("bots the-card-game", "cards-bots"),
    OldPage("ladder-entries", "ladders entering-a-bot"),
    OldPage("ladder-nightly", "ladders playing-every-night"),
    OldPage("ladder-pairing", "ladder-standings which-tables-a-ladder-plays-next"),
    OldPage("ladder-defence", "ladder-evidence"),
    OldPage("ladder-database", "ladder-evidence the-database-of-ladders"),
    OldPage("ladder-uploads", "serving uploads"),
    OldPage("renamed", "changes old-names"),
)


def old_name_warning(old: str, new: str) -> str:
    """The warning for the use of an old name."""
    return f"{old} is now {new}; the old name will stop working after the next release"
