"""The exported viewer: one static page, and for the last matches of a season the files that it opens."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from arena.errors import ReplayError
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.publishing import replays_public
from arena.recorded.match_lines import PageMaker, first_line
from arena.storage.packs.replay_packs import KeptReplays


class MatchViewer(NamedTuple):
    """How matches are shown: ``page`` makes the static page for the games of these names, beside the built-in ones, and
    ``match`` the data of a match for it. The rooms of pages lie above this one."""

    page: Callable[[Sequence[str]], str]
    match: PageMaker


VIEWER_FILE = "viewer.html"
"""The page that opens every match, in the export's folder."""
MATCHES_FOLDER = "matches"
"""The folder in a season's folder with a file for each match that can be viewed."""
VIEWED_MATCHES = 200
"""How many matches of a season can be viewed, the last ones: a file has 150 kB and takes a tenth of a second."""


def write_viewer(viewer: MatchViewer, ladder: Ladder, folder: Path) -> None:
    """Write the page that opens matches."""
    (folder / VIEWER_FILE).write_text(viewer.page([ladder.edition.game]), encoding="utf-8")


def write_viewed_matches(
    viewer: MatchViewer, place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, below: Path
) -> set[int]:
    """Write the files of the season's last matches into its folder; return their numbers. There are none where replays
    are not public. Leaves out matches whose replays contradict themselves; raises ReplayError for a damaged one."""
    if not replays_public(ladder.config, ladder.season):
        return set()
    rows = database.execute(
        "SELECT m.id, m.name FROM rounds r JOIN matches m ON m.round = r.id "
        "WHERE r.season = ? AND r.state = 'closed' AND m.replay ORDER BY m.id DESC LIMIT ?",
        (ladder.season.id, VIEWED_MATCHES),
    ).fetchall()
    replays = KeptReplays(place.season(ladder.name, ladder.season.number))
    folder, written = below / MATCHES_FOLDER, set[int]()
    for number, name in rows:
        if (content := replays.get(name)) is None:
            continue
        with suppress(ReplayError):
            line = first_line(content, viewer.match)
            folder.mkdir(exist_ok=True)
            (folder / _match_file(number)).write_bytes(line)
            written.add(number)
    return written


def viewed_address(season: int, number: int, up: str) -> str:
    """Return the address at which the viewer shows a match; ``up`` leads to the export's folder."""
    return f"{up}{VIEWER_FILE}?match={quote(f'season-{season}/{MATCHES_FOLDER}/{_match_file(number)}')}"


def _match_file(number: int) -> str:
    return f"{number}.jsonl"
