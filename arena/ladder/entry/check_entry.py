"""Checks a submitted bot under the conditions of a ladder, before it is admitted: whether it loads, plays the edition
at the ladder's tables within the limits, avoids being put out for faults, and repeats itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from arena.bot import Limits
from arena.config.ladder_config import LadderConfig, Qualifier
from arena.errors import BotError
from arena.executors.executor import Executor, play_each
from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef
from arena.ladder.entry.build_bot import BuildReport
from arena.ladder.entry.likeness import AlikeVersion
from arena.match.desk_of_work import recorded_desk
from arena.match.walk.timeline import Timeline
from arena.match.work import Work, WorkResult
from arena.rerun.check_conditions import CheckConditions, works_under
from arena.rerun.play_twice import (
    CHECKED_ENTRANT,
    CheckedFault,
    TwicePlayed,
    answered_as_in,
    play_twice,
    seat_of_checked,
)
from arena.rerun.repeatability import RecordedSeatAsks, RepeatTrials
from arena.runs.planning.guessable_seed import draw_seed
from arena.runs.planning.isolation_level import Isolation
from arena.runs.planning.load_bots import plays_of
from arena.sandbox.probe import Level
from arena.tournament.standings.provenance import Label


class QualifierResult(msgspec.Struct, frozen=True):
    """The result of a qualifier: its ``matches``, and the share of opponents of which the bot finished ``ahead`` (half
    of those with its own rank)."""

    matches: int
    ahead: float


class EntryReport(msgspec.Struct, kw_only=True):
    """What the check of a submission found, for its author and the operator.

    ``refused`` are the reasons for which it is not admitted, ``told`` other notes for its author: both are sentences.
    ``seed`` is that of the ``played`` matches (None: none were played); ``label`` says whether the bot repeats itself,
    and ``evidence`` how that was shown. ``qualifier`` is its result there (None: none was played), ``build`` the report
    of its build; ``alike`` are the versions that answer exactly as it does."""

    bot: str
    ladder: str
    edition: str
    seats: int
    level: Level
    refused: list[str] = []
    told: list[str] = []
    label: Label | None = None
    evidence: str = ""
    seed: str = ""
    played: TwicePlayed | None = None
    qualifier: QualifierResult | None = None
    build: BuildReport | None = None
    alike: list[AlikeVersion] = []

    @property
    def has_passed(self) -> bool:
        """Whether the check found no reason to refuse it."""
        return not self.refused


def check_submission(
    ref: BotRef,
    config: LadderConfig,
    conditions: CheckConditions,
    others: Sequence[BotRef],
    executor: Executor,
    isolation: Isolation,
    seed: str | None = None,
) -> EntryReport:
    """Play the bot against these others, and bundled bots where they are too few, under the ladder's ``conditions``.

    A bot is refused if it cannot be loaded, does not play the game, or is put out for its faults in a match; also if it
    does not repeat itself and the ladder requires that, or fails the ladder's qualifier. Single faults are only
    reported: the ladder's own rules say what they cost. The seed is drawn if none is given, so that no bot can
    distinguish a check from the ladder."""
    edition, seats = conditions.edition, conditions.seats
    report = EntryReport(bot=ref.name, ladder=config.name, edition=edition.label, seats=seats, level=isolation.level)
    try:
        with BotCopies() as depot:  # its files may be nowhere else yet
            plays = plays_of(depot.place(ref), isolation)
    except BotError as problem:
        report.refused.append(str(problem))
        return report
    if plays and edition.game not in plays:
        report.refused.append(f"it plays {' and '.join(plays)}, and this ladder plays {edition.game}")
        return report
    if not plays or not plays[edition.game]:
        report.told.append("it has no hook: only defaults are played for it")
    report.seed = seed or draw_seed()
    works = list(works_under(conditions, ref, others, config.entry.check_matches, report.seed))
    report.played, done = play_twice(ref.name, isolation.level, works, executor)
    _judge_faults(report, report.played)
    report.told += _slow_notes(report.played, config.limits)
    recorded = [answered_as_in(work, each) for work, each in zip(works, done, strict=True)]
    _judge_repeating(report, report.played, recorded, done, ref, isolation, config.entry.must_repeat)
    if config.entry.qualifier is not None and not report.refused:
        qualifier = config.entry.qualifier
        more = works_under(conditions, ref, others, qualifier.matches, f"{report.seed}/qualifier", "qualifier")
        _judge_qualifier(report, qualifier, play_each(executor, more))
    return report


def _judge_qualifier(report: EntryReport, qualifier: Qualifier, done: Sequence[WorkResult]) -> None:
    """Refuse a bot that finishes ahead of too few opponents."""
    ahead: list[float] = []
    for each in done:
        seat = seat_of_checked(each)
        own = each.record.seats[seat].rank
        others = [one.rank for index, one in enumerate(each.record.seats) if index != seat]
        ahead += [0.5 if rank == own else float(rank > own) for rank in others]
    share = sum(ahead) / len(ahead)
    report.qualifier = QualifierResult(len(done), round(share, 4))
    if share < qualifier.ahead:
        report.refused.append(
            f"it finished ahead of {share:.1%} of its opponents in {len(done)} matches of the qualifier; expected at "
            f"least {qualifier.ahead:.1%} (entry.qualifier)"
        )


def _judge_faults(report: EntryReport, played: TwicePlayed) -> None:
    """Refuse a bot that was put out for faults in its check, as it would be in the ladder; report other faults."""
    worst = f"; {fault_summary(played.faults[0])}" if played.faults else ""
    if played.put_out:
        matches = played.matches // 2
        report.refused.append(
            f"it was put out for its faults in {len(played.put_out)} of {matches} matches, first in "
            f"{played.put_out[0]}{worst}"
        )
    report.told += [f"fault: {fault_summary(fault)}" for fault in played.faults[1 if played.put_out else 0 :]]


def _slow_notes(played: TwicePlayed, limits: Limits) -> list[str]:
    """Return notes on asks over the time limit: the excess uses up the bank; after that such an ask is a fault."""
    if played.worst <= limits.ask:
        return []
    worst = (
        f"it took up to {played.worst:.2f} s for an ask"
        if played.median <= limits.ask
        else (f"it took {played.median:.2f} s for an ask (median)")
    )
    told = f"the ladder allows {limits.ask:g} s (limits.ask), and longer answers use up {limits.bank:g} s a match"
    return [f"slow: {worst}; {told} (limits.bank): once these are used up, such an answer is a fault"]


def fault_summary(fault: CheckedFault) -> str:
    """Describe a fault: how often this kind occurred, and where first."""
    rule = f" [{fault.rule}]" if fault.rule else ""
    return f"{fault.count} × {fault.kind}{rule} in {fault.hook}: {fault.evidence} (first with seed {fault.seed})"


def _judge_repeating(
    report: EntryReport,
    played: TwicePlayed,
    works: Sequence[Work],
    done: Sequence[WorkResult],
    ref: BotRef,
    isolation: Isolation,
    must: bool,
) -> None:
    """Judge whether the bot repeats itself and, if it does not, whether it depends on the clock; label or refuse it."""
    asked: list[RecordedSeatAsks] = []
    faulty: list[RecordedSeatAsks] = []
    for work, each in zip(works, done, strict=True):
        if each.replay is not None:
            desk = None if work.models is None else partial(recorded_desk, work)
            asked.append(RecordedSeatAsks(Timeline(each.replay), seat := seat_of_checked(each), desk))
            if each.record.seats[seat].faults:
                faulty.append(asked[-1])
    with RepeatTrials({CHECKED_ENTRANT: ref}, isolation) as trials:
        if played.repeats:
            report.label, report.evidence = trials.of_seed(CHECKED_ENTRANT, asked, faulty)
            return
        report.label, report.evidence = trials.of_clock(CHECKED_ENTRANT, asked)
    sentence = f"it does not repeat itself: it answers differently when {played.differs} is played again"
    if must:
        report.refused.append(f"{sentence}, but this ladder requires it (entry.must_repeat)")
    else:
        report.told.append(f"{sentence}; it is labelled {report.label.value!r}")
