"""Bots in processes of their own: the same replays as in this one, and every misdeed the right fault of the right seat.

What is late is ended in time, and after a match nothing is left running.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Limits
from arena.config.editions import load_edition
from arena.finding.programs import refer_command
from arena.finding.reference import BotRef, find_file, refer_file
from arena.isolation.worker.fork_server import ForkServers
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.refereeing.match_result import MatchResult
from arena.match.walk.verify import verify_replay
from arena.match.work import SeatOutput
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import policy_here, probe_layers
from tests import conftest
from tests.attacks import system
from tests.conftest import small, spec_of
from tests.players.forked import in_a_fork

POLICY = policy_here(SandboxPolicy(memory=256))
LOCKED = {Layer.LANDLOCK, Layer.SECCOMP} <= {each.layer for each in probe_layers() if each.holds}
NOT_TO_BE_READ = "broken" if POLICY.around else "refused"  # inside of bubblewrap it is not there
SERVERS = ForkServers()
play = partial(conftest.play, servers=SERVERS)
SHORT = Limits(start=20.0, ask=0.3, bank=0.0)
"""For bots that take for ever, beside such that are not asked."""


@pytest.fixture(scope="module", autouse=True)
def servers() -> Iterator[None]:
    yield
    SERVERS.close()


def contest(*bots: Path | str | BotRef, policy: SandboxPolicy = POLICY, **more: Any) -> MatchResult:
    refs = tuple(
        bot if isinstance(bot, BotRef) else refer_file(str(bot), None) if isinstance(bot, Path) else find_file(bot)
        for bot in bots
    )
    spec = spec_of(refs, **more)
    verified = play(spec, refs, policy=policy)
    verify_replay(verified.replay)
    assert children() == []
    return verified


def children() -> list[int]:
    """The processes that the fork server has left."""
    return system.children(system.fork_server(SERVERS.server_for(POLICY).pid))


def faults(result: MatchResult) -> list[dict[str, Any]]:
    """Those of seat 1; no other has any."""
    found = all_faults(result)
    assert {line["seat"] for line in found} <= {1}
    return found


def all_faults(result: MatchResult) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in result.replay.splitlines()]
    return [line for line in lines if line["event"] == "fault"]


def test_deterministic_bots_give_the_same_replay_in_every_way() -> None:
    refs = tuple(find_file(name) for name in ("dealmaker", "random-legal", "hoarder", "saboteur"))
    spec = spec_of(refs)
    assert play(spec, refs).replay == play(spec, refs, policy=POLICY).replay


ALIKE = {
    "an exception": "def turn(self, view): raise ValueError('no idea')",
    "an exit": "def turn(self, view): sys.exit(3)",
    "an unprintable exception": (
        "def turn(self, view):\n    class Odd(Exception):\n        def __str__(self): raise ValueError\n    raise Odd"
    ),
    "no move": "def turn(self, view): return 'roll'",
    "a bad field": "def turn(self, view): return Open(lay=(True,))",
    "a say that is too long": "def turn(self, view): return Reply(Roll(), say='x' * 201)",
    "an illegal move": "def turn(self, view): return Roll() if view.rolled else Draw()",
    "a lowered recursion limit": "def turn(self, view):\n    sys.setrecursionlimit(60)\n    return self.play_on(view)",
    "an exception at the start": "def start(self, start): 1 / 0",
    "an exception in the file": "1 / 0",
    "talk": "def turn(self, view): return Reply(self.play_on(view), say='Grüße', note='\\u2028')",
    "a move of 100 kB": "def turn(self, view): return Open(tuple(Family) * 20_000)",
}


def several(bodies: Sequence[str], write_bot: Any) -> list[Path]:
    """A bot for each body."""
    return [write_bot(body, f"bot{number}") for number, body in enumerate(bodies)]


@pytest.mark.parametrize("first", range(0, len(ALIKE), 4))
def test_what_repeats_is_the_same_line_in_the_replay_here_and_apart(first: int, write_bot: Any) -> None:
    bots = several([*ALIKE.values()][first : first + 4], write_bot)
    refs = (find_file("greedy"), *(refer_file(str(bot), None) for bot in bots))
    spec = spec_of(refs, edition=small(turns=11))
    here, apart = play(spec, refs), play(spec, refs, policy=POLICY)
    for one, other in zip(here.replay.splitlines(), apart.replay.splitlines(), strict=True):
        assert one == other


def test_an_exit_at_the_finish_is_no_fault(write_bot: Any) -> None:
    assert faults(contest("greedy", write_bot("def finish(self, finish): os._exit(1)"))) == []


DEATHS = {
    "os._exit": "os._exit(0)",
    "a crash": "import ctypes; ctypes.string_at(0)",
    "a signal to itself": "os.kill(os.getpid(), signal.SIGKILL)",
    "closing everything": "os.closerange(0, 64); time.sleep(9)",
}


def test_a_bot_that_ends_its_process_is_dead(write_bot: Any) -> None:
    result = contest("silent", *several([f"def turn(self, view): {code}" for code in DEATHS.values()], write_bot))
    found = {line["seat"]: (line["kind"], line["out"], line["evidence"]) for line in all_faults(result)}
    dead = ("dead", True, "the process ended while the bot was thinking")
    assert found == {seat: dead for seat, _ in enumerate(DEATHS, 1)}
    assert len(all_faults(result)) == len(DEATHS)


LATE = {
    "sleeping": "time.sleep(9)",
    "a loop that catches everything": (
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass"
    ),
    "a loop in C": "sum(range(10 ** 18))",
    "ignoring signals": "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)); time.sleep(9)",
}


@pytest.mark.parametrize("what", LATE)
def test_a_late_bot_is_ended_in_time_with_its_process(what: str, write_bot: Any) -> None:
    bot = write_bot(f"def turn(self, view):\n    {LATE[what]}")
    result = contest("silent", bot, limits=SHORT)
    (fault,) = faults(result)
    assert (fault["kind"], fault["out"]) == ("late", True)
    assert 0.3 <= result.times[1].worst < 3.0


@pytest.mark.slow
def test_slow_bots_think_at_the_same_time(write_bot: Any) -> None:
    body = """
    def turn(self, view):
        return Open() if view.turn == 1 and self.refusal(view, Open()) is None else self.play_on(view)
    def offer(self, view):
        began = time.monotonic()
        time.sleep(1.0)
        print(began, time.monotonic())
    """
    printed: list[SeatOutput] = []
    ref = refer_file(str(write_bot(body)), None)
    result = play(spec_of([ref] * 3), [ref] * 3, policy=POLICY, printed=printed.append)
    assert [seat.faults for seat in result.seats] == [{}] * 3
    assert all(seat.worst > 0.5 for seat in result.times)  # what was waited for a core just after is taken off
    spans = [[tuple(map(float, line.split())) for line in each.text.splitlines()] for each in printed]
    phases = list(zip(*spans, strict=True))
    assert phases
    assert any(max(began for began, _ in each) < min(ended for _, ended in each) for each in phases)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes cannot be kept to a core here")
def test_bots_that_share_a_core_are_not_charged_for_waiting_for_it(write_bot: Any) -> None:
    body = """
    def turn(self, view):
        return Open() if view.turn == 1 and self.refusal(view, Open()) is None else self.play_on(view)
    def offer(self, view):
        before = time.process_time()
        while time.process_time() < before + 0.08: pass
    """
    refs, cores = [refer_file(str(write_bot(body)), None)] * 4, os.sched_getaffinity(0)
    edition = load_edition("eagle-gryphon", changes={"max_turns": 1, "max_ticks": 1})
    spec = spec_of(refs, edition=edition, limits=Limits(30.0, 0.2, 0.0))
    os.sched_setaffinity(0, {min(cores)})
    try:
        with ForkServers() as servers:
            result = conftest.play(spec, refs, policy=POLICY, servers=servers)
    finally:
        os.sched_setaffinity(0, cores)
    assert [seat.faults for seat in result.seats] == [{}] * 4


def play_in_a_crowd(bot: BotRef, seconds: float, servers: ForkServers) -> tuple[list[list[str]], list[list[Any]]]:
    """The faults of a bot whose starts may take so long, and its late answers, in a match on a core that it shares with
    two processes that never rest until it has started."""
    refs = bot, find_file("silent")
    spec = spec_of(refs, edition=small(turns=1), limits=Limits(seconds, 10.0, 0.0))
    servers.server_for(POLICY).warm_up(spec.game, spec.rules, len(refs))
    crowd = []
    for _ in range(2):
        crowd.append(os.fork())
        if not crowd[-1]:
            os.setsid()  # a share of the core of its own, as each bot has, where sessions are scheduled as groups
            began = time.process_time()
            while os.getppid() > 1 and time.process_time() < began + 0.7:
                pass  # longer than the bot takes to start
            time.sleep(60)
            os._exit(0)
    try:
        result = conftest.play(spec, refs, policy=POLICY, servers=servers)
    finally:
        for each in crowd:
            os.kill(each, signal.SIGKILL)
            os.waitpid(each, 0)
    late = [[each.ask, each.hook] for each in result.times[0].late]
    fault = [line for line in map(json.loads, result.replay.splitlines()) if line["event"] == "fault"]
    return [[line["kind"], line["hook"]] for line in fault], late


def start_in_crowds(bots: Sequence[BotRef], limits: Sequence[float]) -> list[Any]:
    """The same for each bot and each limit, on one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with ForkServers() as servers:
        return [[play_in_a_crowd(bot, seconds, servers) for seconds in limits] for bot in bots]


