"""The recorded asks of a seat, put again to a bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from arena.finding.reference import BotRef, find_file, refer_file
from arena.isolation.worker.fork_server import ForkServer
from arena.match.isolated_match import UNLOCKED_POLICY, BotHost, play_isolated
from arena.match.walk.record_walk import RecordedPhase
from arena.match.walk.timeline import Timeline
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.inprocess import InProcessPlayer
from arena.players.scripted import ScriptedPlayer
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines
from tests.conftest import small, spec_of
from tests.match.refeeding import refeed, refeed_here, refeed_isolated

TALKER = """
def turn(self, view): return Reply(self.play_on(view), say=f"turn {view.turn}", note="secret")
"""
FAULTY = """
def turn(self, view):
    if view.turn == 3: return Draw() if not view.rolled else Open()
    if view.turn > 8: 1 / 0
    return self.play_on(view)
"""


class Watched:
    """Keeps everything that the bot of another player is told and asked."""

    def __init__(self, *given: Any) -> None:
        self.player = InProcessPlayer(*given)
        self.seen: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.player, name)

    def start(self, start: Any) -> Any:
        self.seen.append(start)
        return self.player.start(start)

    def post(self, hook: Any, view: Any, limit: float, number: int = 0) -> None:
        self.seen.append((hook.name, view))
        self.player.post(hook, view, limit, number)


@pytest.fixture
def server() -> Iterator[ForkServer]:
    server = ForkServer(UNLOCKED_POLICY)
    yield server
    server.close()


def ref_of(path: Path) -> BotRef:
    return refer_file(str(path), None)


@pytest.mark.parametrize("seat", range(4))
def test_the_bot_is_told_and_shown_exactly_what_it_was_in_the_match(
    seat: int, contest: Any, write_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    players: list[Watched] = []

    def watched(*given: Any) -> Watched:
        players.append(Watched(*given))
        return players[-1]

    monkeypatch.setattr("arena.match.runner.InProcessPlayer", watched)
    monkeypatch.setattr("tests.match.refeeding.InProcessPlayer", watched)
    bots = [write_bot(TALKER), write_bot(FAULTY, "faulty"), "dealmaker", "fair"]
    replay = contest(*bots).replay
    bot = ref_of(bots[seat]) if seat < 2 else find_file(bots[seat])
    refed = refeed_here(replay, seat, bot)
    assert players[4].seen == players[seat].seen
    assert refed.asks == len(players[4].seen) - 1 > 10


def test_a_bot_that_repeats_itself_answers_as_recorded_in_this_process_and_in_its_own(
    contest: Any, server: ForkServer
) -> None:
    replay = contest("dealmaker", "greedy", "fair").replay
    for seat, name in enumerate(("dealmaker", "greedy", "fair")):
        here, apart = refeed_here(replay, seat, find_file(name)), refeed_isolated(replay, seat, find_file(name), server)
        assert here.same
        assert here.asks > 10
        assert apart == here


def test_another_bot_answers_otherwise_and_the_match_goes_on_as_recorded(contest: Any) -> None:
    replay = contest("dealmaker", "greedy", "fair").replay
    every = refeed_here(replay, 0, find_file("greedy"))
    assert every.asks == refeed_here(replay, 0, find_file("dealmaker")).asks
    assert 1 < len(every.differences) < every.asks
    assert [each.number for each in every.differences] == sorted({each.number for each in every.differences})


def test_other_words_are_another_answer_but_other_notes_are_not(contest: Any, write_bot: Any) -> None:
    replay = contest(write_bot(TALKER), "silent", "silent").replay
    assert refeed_here(replay, 0, ref_of(write_bot(TALKER.replace("secret", "other"), "noted"))).same
    said = refeed_here(replay, 0, ref_of(write_bot(TALKER.replace("turn {", "now {"), "said")))
    assert {each.hook for each in said.differences} == {"turn"}


def test_faults_are_differences_unless_the_rules_refused_the_same_reply(contest: Any, write_bot: Any) -> None:
    path = write_bot(FAULTY)
    replay = contest(path, "silent", "silent", strikes=100).replay
    refed = refeed_here(replay, 0, ref_of(path))
    assert {each.answered.fault.kind for each in refed.differences if each.answered.fault} == {FaultKind.BROKEN}
    assert all(each.recorded.fault is not None for each in refed.differences)  # so the illegal one is the same


def test_a_late_answer_is_never_the_same(contest: Any) -> None:
    replay = contest("silent", "silent", "silent").replay
    assert refeed(replay, 0, ScriptedPlayer({})).same
    late = ScriptedPlayer({"turn": [Fault(FaultKind.LATE, "no reply in time")]})
    refed = refeed(replay, 0, late)
    assert refed.differences
    assert {each.hook for each in refed.differences} == {"turn"}


def test_nothing_is_asked_after_the_recorded_bot_was_out(contest: Any, write_bot: Any) -> None:
    replay = contest(write_bot(FAULTY), "silent", "silent", strikes=1).replay
    whole = contest(write_bot(FAULTY), "silent", "silent", strikes=100).replay
    player = ScriptedPlayer({})
    assert 0 < refeed(replay, 0, player).asks < refeed(whole, 0, ScriptedPlayer({})).asks


def test_a_bot_that_fails_at_the_start_is_not_asked(contest: Any, write_bot: Any) -> None:
    replay = contest("silent", "silent", "silent").replay
    refed = refeed_here(replay, 0, ref_of(write_bot("def start(self, start): 1 / 0")))
    assert (refed.asks, refed.same) == (0, False)
    assert refed.start is not None
    assert refed.start.kind is FaultKind.BROKEN


def test_a_bot_whose_process_is_gone_answers_nothing_any_more(contest: Any, write_bot: Any, server: ForkServer) -> None:
    replay = contest("silent", "silent", "silent").replay
    refed = refeed_isolated(replay, 1, ref_of(write_bot("def turn(self, view): os._exit(1)")), server)
    assert refed.asks == refeed(replay, 1, ScriptedPlayer({})).asks
    assert {each.answered.fault.kind for each in refed.differences if each.answered.fault} == {FaultKind.DEAD}
    after = [each for each in refed.differences if each.number > refed.differences[0].number]
    assert len(after) == len(refed.differences) - 1 > 0


def test_there_is_no_such_seat(contest: Callable[..., Any]) -> None:
    with pytest.raises(UserError, match="expected a seat from 0 to 2, got 3"):
        refeed(contest("silent", "silent", "silent").replay, 3, ScriptedPlayer({}))


PEEKS = """
def start(self, start): self.seen = 0
def peek(self):
    time.sleep(0.02)
    import select
    self.seen += bool(select.select([3], [], [], 0)[0])
