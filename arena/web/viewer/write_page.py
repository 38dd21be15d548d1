"""A match as a page in which every event can be looked at."""

from __future__ import annotations

import shlex
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.errors import ReplayError
from arena.games import load_game
from arena.pages.page import HtmlPage, render_page
from arena.recorded.event_address import Address
from arena.recorded.replay_names import command_line_names, name_file_in, read_named
from arena.storage.files.atomic_files import write_whole
from arena.web.viewer.game_page import game_page
from arena.web.viewer.match_data import REPLAY_WORD, MatchData, match_data

VIEWER_SCRIPTS = (
    "viewer_head",
    "viewer_states",
    "viewer_course",
    "viewer_tables",
    "viewer_seats",
    "viewer_chart",
    "viewer_list",
    "viewer_talk",
    "viewer_jumps",
    "viewer_controls",
    "viewer_words",
    "viewer_shell",
    "viewer_keys",
    "viewer_address",
)
"""The scripts of the page, in order; the scripts that draw the game's table follow them, and ``viewer`` is the last."""


class PageLink(NamedTuple):
    """A link in the head of a page: its ``text`` and ``address``."""

    text: str
    address: str


class PageData(msgspec.Struct):
    """The data that the page's scripts read; the page that opens files has no match."""

    match: MatchData | None


def write_match_page(
    content: bytes,
    seat: int | None = None,
    at: Address | None = None,
    links: Sequence[PageLink] = (),
    called: Sequence[str] = (),
) -> str:
    """The page in HTML of the match in a replay file, one file that needs no other: with a ``seat`` it holds nothing
    that this seat did not know. It opens ``at`` an event or ask, with a ``seat`` by the seat's own count. The ``links``
    stand in its head: where it is served, the way back. ``called`` are the words that name the replay on a command
    line, for the commands that the page shows; without them the commands name it REPLAY.

    Raises ReplayError for what is no finished replay or has lines that contradict each other, UserError where the match
    has no such seat, event or ask."""
    data = match_data(content, seat, at, shlex.join(called) or REPLAY_WORD)
    drawing = game_page(load_game(data.game)).drawing
    return render_page(
        HtmlPage(
            title=f"{data.edition}: {', '.join(data.entrants)}",
            template="viewer",
            values={"seat": seat, "links": links, "opens_files": False},
            styles=("viewer", *(drawing.styles if drawing else ())),
            scripts=(*VIEWER_SCRIPTS, *(drawing.scripts if drawing else ()), "viewer"),
            data=PageData(data),
        )
    )


def write_page(path: Path, out: Path | None, seat: int | None, at: Address | None) -> Path:
    """Write the page of the replay that is called ``path`` to ``out``, or to a temporary file; return its path. Raises
    as :func:`write_match_page` does, naming the replay."""
    try:
        page = write_match_page(read_named(path), seat, at, called=command_line_names(path))
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    if out is not None:
        write_whole(out, page.encode())
        return out
    with tempfile.NamedTemporaryFile(prefix="arena-view-", suffix=".html", delete=False) as made:
        temporary = Path(made.name)
    try:
        write_whole(temporary, page.encode())
    except BaseException:
        temporary.unlink(missing_ok=True)  # nobody would look for it
        raise
    return temporary


def show_in_browser(page: Path, at: Address | None) -> bool:
    """Open a page in the browser of this desktop, at an event or ask if these have the numbers of the match; return
    whether there is a browser."""
    fragment = "" if at is None else f"#event={at.event}" if at.ask is None else f"#ask={at.ask}"
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser:  # one for text, which would take the terminal and run no script
        return False
    return browser.open(page.absolute().as_uri() + fragment)