STARTING_BOT = """
def start(self, start):
    before = time.process_time()
    while time.process_time() < before + 0.12: pass
"""
STARTING_PROGRAM = """
import sys, time
sys.stdin.readline()
while time.process_time() < 0.12: pass
print('{"type":"hello","protocol":2}\\n{"type":"reply","id":0}', flush=True)
sys.stdin.read()
"""
"""A bot and a program that compute for 0.12 s at their start."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes cannot be kept to a core here")
def test_a_bot_that_starts_in_a_crowd_is_charged_for_what_it_computes_and_not_for_waiting_for_a_core(
    tmp_path: Path, write_bot: Any
) -> None:
    program = tmp_path / "program.py"
    program.write_text(STARTING_PROGRAM)
    words = [os.path.realpath(sys.executable), "-S", str(program)]
    bots = refer_file(str(write_bot(STARTING_BOT)), None), refer_command(words)
    found = in_a_fork(lambda: start_in_crowds(bots, (0.35, 0.07)))  # time enough, and too little
    enough, too_little = [[], []], [[["late", "start"]], [[0, "start"]]]
    assert found == [[enough, too_little]] * 2


@pytest.mark.parametrize("hook", ["start", "turn"])
def test_a_bot_that_pretends_to_be_late_is_broken(hook: str, write_bot: Any) -> None:
    bot = write_bot(f"def {hook}(self, view):\n    from arena.players.watch import Overrun\n    raise Overrun")
    fault, *_ = faults(contest("silent", bot))
    assert (fault["hook"], fault["kind"]) == (hook, "broken")


def test_threads_that_keep_each_other_waiting_buy_no_time(write_bot: Any) -> None:
    body = """
    def turn(self, view):
        import threading, hashlib
        for _ in range(2):
            threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"", b"", 10 ** 8), daemon=True).start()
        hashlib.pbkdf2_hmac("sha256", b"", b"", 10 ** 8)
    """
    result = contest("silent", write_bot(body), limits=SHORT)
    (late,) = result.times[1].late
    assert late.seconds < 5
    assert late.computed is None or late.computed < 5


@pytest.mark.slow
def test_one_that_is_late_does_not_keep_anothers_answer_from_counting(write_bot: Any) -> None:
    head = "def turn(self, view):\n    return Open() if self.refusal(view, Open()) is None else self.play_on(view)\n"
    slow = write_bot(head + "def offer(self, view): time.sleep(9)", "slow")
    fair = write_bot(head + "def offer(self, view):\n    time.sleep(0.1)\n    return None", "fair")
    result = contest(slow, fair, limits=Limits(20.0, 3.0, 0.0))
    assert result.seats[1].faults == {}
    assert result.seats[0].faults == {"late": 1}
    assert result.times[1].worst < 2.5


GREEDY = {
    "memory": ("self.held = [bytearray(1 << 20) for _ in range(9999)]", "broken"),
    "threads": (
        "import threading\n    for _ in range(9999): threading.Thread(target=time.sleep, args=(9,)).start()",
        "broken",
    ),
}


@pytest.mark.parametrize("what", GREEDY)
def test_a_greedy_bot_pays_for_it(what: str, write_bot: Any) -> None:
    code, kind = GREEDY[what]
    result = contest("silent", write_bot(f"def turn(self, view):\n    {code}\n    return 1"), limits=SHORT)
    assert set(result.seats[1].faults) <= {kind, "refused", "late"}
    assert result.seats[1].faults


@pytest.mark.skipif(not LOCKED, reason="this system cannot lock processes in")
@pytest.mark.parametrize(
    "codes",
    [
        (
            "os.listdir('/root')",
            "open(__file__, 'a')",
            "__import__('socket').socket()",
            "os.fork()",
            "os.execv('/bin/true', ['true'])",
        ),
        ("os.kill(os.getppid(), 9)", "os.kill(-1, 9)", "os.chmod(__file__, 0o777)", "os.setsid()"),
    ],
    ids=["files and processes", "signals and modes"],
)
def test_what_the_sandbox_forbids_is_refused(codes: Sequence[str], write_bot: Any) -> None:
    bodies = [f"def turn(self, view):\n    {code}\n    return self.play_on(view)" for code in codes]
    result = contest("silent", *several(bodies, write_bot))
    assert [seat.faults for seat in result.seats] == [{}, *[{"refused": 3}] * len(codes)]
    for line in all_faults(result):
        assert "PermissionError" in line["evidence"] or "[Errno 30]" in line["evidence"], codes[line["seat"] - 1]


@pytest.mark.skipif(not LOCKED, reason="this system cannot lock processes in")
def test_a_bot_cannot_read_the_bots_it_plays_against(write_bot: Any) -> None:
    other = write_bot("pass", "other")
    spy = write_bot(f"def turn(self, view):\n    open({str(other)!r})\n    return self.play_on(view)", "spy")
    refs = (refer_file(str(other), None), refer_file(str(spy), None))
    result = play(
        spec_of(refs),
        refs,
        policy=POLICY,
    )
    assert result.seats[1].faults == {NOT_TO_BE_READ: 3}


@pytest.mark.skipif(not LOCKED, reason="this system cannot lock processes in")
def test_a_file_of_the_system_is_not_there_or_is_refused(write_bot: Any) -> None:
    spy = write_bot("def turn(self, view):\n    open('/etc/passwd')\n    return self.play_on(view)")
    assert contest("silent", spy).seats[1].faults == {NOT_TO_BE_READ: 3}


def test_a_bot_has_no_environment_and_nothing_of_the_run(write_bot: Any) -> None:
    os.environ["SECRET"] = "x"
    body = """
    def turn(self, view):
        import gc
        secrets = [o for o in gc.get_objects() if type(o).__name__ in ("MatchSpec", "Referee", "Chance", "Work")]
        return Reply(self.play_on(view), say=f"{len(os.environ)} {len(secrets)}")
    """
    result = contest("silent", write_bot(body))
    del os.environ["SECRET"]
    assert b'"say":"0 0"' in result.replay


def program(folder: Path, code: str) -> BotRef:
    """A bot that is a program: a script of this interpreter without arena."""
    path = folder / "program.py"
    path.write_text(PROGRAM.replace("REPLY", code))
    return refer_command([os.path.realpath("/proc/self/exe"), "-S", str(path)])


PROGRAM = """\
import json, os, sys, time
def send(message):
    os.write(1, message if type(message) is bytes else json.dumps(message).encode() + b"\\n")
