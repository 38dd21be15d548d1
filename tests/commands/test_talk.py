"""``arena talk``: what words are worth, with bots that heed them, bots that do not, and bots that do not repeat
themselves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.commands.talk.twin_effect import TalkVerdict, TwinMatch, compare_money, judge_talk, twin_effect
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from tests.conftest import Arena
from tests.docs.pages import blocks
from tests.played_run import play_run

(GULLIBLE,) = blocks("talking", "python")
FICKLE = """
import os
from arena.bundled import Greedy


class Fickle(Greedy):
    def turn(self, view):
        self.greed = os.urandom(1)[0] / 255
        return super().turn(view)
"""
TOURNAMENT = """
name: talkers
seed: talk-1
entrants: [{names}]
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 12}}}}]
seats: 3
blocks: {blocks}
isolation: none
"""
OBEDIENT = "injector, {bot: ./gullible.py, name: gullible}, hard"


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which one bot says what to do, one obeys, and one neither speaks nor listens."""
    folder = tmp_path_factory.mktemp("talked")
    (folder / "gullible.py").write_text(GULLIBLE, encoding="utf-8")
    return play_run(folder, TOURNAMENT.format(names=OBEDIENT, blocks=2))


def data(arena: Arena, *words: object) -> list[dict[str, Any]]:
    ran = arena("talk", *words, "--trust", "--json", "-q", "-j", 1)
    assert ran.code == 0, ran.err
    found: list[dict[str, Any]] = json.loads(ran.out)["entrants"]
    return found


def test_words_that_somebody_obeys_are_worth_money(arena: Arena, talked: Path) -> None:
    (found,) = data(arena, talked, "--entrant", "injector")
    assert found["sayings"] > 0
    assert found["muted"]["own"]["mean"] > 0
    assert found["muted"]["differing"] == found["matches"] == 6
    assert set(found["muted"]["first_to_differ"]) == {"gullible"}
    assert found["null"]["differing"] == 0
    assert found["null"]["own"]["mean"] == found["null"]["others"]["mean"] == 0


def test_twins_are_kept_and_verify(arena: Arena, talked: Path) -> None:
    ran = arena("talk", talked, "--entrant", "injector", "--deals", 1, "--trust", "-q", "-j", 1, "-o", "twins")
    assert ran.code == 0
    assert sorted(path.name for path in Path("twins").iterdir()) == ["muted-injector", "null"]
    checked = arena("verify", "twins")
    assert (checked.code, checked.out.count(": verified\n")) == (0, 6)
    again = arena("talk", talked, "--trust", "-q", "-o", "twins")
    assert (again.code, "twins is not empty" in again.err) == (2, True)


def test_the_table_says_what_it_shows_and_who_is_silent(arena: Arena, talked: Path) -> None:
    ran = arena("talk", talked, "--deals", 1, "--trust", "-q", "-j", 1)
    told = " ".join(ran.out.split())
    assert "muted" in told
    assert "null 0.0 0.0 0 of" in told
    assert "Without words, so not played again: gullible, hard." in told
    assert "Every null match was played as recorded" in told


def test_it_is_told_where_nobody_says_anything(arena: Arena, talked: Path) -> None:
    ran = arena("talk", talked, "--entrant", "hard", "--trust", "-q", "-j", 1)
    assert ran.code == 0
    assert ran.out == "hard says nothing in 6 matches, so there are no words to take away.\n"
    (found,) = data(arena, talked, "--entrant", "hard")
    assert (found["verdict"], found["sayings"], found["muted"], found["null"]) == ("says nothing", 0, None, None)


def test_a_bot_that_does_not_repeat_itself_is_named(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "fickle.py").write_text(FICKLE, encoding="utf-8")
    names = "injector, {bot: ./fickle.py, name: fickle}, hard"
    run = play_run(tmp_path, TOURNAMENT.format(names=names, blocks=1))
    told = " ".join(arena("talk", run, "--entrant", "injector", "--trust", "-q", "-j", 1).out.split())
    assert "some bot does not repeat itself; first to differ: fickle (" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--entrant", "injektor"], "did you mean 'injector'?"),
        (["--deals", "0"], "0 is not in the range x>=1"),
    ],
)
def test_mistakes_are_told(arena: Arena, talked: Path, words: list[str], told: str) -> None:
    ran = arena("talk", talked, "--trust", *words)
    assert (ran.code, told in ran.err) == (2, True)


def record(block: int, *money: int, void: bool = False) -> MatchRecord:
    seats = tuple(SeatRecord(f"bot {seat}", each, 1, "played", {}) for seat, each in enumerate(money))
    return MatchRecord(
        id="m",
        game="board",
        edition="e",
        block=block,
        seed="s",
        termination="end roll",
        asks=1,
        seats=seats,
        void=void,
        sha256="",
    )


def test_money_is_compared_by_seat_and_void_twins_are_left_out() -> None:
    assert compare_money(record(4, 30, 20, 10), record(4, 25, 21, 19), "bot 0", True, "bot 1") == TwinMatch(
        4, 5.0, -5.0, True, "bot 1"
    )
    assert compare_money(record(4, 30, 20), record(4, 0, 0, void=True), "bot 0", True) is None


def test_an_effect_is_clustered_by_block_and_judged_by_its_interval() -> None:
    twins = [TwinMatch(block, 4.0 + block % 2, -1.0, True, "b") for block in range(8)]
    gains = twin_effect([*twins, None])
    assert (gains.own.mean, gains.own.clusters, gains.differing, gains.first, gains.voids) == (4.5, 8, 8, {"b": 8}, 1)
    losses = twin_effect([TwinMatch(each.block, -each.own, 1.0, True) for each in twins])
    noise = twin_effect([TwinMatch(block, float((-1) ** block), None, True) for block in range(8)])
    same = twin_effect([TwinMatch(block, 0.0, 0.0, False) for block in range(8)])
    verdicts = [judge_talk(1, each) for each in (gains, losses, noise, same)]
    assert verdicts == [TalkVerdict.GAINS, TalkVerdict.LOSES, TalkVerdict.OPEN, TalkVerdict.UNHEEDED]
    assert judge_talk(0, None) is TalkVerdict.SILENT


def test_a_folder_whose_records_name_others_than_sat_there_is_refused(
    arena: Arena, talked: Path, tmp_path: Path
) -> None:
    run = Path(shutil.copytree(talked, tmp_path / "run"))
    (run / "matches.jsonl").write_text((run / "matches.jsonl").read_text("utf-8").replace('"hard"', '"herd"'), "utf-8")
    ran = arena("talk", run, "--entrant", "injector", "--trust", "-q", "-j", 1)
    assert (ran.code, ran.out) == (2, "")
    assert 'entrant of seat 2 is "herd" here, "hard" there' in ran.err
