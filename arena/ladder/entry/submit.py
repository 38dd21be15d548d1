"""Submits a bot to a ladder: finds, builds and checks it, compares it with older versions, admits or refuses it.

Nothing is written before the decision; a refused submission leaves only a record of the refusal and its reasons.
Playing goes on meanwhile; the new version plays from the next round on."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import msgspec

from arena.config.botspec import BotSpec, parse_bot
from arena.errors import ArenaError, BotError, MatchSuspended, UserError
from arena.executors.executor import Executor
from arena.finding.files import NeighbourFile, Trust
from arena.finding.programs import refer_unbuilt
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.version_files import fetch_version
from arena.ladder.database.bot_versions.versions import Version, VersionState, entered_versions, note_change
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder
from arena.ladder.database.rounds import isolation_of, match_budgets, models_of_versions
from arena.ladder.entry.admission_rows import EntryCheck, NewVersion, admit_version, find_same
from arena.ladder.entry.authors import Author, check_entry_name, who_submits
from arena.ladder.entry.begin_ladder import by_value, left_beside, left_in_words
from arena.ladder.entry.build_bot import BuildReport, build_bot
from arena.ladder.entry.check_entry import EntryReport, check_submission
from arena.ladder.entry.entry_asks import recorded_of, same_files
from arena.ladder.entry.entry_rules import owner_of, refuse_entry
from arena.ladder.entry.likeness import find_alike
from arena.ladder.entry.secret_leaks import secret_refusals
from arena.ladder.models.season_spending import Payer, SeasonAllowance, season_allowance
from arena.printable import printable_text
from arena.rerun.check_conditions import conditions_of
from arena.runs.models.model_access import USUAL_SLOTS, ModelOptions, check_recorded_models, reach_models
from arena.runs.planning.isolation_level import Isolation
from arena.runs.planning.load_bots import refer_to_bot

Say = Callable[[str], object]


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A submission: a ``bot`` as commands name it, with ``options`` and ``files``, the command ``build`` that builds it
    ("": none), its ``name`` ("": the bot's own) and ``author`` ("": the owner of the ``token``, else the operator)."""

    bot: str
    name: str = ""
    author: str = ""
    token: str = ""
    options: dict[str, Any] = {}
    files: tuple[str, ...] = ()
    build: str = ""


class SubmittedFile(msgspec.Struct, frozen=True):
    """A file that is submitted: its path below the bot's folder, and its size in ``bytes``."""

    path: str
    bytes: int


class SubmitResult(msgspec.Struct, kw_only=True):
    """The result of a submission: the ``files`` that were taken, and the files ``beside`` them that the bot names but
    that were not taken; whether it was ``admitted``, as which ``version`` of which bot and author, and its ``state``;
    whether it was ``known`` before, so that nothing was done; which versions it ``replaced``; why it was ``refused``
    and what its author is ``told``, in sentences; and the ``report`` of the check (None: there was no check)."""

    ladder: str
    bot: str
    author: str
    files: list[SubmittedFile] = []
    beside: list[NeighbourFile] = []
    admitted: bool = False
    version: str = ""
    known: bool = False
    state: VersionState | None = None
    replaced: list[str] = []
    refused: list[str] = []
    told: list[str] = []
    report: EntryReport | None = None


def submit_bot(
    place: LadderFolder,
    ladder_name: str,
    submission: Submission,
    executor: Executor,
    say: Say = lambda text: None,
    author: Author | None = None,
    options: ModelOptions = ModelOptions(),  # noqa: B008
) -> SubmitResult:
    """Submit a bot to the ladder of this name, or the only one in the folder; ``say`` receives progress messages. An
    ``author`` that is given has been identified before, and needs no token. ``options`` say whether the ladder's
    language models may be asked. Raises UserError for an invalid submission, which leaves no record, and where one of
    these models fails; ArenaError where one fails during the check."""
    spec = parse_bot(submission.bot)
    submitted = _refer_bot(spec, submission)
    bot = submission.name or spec.default_name
    check_entry_name("bot", bot)
    database = open_database(place.database, place.shown, write=True)
    try:
        ladder = find_ladder(database, ladder_name)
        check_recorded_models(ladder.config.models, options)
        tokens = ladder.config.entry.tokens
        author = author or who_submits(database, submission.author, submission.token, tokens)
        owner = owner_of(database, bot)
        bot = owner[0] if owner else bot
        new = NewVersion(bot, author.name, submitted, build=submission.build)
        submitting = _Submitting(place, database, ladder, new, executor, say, options)
        submitting.result.files = [
            SubmittedFile(printable_text(file.path), len(file.content)) for file in submitted.files
        ]
        submitting.result.beside = left_beside(spec, submitted)
        return submitting.run()
    finally:
        database.close()


