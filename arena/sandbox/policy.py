"""What a bot's process is held to, by value: made once a run, sent to every fork server."""

from __future__ import annotations

import os
import sys
import sysconfig
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta


class Layer(StrEnum):
    """One way of holding a process, in the order they are laid on; the last can only lie around the fork server."""

    SESSION = "session"
    LIMITS = "limits"
    PARENT = "parent"
    PRIVILEGES = "privileges"
    LANDLOCK = "landlock"
    SECCOMP = "seccomp"
    BUBBLEWRAP = "bubblewrap"


class Amounts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an isolated bot's process may have at most: MB of ``memory``, ``threads``, open ``files``, seconds of
    processor time (``cpu``); and the modules that all of them find imported (``preload``)."""

    memory: Annotated[int, Meta(ge=64)] = 512
    threads: Annotated[int, Meta(ge=1)] = 32
    files: Annotated[int, Meta(ge=16)] = 64
    cpu: Annotated[int, Meta(ge=1)] = 3600
    preload: tuple[str, ...] = ()


class Policy(Amounts, frozen=True, kw_only=True):
    """The amounts, and ``layers`` to lay on, all of which must hold; ``readable`` are the paths Python bots may read,
    ``programs`` those commands may read and run besides; ``around`` is the command that starts the fork server
    inside of bubblewrap, and ``environment`` all that commands get of one."""

    layers: tuple[Layer, ...] = ()
    readable: tuple[str, ...] = ()
    programs: tuple[str, ...] = (
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/etc/ld.so.cache",
        "/etc/ssl/openssl.cnf",
    )
    around: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = (("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8"))


def readable_paths() -> tuple[str, ...]:
    """What an interpreter needs to go on importing: its library, installed packages, shared libraries, time zones. Not
    the folders above them, and of arena itself only the package."""
    found = [path for name in ("stdlib", "platstdlib", "purelib", "platlib") if (path := sysconfig.get_path(name))]
    found += [os.path.join(sys.base_prefix, "lib"), str(Path(__file__).parents[1])]
    found += ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache"]
    found += ["/etc/localtime", "/dev/urandom", "/dev/random", "/dev/zero"]
    return tuple(dict.fromkeys(path for path in map(os.path.realpath, found) if os.path.exists(path)))
