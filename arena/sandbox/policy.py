"""The limits of a bot's process, as plain data: made once a run and sent to every fork server."""

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
    """The layers of the sandbox, in the order in which they are applied; the last can only enclose the fork server."""

    SESSION = "session"
    LIMITS = "limits"
    PARENT = "parent"
    PRIVILEGES = "privileges"
    LANDLOCK = "landlock"
    SECCOMP = "seccomp"
    BUBBLEWRAP = "bubblewrap"


class Amounts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of an isolated bot's process: MB of ``memory``, ``threads``, open ``files``, seconds of CPU time
    (``cpu``); and the modules that are already imported in all these processes (``preload``)."""

    memory: Annotated[int, Meta(ge=64, le=1 << 24)] = 512
    threads: Annotated[int, Meta(ge=1, le=1 << 16)] = 32
    files: Annotated[int, Meta(ge=16, le=1 << 20)] = 64
    cpu: Annotated[int, Meta(ge=1, le=1_000_000_000)] = 3600
    preload: tuple[str, ...] = ()


class SandboxPolicy(Amounts, frozen=True, kw_only=True):
    """The amounts, and the ``layers`` to apply, all of which must work. ``readable`` are the paths that Python bots may
    read, ``programs`` those that commands may read and run as well; ``around`` is the command that starts the fork
    server inside bubblewrap, ``environment`` the environment variables of commands, and ``groups`` the folder in which
    groups that limit memory are created (:mod:`arena.sandbox.cgroups`), "" where there is none."""

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
    groups: str = ""
    environment: tuple[tuple[str, str], ...] = (("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8"))


def readable_paths() -> tuple[str, ...]:
    """The paths that an interpreter needs for imports: its library, installed packages, shared libraries, time zones.
    The folders above them are not included, and of arena only the package is."""
    found = [path for name in ("stdlib", "platstdlib", "purelib", "platlib") if (path := sysconfig.get_path(name))]
    found += [os.path.join(sys.base_prefix, "lib"), str(Path(__file__).parents[1])]
    found += ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache"]
    found += ["/etc/localtime", "/dev/urandom", "/dev/random", "/dev/zero"]
    return tuple(dict.fromkeys(path for path in map(os.path.realpath, found) if os.path.exists(path)))


def beyond_usual(sandbox: Amounts) -> list[str]:
    """The keys in which these amounts exceed the usual ones, each with both values."""
    usual = Amounts()
    names = [name for name in Amounts.__struct_fields__ if name != "preload"]
    found = [
        f"sandbox.{name} {getattr(sandbox, name)} (usual: {getattr(usual, name)})"
        for name in names
        if getattr(sandbox, name) > getattr(usual, name)
    ]
    preload = [f"sandbox.preload {', '.join(sandbox.preload)} (usual: none)"] if sandbox.preload else []
    return [*found, *preload]
