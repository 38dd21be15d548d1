"""How bots' processes end: in time, and with whoever has started them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from arena.bot import Limits
from arena.finding.programs import refer_command
from arena.finding.reference import BotRef, find_file, refer_file
from arena.isolation.worker.fork_server import ForkServers
from arena.isolation.worker.printed_at import PrintedText
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.refereeing.match_result import MatchResult
from arena.match.work import SeatOutput
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import policy_here, probe_layers
from arena.storage.logs.bot_logs import BOT_LOG_LIMIT, BotLogs
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from tests.conftest import play, small, spec_of

from . import attempts, misdeeds, programs, system
from .field import League

LOCKED = {Layer.LANDLOCK, Layer.SECCOMP} <= {each.layer for each in probe_layers() if each.holds}
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not LOCKED, reason="this system cannot lock processes in")]
POLICY = policy_here(SandboxPolicy(memory=256))
SOON = 0.05
SERVERS = ForkServers()


@pytest.fixture(scope="module", autouse=True)
def servers() -> Iterator[None]:
    yield
    SERVERS.close()


def hostile(folder: Path, name: str) -> BotRef:
    """The bot of a misdeed, in a folder of its own."""
    return written(folder / name, misdeeds.MISDEEDS[name].body)


def written(folder: Path, body: str) -> BotRef:
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(misdeeds.code(body))
    return refer_file(str(folder / "bot.py"), None)


def contest(*refs: BotRef, ask: float = 20.0, turns: int = 12, servers: ForkServers = SERVERS) -> MatchResult:
    spec = spec_of(refs, small(turns=turns), limits=Limits(20.0, ask, 0.0))
    return play(spec, refs, policy=POLICY, servers=servers)


CHATTER = """
def start(self, start):
    import threading
    threading.Thread(target=self.chatter, daemon=True).start()

def chatter(self):
    while True:
        time.sleep(0.018)
        {says}
"""
BESIDE = {"one that prints": "print('x')", "one that writes a line bit by bit": "os.write(4, b' ')"}


@pytest.mark.parametrize("name", ["sleeps", "stops-itself", "leaves-an-alarm"])
def test_a_late_bot_is_ended_within_50_ms_of_its_limit(name: str, tmp_path: Path) -> None:
    late = hostile(tmp_path, name)
    for number, (beside, says) in enumerate({"a silent one": "", **BESIDE}.items()):
        other = written(tmp_path / f"{number}", CHATTER.format(says=says)) if says else find_file("silent")
        over = []
        for _ in range(7):
            result = contest(other, late, ask=0.2, turns=3)
            assert result.seats[1].faults == {"late": 1}, beside
            over.append(result.times[1].worst - 0.2)
            if over[-1] < SOON:
                break
        assert 0.0 <= min(over) < SOON, beside  # it is the machine's affair how often it takes longer


def looping_program(folder: Path) -> BotRef:
    """It loops once its first turn is over, while others are asked."""
    source = folder / "attack.c"
    source.write_text(programs.C)
    subprocess.run(["cc", "-O1", "-pthread", "-o", folder / "attack", source], check=True)
    return refer_command([str(folder / "attack"), "loops", "-"])


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no compiler")
@pytest.mark.parametrize("who", ["the worker", "the fork server"])
def test_bots_in_a_loop_do_not_outlive_those_who_started_them(who: str, tmp_path: Path) -> None:
    refs = (hostile(tmp_path, "loops"), looping_program(tmp_path))  # the second is on turn first
    with system.orphans_come_here():
        before = system.descendants(os.getpid())
        worker = os.fork()
        if worker == 0:
            try:
                contest(*refs, ask=60.0, servers=ForkServers())
            finally:
                os._exit(0)
        (outer,) = waited(lambda: system.children(worker))
        waited(lambda: bots if len(bots := bots_of(outer)) == 2 and all(map(busy, bots)) else [])
        server = system.fork_server(outer)
        os.kill(worker if who == "the worker" else server, signal.SIGKILL)
        left = system.left(before)
        for process in left:
            os.kill(process, signal.SIGKILL)
        assert left == {}


def waited(find: Callable[[], list[int]]) -> list[int]:
    """What is found at last."""
    until = monotonic() + 60
    while not (found := find()):
        assert monotonic() < until
        sleep(0.05)
    return found


def bots_of(process: int) -> list[int]:
    """The bots' processes of a fork server; not the first of a match's own namespace, which keeps it."""
    server = system.fork_server(process)
    return [each for each in system.children(server) if not keeps_a_namespace(each)] if server else []


def keeps_a_namespace(process: int) -> bool:
    """Whether it has its number of others, and the number 1 of its own."""
    counted = Path(f"/proc/{process}/status").read_text().partition("NSpid:")[2].partition("\n")[0].split()
    return len(counted) > 1 and counted[-1] == "1"


def busy(process: int) -> bool:
    """Whether it has computed for a while."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) > 10


