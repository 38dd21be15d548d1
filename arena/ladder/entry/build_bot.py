"""Builds a submitted bot: runs its build command in a sandbox; the files that this leaves are the bot that plays.

The command may read what is installed for everybody, may write only to a copy of the submitted files, and has no
network. How strictly that is enforced depends on the isolation level (:data:`LEVEL_MEANINGS`)."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import msgspec

from arena.config.ladder_config import EntryRules
from arena.errors import BotError, UserError
from arena.finding.files import BotFile, Trust, digest_of, gather_bot_files
from arena.finding.reference import BotRef, CommandWord
from arena.runs.planning.isolation_level import Isolation
from arena.sandbox.build import run_build
from arena.sandbox.build_process import BuildEnding, BuildOrder
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import Level

BUILD_PREFIX = "arena-build-"
PASSABLE_MODE = 0o711
TRUSTED_POLICY = SandboxPolicy()
"""The sandbox policy for builds of trusted bots: they are watched and ended, but not locked in."""
LEVEL_MEANINGS = {
    Level.NONE: "not isolated: it may do everything that you may",
    Level.PROCESS: "limited, but not isolated: it may read everything that others may read, and has a network",
    Level.GUARDED: "limited, but not isolated: it may read everything that others may read, and has a network",
    Level.LOCKED: "isolated: no network, and it may write only its own files",
    Level.SEALED: "isolated: no network, and it may see and write only its own files",
}
"""What each isolation level means for a build."""
LIMIT_MEANINGS = {
    BuildEnding.TIME: "took longer than {seconds:g} s (entry.build_seconds)",
    BuildEnding.MEMORY: "held more than {memory} MB (entry.build_memory)",
    BuildEnding.PROCESSES: "had more than {processes} processes at once",
    BuildEnding.DISK: "wrote more than {disk} MB or {files:,} files",
    BuildEnding.LEFT: "was interrupted",
}
"""Why a build was ended, in words."""


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a build: its ``command``, the isolation ``level`` and what that ``held``, why it was ``refused``
    ("" if it was not), ``how`` it ended and with which exit ``code``, how many ``seconds`` it took, its peak ``memory``
    in bytes, how many ``files`` the bot has after it, and the end of its ``output``."""

    command: str
    level: Level
    held: str
    refused: str = ""
    how: str = ""
    code: int = 0
    seconds: float = 0.0
    memory: int = 0
    files: int = 0
    output: str = ""


def build_bot(ref: BotRef, words: Sequence[str], isolation: Isolation, entry: EntryRules) -> tuple[BotRef, BuildReport]:
    """Run the build command (``words``); return the bot with the resulting files, and a report. If the build is
    refused, return the bot unchanged.

    The resulting files are all that exist afterwards, except hidden files, compiled Python and what the command wrote
    to ``$TMPDIR``. Raises ArenaError where the sandbox cannot lock the command in as the level promises."""
    policy = isolation.policy or TRUSTED_POLICY
    order = BuildOrder(
        words=tuple(words),
        within=os.path.dirname(ref.file),
        seconds=float(entry.build_seconds),
        memory=entry.build_memory,
    )
    report = BuildReport(command=shlex.join(words), level=isolation.level, held=LEVEL_MEANINGS[isolation.level])
    if problem := _not_there(ref, order, policy):
        return ref, msgspec.structs.replace(report, refused=problem)
    folder = Path(tempfile.mkdtemp(prefix=BUILD_PREFIX))
    try:
        _lay_out(folder, ref.files)
        ran = run_build(order, policy, folder)
        report = msgspec.structs.replace(
            report, how=ran.how, code=ran.code, seconds=ran.seconds, memory=ran.memory, output=ran.output
        )
        if ran.how is not BuildEnding.DONE or ran.code:
            return ref, msgspec.structs.replace(report, refused=_build_fault(order, ran.how, ran.code))
        built = _built_bot(ref, folder / "files")
    except BotError as problem:
        told = str(problem).replace(f"{folder / 'files'}/", "").replace(str(folder / "files"), "the bot's folder")
        return ref, msgspec.structs.replace(report, refused=f"after the build: {told}")
    finally:
        _remove_folder(folder)
    return built, msgspec.structs.replace(report, files=len(built.files))


def _build_fault(order: BuildOrder, how: BuildEnding, code: int) -> str:
    """Say why a build that failed is refused."""
    if how is not BuildEnding.DONE:
        return f"the build {LIMIT_MEANINGS[how].format(**msgspec.structs.asdict(order))}"
    ended = f"exit code {code}" if code > 0 else f"signal {-code}"
    return f"the build ended with {ended}"


def _not_there(ref: BotRef, order: BuildOrder, policy: SandboxPolicy) -> str:
    """Why the command cannot be run; empty where it can."""
    program = order.words[0]
    path = dict(policy.environment).get("PATH")
    if "/" not in program:
        if shutil.which(program, path=path):
            return ""
        return f"the build needs {program!r}, which is not installed here (in {path})"
    name = os.path.normpath(os.path.join(order.within, program))
    found = next((file for file in ref.files if file.path == name), None)
    if found is None and not (os.path.isabs(program) and os.access(program, os.X_OK)):
        return f"the build runs {program}, which is not among the submitted files"
    if found is not None and not found.executable:
        return f"the build runs {program}, which is not executable; try: chmod +x {program}"
    return ""


def _lay_out(folder: Path, files: Sequence[BotFile]) -> None:
    """Write the files to build from, and what else a build needs."""
    try:
        folder.chmod(PASSABLE_MODE)  # the build may be another user's
        for name in ("files", "tmp"):
            (folder / name).mkdir(0o755)
        for file in files:
            path = folder / "files" / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            path.chmod(0o755 if file.executable else 0o644)
    except OSError as problem:
        raise UserError(f"the files cannot be copied to {folder}: {problem.strerror}") from None


def _built_bot(ref: BotRef, folder: Path) -> BotRef:
    """Return the bot with the files now in the folder. Raises BotError where its program or file is missing."""
    files = gather_bot_files(str(folder), [str(folder)], trust=Trust.INSTALLED)
    names = {file.path: file for file in files}
    folders = {".", *(str(above) for name in names for above in PurePosixPath(name).parents)}
    command = tuple(
        CommandWord(os.path.normpath(word.text), own=True) if os.path.normpath(word.text) in names else word
        for word in ref.command
    )
    for word in command:
        if word.own and word.text not in names and os.path.normpath(word.text) not in folders:
            raise BotError(f"there is no {word.text}, which the bot's command names")
    if command and command[0].own and not (command[0].text in names and names[command[0].text].executable):
        raise BotError(f"{command[0].text} is not executable; the build has to make it executable")
    if ref.file and ref.file not in names:
        raise BotError(f"there is no {ref.file}, which is loaded")
    return msgspec.structs.replace(ref, files=files, sha256=digest_of(files), command=command)


def _remove_folder(folder: Path) -> None:
    """Remove a folder, whatever permissions a build has left there; the targets of links in it stay."""
    for place, folders, _ in os.walk(folder):
        for path in (os.path.join(place, name) for name in folders):
            if not os.path.islink(path):
                os.chmod(path, 0o700)  # before it is walked through
    shutil.rmtree(folder, ignore_errors=True)
