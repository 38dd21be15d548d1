"""The decisions of one seat in a recorded match that cost it most, found by branches from many of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

import msgspec

from arena.commands.branch.alternatives import ScannedDecision, decisions_of
from arena.commands.branch.branches import OWN_CHANCE, BranchedMatch, BranchOutcome, Variant, branch_outcomes
from arena.commands.branch.inference.candidates import choose_candidates
from arena.commands.branch.inference.dearest import (
    OtherAnswer,
    ScanRounds,
    kept_after_first,
    rounds_of,
    told_after_second,
)
from arena.config.botspec import parse_bot
from arena.errors import UserError
from arena.executors.executor import Executor
from arena.executors.interrupt import exit_code
from arena.match.following.branch import BranchAnswer
from arena.recorded.feeding import BotFeeder
from arena.runs.planning.load_bots import check_plays, plays_of, refer_to_bot
from arena.runs.run_options import NOBODY, RunListener

SCAN_ASKS, SCAN_ANSWERS, SCAN_REPEATS = 50, 12, 30
"""Defaults of a scan: the number of decisions; the number of legal answers up to which all are compared; and the
repetitions in the last round."""


class ScanOptions(msgspec.Struct, frozen=True):
    """The options of a scan: the ``seat``, the greatest number of its decisions (``asks``), the number of legal answers
    up to which all are compared (``few``), the repetitions in the last round (``repeat``), and the bot that gives a
    second ``opinion``, as named on the command line (empty: none)."""

    seat: int
    asks: int = SCAN_ASKS
    few: int = SCAN_ANSWERS
    repeat: int = SCAN_REPEATS
    opinion: str = ""


class ScanPlan(msgspec.Struct, frozen=True):
    """What a scan will play. The seat had ``asked`` asks in all, and ``choice`` of them left a choice that can be
    compared; ``chosen`` are those to look at, in order, in these ``rounds``, with at most ``branches`` branches. The
    seat's bot implements these ``hooks``; at asks of other hooks a default was played."""

    match: BranchedMatch
    wanted: ScanOptions
    asked: int
    choice: int
    chosen: list[ScannedDecision]
    hooks: frozenset[str]
    rounds: ScanRounds
    branches: int

    @property
    def compared_answers(self) -> list[OtherAnswer]:
        """Every answer that is compared with a recorded one."""
        return [OtherAnswer(each.decided.number, move) for each in self.chosen for move in each.candidate.others]


class AnswerGain(msgspec.Struct, frozen=True):
    """What another answer brought: the money by seat with it (``now``) and with the recorded answer (``then``), by
    repetition."""

    other: OtherAnswer
    now: tuple[tuple[int, ...], ...]
    then: tuple[tuple[int, ...], ...]

    def seat_gains(self, seat: int) -> list[int]:
        """How much more this seat has with the other answer than with the recorded one, in each repetition."""
        return [now[seat] - then[seat] for now, then in zip(self.now, self.then, strict=True)]


class ScanResult(msgspec.Struct):
    """The result of a scan: the ``gains`` of the last round, in the order of asks; the number of branches ``played``,
    and of those that do not count (``lost``), with the reason for the first; by seat, the first ask that its bot
    answered otherwise than recorded (``unrepeated``); and the exit code of the signal that ``stopped`` it early (0:
    none)."""

    gains: list[AnswerGain] = []
    played: int = 0
    lost: int = 0
    why_lost: str = ""
    unrepeated: dict[int, int] = {}
    stopped: int = 0


def plan_scan(match: BranchedMatch, wanted: ScanOptions) -> ScanPlan:
    """Put the seat's asks again to its bot and to the bot of the second opinion, and choose the decisions to look at.
    Raises UserError if there is no such seat, or nothing to look at, and BotError for a bot that cannot be loaded."""
    seats = len(match.spec.seats)
    if not 0 <= wanted.seat < seats:
        raise UserError(f"--scan {wanted.seat}: there is no such seat; seats are 0 to {seats - 1}")
    opinion = refer_to_bot(parse_bot(wanted.opinion)) if wanted.opinion else None
    if opinion is not None:
        check_plays([opinion], match.spec.game, match.isolation)
    with BotFeeder(match.isolation.demand) as again:
        seen = decisions_of(match, wanted.seat, wanted.few, again, opinion)
    kept = {each.ask for each in choose_candidates([each.candidate for each in seen], wanted.asks)}
    chosen = [each for each in seen if each.candidate.ask in kept]
    if not chosen:
        name = match.entrants[wanted.seat]
        raise UserError(f"{match.path}: {name} (seat {wanted.seat}) never had another legal answer to compare")
    rounds, others = rounds_of(wanted.repeat), sum(len(each.candidate.others) for each in chosen)
    asked = sum(not each.out for each in match.timeline.asks_of(wanted.seat))
    hooks = plays_of(match.bots[wanted.seat], match.isolation).get(match.spec.game, frozenset())
    return ScanPlan(match, wanted, asked, len(seen), chosen, hooks, rounds, rounds.branches(len(chosen), others))


