"""Objects whose references are not counted (PEP 683), so that a fork can use them without writing to them.

Every page that a child writes to is copied for it, and a count of references is written to whenever an object is so
much as looked at. From Python 3.12 on some objects are immortal, None among them: who marks others the same way has
them shared for good. Before, there is no such mark, and nothing is done here.
"""

from __future__ import annotations

import ctypes
import gc
import sysconfig
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

_count_at = ctypes.c_uint32.from_address
LEAST = 1 << 31
"""Counts from here on are marks."""
PARTS = ("co_consts", "co_names", "co_varnames", "co_cellvars", "co_freevars", "co_filename", "co_name", "co_qualname")


def mark() -> int:
    """How this interpreter marks None as immortal; 0 where it does not."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return 0  # objects begin with other fields there
    found = _count_at(id(None)).value
    return found if found >= LEAST else 0


def share(anew: bool = False) -> None:
    """Have forks share the pages of all objects there are, as long as nobody writes to them; those that were shared
    before are gone through once more only where it is to be done ``anew``."""
    if anew:
        gc.unfreeze()
    gc.collect()
    _immortalise(anew)
    gc.freeze()


def _immortalise(anew: bool) -> None:
    """Mark the collector's objects and all they refer to; those marked before are looked into only ``anew``."""
    stamp = mark()
    left: list[Any] = gc.get_objects() if stamp else []
    seen = {id(left)}
    while left:
        each = left.pop()
        count = _count_at(id(each))
        if id(each) in seen or type(each) is FrameType or (count.value >= LEAST and not anew):
            continue
        seen.add(id(each))
        if count.value < LEAST:
            count.value = stamp
        left += _parts(each)


def _parts(each: Any) -> Iterable[Any]:
    """What an object refers to. The collector does not look into code."""
    return [getattr(each, name) for name in PARTS] if type(each) is CodeType else gc.get_referents(each)
