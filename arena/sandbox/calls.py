"""Make system calls that Python has no function for, by number, through the C library's ``syscall``, and start
processes that do nothing."""

from __future__ import annotations

import ctypes
import os
import platform
import signal

from arena.system.platform_support import on_linux

MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype, _syscall.argtypes = ctypes.c_long, (ctypes.c_long, *[ctypes.c_void_p] * 5)
if on_linux():
    _prctl = _libc.prctl
    _prctl.restype, _prctl.argtypes = ctypes.c_int, (ctypes.c_int, *[ctypes.c_ulong] * 4)
    _clone, _pause = _libc.clone, ctypes.cast(_libc.pause, ctypes.c_void_p)
    _clone.restype, _clone.argtypes = ctypes.c_int, (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)


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


SAME_MEMORY, SAME_DESCRIPTORS = 0x100, 0x400
STACK_BYTES = 1 << 14


class WaitingProcess:
    """A child of this process that only waits, in the C library's ``pause``, until :meth:`end`. It uses this process's
    own memory and descriptors, because copying them, as a fork does, would cost as much as a bot's process. Raises
    OSError if it cannot be started."""

    def __init__(self) -> None:
        self._stack = ctypes.create_string_buffer(STACK_BYTES)
        top = ctypes.addressof(self._stack) + STACK_BYTES & ~15
        self.pid = _check_return(_clone(_pause, top, SAME_MEMORY | SAME_DESCRIPTORS | signal.SIGCHLD, None))

    def end(self) -> None:
        """Kill the process."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
