"""Branches of a recorded match: taken to an ask, changed there, and played on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.finding.reference import BotRef, find_file, refer_file
from arena.match.following.branch import Branch, BranchAnswer
from arena.match.match_spec import spec_from
from arena.match.runner import Runner
from arena.match.walk.timeline import Timeline
from arena.match.walk.verify import verify_replay
from arena.match.work import Work, WorkResult
from arena.replay.frame import pack_replay
from arena.replay.lines import Answered, Faulted
from arena.replay.read import read_replay_lines, rules_of

NAMES = ("dealmaker", "greedy", "fair")
COUNTS = """
def start(self, start): self.asked = 0
def turn(self, view):
    self.asked += 1
    return Reply(self.play_on(view), say=f"{self.asked} {self.random.random()}")
def accept(self, view):
    self.asked += 1
    return self.asked % 3 == 0 and self.refusal(view, Yes()) is None
"""
FAULTY = """
def turn(self, view):
    if view.turn < 4: 1 / 0
    if view.turn < 8: return Yes()
    return self.play_on(view)
"""
REFUSED = """
def turn(self, view):
    if view.turn < 8: return Reply(Roll() if view.rolled else Draw(), say="please")
    return self.play_on(view)
"""
FORGETFUL = """
def turn(self, view): return Reply(self.play_on(view), say=os.urandom(8).hex())
"""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    runner = Runner()
    yield runner
    runner.close()


def refs_of(*bots: str | Path) -> tuple[BotRef, ...]:
    return tuple(find_file(bot) if isinstance(bot, str) else refer_file(str(bot), None) for bot in bots)


def branch(replay: bytes, bots: tuple[BotRef, ...], runner: Runner, apart: bool = False, **more: Any) -> WorkResult:
    header = read_replay_lines(replay)[0]
    work = Work(spec=spec_from(header, rules_of(header)), bots=bots, branch=Branch(replay=pack_replay(replay), **more))
    return runner.play(work, apart)


def asks_of(replay: bytes) -> int:
    asks: int = read_replay_lines(replay)[1][-1].asks  # type: ignore[attr-defined]
    return asks


@pytest.mark.parametrize("apart", [False, True], ids=["here", "isolated"])
def test_a_branch_that_changes_nothing_is_the_match_byte_for_byte_wherever_it_begins(
    apart: bool, contest: Any, write_bot: Any, runner: Runner
) -> None:
    bots = (write_bot(COUNTS, "counting"), write_bot(FAULTY, "faulty"), "dealmaker", "random-legal")
    replay = contest(*bots, strikes=9).replay
    assert {line.seat for line in read_replay_lines(replay)[1] if isinstance(line, Faulted)} == {1}
    last = asks_of(replay)
    for ask in (1, last // 3, last // 2, last) if apart else (1, 2, *range(3, last, last // 6), last):
        done = branch(replay, refs_of(*bots), runner, apart, ask=ask)
        assert done.replay == replay, ask
        assert done.branched is not None
        assert done.branched.unrepeated == ()


def test_another_move_is_played_at_that_ask_and_everything_before_stays(contest: Any, runner: Runner) -> None:
    replay = contest(*NAMES).replay
    lines = read_replay_lines(replay)[1]
    at = next(at for at, line in enumerate(lines) if isinstance(line, Answered) and line.hook == "turn" and at > 60)
    line = lines[at]
    assert isinstance(line, Answered)
    found = Timeline(replay).ask(line.ask)
    assert found is not None
    other = next(move for move in found.legal if move != found.played)
    done = branch(
        replay,
        refs_of(*NAMES),
        runner,
        ask=line.ask,
        answer=BranchAnswer.GIVEN,
        move=msgspec.json.encode(other),
        say="else",
    )
    assert done.replay is not None
    branched = done.replay.split(b"\n")
    assert branched[:at] == replay.split(b"\n")[:at]
    changed = read_replay_lines(done.replay)[1][at]
    assert isinstance(changed, Answered)
    assert (changed.ask, changed.move, changed.say) == (line.ask, msgspec.Raw(msgspec.json.encode(other)), "else")
    verify_replay(done.replay)


def test_chance_falls_anew_after_the_ask_and_alike_in_branches_with_one_seed(contest: Any, runner: Runner) -> None:
    replay = contest(*NAMES).replay
    ask = asks_of(replay) // 3

    def lines(**more: Any) -> list[bytes]:
        content = branch(replay, refs_of(*NAMES), runner, ask=ask, **more).replay
        assert content is not None
        return content.split(b"\n")

    found = Timeline(replay).ask(ask)
    assert found is not None
    before = found.phase.decisions.start - 1
    one, two = lines(chance="one"), lines(chance="two")
    assert one == lines(chance="one")
    assert one[:before] == two[:before] == replay.split(b"\n")[:before]
    assert one != two
    rolls = [line for line in one[before:] if b'"chance"' in line]
    other = lines(chance="one", answer=BranchAnswer.GIVEN, move=msgspec.json.encode(found.played))
    assert [line for line in other[before:] if b'"chance"' in line] == rolls


def test_a_bot_that_takes_over_knows_what_happened_before(contest: Any, write_bot: Any, runner: Runner) -> None:
    replay = contest(*NAMES).replay
    seat, ask = next(
        (line.seat, line.ask)
        for line in read_replay_lines(replay)[1][80:]
        if isinstance(line, Answered) and line.hook == "turn"
    )
    path = write_bot(COUNTS, "counting")
    bots = list(refs_of(*NAMES))
    bots[seat] = refs_of(path)[0]
    done = branch(replay, tuple(bots), runner, ask=ask, answer=BranchAnswer.OWN)
    assert done.branched is not None
    asked, drawn = done.branched.said.split()
    assert int(asked) > 3
    assert done.branched.unrepeated[0].seat == seat
    assert done.branched.unrepeated[0].ask < ask
    assert done.replay is not None
    said = {line.ask: (line.seat, line.say) for line in read_replay_lines(done.replay)[1] if isinstance(line, Answered)}
    assert said[ask] == (seat, f"{asked} {drawn}")


def test_a_bot_that_takes_over_answers_all_that_its_seat_is_asked_in_that_phase(
    contest: Any, write_bot: Any, runner: Runner
) -> None:
    """A seat is asked to accept each offer made to it, all in one phase."""
    bots = ("dealmaker", "greedy", "fair", "hard", "greedy")
    replay = contest(*bots).replay
    phases = [phase for phase in Timeline(replay).phases() if phase.asks[0].hook == "accept"]
    phase, seat = next(
        (phase, ask.seat)
        for phase in phases
        for ask in phase.asks
        if sum(each.seat == ask.seat for each in phase.asks) > 1
    )
    numbers = [number for number, ask in enumerate(phase.asks, phase.first) if ask.seat == seat]
    refs = list(refs_of(*bots))
    refs[seat] = refs_of(write_bot("def accept(self, view): return Reply(No(), say='mine')", "refuses"))[0]
    done = branch(replay, tuple(refs), runner, ask=numbers[0], answer=BranchAnswer.OWN)
    assert done.replay is not None
    said = [line.ask for line in read_replay_lines(done.replay)[1] if isinstance(line, Answered) and line.say == "mine"]
    assert said[: len(numbers)] == numbers


def test_bots_that_do_not_repeat_themselves_are_named(contest: Any, write_bot: Any, runner: Runner) -> None:
    bots = ("greedy", write_bot(FORGETFUL, "forgetful"), "fair")
    replay = contest(*bots).replay
    done = branch(replay, refs_of(*bots), runner, ask=asks_of(replay) // 2)
    assert done.branched is not None
    ((seat, ask),) = done.branched.unrepeated
    assert seat == 1
    first = next(
        line for line in read_replay_lines(replay)[1] if isinstance(line, Answered) and line.seat == 1 and line.say
    )
    assert ask == first.ask


def test_a_bot_whose_refused_answers_came_with_words_that_no_replay_holds_repeats_itself(
    contest: Any, write_bot: Any, runner: Runner
) -> None:
    bots = ("greedy", write_bot(REFUSED, "refused"), "fair")
    replay = contest(*bots, strikes=99).replay
    assert b'"kind":"illegal"' in replay
    assert b"please" not in replay
    done = branch(replay, refs_of(*bots), runner, ask=asks_of(replay))
    assert done.replay == replay
    assert done.branched is not None
    assert done.branched.unrepeated == ()


def test_a_bot_that_dies_while_it_is_asked_again_fails_from_there_on(
    contest: Any, write_bot: Any, runner: Runner
) -> None:
    bots = ("greedy", write_bot("def turn(self, view): return self.play_on(view)", "fine"), "fair")
    replay = contest(*bots).replay
    deadly = write_bot("def turn(self, view): os._exit(1)", "deadly")
    refs = refs_of(bots[0], deadly, bots[2])
    done = branch(replay, refs, runner, True, ask=asks_of(replay) // 2)
    seats = done.record.seats
    assert [sum(seat.faults.values()) for seat in seats] == [0, 1, 0]
    assert set(seats[1].faults) == {"dead"}