send({"type": "hello", "protocol": 2, "games": ["board"], "hooks": ["turn", "accept"], "legal": True})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        send({"type": "reply", "id": 0})
    elif message["type"] == "ask":
        REPLY
"""
HONEST = 'send({"type": "reply", "id": message["id"], "move": message["legal"][0]})'


def test_a_program_plays_to_the_end(tmp_path: Path) -> None:
    for policy in (POLICY, UNLOCKED_POLICY):
        refs = (program(tmp_path, HONEST), find_file("greedy"))
        result = play(spec_of(refs), refs, policy=policy)
        verify_replay(result.replay)
        assert result.times[0].asks > 0
        assert [seat.faults for seat in result.seats] == [{}, {}]
    assert contest(*refs).replay == play(spec_of(refs), refs).replay


LIES = {
    "a wrong id": 'send({"type": "reply", "id": 999, "move": message["legal"][0]})',
    "no JSON": 'send(b"roll\\n")',
    "NaN": 'send(b\'{"type":"reply","id":NaN}\\n\')',
    "no UTF-8": 'send(b"\\xff\\xfe\\n")',
    "half a character": 'send(b\'{"type":"reply","id":1,"say":"\\\\ud800"}\\n\')',
    "deep nesting": 'send(b"[" * 60000 + b"\\n")',
    "an unknown field": 'send({"type": "reply", "id": message["id"], "move": {"move": "roll"}, "seat": 0})',
    "an unknown move": 'send({"type": "reply", "id": message["id"], "move": {"move": "win"}})',
    "another message": 'send({"type": "hello", "protocol": 2})',
    "a number as move": 'send({"type": "reply", "id": message["id"], "move": 7})',
    "true for a turn": 'send({"type": "reply", "id": message["id"], "move": True})',
    "nothing for a turn": 'send({"type": "reply", "id": message["id"]})',
    "a long say": 'send({"type": "reply", "id": message["id"], "move": {"move": "roll"}, "say": "x" * 201})',
    "an endless line": 'send(b"x" * 70000)',
    "a line that is too long": 'send(b"x" * 100000 + b"\\n")',
}


@pytest.mark.parametrize("what", LIES)
def test_a_program_that_lies_is_garbled(what: str, tmp_path: Path) -> None:
    result = contest("silent", program(tmp_path, LIES[what]), limits=Limits(20.0, 20.0, 0.0))
    assert set(result.seats[1].faults) == {"garbled"}
    assert faults(result)[-1]["out"] is True


def test_a_program_that_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    result = contest("silent", program(tmp_path, "time.sleep(60)"), limits=SHORT)
    assert result.seats[1].faults == {"late": 1}


def test_a_program_says_itself_what_broke(tmp_path: Path) -> None:
    code = 'send({"type": "fault", "id": message["id"], "kind": "broken", "evidence": "out of ideas"})'
    result = contest("silent", program(tmp_path, code))
    assert [(line["kind"], line["evidence"]) for line in faults(result)] == [("broken", "out of ideas")] * 3


def test_a_program_of_another_version_or_with_no_hello_does_not_start(tmp_path: Path) -> None:
    for said in ('{"type": "hello", "protocol": 1}', "ready"):
        path = tmp_path / "program.py"
        path.write_text(f"print({said!r}, flush=True)\ninput()")
        ref = refer_command([os.path.realpath("/proc/self/exe"), "-S", str(path)])
        result = contest("silent", ref, limits=SHORT)
        assert result.seats[1].faults == {"garbled": 1}
        assert result.seats[1].ended == "struck-out"


def test_a_flood_of_prints_is_cut_and_holds_nobody_up(write_bot: Any) -> None:
    bot = write_bot("def turn(self, view):\n    print('x' * 10_000_000)\n    return self.play_on(view)")
    refs = (refer_file(str(bot), None), find_file("silent"))
    printed: list[tuple[int, int, int]] = []
    result = play(
        spec_of(refs),
        refs,
        policy=POLICY,
        printed=lambda each: printed.append((each.seat, len(each.text), each.lost)),
    )
    assert result.seats[0].faults == {}
    ((seat, kept, lost),) = printed
    assert (seat, kept) == (0, 65_536)
    assert lost > 10_000_000
