"""Checks an upload: unpacks it into a folder of its own, and submits the bot there as `arena ladder submit` does.

To be run in a process of its own, whose current folder becomes that of the bot."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath

from arena.config.botspec import COMMAND_PREFIX, parse_bot, parse_options
from arena.errors import ArenaError, BotError, UserError
from arena.executors.make import make_executor
from arena.finding.files import MOST_FILES
from arena.foreign_files import ZIP_START, ArchivedFile, read_zip
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.database.rounds import isolation_of
from arena.ladder.entry.authors import known_author
from arena.ladder.entry.submit import Say, Submission, SubmitResult, submit_bot
from arena.ladder.uploads.upload_rows import Upload, UploadRequest
from arena.runs.models.model_access import ModelOptions, check_recorded_models

MOST_UNPACKED = 64 << 20
"""The maximum size in bytes of all files of an uploaded archive."""


def check_upload(
    place: LadderFolder,
    upload: Upload,
    content: bytes,
    folder: Path,
    jobs: int,
    say: Say,
    options: ModelOptions = ModelOptions(),  # noqa: B008
) -> SubmitResult:
    """Check an upload in the empty ``folder``, and admit or refuse its bot; ``say`` receives progress messages. What
    ``arena ladder submit`` would not even record, such as a bot without a class, is a refusal too. Makes the folder the
    current one. ``options`` say whether the ladder's language models may be asked. Raises ArenaError where the check
    cannot be carried out, through no fault of the bot."""
    os.chdir(folder)
    with closing(open_database(place.database, place.shown)) as database:
        ladder, author = find_ladder(database, upload.ladder), known_author(database, upload.author)
    isolation_of(place, ladder.config, ladder.edition.game)
    check_recorded_models(ladder.config.models, options)
    try:
        submission = unpack_upload(upload.request, content, folder)
        with closing(make_executor(jobs)) as executor:
            return submit_bot(place, upload.ladder, submission, executor, say, author, options)
    except UserError as problem:
        refused = [str(problem).replace(f"{folder}/", "")]
        return SubmitResult(ladder=upload.ladder, bot=upload.request.bot, author=upload.author, refused=refused)


def unpack_upload(request: UploadRequest, content: bytes, folder: Path) -> Submission:
    """Write the files of an upload below ``folder``, which is empty and the current one; return the submission of the
    bot in them. Raises UserError for an archive or a request that is not allowed."""
    bot, cls = request.bot, f":{request.cls}" if request.cls else ""
    if cls and (request.command or not request.cls.isidentifier()):
        raise BotError(f"class: expected the name of a class in a bot without a command, got {request.cls!r}")
    options = parse_options(request.options, "option")
    if not content.startswith(ZIP_START):
        if request.command or request.build:
            raise BotError("a bot with a command or a build is uploaded as a ZIP archive of its files")
        files, spec, more = [ArchivedFile(f"{bot}.py", content, False)], f"./{bot}.py{cls}", []
    else:
        files = _without_top(read_zip(content, "the upload", MOST_FILES, MOST_UNPACKED))
        if not files:
            raise BotError("the uploaded archive holds no file")
        if request.command:
            spec = COMMAND_PREFIX + request.command
            _check_words(parse_bot(spec).words)
            more = sorted({file.path.partition("/")[0] for file in files})
        else:
            files = [file._replace(path=f"{bot}/{file.path}") for file in files]
            spec, more = f"./{bot}/{cls}", []
    _write_files(folder, files)
    return Submission(bot=spec, name=bot, options=options, files=tuple(more), build=request.build)


def _without_top(files: list[ArchivedFile]) -> list[ArchivedFile]:
    """The files without the folder that holds all of them, which many programs put around an archive."""
    tops = {file.path.partition("/")[0] for file in files}
    if len(tops) != 1 or any("/" not in file.path for file in files):
        return files
    return [file._replace(path=file.path.partition("/")[2]) for file in files]


def _check_words(words: Sequence[str]) -> None:
    """Raise BotError for a command that may name something outside of the bot's files, such as the operator's."""
    for word in words:
        if word.startswith("/") or ".." in PurePosixPath(word).parts:
            raise BotError(
                f"command: {word!r} leads out of the bot's files; name a file among them, or an installed program "
                f"without its folder"
            )


def _write_files(folder: Path, files: list[ArchivedFile]) -> None:
    """Write files to new paths below the folder, readable by others, as those of any bot in a ladder."""
    try:
        folder.chmod(0o755)
        for file in files:
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            path.chmod(0o755 if file.executable else 0o644)
    except OSError as problem:
        raise ArenaError(f"the uploaded files cannot be written: {problem.strerror}") from None
