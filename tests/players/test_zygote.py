"""Zygotes: where bots' processes come from, and that nothing of a match is left in them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import msgspec
import pytest

from arena.match.work import play
from arena.players import errands, immortal
from arena.players.host import Host, close_host, host_of_this_process
from arena.players.loading import BotRef, find_file, refer_file
from arena.players.zygote import Zygote, can_fork
from arena.sandbox.policy import Policy
from arena.sandbox.probe import policy_here
from tests.attacks import system
from tests.conftest import spec_of

POLICY = policy_here(Policy())
pytestmark = pytest.mark.skipif(not can_fork(POLICY), reason="there are no zygotes without a full lock")


@pytest.fixture
def host() -> Iterator[Host]:
    close_host()
    yield host_of_this_process(POLICY)
    close_host()


def notes(*refs: BotRef, **more: Any) -> list[tuple[int, list[str]]]:
    """Seats and the words of what bots noted."""
    lines = map(msgspec.json.decode, play(spec_of(refs, **more), refs, policy=POLICY).replay.splitlines())
    return [(line["seat"], line["note"].split()) for line in lines if line.get("note")]


WHO = """
def turn(self, view):
    import os, random
    words = os.getpid(), os.getppid(), os.getsid(0), os.getpgrp(), random.random(), id(self)
    return Reply(self.play_on(view), note=" ".join(map(str, words)))
"""


def test_every_bot_and_match_has_a_fresh_process_of_the_host_in_a_session_of_its_own(
    host: Host, write_bot: Any
) -> None:
    bot = refer_file(str(write_bot(WHO)), None)
    seen = {tuple(words) for number in range(4) for _, words in notes(bot, find_file("silent"), bot, seed=f"{number}")}
    assert len(host.zygotes) == 2
    processes = {process for process, *_ in seen}
    assert len(processes) == 8
    assert not processes & {str(zygote.process) for zygote in host.zygotes.values()}
    assert len({parent for _, parent, *_ in seen}) == 1
    assert all(process == session == group for process, _, session, group, *_ in seen)
    firsts = {process: drawn for process, _, _, _, drawn, _ in seen}
    assert len(set(firsts.values())) == 8


OPEN = """
def turn(self, view):
    import os
    found = []
    for each in range(1024):
        try:
            os.fstat(each)
            found.append(str(each))
        except OSError:
            pass
    return Reply(self.play_on(view), note=" ".join(found))
"""


def test_a_bot_has_its_pipes_and_nothing_else_open(host: Host, write_bot: Any) -> None:
    bot = refer_file(str(write_bot(OPEN)), None)
    for _ in range(2):
        assert {tuple(words) for _, words in notes(bot, find_file("silent"), bot)} == {("0", "1", "2", "3", "4")}


FLAGS = """
def turn(self, view):
    import fcntl
    flags = [fcntl.fcntl(each, fcntl.F_GETFL) for each in range(5)]
    for each in range(5):
        fcntl.fcntl(each, fcntl.F_SETFL, flags[each] | 0o2000)  # to be written at the end
    self.found = getattr(self, "found", flags)
    return Reply(self.play_on(view), note=" ".join(map(str, self.found)))
"""


def test_no_flag_of_a_descriptor_outlasts_a_match(host: Host, write_bot: Any) -> None:
    bot = refer_file(str(write_bot(FLAGS)), None)
    assert len({tuple(words) for _ in range(3) for _, words in notes(bot, find_file("silent"), bot)}) == 1


LEFT = """
from arena.games import board
found = getattr(board, "left", 0)
board.left = 1

class Left(Bot):
    def turn(self, view): return Reply(Roll() if not view.rolled else Draw(), note=f"{found}")
    def place_marker(self, view): return PlaceMarker(0)
