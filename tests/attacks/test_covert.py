"""Matches of one deal do not talk: what one of them does to the system, another at the same time or after it cannot
notice. Each way is first shown to work between bots that are trusted, and so locked in nowhere."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Limits
from arena.executors.executor import play_all
from arena.executors.process_pool.pool import Pool
from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef, find_file, refer_file
from arena.match.work import Work, WorkResult
from arena.runs.planning.isolation_level import strictest_isolation
from arena.sandbox.demand import Demand
from arena.sandbox.probe import Level
from tests.conftest import spec_of

from .attempts import HEAD

DEMAND = strictest_isolation().demand
LOCKS = DEMAND.level in (Level.LOCKED, Level.SEALED)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not LOCKS, reason="this system cannot lock processes in")]
sealed = pytest.mark.skipif(DEMAND.level is not Level.SEALED, reason="this system has no bubblewrap")

TALKER = """
class Player(BoardBot):
    told = ""

    def turn(self, view):
        note = ""
        if not self.told:
            note = self.told = str(self.talk())
        return Reply(Draw() if view.rolled else Roll(), note=note)

    def talk(self):
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            if found := self.once():
                return found
        return "nothing"

"""
HEARS = """
    def once(self):
        address, second = ctypes.c_void_p(in_a_library()), struct.pack("qq", 0, 1000_000)
        held = ctypes.c_uint.from_address(address.value).value
        if libc.syscall(202, address, 0, held, second, 0, 0) == 0:
            return "woken"
        time.sleep(0.0003)  # where it is refused at once, the machine is left to others
"""
ENDS_THREADS = """
    def once(self):
        address = ctypes.c_void_p(in_a_library())
        threading.stack_size(1 << 16)  # what such threads had is not given back
        threading.Thread(target=lambda: libc.syscall(218, address), daemon=True).start()
        time.sleep(0.02)
"""
WAKES = """
    def once(self):
        libc.syscall(202, ctypes.c_void_p(in_a_library()), 1, 1, 0, 0, 0)
        time.sleep(0.0005)  # half as long as the other one waits
"""
BESIDE = {"a thread's end": ENDS_THREADS, "a wake-up": WAKES}


def written(path: Path, body: str) -> BotRef:
    path.parent.mkdir(exist_ok=True)
    path.with_name("places.json").write_text("{}")
    path.write_text(HEAD + TALKER + body)
    return refer_file(str(path), None)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Two workers for all tests here."""
    with closing(Pool(2)) as opened:
        yield opened


def told(pool: Pool, demand: Demand, *bots: BotRef) -> list[list[str]]:
    """What each bot noted in a match of its own of the same deal, all at the same time."""
    found: dict[str, list[str]] = {}
    for done in play_all(pool, [work(f"{place}", bot, demand) for place, bot in enumerate(bots)]):
        assert isinstance(done, WorkResult), done
        assert [seat.faults for seat in done.record.seats] == [{}, {}]
        lines = map(json.loads, (done.replay or b"").splitlines())
        found[done.record.id] = [line["note"] for line in lines if line.get("note")]
    return [found[f"{place}"] for place in range(len(bots))]


def work(id: str, bot: BotRef, demand: Demand) -> Work:
    bots = bot, find_file("silent")
    limits: Any = Limits(5.0, 5.0, 5.0)
    return Work(spec=spec_of(bots, id=id, seed="the same deal", limits=limits), bots=bots, demand=demand)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the bots know the system calls of x86-64")
@pytest.mark.parametrize("way", BESIDE)
def test_no_match_wakes_another_through_a_library_that_both_have_mapped(way: str, pool: Pool, tmp_path: Path) -> None:
    hears, wakes = written(tmp_path / "hears" / "b.py", HEARS), written(tmp_path / "wakes" / "b.py", BESIDE[way])
    assert told(pool, Demand(), hears, wakes) == [["woken"], ["nothing"]]
    assert told(pool, DEMAND, hears, wakes) == [["nothing"], ["nothing"]]


LOOKS = """
    def talk(self):
        return [place for place in {places} if os.path.exists(place)]
"""


@sealed
def test_inside_of_bubblewrap_nothing_is_there_that_a_bot_may_not_read(pool: Pool, tmp_path: Path) -> None:
    log = tmp_path / "results" / "bots" / "looks.log"
    log.parent.mkdir(parents=True)
    log.write_text("as long as a hand is good")
    hidden = ["/proc/self", "/proc/1", "/proc/loadavg", "/proc/locks", "/etc/passwd", "/sys/kernel", str(log)]
    looks = written(tmp_path / "bot" / "looks.py", LOOKS.format(places=hidden))
    assert told(pool, Demand(), looks) == [[str([place for place in hidden if os.path.exists(place)])]]
    assert told(pool, DEMAND, looks) == [["[]"]]


def test_reading_a_copy_of_a_bot_leaves_no_time_behind(tmp_path: Path) -> None:
    ref = written(tmp_path / "one" / "bot.py", HEARS)
    with BotCopies() as depot:
        folder = Path(depot.place(ref).folder)
        places = [folder, *folder.rglob("*")]
        before = [place.stat().st_atime_ns for place in places]
        for place in places:
            _ = place.read_bytes() if place.is_file() else os.listdir(place)
        assert [place.stat().st_atime_ns for place in places] == before
        assert all(place.stat().st_atime > place.stat().st_ctime + 86_400 for place in places)
