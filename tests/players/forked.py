"""Calls a function of a test in a process forked from this one."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable
from typing import Any


def in_a_fork(act: Callable[[], object]) -> Any:
    """Call ``act`` in a forked process and return its result, which must be JSON. Fails if it raises."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            os.write(writing, json.dumps(act()).encode())
            code = 0
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)
    os.close(writing)
    with open(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    assert status == 0
    return json.loads(told)