def test_the_same_attempts_reach_what_they_want_where_nothing_is_locked(tmp_path: Path) -> None:
    league = League(tmp_path)
    league.results.mkdir()
    (league.results / "matches.jsonl").write_text("secret")
    league.tournament.write_text("secret")
    refs = []
    for kind in ("follows-links", "reads-results", "opens-unix-sockets", "changes-files"):
        path = league.folder / f"{kind}.py"
        path.write_text(attempts.code(kind))
        refs.append(refer_file(str(path), None))
    replay = play(spec_of(refs), refs, UNLOCKED_POLICY, servers=SERVERS).replay
    told = {line["seat"]: line["note"] for line in map(json.loads, replay.splitlines()) if line.get("note")}
    assert len(told) == len(refs)
    assert all(note.count("reached ") > 2 for note in told.values()), told


def test_ten_crashes_leave_the_fork_server_as_it_was(tmp_path: Path) -> None:
    refs = (find_file("silent"), hostile(tmp_path, "os-exit"))
    assert [set(seat.faults) for seat in contest(*refs, turns=2).seats] == [set(), {"dead"}]
    server = system.fork_server(SERVERS.server_for(POLICY).pid)
    files, memory = len(os.listdir(f"/proc/{server}/fd")), system.resident(server)
    for _ in range(10):
        contest(*refs, turns=2)
    assert system.children(server) == []
    assert len(os.listdir(f"/proc/{server}/fd")) == files
    assert system.resident(server) - memory < 1 << 20


FLOODS = {
    "lines": "os.write(4, b'{}\\n' * 4096)",
    "a line": "os.write(4, b'x' * 65536)",
    "single lines": "os.write(4, b'x' * 9000 + b'\\n')",
}


@pytest.mark.parametrize("what", FLOODS)
def test_a_flood_while_another_thinks_takes_no_memory_of_ours(what: str, tmp_path: Path) -> None:
    body = f"""
    def turn(self, view):
        self.once(self.flood)
        return self.play_on(view)

    def flood(self):
        while True: {FLOODS[what]}
    """
    slow = "def turn(self, view):\n    time.sleep(0.1)\n    return self.play_on(view)"
    refs = (written(tmp_path / "flood", body), written(tmp_path / "slow", slow))
    before = system.resident(os.getpid())
    result = contest(*refs)
    assert [set(seat.faults) for seat in result.seats] == [{"garbled"}, set()]
    assert system.resident(os.getpid()) - before < 64 << 20


def test_a_crash_is_not_handed_to_a_collector_of_dumps(tmp_path: Path) -> None:
    body = """
    def turn(self, view):
        import resource
        return Reply(self.play_on(view), note=str(resource.getrlimit(resource.RLIMIT_CORE)))
    """
    result = contest(written(tmp_path / "one", body), find_file("silent"))
    assert b'"note":"(1, 1)"' in result.replay


def test_the_log_of_an_entrant_does_not_grow_for_ever(tmp_path: Path) -> None:
    record = MatchRecord("match", "board", "outline", 0, "1", "end roll", 9, (SeatRecord("talker", 0, 1),))
    logs = BotLogs(tmp_path)
    for _ in range(3):
        logs.add(record, SeatOutput(0, (PrintedText(0, "start", b"x" * BOT_LOG_LIMIT),)))
    (file,) = tmp_path.iterdir()
    assert BOT_LOG_LIMIT < file.stat().st_size < BOT_LOG_LIMIT + 1000