def seconds_expected(planned: ScanPlan, executor: Executor) -> float:
    """The estimated duration of the scan, in seconds: plays one unchanged branch of each decision to measure it."""
    variants = [Variant(each.decided.number) for each in planned.chosen]
    took = []
    with closing(branch_outcomes(planned.match, variants, range(OWN_CHANCE, OWN_CHANCE + 1), executor)) as found:
        took = [outcome.done.timing.seconds for outcome in found if outcome.done is not None]
    told = took[executor.jobs :] or took or [0.0]  # the first of each worker also loads the bots
    return sum(told) / len(told) * planned.branches / executor.jobs


def play_scan(planned: ScanPlan, executor: Executor, listener: RunListener = NOBODY) -> ScanResult:
    """Play the three rounds (:mod:`arena.commands.branch.inference.dearest`); the ``listener`` hears of each branch. If
    the scan is stopped in the last round, the result has that round's repetitions so far; if earlier, none."""
    rounds, table = planned.rounds, _Table(planned, executor, listener)
    try:
        table.play(planned.compared_answers, rounds.first)
        kept = kept_after_first(table.differences(planned.compared_answers))
        table.play(kept, rounds.second)
        told = told_after_second(table.differences(kept))
        table.money.clear()  # what has chosen them is not told of them
        with table.to_the_end():
            table.play(told, rounds.last)
        table.found.gains = [gain for other in told if (gain := table.gain(other)).now]
    except KeyboardInterrupt as stop:
        table.found.stopped = exit_code(stop)
    return table.found


class _Table:
    """The outcomes of the branches: ``money`` by seat, for each variant and repetition."""

    def __init__(self, planned: ScanPlan, executor: Executor, listener: RunListener) -> None:
        self.planned, self.executor, self.listener = planned, executor, listener
        self.money: dict[Variant, dict[int, tuple[int, ...]]] = {}
        self.found = ScanResult()

    def play(self, others: Iterable[OtherAnswer], repeats: range) -> None:
        """Play these answers, and the recorded answers at the same asks, in the given repetitions."""
        asks = dict.fromkeys(each.ask for each in others)
        variants = [*map(Variant, asks), *map(_other_variant, others)]
        look = self.listener.waiting
        with closing(branch_outcomes(self.planned.match, variants, repeats, self.executor, look)) as found:
            for outcome in found:
                self._take(outcome)

    @contextmanager
    def to_the_end(self) -> Iterator[None]:
        """Context manager: an interrupt inside it ends only the code inside."""
        try:
            yield
        except KeyboardInterrupt as stop:
            self.found.stopped = exit_code(stop)

    def differences(self, others: Iterable[OtherAnswer]) -> dict[OtherAnswer, list[int]]:
        """The seat's gain with each answer over the recorded one, in each repetition."""
        return {other: self.gain(other).seat_gains(self.planned.wanted.seat) for other in others}

    def gain(self, other: OtherAnswer) -> AnswerGain:
        """The effect of an answer, in the repetitions in which both branches count."""
        now, then = self.money.get(_other_variant(other), {}), self.money.get(Variant(other.ask), {})
        both = sorted(now.keys() & then.keys())
        return AnswerGain(other, tuple(now[each] for each in both), tuple(then[each] for each in both))

    def _take(self, outcome: BranchOutcome) -> None:
        found = self.found
        found.played += 1
        if outcome.money:
            self.money.setdefault(outcome.variant, {})[outcome.number] = outcome.money
        else:
            found.lost += 1
            found.why_lost = found.why_lost or outcome.why
        branched = None if outcome.done is None else outcome.done.branched
        for seat, ask in () if branched is None else branched.unrepeated:
            found.unrepeated[seat] = min(ask, found.unrepeated.get(seat, ask))
        if outcome.done is not None:
            self.listener.finished(outcome.done)


def _other_variant(other: OtherAnswer) -> Variant:
    return Variant(other.ask, BranchAnswer.GIVEN, other.move)
