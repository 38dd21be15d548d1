"""A process that ``arena`` starts does not look for garbage among what it has imported."""

from __future__ import annotations

import os
import subprocess
import sys

from arena.executors.garbage import PLAYING_THRESHOLD

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
