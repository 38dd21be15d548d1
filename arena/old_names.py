"""What is called otherwise than before: the one list of old names of options and keys, each with its new one.

An old name works for one more release: it is read as the new one, help texts leave it out, and one line on standard
error names the new one. ``arena docs renamed`` shows the list.
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


OLD_OPTIONS = (
    OldOption(("match", "rules show", "rules check"), "--set", ("--rule",)),
    OldOption(("run", "match", "rerun", "bots check"), "--untrusted", ("--require", "locked")),
    OldOption(("compare",), "--field", (), value="OPPONENT..."),
    OldOption(("show", "refeed", "branch"), "--ask", ("--at",), mark="ask", value="N"),
    OldOption(("view",), "--event", ("--at",), value="EVENT"),
)
EDITION_CHANGES = OldKey("editions", "set", "changes")
OLD_KEYS = (EDITION_CHANGES,)


def old_name_warning(old: str, new: str) -> str:
    """The warning for the use of an old name."""
    return f"write {new} in place of {old}, which will not be read any more after the next release"
