"""Bots that are programs: makes a command as the user wrote it run the same from any folder, on any machine."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from arena.errors import BotError
from arena.finding.files import Trust, digest_of, gather_bot_files, name_within
from arena.finding.reference import BotRef, CommandWord, Scalar


def refer_command(
    words: Sequence[str],
    options: dict[str, Scalar] | None = None,
    more: Sequence[str] = (),
    others: Sequence[str] = (),
    trust: Trust = Trust.OWN,
) -> BotRef:
    """The bot that a command runs, with ``more`` files and without those of ``others``. Raises BotError where the
    command cannot be run.

    Its files are the files and folders that the words name, and what those need unless ``trust`` forbids it
    (:func:`arena.finding.files.gather_bot_files`). Its folder is that of the first argument that is a file, else of the
    program. The program is one of the bot's files unless it is installed: found on the ``PATH``, or, where other files
    follow, a link or in a folder called ``bin``. The digest of a bot without any file is that of its program.
    """
    program, *arguments = words
    path = _find_program(program, " ".join([f"cmd:{program}", *arguments]))
    own = [word for word in arguments if os.path.isfile(word) or ("/" in word and os.path.isdir(word))]
    installed = "/" not in program or (own and _looks_installed(program))
    named = own if installed else [*own, program]
    first = next((word for word in named if os.path.isfile(word)), "")
    folder = os.path.dirname(os.path.abspath(first)) if first else os.path.abspath(next(iter(named), "/"))
    files = gather_bot_files(folder, [*named, *more], others, trust)
    return BotRef(
        name=portable_command(words),
        sha256=digest_of(files) if files else sha256(Path(path).read_bytes()).hexdigest(),
        command=tuple(
            CommandWord(name_within(folder, word), own=True) if word in named else CommandWord(word)
            for word in (path if installed and "/" in program else program, *arguments)
        ),
        options=options or {},
        files=files,
        folder=folder,
        origin=folder,
    )


def refer_unbuilt(
    words: Sequence[str],
    options: dict[str, Scalar] | None = None,
    more: Sequence[str] = (),
) -> BotRef:
    """A stranger's bot that a command will run once it has been built from ``more`` files and those that the words
    already name. All paths are relative to the current folder, which is the bot's. Raises BotError where a file lies
    elsewhere, or does not exist."""
    folder = os.getcwd()
    named = [word for word in words if "/" in word or os.path.isfile(word)]
    for path in [*named, *more]:
        if os.path.relpath(os.path.abspath(path), folder).startswith(".."):
            raise BotError(
                f"{path} lies outside of the current folder, in which the bot is built; run arena in its own"
            )
    there = [word for word in named if os.path.exists(word)]
    if not (there or more):
        raise BotError(
            f"bot {portable_command(words)}: name the files it is built from, such as --file Makefile --file src"
        )
    files = gather_bot_files(folder, [*there, *more], trust=Trust.STRANGER)
    return BotRef(
        name=portable_command(words),
        sha256=digest_of(files),
        command=tuple(
            CommandWord(name_within(folder, word), own=True) if word in named else CommandWord(word) for word in words
        ),
        options=options or {},
        files=files,
        folder=folder,
        origin=folder,
    )


def _find_program(program: str, shown: str) -> str:
    """The path of the program. Raises BotError."""
    path = program if "/" in program else shutil.which(program)
    if path is None or not os.path.isfile(path):
        here = f"; did you mean ./{program}?" if "/" not in program and os.path.isfile(program) else ""
        raise BotError(f"bot {shown!r}: no program {program!r}{here}")
    if not os.access(path, os.X_OK):
        raise BotError(f"bot {shown!r}: {program} is not executable; try: chmod +x {shlex.quote(program)}")
    return os.path.abspath(path)


def _looks_installed(program: str) -> bool:
    """Whether a program seems to need the files around it, as the interpreter of a virtual environment does."""
    return os.path.islink(program) or os.path.basename(os.path.dirname(os.path.abspath(program))) == "bin"


def words_here(ref: BotRef) -> tuple[str, ...]:
    """The command on this machine: absolute paths of the bot's files and of the program. Raises BotError."""
    words = [os.path.normpath(os.path.join(ref.folder, word.text)) if word.own else word.text for word in ref.command]
    return (_find_program(words[0], ref.name), *words[1:])


def portable_command(words: Sequence[str]) -> str:
    """The command as written in replays: files without their folders."""
    return "cmd:" + shlex.join(os.path.basename(word) if os.path.isabs(word) else word for word in words)
