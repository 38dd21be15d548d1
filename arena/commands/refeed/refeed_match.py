"""Puts the asks of one seat of one match to a bot again: counts its answers, or stops at a difference."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arena.commands.refeed.results import START_HOOK, AnswerData, Place, RefeedCounts, RefeedFinding, answer_data
from arena.errors import ForkServerLost, Mismatch, ReplayError, UserError
from arena.finding.reference import BotRef
from arena.games import load_game
from arena.match.feeding.answer_difference import LATE, AnswerComparison, Likeness
from arena.match.feeding.fed_bot import RepeatedAsk
from arena.match.walk.timeline import Timeline
from arena.printable import printable_text
from arena.recorded.ask_detail import ask_of
from arena.recorded.event_address import events_of_asks
from arena.recorded.feeding import AskFeeder, BotFeeder
from arena.recorded.recorded_models import recorded_models
from arena.recorded.replay_names import command_line_names, name_file_in, read_named
from arena.recorded.seat_numbers import SeatNumbers
from arena.recorded.story import source_of
from arena.replay.lines import Faulted, Header
from arena.replay.read import read_header, read_replay_line, split_replay
from arena.runs.models.live_desks import LiveDesks

EARLIER_PLACES = 3
"""Number of differing places before a wanted ask that are kept."""


class RefeedOrder(NamedTuple):
    """How to ask a bot again. With ``every``, all asks are counted; otherwise the bot is stopped at the ask ``number``,
    or without one at the first difference. An answer is slow if it takes more than ``slow`` seconds; with
    ``ignore_words``, different words alone are no difference. ``keep`` is the number of places to keep for each code in
    a match (None: all)."""

    bot: BotRef
    every: bool = True
    number: int | None = None
    slow: float | None = None
    ignore_words: bool = False
    keep: int | None = 3


class RefeedMatch(NamedTuple):
    """A match: what its replay is called, which ``seat`` is asked again, the ``block`` that it counts in, its
    ``timeline`` where the replay has been read already, and the seat's own ``numbers`` where what is found is told by
    these."""

    path: Path
    seat: int
    block: str = ""
    timeline: Timeline | None = None
    numbers: SeatNumbers | None = None


def put_again(
    again: BotFeeder,
    order: RefeedOrder,
    match: RefeedMatch,
    counted: RefeedCounts | None = None,
    live: LiveDesks | None = None,
) -> RefeedCounts:
    """Put the asks of a match to the bot, and count the answers; ``counted``, if given, is filled meanwhile. The bot
    consults models as recorded, and at ``live`` desks what is not recorded. Raises Mismatch or ReplayError with the
    replay's name if it does not verify or is not a replay; UserError if the seat was out before the wanted ask."""
    timeline = match.timeline or Timeline(read_named(match.path), kept=False)
    try:
        try:
            return _MatchRefeed(order, match, timeline, counted).put(again, live)
        except ForkServerLost:
            again.start_anew()
            return _MatchRefeed(order, match, timeline, counted).put(again, live)
    except Mismatch as problem:
        raise Mismatch(f"{match.path}: {problem}") from None
    except ReplayError as problem:
        raise name_file_in(match.path, problem) from None


def entrants_by_seat(header: Header) -> list[str]:
    """The entrants by seat."""
    return [seat.entrant for seat in header.seats]


