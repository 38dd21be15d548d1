"""The ``arena`` command starts without what only some commands need, and with numpy in one thread."""

from __future__ import annotations

import os
import subprocess
import sys


def test_no_command_waits_for_numpy_to_be_loaded_that_needs_none() -> None:
    code = "import sys, arena.cli.main; sys.exit('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_numpy_adds_up_in_one_thread_unless_somebody_wants_more() -> None:
    code = (
        "import os, arena.cli.main as cli; cli.main = lambda: print(os.environ['OPENBLAS_NUM_THREADS'])\n"
        "from arena.__main__ import start; start()"
    )
    plain = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for environment, threads in ((plain, "1"), ({**plain, "OPENBLAS_NUM_THREADS": "3"}, "3")):
        environment = {**environment, "PYTHONHASHSEED": "0"}
        ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
        assert ran.stdout == f"{threads}\n"
