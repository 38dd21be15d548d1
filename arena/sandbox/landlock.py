"""Landlock: which files a process may read and run; it may write none, and reach nobody by signal, abstract socket
or TCP. What was open before stays open. See ``man 7 landlock``."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from stat import S_ISDIR

from arena.sandbox.calls import call, prctl

CREATE, ADD, RESTRICT = 444, 445, 446
VERSION_FLAG, PATH_BENEATH, PR_SET_NO_NEW_PRIVS = 1, 1, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All rights on files that a version knows, by the version that brought them."""
NET_RIGHTS, SCOPES = 0b11, 0b11


def version() -> int:
    """The version of the system's Landlock. Raises OSError where there is none."""
    return call(CREATE, None, 0, VERSION_FLAG)


def restrict(
    read: Iterable[str], run: Iterable[str] = (), write: Iterable[str] = (), list_only: Iterable[str] = ()
) -> None:
    """Allow this process, for good, to read what lies at or below ``read``, also to run what lies below ``run``, and to
    read and write the single files in ``write``; of ``list_only`` it may see the names. Paths that do not exist are
    passed over. Raises OSError."""
    known = version()
    files = max(rights for since, rights in FILE_RIGHTS.items() if since <= known)
    net, scopes = NET_RIGHTS if known >= 4 else 0, SCOPES if known >= 6 else 0
    attributes = struct.pack("=QQQ", files, net, scopes)[: 24 if known >= 6 else 16 if known >= 4 else 8]
    rules = call(CREATE, attributes, len(attributes), 0)
    try:
        for paths, rights in (
            (read, READ_FILE | READ_DIR),
            (run, READ_FILE | READ_DIR | EXECUTE),
            (write, READ_FILE | WRITE_FILE),
            (list_only, READ_DIR),
        ):
            for path in paths:
                _allow(rules, path, rights)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        call(RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not S_ISDIR(os.fstat(place).st_mode):
            rights &= ~READ_DIR
        if rights:
            call(ADD, rules, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)
