"""The sample pages of the site, for readers who have installed nothing: a match, the report of a run, and the table of
a ladder, played by bundled bots while the site is written."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from arena.executors.make import make_executor
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.entry.begin_ladder import begin_new_ladder
from arena.ladder.export.export_ladder import export_ladder
from arena.ladder.export.viewed_matches import MatchViewer
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.runs.planning.isolation_level import BotPermissions
from arena.runs.planning.make_plan import find_config, make_plan
from arena.runs.planning.open_folder import new_store
from arena.runs.play_run import start_run
from arena.runs.run_options import RunOptions
from arena.runs.single_match import MatchSetup, play_match, set_up_match
from arena.web.report import report_page
from arena.web.viewer.open_page import page_of_match, write_open_page
from arena.web.viewer.write_page import write_match_page

MATCH_BOTS = ("dealmaker", "greedy", "fair", "hard")
MATCH_SEED = "111"
RUN_KEYS = ("blocks=5", "editions=[eagle-gryphon]")
RUN_COMMAND = "arena run quick --blocks 5 --set 'editions=[eagle-gryphon]' --seed 7 --trust"
LADDER_KEYS = (
    "anchors=[fair, greedy, hard, dealmaker, hoarder, saboteur]",
    "round_tables=12",
    "isolation=none",
    "publish={seeds: round, replays: never}",
)
LADDER_ROUNDS = 3


class SamplePage(NamedTuple):
    """A sample page: its address in the site, its title, and what it shows."""

    address: str
    title: str
    shows: str


SAMPLE_PAGES = (
    SamplePage("sample-match.html", "A match", "every event of one match, with the table, the offers and the money"),
    SamplePage("sample-report.html", "A report", "what a tournament shows: standings, bargaining, matches to look at"),
    SamplePage("sample-ladder/index.html", "A league", "the table of a ladder, and its ratings over time"),
)


def sample_files() -> dict[str, bytes]:
    """The files of all samples by their addresses in the site; playing them takes some seconds."""
    setup = MatchSetup(seed=MATCH_SEED)
    match = write_match_page(play_match(set_up_match(MATCH_BOTS, setup)).replay)
    with TemporaryDirectory(prefix="arena-site-") as made:
        folder = Path(made)
        report = _play_report(folder / "sample")
        ladder = _play_ladder(folder / "league", folder / "public")
        return {"sample-match.html": match.encode(), "sample-report.html": report.encode()} | {
            f"sample-ladder/{path.relative_to(ladder).as_posix()}": path.read_bytes()
            for path in sorted(ladder.rglob("*"))
            if path.is_file()
        }


def _play_report(folder: Path) -> str:
    """The report of a run that is played into this folder."""
    plan = make_plan(find_config("quick"), RUN_KEYS, seed="7", trust=True)
    with closing(make_executor(1)) as executor:
        start_run(plan, new_store(plan.tournament.name, folder), executor, RunOptions(command=RUN_COMMAND))
    return report_page(folder, matches=2)


def _play_ladder(folder: Path, out: Path) -> Path:
    """The folder of an exported ladder that is played in ``folder``."""
    place = LadderFolder(folder, BotPermissions(trust=True))
    ladder = begin_new_ladder(place, None, "eagle-gryphon", list(LADDER_KEYS))
    with hold_play_lock(place), closing(make_executor(1)) as executor:
        play_ladder(place, ladder.name, executor, Spending(rounds=LADDER_ROUNDS), PlayListener(), "arena ladder play")
    with closing(open_database(place.database, place.shown)) as database:
        export_ladder(
            place, database, find_ladder(database, ladder.name), out, MatchViewer(write_open_page, page_of_match)
        )
    return out
