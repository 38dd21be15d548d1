"""Bots that consult models in a match: in this process or in their own, in Python or not, always to the same bytes."""

from __future__ import annotations

import sys
import threading
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest

from arena.bot import Limits
from arena.config.editions import Edition
from arena.consultation.backend import ModelUnreachable
from arena.consultation.match_desk import CassetteMode
from arena.consultation.model_spec import MatchModels
from arena.errors import MatchSuspended
from arena.executors.executor import play_all
from arena.executors.slots import Slots
from arena.finding.programs import refer_command
from arena.finding.reference import BotRef, find_file, refer_file
from arena.match.desk_of_work import ModelAccess
from arena.match.runner import Runner
from arena.match.walk.verify import verify_replay
from arena.match.work import Work, WorkResult
from arena.penalties import FaultKind
from arena.replay.frame import unpack_replay
from arena.replay.read import read_replay_lines
from arena.replay.seat_lines import seen_line
from arena.sandbox.demand import Demand
from arena.sandbox.probe import Level
from arena.storage.cassette_check import calls_in
from tests.conftest import small, spec_of, write_player
from tests.consultation.asking import FakeModel, live, models_for, write_asker

LIMITS = Limits(10.0, 5.0, 5.0, None)
NO_TIME = Limits(10.0, 1.0, 0.0, None)


def work_of(bots: list[BotRef], models: MatchModels | None = None, limits: Limits = LIMITS, **more: object) -> Work:
    """A short match of these bots, all of which may consult the model ``fast``."""
    edition: Edition = small(turns=6)
    models = models or models_for(len(bots))
    return Work(spec=spec_of(bots, edition, limits=limits), bots=tuple(bots), models=models, **more)  # type: ignore[arg-type]


def play_with(work: Work, backend: FakeModel, give_up: bool = False, apart: bool = True) -> WorkResult:
    """The match with calls of this backend."""
    with closing(Runner(access=ModelAccess(CassetteMode.RECORD, live(backend, give_up=give_up)))) as runner:
        return runner.play(work, apart)


@pytest.fixture
def asker(tmp_path: Path) -> BotRef:
    """The bot that asks a model at each offer."""
    return refer_file(str(write_asker(tmp_path)), None)


def test_a_match_is_the_same_bytes_in_slots_and_from_its_cassette_isolated_or_not(asker: BotRef) -> None:
    work = work_of([asker, find_file("greedy"), asker])
    backend = FakeModel(lambda text: f'{{"n": {len(text)}}}' if len(text) % 2 else "prose")
    with closing(Slots(2, ModelAccess(CassetteMode.RECORD, live(backend)))) as slots:
        (done,) = play_all(slots, [work])
    assert isinstance(done, WorkResult)
    replay, cassette = done.replay, done.cassette
    assert replay is not None
    assert cassette is not None
    verify_replay(replay)
    assert len(calls_in(replay)) == len(backend.asked) > 10
    assert b'"note":"unreadable"' not in replay
    asked = len(backend.asked)
    for demand in (Demand(), Demand(level=Level.NONE)):
        again = work_of([asker, find_file("greedy"), asker], recorded=unpack_replay(cassette), demand=demand)
        with closing(Runner()) as runner:
            result = runner.play(again)
        assert (result.replay, result.cassette) == (replay, cassette)
    assert len(backend.asked) == asked
    used = done.timing.seats[0].models
    assert isinstance(used, dict)
    assert used["fast"].prompt == 100 * used["fast"].calls
    assert done.timing.seats[1].models == {}


def test_no_seat_is_told_that_another_consults(asker: BotRef) -> None:
    replay = play_with(work_of([asker, find_file("greedy"), asker]), FakeModel()).replay
    assert replay is not None
    _, lines = read_replay_lines(replay)
    assert b'"event":"call"' in replay
    assert not any(type(seen_line(line, 1)).__name__ == "ModelCall" for line in lines)


def test_bots_of_one_phase_consult_at_the_same_time(tmp_path: Path) -> None:
    body = """\
    def offer(self, view):
        self.consult(Consult("", (ChatMessage("user", f"offer? {self.seat}"),)))
    """
    bot = refer_file(str(write_player(tmp_path, dedent(body), "together")), None)
    most, now, lock, both = [0], [0], threading.Lock(), threading.Event()

    def answer(text: str) -> str:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        if now[0] > 1:
            both.set()
        both.wait(3 if most[0] < 2 else 0)
        with lock:
            now[0] -= 1
        return "yes"

    play_with(work_of([bot] * 4), FakeModel(answer))
    assert most[0] > 1


def test_waiting_is_not_the_bots_time_but_the_models_work_is(asker: BotRef) -> None:
    bots = [asker, find_file("greedy"), find_file("fair")]
    waits = threading.Event()

    def slow(text: str) -> str:
        waits.wait(1.05 if not waits.is_set() else 0)
        waits.set()
        return '{"n": 1}'

    for apart in (True, False):
        waits.clear()
        demand = Demand() if apart else Demand(level=Level.NONE)
        waited = play_with(work_of(bots, limits=NO_TIME, demand=demand), FakeModel(slow), apart=apart)
        assert [seat.faults for seat in waited.record.seats] == [{}, {}, {}]
        worked = play_with(work_of(bots, limits=NO_TIME, demand=demand), FakeModel(slow, seconds=1.5), apart=apart)
        assert worked.record.seats[0].faults.keys() == {FaultKind.LATE}


