"""The page that opens matches: one static file for all that ``arena show --jsonl`` has written, of every game here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.errors import ReplayError, UserError
from arena.games import built_in_games, load_game
from arena.pages.page import HtmlPage, render_page
from arena.pages.page_file import PageFile, PagePart, ScopedFiles
from arena.web.viewer.game_page import TableDrawing, game_page
from arena.web.viewer.match_data import match_data
from arena.web.viewer.write_page import VIEWER_SCRIPTS, PageData


def write_open_page(games: Sequence[str] = ()) -> str:
    """The page in HTML, one file that needs no other; ``games`` are the names of games beside the built-in ones. What
    it opens is data of strangers: it checks kinds and sizes, and shows all text as text."""
    named = dict.fromkeys((*built_in_games(), *games))
    drawings = {name: drawn for name in named if (drawn := game_page(load_game(name)).drawing) is not None}
    scripts, styles = list[str | PagePart](), list[str | PagePart]()
    for name, drawing in drawings.items():
        _add_drawing(name, drawing, scripts, styles)
    return render_page(
        HtmlPage(
            title="Open a match",
            template="viewer",
            values={"seat": None, "links": (), "opens_files": True},
            styles=("viewer", *dict.fromkeys(styles)),
            scripts=(*VIEWER_SCRIPTS, *dict.fromkeys(scripts), "viewer_check", "viewer", "viewer_open"),
            data=PageData(None),
            reads=True,
        )
    )


def _add_drawing(game: str, drawing: TableDrawing, scripts: list[str | PagePart], styles: list[str | PagePart]) -> None:
    """Add the scripts and styles of a game's drawing: its own ones apart from those of other games."""
    name = msgspec.json.encode(game).decode()
    scripts += [each for each in drawing.scripts if isinstance(each, str)]
    own = tuple(each for each in drawing.scripts if isinstance(each, PageFile))
    after = f"gameTables.set({name}, matchTable.draw);\nmatchTable.draw = drawFields;\n}}\n"
    scripts.append(ScopedFiles("{\n", own, after))
    styles += [each for each in drawing.styles if isinstance(each, str)]
    rules = tuple(each for each in drawing.styles if isinstance(each, PageFile))
    styles.append(ScopedFiles(f":where(body[data-game={name}]) {{\n", rules, "}\n"))


def page_of_match(content: bytes, seat: int | None) -> msgspec.Raw:
    """The data of a match's page as JSON, as :func:`write_open_page` opens it; null for a replay that has none because
    its lines contradict each other."""
    try:
        return msgspec.Raw(msgspec.json.encode(match_data(content, seat)))
    except (ReplayError, UserError):
        return msgspec.Raw(b"null")
