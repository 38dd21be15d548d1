"""Makes a Python on Linux lack what macOS lacks: forks, Landlock, seccomp, ``/proc``, cores by number, and more. It is
loaded by every Python that has this folder on its path."""

import ctypes
import multiprocessing.popen_spawn_posix
import os
import platform
import resource
import socket
import subprocess
import sys
import sysconfig
import urllib.request
import uuid
import webbrowser

sysconfig.get_config_vars()
LOADED = ctypes, multiprocessing.popen_spawn_posix, subprocess, urllib.request, uuid, webbrowser
"""What asks for the system when it is loaded, and would then want libraries of macOS."""
MISSING = {
    os: (
        "fork", "forkpty", "memfd_create", "fdatasync", "waitid", "sched_getaffinity", "sched_setaffinity",
        "sched_setscheduler", "sched_param", "SCHED_BATCH", "pidfd_open", "pipe2", "posix_fadvise", "copy_file_range",
        "getrandom", "eventfd", "splice", "unshare", "setns", "setresuid", "O_PATH", "P_PIDFD",
    ),
    resource: ("RLIMIT_SIGPENDING", "RLIMIT_MSGQUEUE", "RLIMIT_NICE", "RLIMIT_RTPRIO", "RLIMIT_RTTIME", "prlimit"),
    socket: ("SOCK_SEQPACKET", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "SO_PEERCRED", "AF_NETLINK"),
}  # fmt: skip


def refuse(event: str, arguments: tuple) -> None:
    """Refuse what reads ``/proc`` or ``/sys``, forks, or looks for a system call of Linux."""
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str | bytes):
        if os.fsencode(arguments[0]).startswith((b"/proc", b"/sys/")):
            raise FileNotFoundError(2, "No such file or directory", arguments[0])
    elif event in ("os.fork", "os.forkpty"):
        raise AssertionError("a fork")
    elif event == "ctypes.dlsym" and arguments[1] in ("prctl", "clone"):
        raise AssertionError(f"{arguments[1]} is of Linux")


def read_link(path: object, *, dir_fd: int | None = None, real: object = os.readlink) -> object:
    """``os.readlink`` without ``/proc``."""
    if os.fsencode(path).startswith(b"/proc"):
        raise FileNotFoundError(2, "No such file or directory", path)
    return real(path, dir_fd=dir_fd)


for module, names in MISSING.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
os.readlink = read_link
sys.platform = "darwin"
platform.machine = lambda: "arm64"
sys.addaudithook(refuse)
