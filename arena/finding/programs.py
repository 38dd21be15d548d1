"""Bots that are programs: a command as the user wrote it, made to run the same from any folder."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from arena.errors import BotError
from arena.finding.loading import BotRef, Scalar


def refer_command(words: Sequence[str], options: dict[str, Scalar] | None = None) -> BotRef:
    """The bot that a command runs. Words that name files are made absolute.

    The bot's file, whose folder it may read, is the first argument that is a file, else the program. The digest is of
    all files among the words, but of programs found on the ``PATH`` (such as node) only where there are no others.
    Raises BotError where the command cannot be run.
    """
    files = [index for index, word in enumerate(words) if (index or "/" in word) and os.path.isfile(word)]
    resolved = [os.path.abspath(word) if index in files else word for index, word in enumerate(words)]
    shown = " ".join(["cmd:" + words[0], *words[1:]])
    if 0 not in files:
        program = None if "/" in words[0] else shutil.which(words[0])
        if program is None:
            here = f"; did you mean ./{words[0]}?" if os.path.isfile(words[0]) else ""
            raise BotError(f"bot {shown!r}: no program {words[0]!r}{here}")
        resolved[0] = os.path.abspath(program)
    if not os.access(resolved[0], os.X_OK):
        raise BotError(f"bot {shown!r}: {words[0]} may not be run; try: chmod +x {shlex.quote(words[0])}")
    own = [resolved[index] for index in files] or [resolved[0]]
    digests = [sha256(Path(file).read_bytes()).hexdigest() for file in own]
    digest = digests[0] if len(own) == 1 else sha256("".join(digests).encode()).hexdigest()
    file = next((resolved[index] for index in files if index), resolved[0])
    return BotRef(portable(words), file, "", "", digest, options or {}, tuple(resolved))


def portable(words: Sequence[str]) -> str:
    """The command as it stands in replays: files by their names alone."""
    return "cmd:" + shlex.join(os.path.basename(word) if os.path.isabs(word) else word for word in words)
