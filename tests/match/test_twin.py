"""The twin of a match, with another bot in one seat: as if it had been played from its beginning, for less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.finding.reference import BotRef, find_file, refer_file
from arena.match.following.twin import Twin
from arena.match.runner import Runner
from arena.match.work import Work, WorkResult
from tests.conftest import small, spec_of

OPENER = """
def turn(self, view): return Reply(self.play_on(view), say="late" if view.turn >= {turn} else "")
"""
TALKER = """
def turn(self, view): return Reply(self.play_on(view), say="{say}" if view.turn > 4 else "", note="{note}")
"""
FORGETFUL = """
def turn(self, view):
    return Reply(self.play_on(view), say=str(time.perf_counter_ns()))
"""
REMEMBERS = """
def start(self, start): self.heard = 0
def turn(self, view):
    self.heard += len(view.news)
    return Reply(self.play_on(view), say=f"heard {self.heard}")
"""
ILLEGAL = """
def turn(self, view): return Roll()
"""


@pytest.fixture
def runner() -> Iterator[Runner]:
    runner = Runner()
    yield runner
    runner.close()


def ref_of(bot: Path | str) -> BotRef:
    return find_file(bot) if isinstance(bot, str) else refer_file(str(bot), None)


def work_of(bots: Sequence[Path | str], **more: Any) -> Work:
    refs = tuple(map(ref_of, bots))
    return Work(spec=spec_of(refs, small(turns=18), **more), bots=refs)


def both(runner: Runner, old: Path | str, new: Path | str, *others: Path | str, apart: bool = False) -> WorkResult:
    """The match of ``old`` in seat 1 and its twin with ``new``, after both were seen to have the bytes of matches that
    are played wholly."""
    first, second = (work_of([others[0], bot, *others[1:]], id=id) for bot, id in ((old, "old"), (new, "new")))
    twin = Twin(spec=second.spec, bots=second.bots, seat=1)
    done = runner.play(msgspec.structs.replace(first, twin=twin), apart)
    assert done.twin is not None
    for work, part in ((first, done), (second, done.twin)):
        whole = runner.play(work, apart)
        assert part.replay == whole.replay
        assert part.record == whole.record
    return done


@pytest.mark.parametrize(
    ("seed", "apart"), [("a", False), ("b", False), ("c", False), ("c", True)], ids=["a", "b", "c", "c in processes"]
)
def test_a_twin_has_the_bytes_of_a_match_that_is_played_wholly(seed: str, apart: bool, runner: Runner) -> None:
    first, second = (work_of(["greedy", bot, "fair"], seed=seed) for bot in ("dealmaker", "hard"))
    done = runner.play(msgspec.structs.replace(first, twin=Twin(spec=second.spec, bots=second.bots, seat=1)), apart)
    assert done.twin is not None
    assert done.told is not None
    assert done.told.otherwise is not None
    assert done.replay == runner.play(first, apart).replay
    assert done.twin.replay == runner.play(second, apart).replay
    whole = runner.play(second, apart)
    assert [seat.hooks for seat in done.twin.timing.seats] == [seat.hooks for seat in whole.timing.seats]


@pytest.mark.parametrize("apart", [False, True], ids=["here", "in processes"])
def test_of_a_bot_that_never_answers_otherwise_nothing_is_played(apart: bool, runner: Runner, write_bot: Any) -> None:
    same = write_bot(OPENER.format(turn=1000), "same")
    done = both(runner, write_bot(OPENER.format(turn=2000)), same, "greedy", "fair", apart=apart)
    assert done.told is not None
    assert (done.told.otherwise, done.told.unlike, done.told.whole) == (None, "", "")
    assert done.twin is not None
    assert [seat.asks > 0 for seat in done.twin.timing.seats] == [False, True, False]


def test_a_match_parts_in_its_middle_and_bots_remember_what_came_before(runner: Runner, write_bot: Any) -> None:
    remembers = write_bot(REMEMBERS, "remembers")
    done = both(
        runner, write_bot(OPENER.format(turn=9), "v7"), write_bot(OPENER.format(turn=14), "v8"), remembers, "fair"
    )
    assert done.told is not None
    assert 0 < (done.told.otherwise or 0) < done.told.asks - 1


def test_words_part_a_match_and_notes_do_not(runner: Runner, write_bot: Any) -> None:
    old = write_bot(TALKER.format(say="hm", note="old"), "old")
    noted = both(runner, old, write_bot(TALKER.format(say="hm", note="new"), "noted"), "greedy", "fair")
    said = both(runner, old, write_bot(TALKER.format(say="ha", note="old"), "said"), "greedy", "fair")
    assert noted.told is not None
    assert noted.told.otherwise is None
    assert said.told is not None
    assert said.told.otherwise is not None


def test_a_fault_of_the_other_bot_is_where_it_parts(runner: Runner, write_bot: Any) -> None:
    done = both(runner, write_bot("turn = play_on"), write_bot(ILLEGAL, "illegal"), "greedy", "fair")
    assert done.twin is not None
    assert done.twin.record.seats[1].faults
    assert done.told is not None
    assert done.told.otherwise is not None


def test_after_a_fault_in_the_first_match_the_twin_is_played_wholly(runner: Runner, write_bot: Any) -> None:
    done = both(runner, write_bot(ILLEGAL, "illegal"), write_bot("turn = play_on"), "greedy", "fair")
    assert done.told is not None
    assert done.told.whole == "a bot made a fault in the first match"


def test_a_bot_with_other_hooks_is_asked_other_things_so_its_match_is_played_wholly(
    runner: Runner, write_bot: Any
) -> None:
    plain = "from arena.games.board import *\nclass Player(BoardBot):\n"
    fewer = write_bot("def turn(self, view): return Draw() if view.rolled else Roll()", "fewer", head=plain)
    done = both(runner, write_bot("turn = play_on"), fewer, "greedy", "fair")
    assert done.told is not None
    assert done.told.whole == "the two versions have not the same hooks"


def test_a_bot_that_cannot_start_is_out_as_ever(runner: Runner, write_bot: Any) -> None:
    done = both(runner, "fair", write_bot("def start(self, start): 1 / 0"), "greedy", "hard")
    assert done.told is not None
    assert done.told.whole == "the new version failed at the start"


def test_a_bot_that_does_not_repeat_itself_is_found_out_and_the_twin_played_wholly(
    runner: Runner, write_bot: Any
) -> None:
    old, new = write_bot(OPENER.format(turn=9), "v7"), write_bot(OPENER.format(turn=14), "v8")
    first, second = (work_of([write_bot(FORGETFUL, "forgetful"), bot, "fair"]) for bot in (old, new))
    done = runner.play(msgspec.structs.replace(first, twin=Twin(spec=second.spec, bots=second.bots, seat=1)))
    assert done.told is not None
    assert done.told.unlike == "forgetful.py#0"
    assert done.twin is not None
    assert done.twin.record.asks > 0
