"""Landlock: restricts a process to reading and running certain files. It can write no file and use no TCP; signals and
abstract sockets reach only processes under the same ruleset. Files that are already open stay open. See ``man 7
landlock``.

A ruleset is a file descriptor. A fork server opens the paths that all bots may read once, and gives each child a
ruleset with them, to which the child adds its own paths.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from functools import lru_cache
from stat import S_ISDIR

from arena.sandbox.calls import call, prctl

CREATE, ADD, RESTRICT = 444, 445, 446
VERSION_FLAG, PATH_BENEATH, PR_SET_NO_NEW_PRIVS = 1, 1, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
READ, RUN, WRITE = READ_FILE | READ_DIR, READ_FILE | READ_DIR | EXECUTE, READ_FILE | WRITE_FILE
"""Sets of rights for a path: read the path and everything below it; also run files; read and write this single
file."""
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""The rights on files, by the Landlock version that added them."""
NET_RIGHTS, SCOPES = 0b11, 0b11


def version() -> int:
    """The version of the system's Landlock. Raises OSError if there is none."""
    return call(CREATE, None, 0, VERSION_FLAG)


def rules() -> int:
    """The descriptor of a new ruleset, which allows nothing yet. Raises OSError."""
    attributes = _attributes()
    return call(CREATE, attributes, len(attributes), 0)


@lru_cache
def _attributes() -> bytes:
    """The attributes of a ruleset that handles every access right that this system knows."""
    known, files = version(), changing()
    net, scopes = NET_RIGHTS if known >= 4 else 0, SCOPES if known >= 6 else 0
    return struct.pack("=QQQ", files, net, scopes)[: 24 if known >= 6 else 16 if known >= 4 else 8]


def changing() -> int:
    """All rights on a folder and what is below it: to read, run, write, make and remove. Raises OSError."""
    known = version()
    return max(rights for since, rights in FILE_RIGHTS.items() if since <= known)


def open_path(path: str, rights: int) -> bytes:
    """The opened path with its rights, for :func:`allow`; empty if it does not exist."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return b""
    if not S_ISDIR(os.fstat(place).st_mode):
        rights &= ~READ_DIR
    return struct.pack("=Qi", rights, place)


def allow(rules: int, opened: bytes) -> None:
    """Add an opened path to a ruleset. Raises OSError."""
    if opened and opened[:8] != bytes(8):
        call(ADD, rules, PATH_BENEATH, opened, 0)


def allow_all(rules: int, paths: Iterable[str], rights: int) -> None:
    """Add paths, all with these rights. Paths that do not exist are skipped. Raises OSError."""
    for path in paths:
        if opened := open_path(path, rights):
            try:
                allow(rules, opened)
            finally:
                os.close(struct.unpack_from("=i", opened, 8)[0])


def restrict(rules: int) -> None:
    """Restrict this process to the ruleset, permanently, and close the ruleset. Raises OSError."""
    try:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        call(RESTRICT, rules, 0)
    finally:
        os.close(rules)
