"""System calls that Python does not have, by their numbers, through the C library's ``syscall``."""

from __future__ import annotations

import ctypes
import os
import platform

_libc = ctypes.CDLL(None, use_errno=True)
MACHINE = platform.machine()


def call(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """The system call's value. Raises OSError."""
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    value: int = _libc.syscall(ctypes.c_long(number), *words)
    return _checked(value)


def prctl(option: int, *arguments: int) -> int:
    """``prctl``. Raises OSError."""
    words = [ctypes.c_ulong(each) for each in (*arguments, 0, 0, 0, 0)[:4]]
    value: int = _libc.prctl(option, *words)
    return _checked(value)


def _checked(value: int) -> int:
    if value < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return value