def test_answers_of_no_use_are_a_fault_and_the_match_goes_on(asker: BotRef) -> None:
    work = work_of([asker, find_file("greedy"), find_file("fair")])
    one = play_with(work, FakeModel(lambda text: "prose"))
    assert one.record.seats[0].faults.keys() == {FaultKind.UNUSABLE}
    here = play_with(
        work_of(list(work.bots), demand=Demand(level=Level.NONE)), FakeModel(lambda text: "prose"), apart=False
    )
    assert here.replay == one.replay
    assert one.replay is not None
    verify_replay(one.replay)


def test_a_match_whose_model_is_out_of_reach_is_suspended_or_void_if_it_is_given_up(asker: BotRef) -> None:
    bots = [asker, find_file("greedy"), find_file("fair")]
    for demand, apart in ((Demand(), True), (Demand(level=Level.NONE), False)):
        with pytest.raises(MatchSuspended, match="out of reach: hangs"):
            play_with(work_of(bots, demand=demand), FakeModel(lambda text: ModelUnreachable("hangs")), apart=apart)
    done = play_with(work_of(bots), FakeModel(lambda text: ModelUnreachable("hangs")), give_up=True)
    assert done.record.void
    assert done.record.seats[0].faults.keys() == {FaultKind.UNREACHABLE}
    assert [seat.ended for seat in done.record.seats] == ["played"] * 3
    assert done.replay is not None
    verify_replay(done.replay)


def test_a_bot_in_a_match_without_models_is_told_so(asker: BotRef) -> None:
    bots = (asker, find_file("greedy"), find_file("fair"))
    with closing(Runner()) as runner:
        replays = [
            runner.play(Work(spec=spec_of(bots, small(turns=6)), bots=bots, demand=demand)).replay
            for demand in (Demand(), Demand(level=Level.NONE))
        ]
    assert replays[0] == replays[1]
    assert replays[0] is not None
    assert b'"note":"no-model"' in replays[0]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("self.consult('hello')", "consult takes a Consult, got an object of class str"),
        ("self.consult(Consult('', ('hello',)))", "Expected `object`, got `str`"),
        ("self.consult(Consult('', (ChatMessage('user', 'x' * 70_000),)))", "bytes as JSON; at most 64000"),
        ("self.consult(Consult('', (ChatMessage('user', 'x'),), {'pattern': '(a+)+'}))", "'pattern' is not supported"),
        ("self.consult(Consult('', (ChatMessage('god', 'x'),)))", "Invalid enum value 'god'"),
    ],
)
def test_a_request_that_is_none_is_the_bots_error(tmp_path: Path, code: str, told: str) -> None:
    bot = refer_file(str(write_player(tmp_path, f"def turn(self, view):\n    {code}\n", "wrong")), None)
    work = work_of([bot, find_file("greedy"), find_file("fair")], demand=Demand(level=Level.NONE))
    replay = play_with(work, FakeModel(), apart=False).replay
    assert replay is not None
    assert told.encode() in replay.replace(b"\\u0060", b"`")


def test_a_model_cannot_be_consulted_at_the_start(tmp_path: Path) -> None:
    body = "def start(self, start):\n    self.consult(Consult('', (ChatMessage('user', 'x'),)))\n"
    bot = refer_file(str(write_player(tmp_path, body, "early")), None)
    for demand, apart in ((Demand(), True), (Demand(level=Level.NONE), False)):
        replay = play_with(
            work_of([bot, find_file("greedy"), find_file("fair")], demand=demand), FakeModel(), apart=apart
        ).replay
        assert replay is not None
        assert b"a model can be consulted at an ask only" in replay


PROGRAM = """\
import json, sys
def tell(**message): print(json.dumps(message), flush=True)
tell(type="hello", protocol=2, games=["board"], hooks=["offer"])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        tell(type="reply", id=0)
    elif message["type"] == "ask":
        asked = message["id"]
        tell(type="consult", id=asked BEHIND, messages=[{"role": "user", "content": "and?"}])
    elif message["type"] == "consulted":
        tell(type="reply", id=asked, note=message["consulted"].get("text", ""))
"""


@pytest.mark.parametrize(("behind", "told"), [("", b'"note":"no idea"'), ("+ 1", b"the consultation is for ask")])
def test_a_program_consults_in_json(tmp_path: Path, behind: str, told: bytes) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("BEHIND", behind))
    program = refer_command([sys.executable, str(tmp_path / "program.py")])
    replay = play_with(
        work_of([program, find_file("greedy"), find_file("fair")]), FakeModel(lambda text: "no idea")
    ).replay
    assert replay is not None
    assert told in replay
