"""Matches that the tests of the viewer look at: recorded ones of every edition, and one of a bot that talks, notes down
its hand, and makes mistakes."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.config.editions import load_edition
from arena.finding.reference import find_file, refer_file
from arena.web.viewer.match_data import MatchData, match_data
from tests.conftest import play, small, spec_of, write_player

GOLDEN = [
    path
    for path in sorted((Path(__file__).parents[1] / "golden").glob("*.jsonl"))
    if path.stem not in ("eagle-gryphon-random-3p", "eagle-gryphon-many-variants-5p")  # the longest, of an edition
]
PIES = Path(__file__).parents[1] / "thirdgame"
SECRET = "only-seat-0-knows-this"
TALKER = f"""
def turn(self, view):
    move = Open() if self.refusal(view, Open()) is None else self.play_on(view)
    return Reply(move, say=f"my turn <b>{{len(view.hand)}}</b>", note="{SECRET} " + " ".join(view.hand))

def accept(self, view):
    return 7 if view.tick % 2 else self.choose(view)
"""
"""Its answers to every other tick's offers are no answers: a fault each, with a default played instead."""


@cache
def data_of(path: Path) -> MatchData:
    """The data of a recorded match's page."""
    return match_data(path.read_bytes())


@lru_cache
def pie() -> bytes:
    """The replay of a match of a game that is no part of arena, of which no page has a drawing."""
    refs = [refer_file(str(path), None) for path in (PIES / "bots" / f"{name}.py" for name in ("even", "proud"))]
    return play(spec_of(refs, load_edition(str(PIES / "pie.yaml")), seed="5"), refs).replay


@lru_cache
def talkative(game: str = "board", seed: str = "a-seed-that-nobody-is-told") -> bytes:
    """The replay of a short match that has talk, notes and faults, all of seat 0; in the card game it has none."""
    if game == "cards":
        refs = [find_file(name) for name in ("dealmaker", "greedy", "fair", "hard")]
        return play(spec_of(refs, load_edition("card-game"), seed=seed), refs).replay
    with TemporaryDirectory() as folder:
        talker = refer_file(str(write_player(Path(folder), TALKER, "talker")), None)
        refs = [talker, *(find_file(name) for name in ("greedy", "dealmaker", "hard"))]
        return play(spec_of(refs, small(turns=12), seed=seed), refs).replay