"""


def test_nothing_that_a_bot_leaves_behind_is_there_in_the_next_match(host: Host, tmp_path: Path) -> None:
    file = tmp_path / "left.py"
    file.write_text("from arena.bot import *\nfrom arena.games.board import *\n" + LEFT)
    bot = refer_file(str(file), None)
    for number in range(3):
        assert {words[0] for _, words in notes(bot, find_file("silent"), bot, seed=f"{number}")} == {"0"}


def test_a_zygote_that_is_gone_is_replaced_and_costs_nothing(host: Host) -> None:
    refs = tuple(find_file(name) for name in ("dealmaker", "hoarder", "dealmaker"))
    expected = play(spec_of(refs), refs, policy=POLICY).replay
    assert play(spec_of(refs), refs, policy=POLICY).replay == expected
    first = {zygote.process for zygote in host.zygotes.values()}
    for zygote in host.zygotes.values():
        os.kill(host.seen_from_here(zygote.process), signal.SIGKILL)
    assert play(spec_of(refs), refs, policy=POLICY).replay == expected
    assert play(spec_of(refs), refs, policy=POLICY).replay == expected
    assert len(host.zygotes) == 2
    assert not first & {zygote.process for zygote in host.zygotes.values()}


def test_a_zygote_killed_at_any_moment_spoils_no_match(host: Host) -> None:
    refs = tuple(find_file(name) for name in ("dealmaker", "hoarder", "dealmaker"))
    expected = play(spec_of(refs), refs, policy=POLICY).replay
    over = threading.Event()

    def kill() -> None:
        pick = Random(1)
        while not over.is_set():
            sleep(pick.random() / 100)
            for zygote in list(host.zygotes.values()):
                with suppress(OSError):
                    os.kill(host.seen_from_here(zygote.process) or 2**22, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        until, replays = monotonic() + 5, set()
        while monotonic() < until:
            replays.add(play(spec_of(refs), refs, policy=POLICY).replay)
    finally:
        over.set()
        killer.join()
    assert replays == {expected}
    play(spec_of(refs), refs, policy=POLICY)
    assert zygotes(host) == known(host)


def test_a_zygote_that_cannot_be_asked_is_not_waited_for(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    refs = tuple(find_file(name) for name in ("dealmaker", "hoarder", "dealmaker"))
    expected = next(play(spec_of(refs), refs, policy=POLICY).replay for _ in range(2))

    def refuse(*_: Any) -> int:
        raise OSError(109, "too many references")

    given = socket.send_fds
    monkeypatch.setattr(
        socket, "send_fds", lambda to, what, pipes: refuse() if len(pipes) == 4 else given(to, what, pipes)
    )
    began = monotonic()
    assert play(spec_of(refs), refs, policy=POLICY).replay == expected
    assert monotonic() - began < 5


def test_an_interrupt_while_a_zygote_is_waited_for_puts_nothing_out_of_step(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs = tuple(find_file(name) for name in ("dealmaker", "hoarder", "dealmaker"))
    expected = next(play(spec_of(refs), refs, policy=POLICY).replay for _ in range(2))

    def interrupted(_: Zygote) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Zygote, "born", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play(spec_of(refs), refs, policy=POLICY)
    assert host.zygotes == {}
    assert play(spec_of(refs), refs, policy=POLICY).replay == expected
    assert zygotes(host) == known(host)


def test_a_host_adopts_only_its_own_children(host: Host) -> None:
    refs = (find_file("silent"), find_file("silent"), find_file("silent"))
    play(spec_of(refs), refs, policy=POLICY)
    stranger = subprocess.Popen(["sleep", "60"])
    assert host.adopt([stranger.pid, -1, 0]) == ()
    play(spec_of(refs), refs, policy=POLICY)
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


THREAD = """
def turn(self, view):
    import signal, threading, time
    main, found = threading.main_thread().ident, []
    thread = threading.Thread(target=lambda: found.append(signal.pthread_kill(main, 0)))
    thread.start()
    thread.join()
    time.clock_gettime(time.pthread_getcpuclockid(main))
    time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)
    try:
        time.clock_gettime(~os.getppid() << 3 | 2)
        found.append("host")
    except PermissionError:
        pass
    return Reply(self.play_on(view), note=" ".join(map(str, found)))
"""


def test_threads_know_each_other_and_nobody_knows_how_long_others_compute(host: Host, write_bot: Any) -> None:
    bot = refer_file(str(write_bot(THREAD.replace("import signal", "import os, signal"))), None)
    for _ in range(3):
        assert {tuple(words) for _, words in notes(bot, find_file("silent"), bot)} == {("None",)}


def test_a_host_keeps_so_many_zygotes_and_those_that_know_the_last_rehearsal(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errands, "ZYGOTES", 3)
    monkeypatch.setattr(errands, "IDLE", 9)
    for third in ("fair", "hard", "greedy", "hoarder"):
        refs = tuple(find_file(name) for name in ("silent", "dealmaker", third))
        for _ in range(5):  # known, then with a zygote where there is room, then again as soon as another is idle
            play(spec_of(refs), refs, policy=POLICY)
        assert zygotes(host) == known(host)
        assert len(host.zygotes) == 3
        assert any(third in letter.decode("latin-1") for letter, _ in host.zygotes)
    host.rehearse("board", spec_of(refs).rules, 6)
    play(spec_of(refs), refs, policy=POLICY)
    assert {rehearsal for _, rehearsal in host.zygotes} == {2}
    assert len(zygotes(host)) == 3


def zygotes(host: Host) -> list[int]:
    """All children of the host, by their numbers here."""
    return sorted(system.children(system.interpreter(host._process.pid)))


def known(host: Host) -> list[int]:
    """The zygotes that the worker knows, by their numbers here."""
    return sorted(host.seen_from_here(zygote.process) for zygote in host.zygotes.values())


def test_a_bot_that_plays_once_gets_no_zygote(host: Host) -> None:
    for name in ("dealmaker", "fair", "hard"):
        refs = (find_file(name), find_file("silent"), find_file("silent"))
        play(spec_of(refs), refs, policy=POLICY)
    assert len(host.zygotes) == 1


def test_zygotes_end_with_their_host(host: Host) -> None:
    refs = tuple(find_file(name) for name in ("silent", "dealmaker", "fair"))
    for _ in range(2):
        play(spec_of(refs), refs, policy=POLICY)
    processes = system.children(system.interpreter(host._process.pid))
    assert len(processes) == 3
    host.close()
    until = monotonic() + 3
    while not all(map(system.ended, processes)) and monotonic() < until:
        sleep(0.01)
    assert all(map(system.ended, processes))


COUNTS = """
def turn(self, view):
    import sys
    return Reply(self.play_on(view), note=f"{sys.getrefcount(Bot.legal_moves)} {sys.getrefcount(self)}")
"""


def test_what_all_processes_share_is_immortal_where_the_interpreter_knows_that(host: Host, write_bot: Any) -> None:
    bot = refer_file(str(write_bot(COUNTS)), None)
    counted = [(int(shared), int(own)) for _, (shared, own) in notes(bot, find_file("silent"), bot)]
    assert bool(immortal.mark()) == (sys.version_info >= (3, 12))
    assert all((shared == sys.getrefcount(None)) == bool(immortal.mark()) for shared, _ in counted)
    assert all(own < 100 for _, own in counted)
