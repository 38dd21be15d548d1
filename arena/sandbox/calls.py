"""Make system calls that Python has no function for, by number, through the C library's ``syscall``."""

from __future__ import annotations

import ctypes
import os
import platform
import sys

MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype, _syscall.argtypes = ctypes.c_long, (ctypes.c_long, *[ctypes.c_void_p] * 5)
if sys.platform == "linux":
    _prctl = _libc.prctl
    _prctl.restype, _prctl.argtypes = ctypes.c_int, (ctypes.c_int, *[ctypes.c_ulong] * 4)


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """The system call's return value; it gets up to five arguments, and 0 for those not given. Raises OSError."""
    value: int = _syscall(number, *arguments, *(0,) * (5 - len(arguments)))
    return _check_return(value)


def prctl(option: int, *arguments: int) -> int:
    """``prctl``. Raises OSError."""
    value: int = _prctl(option, *arguments, *(0,) * (4 - len(arguments)))
    return _check_return(value)


def _check_return(value: int) -> int:
    if value < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return value
