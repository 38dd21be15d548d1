"""Landlock: which files a process may read and run; it may write none, and reach nobody by TCP, and
by signal or abstract socket only who is held to the very same ruleset. What was open before stays open. See ``man 7
landlock``.

A ruleset is an open file. A fork server opens what all may read once, and gives each child a ruleset
with it, to which the child adds its own.
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
"""What is allowed of a path: to read what lies at or below it, also to run that, to read and write this single file."""
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All rights on files that a version knows, by the version that brought them."""
NET_RIGHTS, SCOPES = 0b11, 0b11


def version() -> int:
    """The version of the system's Landlock. Raises OSError where there is none."""
    return call(CREATE, None, 0, VERSION_FLAG)


def rules() -> int:
    """A new ruleset, which allows nothing yet, by its descriptor. Raises OSError."""
    attributes = _attributes()
    return call(CREATE, attributes, len(attributes), 0)


@lru_cache
def _attributes() -> bytes:
    """What rulesets are asked to handle: all that this system knows of."""
    known = version()
    files = max(rights for since, rights in FILE_RIGHTS.items() if since <= known)
    net, scopes = NET_RIGHTS if known >= 4 else 0, SCOPES if known >= 6 else 0
    return struct.pack("=QQQ", files, net, scopes)[: 24 if known >= 6 else 16 if known >= 4 else 8]


def open_path(path: str, rights: int) -> bytes:
    """A path and what is allowed of it, opened, as :func:`allow` takes it; empty where it does not exist."""
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
    """Add paths, all with these rights. Those that do not exist are passed over. Raises OSError."""
    for path in paths:
        if opened := open_path(path, rights):
            try:
                allow(rules, opened)
            finally:
                os.close(struct.unpack_from("=i", opened, 8)[0])


def restrict(rules: int) -> None:
    """Hold this process to the ruleset for good, and close it. Raises OSError."""
    try:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        call(RESTRICT, rules, 0)
    finally:
        os.close(rules)
