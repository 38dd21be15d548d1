"""The process that only waits, the first of each match's namespace: it costs little, and keeps nothing open."""

from __future__ import annotations

import os
import sys

import pytest

from arena.sandbox.calls import WaitingProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has namespaces of processes")


def test_a_descriptor_closed_here_is_not_open_there() -> None:
    reading, writing = os.pipe()
    waiting = WaitingProcess()
    try:
        os.set_blocking(reading, False)
        os.close(writing)
        assert os.read(reading, 1) == b""  # else a bot's death would not be seen while its match goes on
    finally:
        waiting.end()
        os.close(reading)


def test_several_wait_until_each_is_ended() -> None:
    waiting = [WaitingProcess() for _ in range(3)]
    for each in waiting:
        assert os.waitid(os.P_PID, each.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        each.end()
        with pytest.raises(ProcessLookupError):
            os.kill(each.pid, 0)
