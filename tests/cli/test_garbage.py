"""Processes of arena, and bots' processes, do not look for garbage among what was imported, and look rarely."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from arena.finding.reference import refer_file
from arena.isolation.worker.fork_server import ForkServers
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import policy_here
from arena.system.garbage import PLAYING_THRESHOLD
from tests.conftest import play, spec_of

CALL = """
import atexit, gc, sys
from arena.__main__ import start_command
atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 10_000, gc.get_threshold()[0]))
sys.argv = ["arena", "rules", "list"]
start_command()
"""


def test_what_a_command_imports_is_left_out_of_the_search_for_garbage() -> None:
    here = {**os.environ, "PYTHONHASHSEED": "0"}
    ran = subprocess.run([sys.executable, "-c", CALL], env=here, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == f"True True {PLAYING_THRESHOLD}"


def test_a_bots_process_looks_for_garbage_as_rarely_as_the_referees(write_bot: Any) -> None:
    body = """
    def turn(self, view):
        import gc
        looks = f"{gc.isenabled()} {gc.get_freeze_count() > 10_000} {gc.get_threshold()[0]}"
        return Reply(self.play_on(view), note=looks)
    """
    bots, servers = [refer_file(str(write_bot(body)), None)] * 3, ForkServers()
    replay = play(spec_of(bots), bots, policy=policy_here(SandboxPolicy()), servers=servers).replay
    servers.close()
    assert f'"note":"True True {PLAYING_THRESHOLD}"'.encode() in replay