def _refer_bot(spec: BotSpec, submission: Submission) -> BotRef:
    """Return the bot with the content of all its files. Raises BotError where it has none."""
    if spec.kind == "module":
        raise BotError(
            f"bot {spec.text} is an installed package and may change with it: copy its files to a folder with a "
            f"bot.py, and submit that folder"
        )
    if spec.kind == "command" and submission.build:
        return refer_unbuilt(spec.words, {**spec.options, **submission.options}, submission.files)
    ref = by_value(refer_to_bot(spec, submission.options, submission.files, trust=Trust.STRANGER))
    if not ref.files:
        raise BotError(
            f"bot {ref.name} has no file of its own: it runs an installed program, which may change; add the files "
            f"of the bot with --file"
        )
    return ref


class _Submitting:
    """A submission in progress."""

    def __init__(
        self,
        place: LadderFolder,
        database: sqlite3.Connection,
        ladder: Ladder,
        new: NewVersion,
        executor: Executor,
        say: Say,
        options: ModelOptions,
    ) -> None:
        self.place, self.database, self.ladder = place, database, ladder
        self.new, self.executor, self.say, self.options = new, executor, say, options
        self.result = SubmitResult(ladder=ladder.name, bot=new.bot, author=new.author)

    def run(self) -> SubmitResult:
        """Take all steps of the submission, and return its result."""
        same = find_same(self.database, self.new.bot, self.new.sha256)
        if same is not None and same.author == self.new.author and self._is_here(same):
            return self.result
        self._list_files()
        if problems := secret_refusals(self.place, self.database, self.new.ref.files):
            return self._refuse(problems)
        if problem := refuse_entry(self.database, self.ladder, self.new.author, self.new.bot):
            return self._refuse([problem])
        isolation = isolation_of(self.place, self.ladder.config, self.ladder.edition.game)
        ref, built = self._built(same, isolation)
        if built is not None and built.refused:
            self.result.report = self._report_of(built, isolation)
            return self._refuse([built.refused])
        if problems := secret_refusals(self.place, self.database, ref.files):
            return self._refuse(problems)
        report = self._check(ref, isolation)
        report.build = built
        self.result.report, self.result.told = report, report.told
        if report.refused:
            return self._refuse(report.refused)
        self._compare(ref, report, isolation)
        return self._admit(ref, report)

    def _list_files(self) -> None:
        """Print which files are taken, and which are not although the bot names them."""
        files = self.result.files
        if len(files) == 1:
            self.say(f"taking {files[0].path}, {files[0].bytes:,} bytes")
        else:
            lines = "".join(f"\n  {file.bytes:>11,}  {file.path}" for file in files)
            self.say(f"taking {len(files):,} files, {sum(file.bytes for file in files):,} bytes:{lines}")
        for sentence in left_in_words(self.new.ref.name, self.result.beside, "--file NAME"):
            self.say(sentence)

    def _is_here(self, version: Version) -> bool:
        """Return whether this same version is in the ladder already."""
        for each in entered_versions(self.database, self.ladder.id):
            if each.version.id == version.id:
                self.result.known, self.result.version, self.result.state = True, version.name, each.state
                return True
        return False

    def _built(self, same: Version | None, isolation: Isolation) -> tuple[BotRef, BuildReport | None]:
        """Build the bot; return it as it plays, and the build report. Another ladder's version is not rebuilt."""
        if same is not None:
            return fetch_version(self.place, same), None
        if not self.new.build:
            return self.new.ref, None
        try:
            words = shlex.split(self.new.build)
        except ValueError as problem:
            raise UserError(f"--build {self.new.build!r}: {problem}") from None
        if not words:
            raise UserError("--build: expected a command, such as make")
        self.say(f"building {self.new.bot}: {self.new.build}")
        return build_bot(self.new.ref, words, isolation, self.ladder.config.entry)

    def _report_of(self, built: BuildReport, isolation: Isolation) -> EntryReport:
        """Return the check report of a bot whose build failed."""
        ladder = self.ladder
        return EntryReport(
            bot=self.new.bot,
            ladder=ladder.name,
            edition=ladder.edition.label,
            seats=ladder.seats,
            level=isolation.level,
            refused=[built.refused],
            build=built,
        )

    def _check(self, ref: BotRef, isolation: Isolation) -> EntryReport:
        ladder, matches = self.ladder, self.ladder.config.entry.check_matches
        told = "1 match" if matches == 1 else f"{matches} matches, each"
        self.say(f"checking {self.new.bot}: {told} twice, isolation {isolation.level}")
        anchors = [each for each in entered_versions(self.database, ladder.id) if each.anchor]
        anchors.sort(key=lambda each: each.anchor)
        others = [fetch_version(self.place, each.version) for each in anchors]
        conditions = conditions_of(ladder.config, ladder.edition, ladder.seats, isolation)
        if not ladder.config.models:
            return check_submission(ref, ladder.config, conditions, others, self.executor, isolation)
        uses = models_of_versions(self.database, ladder)
        conditions = msgspec.structs.replace(
            conditions,
            models=ladder.config.models,
            budgets=match_budgets(ladder.config),
            allowed=ladder.config.entry.models,
            others_allowed=tuple(uses[each.version.id] for each in anchors),
        )
        allowance = season_allowance(self.place, ladder, Payer(self.new.bot, self.new.author))
        with closing(self._reach_models(allowance)) as executor:
            try:
                return check_submission(ref, ladder.config, conditions, others, executor, isolation)
            except MatchSuspended as problem:
                raise self._not_checked(problem) from None

    def _reach_models(self, allowance: SeasonAllowance) -> Executor:
        """The executor whose bots reach the ladder's models. Raises ArenaError where one fails."""
        config = self.ladder.config
        try:
            return reach_models(config.models, config.slots or USUAL_SLOTS, allowance, self.options)
        except UserError as problem:
            raise self._not_checked(problem) from None

    def _not_checked(self, problem: ArenaError) -> ArenaError:
        """The error that says why the bot could not be checked, through no fault of its own."""
        return ArenaError(f"{self.new.bot} was not checked, through no fault of its own; submit it again: {problem}")

    def _compare(self, ref: BotRef, report: EntryReport, isolation: Isolation) -> None:
        """Report versions with the same files, and versions that answer alike."""
        report.told += [f"its files are those of {name}" for name in same_files(self.database, ref)]
        recorded = recorded_of(self.place, self.database, self.ladder, self.new.bot)
        report.alike = find_alike(ref, recorded, isolation)
        report.told += [each.in_words() for each in report.alike]

    def _admit(self, ref: BotRef, report: EntryReport) -> SubmitResult:
        before = _version_states(self.database, self.ladder)
        try:
            new = replace(self.new, ref=ref, submitted=self.new.ref)
            check = EntryCheck(msgspec.to_builtins(report), report.label or "", report.evidence)
            version = admit_version(self.place, self.database, self.ladder, new, check)
        except UserError as problem:  # somebody submits at the same time
            return self._refuse([str(problem)])
        after = _version_states(self.database, self.ladder)
        self.result.admitted, self.result.version, self.result.state = True, version.name, VersionState.ACTIVE
        self.result.replaced = [
            name for name, state in after.items() if state is VersionState.REPLACED and before.get(name) is not state
        ]
        return self.result

    def _refuse(self, reasons: list[str]) -> SubmitResult:
        """Record the refusal with its reasons; return the result."""
        self.result.refused = reasons
        why = f"{self.new.bot} of {self.new.author} ({self.new.ref.name}): {'; '.join(reasons)}"
        with write_transaction(self.database):
            note_change(self.database, "refused", self.ladder.id, None, why)
        return self.result


def _version_states(database: sqlite3.Connection, ladder: Ladder) -> dict[str, VersionState]:
    return {each.version.name: each.state for each in entered_versions(database, ladder.id)}