def turn(self, view):
    self.peek()
    return Reply(self.play_on(view), say=f"{self.seen} asks are known to come")
"""


@pytest.mark.slow
def test_a_bot_that_is_asked_again_finds_no_ask_before_its_time(write_bot: Any, server: ForkServer) -> None:
    """Else it could tell that it is checked, and read what it answered then in the news of the next ask."""
    bot = ref_of(write_bot(PEEKS))
    refs = [bot, find_file("silent"), find_file("silent")]
    replay = play_isolated(
        spec_of(refs, edition=small(turns=6)), tuple(refs), BotHost(server), lambda printed: None
    ).replay
    assert b"0 asks are known to come" in replay
    refed = refeed_isolated(replay, 0, bot, server)
    assert refed.same
    assert refed.asks > 1


def test_a_seat_that_goes_out_in_the_middle_of_a_phase_is_asked_again_up_to_there(contest: Any, write_bot: Any) -> None:
    path = write_bot("def accept(self, view): 1 / 0")
    bots = (path, "greedy", "fair", "hard", "dealmaker")
    for seed in map(str, range(20)):
        result = contest(*bots, seed=seed, strikes=1)
        out = [line for line in read_replay_lines(result.replay)[1] if isinstance(line, Faulted)]
        phases = [phase for phase in Timeline(result.replay).phases() if out and out[0].ask in _numbers(phase)]
        if phases and any(ask.seat == 0 and n > out[0].ask for n, ask in enumerate(phases[0].asks, phases[0].first)):
            refed = refeed_here(result.replay, 0, ref_of(path))
            assert refed.differences[-1].number == out[0].ask
            assert refed.differences[-1].answered.fault is not None
            return
    raise AssertionError("no match in which it is asked more in that phase")


def _numbers(phase: RecordedPhase) -> range:
    return range(phase.first, phase.first + len(phase.asks))