class _MatchRefeed:
    """The asks of one match, put to the bot of an order."""

    def __init__(
        self, order: RefeedOrder, match: RefeedMatch, timeline: Timeline, counted: RefeedCounts | None
    ) -> None:
        self.order, self.match, self.timeline = order, match, timeline
        self.counted = counted or RefeedCounts()
        self.counted.reset_counts()
        self.events: dict[int, int] | None = None
        self.late = 0
        self.lines = split_replay(timeline.content)
        self.header = read_header(self.lines[0])

    def put(self, again: BotFeeder, live: LiveDesks | None) -> RefeedCounts:
        """See :func:`put_again`."""
        order, match, counted = self.order, self.match, self.counted
        desk = recorded_models(match.path, self.header).make_desk(live, self.header.id)
        with again.open_feeder(self.timeline, match.seat, order.bot, order.slow, desk) as putting:
            ended = self._ask(putting)
            if putting.fault is not None:
                self._start(putting)
            elif ended is None and order.number is not None:
                raise UserError(
                    f"seat {match.seat} was out before ask {self._ask_number(order.number)} of {match.path}"
                )
            elif ended is not None and not order.every:
                counted.found = self._found(ended, putting)
        return counted

    def _ask(self, putting: AskFeeder) -> AnswerComparison | None:
        """Put the asks to the bot; returns the one at which it was stopped, or None."""
        counted, order = self.counted, self.order
        for compared in putting.asks():
            counted.add(compared, self.match.block)
            counted.differing = int(counted.differing or compared.other)
            number = compared.asked.number
            if order.number == number:
                return compared
            if self._matters(compared):
                if order.number is None and not order.every:
                    return compared
                counted.add_place(self._place(compared), order.keep)
            if compared.ends or self._hangs(compared):
                counted.ended = 1
                return None if order.every else compared
        return None

    def _matters(self, compared: AnswerComparison) -> bool:
        fine = compared.what is Likeness.SAME or (compared.what is Likeness.WORDS and self.order.ignore_words)
        return compared.slow or not fine

    def _hangs(self, compared: AnswerComparison) -> bool:
        """Whether the bot was late so often that it would be struck out of the match: each late answer costs its full
        time limit."""
        self.late += compared.what is LATE
        return compared.what is LATE and self.late >= self.header.strikes

    def _place(self, compared: AnswerComparison) -> Place:
        asked = compared.asked
        told = compared.slow or compared.what is LATE
        return Place(
            compared.what,
            " ".join(command_line_names(self.match.path)),
            self._event(asked.number) if self.match.numbers is None else None,
            self._ask_number(asked.number),
            asked.hook,
            self._recorded(asked),
            answer_data(asked.answered, compared),
            round(asked.answered.seconds, 3) if told else None,
        )

    def _start(self, putting: AskFeeder) -> None:
        """Count a bot that failed before its first ask as an ask of its own."""
        fault = putting.fault
        assert fault is not None
        what, counted = Likeness(fault.kind), self.counted
        counted.differing = 1
        counted.add_hook(START_HOOK, what, True, False, self.match.block)
        counted.ended = 1
        now = AnswerData(None, "", fault.kind.value, fault.rule, fault.evidence)
        place = Place(what, " ".join(command_line_names(self.match.path)), None, 0, START_HOOK, AnswerData(), now)
        if self.order.every:
            counted.add_place(place, self.order.keep)
        else:
            counted.found = RefeedFinding(place, entrants_by_seat(self.header), self._printed(0, putting))

    def _found(self, compared: AnswerComparison, putting: AskFeeder) -> RefeedFinding:
        """All details of the ask at which the bot was stopped."""
        asked, places = compared.asked, self.counted.places
        self.counted.places = []
        of = source_of(self.timeline)
        one, decided = ask_of(self.match.path, of, asked.number, self.match.numbers)
        told = ""
        if asked.answered.fault is None:
            game = load_game(self.header.game)
            move = asked.answered.move or game.hooks[asked.hook].idle
            told = printable_text(game.tell_move(move, decided.view, of.rules, of.names))
        earlier = sum(count.asks - count.count_asks(Likeness.SAME) for count in self.counted.hooks.values())
        earlier -= compared.what is not Likeness.SAME
        place = self._place(compared)
        printed = self._printed(asked.number, putting)
        return RefeedFinding(place, of.names, printed, one, told, places[:EARLIER_PLACES], earlier, self.header.game)

    def _printed(self, ask: int, putting: AskFeeder) -> str:
        """What the bot has printed there."""
        return printable_text(putting.printed(ask).rstrip(), "\n")

    def _ask_number(self, ask: int) -> int:
        """The number by which an ask is told."""
        return ask if self.match.numbers is None else self.match.numbers.asks.index(ask) + 1

    def _recorded(self, asked: RepeatedAsk) -> AnswerData:
        """The recorded answer, with its fault where the rules refused it."""
        event = self._event(asked.number)
        line = None if event is None else read_replay_line(self.header, self.lines[event - 1], event)
        then = answer_data(asked.recorded)
        if isinstance(line, Faulted) and not then.fault:
            return AnswerData(then.move, "", line.kind.value, line.rule, line.evidence)
        return then

    def _event(self, ask: int) -> int | None:
        """The line of the answer to an ask; None if no line has it."""
        if self.events is None:
            self.events = events_of_asks(self.timeline.content)
        return self.events.get(ask)
