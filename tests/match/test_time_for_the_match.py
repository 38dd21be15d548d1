"""The clock for the whole match: what all asks together may take, and what becomes of who takes more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Limits, Start
from arena.commands.run.estimate import longest_duration
from arena.finding.reference import refer_file
from arena.games.board import Roll
from arena.isolation.worker.fork_server import ForkServers
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import OUT_OF_TIME
from arena.match.refereeing.seat_time import LateAsk
from arena.match.walk.verify import verify_replay
from arena.penalties import FaultKind
from arena.players.faults import ENDED_EVIDENCE, Fault
from arena.players.player import TimedAnswer
from arena.players.scripted import ScriptedPlayer
from arena.replay.formats import FORMATS
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines
from tests.conftest import play, small, spec_of

LATE = Fault(FaultKind.LATE, ENDED_EVIDENCE[FaultKind.LATE])


class Thinker(ScriptedPlayer):
    """Rolls whenever it can, and thinks for so many seconds about each turn; no longer than it may."""

    def __init__(self, seconds: float, gone: bool = False) -> None:
        super().__init__({"turn": [Roll(), Roll()]}, seconds)
        self.gone, self.limits = gone, list[float]()

    def take(self, limit: float) -> TimedAnswer:
        self.limits.append(limit)
        answered = super().take(limit)
        if self.seconds > limit:
            return TimedAnswer(None, LATE, limit, gone=self.gone, computed=0.0)
        return answered


def faults(result: MatchResult) -> list[Faulted]:
    return [line for line in read_replay_lines(result.replay)[1] if isinstance(line, Faulted) and line.seat == 0]


def test_a_bot_that_answers_every_ask_just_in_time_cannot_make_a_match_last_for_ever(refereed: Any) -> None:
    slow = Thinker(0.9)
    result = refereed(
        slow, ScriptedPlayer({}), ScriptedPlayer({}), edition=small(turns=300), limits=Limits(), strikes=10**6
    )
    told = [line for line in faults(result) if line.kind is not FaultKind.ILLEGAL]
    assert [(line.kind, line.evidence, line.out) for line in told] == [(FaultKind.OVERTIME, OUT_OF_TIME.evidence, True)]
    assert result.times[0].total == pytest.approx(60.0)
    assert result.times[0].asks == 67  # the last had 0.6 s left
    assert result.seats[0].ended == "struck-out"
    verify_replay(result.replay)


def test_an_ask_has_its_limit_and_the_rest_of_the_bank_but_no_more_than_is_left_of_the_match(refereed: Any) -> None:
    slow = Thinker(1.5)
    result = refereed(slow, ScriptedPlayer({}), ScriptedPlayer({}), limits=Limits(1.0, 1.0, 1.25, 4.0), strikes=99)
    assert slow.limits[:3] == [2.25, 1.75, 1.0]  # twice 0.5 of the bank; and of the match 4.0, 2.5, 1.0
    (fault,) = [line for line in faults(result) if line.kind is FaultKind.OVERTIME]
    assert slow.limits[3:] == []
    (late,) = result.times[0].late
    assert late == LateAsk(fault.ask, "turn", 1.0, 0.0, 1.0, 0.25, 1.0)


def test_who_is_late_with_time_left_for_the_match_is_late_and_stays(refereed: Any) -> None:
    slow = Thinker(1.5)
    result = refereed(slow, ScriptedPlayer({}), ScriptedPlayer({}), limits=Limits(1.0, 1.0, 0.0, 3.5), strikes=99)
    kinds = [(line.kind, line.out) for line in faults(result)]
    assert kinds == [(FaultKind.LATE, False)] * 3 + [(FaultKind.OVERTIME, True)]
    assert [late.match for late in result.times[0].late] == [3.5, 2.5, 1.5, 0.5]


def test_without_a_limit_for_the_match_only_each_ask_is_limited(refereed: Any) -> None:
    slow = Thinker(500.0)
    result = refereed(slow, ScriptedPlayer({}), ScriptedPlayer({}), limits=Limits(1.0, 500.0, 0.0, None))
    assert set(slow.limits) == {500.0}
    assert not [line for line in faults(result) if line.kind is not FaultKind.ILLEGAL]
    assert result.times[0].total > 1000.0
    assert json.loads(result.replay.splitlines()[0])["limits"]["match"] is None
    verify_replay(result.replay)


@pytest.mark.parametrize(("policy", "ended"), [("substitute", "struck-out"), ("forfeit", "forfeit")])
def test_overtime_is_told_alike_whether_or_not_there_was_a_process_to_end(
    policy: str, ended: str, refereed: Any
) -> None:
    with_process, without = (
        refereed(Thinker(0.3, gone), ScriptedPlayer({}), limits=Limits(1.0, 1.0, 0.0, 0.5), policy=policy)
        for gone in (True, False)
    )
    assert with_process.replay == without.replay
    assert with_process.seats[0].ended == ended
    assert with_process.seats[0].faults == {FaultKind.OVERTIME: 1}


@pytest.mark.slow
def test_a_bot_is_out_of_time_in_this_process_as_in_one_of_its_own(write_bot: Any) -> None:
    path: Path = write_bot(
        """
        def start(self, start):
            assert (self.limits.match, start.limits.match) == (1.5, 1.5)
            self.asked = 0

        def turn(self, view):
            self.asked += 1
            if self.asked == 3:
                time.sleep(60)
            return self.play_on(view)
        """
    )
    refs = [refer_file(str(path), None)] * 3
    spec = spec_of(refs, limits=Limits(20.0, 10.0, 10.0, 1.5))
    with ForkServers() as servers:
        results = [play(spec, refs), play(spec, refs, UNLOCKED_POLICY, servers=servers)]
    assert results[0].replay == results[1].replay
    for result in results:
        assert [seat.faults for seat in result.seats] == [{FaultKind.OVERTIME: 1}] * 3
        assert all(1.5 <= time.total < 5.0 for time in result.times)


def test_bots_are_told_of_the_limit(refereed: Any) -> None:
    player = ScriptedPlayer({})
    refereed(player, ScriptedPlayer({}), limits=Limits(match=7.5))
    assert isinstance(player.told[0], Start)
    assert player.told[0].limits.match == 7.5


def test_a_format_that_knows_no_limit_for_the_match_is_played_without_one() -> None:
    golden = Path(__file__).parents[1] / "golden" / "0.1.0" / "outline-4p.jsonl"
    header, _ = read_replay_lines(golden.read_bytes())
    assert header.format == FORMATS[0]
    assert header.limits == Limits(match=None)


def test_how_long_a_run_can_take_is_reckoned_from_its_limits() -> None:
    limits = Limits(10.0, 0.5, 5.0, 30.0)
    assert longest_duration(limits, [(600, 4)], 2) == 300.5 * 4 * 40.5  # the example of the page
    assert longest_duration(limits, [(1, 2), (1, 6)], 1) == 8 * 40.5
    assert longest_duration(Limits(match=None), [(600, 4)], 2) is None
