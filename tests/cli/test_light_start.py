"""The ``arena`` command starts without what only some commands need."""

from __future__ import annotations

import subprocess
import sys


def test_no_command_waits_for_numpy_to_be_loaded_that_needs_none() -> None:
    code = "import sys, arena.cli.main; sys.exit('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
