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

from arena.sandbox.calls import prctl, system_call

CREATE_CALL, ADD_CALL, RESTRICT_CALL = 444, 445, 446
VERSION_FLAG, PATH_BENEATH, PR_SET_NO_NEW_PRIVS = 1, 1, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
READ_RIGHTS, RUN_RIGHTS, WRITE_RIGHTS = READ_FILE | READ_DIR, READ_FILE | READ_DIR | EXECUTE, READ_FILE | WRITE_FILE
"""Sets of rights for a path: read the path and everything below it; also run files; read and write this single
file."""
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""The rights on files, by the Landlock version that added them."""
NET_RIGHTS, SCOPE_RIGHTS = 0b11, 0b11


def landlock_version() -> int:
    """The version of the system's Landlock. Raises OSError if there is none."""
    return system_call(CREATE_CALL, None, 0, VERSION_FLAG)


def new_ruleset() -> int:
    """The descriptor of a new ruleset, which allows nothing yet. Raises OSError."""
    attributes = _ruleset_attributes()
    return system_call(CREATE_CALL, attributes, len(attributes), 0)


@lru_cache
def _ruleset_attributes() -> bytes:
    """The attributes of a ruleset that handles every access right that this system knows."""
    known, files = landlock_version(), write_rights()
    net, scopes = NET_RIGHTS if known >= 4 else 0, SCOPE_RIGHTS if known >= 6 else 0
    return struct.pack("=QQQ", files, net, scopes)[: 24 if known >= 6 else 16 if known >= 4 else 8]


def write_rights() -> int:
    """All rights on a folder and what is below it: to read, run, write, make and remove. Raises OSError."""
    known = landlock_version()
    return max(rights for since, rights in FILE_RIGHTS.items() if since <= known)


def open_path(path: str, rights: int) -> bytes:
    """The opened path with its rights, for :func:`allow_path`; empty if it does not exist."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return b""
    if not S_ISDIR(os.fstat(place).st_mode):
        rights &= ~READ_DIR
    return struct.pack("=Qi", rights, place)


def allow_path(rules: int, opened: bytes) -> None:
    """Add an opened path to a ruleset. Raises OSError."""
    if opened and opened[:8] != bytes(8):
        system_call(ADD_CALL, rules, PATH_BENEATH, opened, 0)


def allow_all(rules: int, paths: Iterable[str], rights: int) -> None:
    """Add paths, all with these rights. Paths that do not exist are skipped. Raises OSError."""
    for path in paths:
        if opened := open_path(path, rights):
            try:
                allow_path(rules, opened)
            finally:
                os.close(struct.unpack_from("=i", opened, 8)[0])


def restrict_self(rules: int) -> None:
    """Restrict this process to the ruleset, permanently, and close the ruleset. Raises OSError."""
    try:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        system_call(RESTRICT_CALL, rules, 0)
    finally:
        os.close(rules)
