"""Who may enter a ladder, and how often: the keys of ``entry`` that do not depend on the bot."""

from __future__ import annotations

import sqlite3

from arena.ladder.database.bot_versions.versions import SUBMITTED_REASON, VersionState
from arena.ladder.database.ladders import OPERATOR, Ladder, utc_now

DAY_CHARACTERS = 10
"""Length of the date (UTC) with which a stored time begins, in characters."""
TAKING_PART = (VersionState.ACTIVE, VersionState.SUSPENDED, VersionState.DISABLED)
"""The states that count towards an author's limit: withdrawing a bot makes room, being disabled does not."""


def owner_of(database: sqlite3.Connection, bot: str) -> tuple[str, str] | None:
    """Return the stored name and the author of the bot of this name, ignoring case; None where there is none."""
    row = database.execute(
        "SELECT b.name, a.name FROM bots b JOIN authors a ON a.id = b.author WHERE b.name = ?", (bot,)
    ).fetchone()
    return None if row is None else (row[0], row[1])


def refuse_entry(database: sqlite3.Connection, ladder: Ladder, author: str, bot: str) -> str:
    """Say in a sentence why this author may not enter a version of this bot now; empty if allowed. The operator always
    may."""
    owner = owner_of(database, bot)
    if owner is not None and owner[1] != author:
        return f"the name {owner[0]!r} belongs to author {owner[1]}; choose another with --name"
    if author == OPERATOR:
        return ""
    if disabled := _disabled_version(database, ladder, bot):
        return f"{disabled} is disabled by the operator; until it is enabled, no version of {bot} is admitted"
    today = utc_now()[:DAY_CHARACTERS]
    return _refuse_versions(database, ladder, author, today, 1) or _refuse_bots(database, ladder, author, bot)


def refuse_receiver(database: sqlite3.Connection, ladder: Ladder, author: str, bot: str, by_operator: bool) -> str:
    """Say in a sentence why this author may not receive the bot of another as far as this ladder is concerned; empty if
    allowed. A disabled bot is handed over by the operator alone."""
    if not by_operator and (disabled := _disabled_version(database, ladder, bot)):
        return f"{disabled} is disabled by the operator in ladder {ladder.name}: only the operator can hand {bot} over"
    if author == OPERATOR or not _takes_part(database, ladder, bot):
        return ""
    today = utc_now()[:DAY_CHARACTERS]
    new = _entered_on(database, ladder, today, bot=bot)
    problem = _refuse_versions(database, ladder, author, today, new) if new else ""
    problem = problem or _refuse_bots(database, ladder, author, bot)
    return f"ladder {ladder.name}: {problem}" if problem else ""


def _refuse_versions(database: sqlite3.Connection, ladder: Ladder, author: str, today: str, more: int) -> str:
    """Say why an author may not have so many ``more`` new versions today; empty if allowed."""
    allowed = ladder.config.entry.versions_a_day
    if allowed is None or (entered := _entered_on(database, ladder, today, author=author)) + more <= allowed:
        return ""
    return (
        f"author {author} has entered {_count_text(entered, 'version')} on {today} (UTC), and "
        f"{allowed} a day are allowed (entry.versions_a_day); try again tomorrow"
    )


def _refuse_bots(database: sqlite3.Connection, ladder: Ladder, author: str, bot: str) -> str:
    """Say why an author may not have this bot too; empty if allowed."""
    entry, bots = ladder.config.entry, _bots_of(database, ladder, author)
    if entry.bots is not None and len(bots) >= entry.bots and bot.lower() not in {each.lower() for each in bots}:
        return (
            f"author {author} has {_count_text(len(bots), 'bot')} in this ladder ({', '.join(bots)}), and {entry.bots} "
            f"are allowed (entry.bots); submit a version of one of them, or retire one"
        )
    return ""


def _count_text(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _disabled_version(database: sqlite3.Connection, ladder: Ladder, bot: str) -> str:
    """Return the newest disabled version of a bot; empty where none is disabled."""
    row = database.execute(
        "SELECT b.name || ':' || v.number FROM entries e "
        "JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot "
        "WHERE e.ladder = ? AND b.name = ? AND e.state = ? ORDER BY v.number DESC LIMIT 1",
        (ladder.id, bot, VersionState.DISABLED),
    ).fetchone()
    return "" if row is None else str(row[0])


def _takes_part(database: sqlite3.Connection, ladder: Ladder, bot: str) -> bool:
    """Whether a version of the bot counts towards its author's limit."""
    states = ", ".join("?" * len(TAKING_PART))
    row = database.execute(
        "SELECT 1 FROM entries e JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot "
        f"WHERE e.ladder = ? AND b.name = ? AND e.state IN ({states})",
        (ladder.id, bot, *TAKING_PART),
    ).fetchone()
    return row is not None


def _entered_on(database: sqlite3.Connection, ladder: Ladder, day: str, author: str = "", bot: str = "") -> int:
    """Return how many versions of an author, or of a bot, were submitted to a ladder on a day, including versions of
    another ladder."""
    (count,) = database.execute(
        "SELECT count(*) FROM changes c JOIN versions v ON v.id = c.version JOIN bots b ON b.id = v.bot "
        "JOIN authors a ON a.id = b.author "
        "WHERE c.ladder = ? AND ? IN (a.name, '') AND ? IN (b.name, '') AND c.why = ? AND c.what = ? "
        "AND substr(c.at, 1, ?) = ?",
        (ladder.id, author, bot, SUBMITTED_REASON, VersionState.ACTIVE, DAY_CHARACTERS, day),
    ).fetchone()
    return int(count)


def _bots_of(database: sqlite3.Connection, ladder: Ladder, author: str) -> list[str]:
    """The bots of an author that take part in a ladder."""
    states = ", ".join("?" * len(TAKING_PART))
    rows = database.execute(
        "SELECT DISTINCT b.name FROM entries e "
        "JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot "
        f"JOIN authors a ON a.id = b.author WHERE e.ladder = ? AND a.name = ? "
        f"AND e.state IN ({states}) ORDER BY b.name",
        (ladder.id, author, *TAKING_PART),
    )
    return [name for (name,) in rows]
