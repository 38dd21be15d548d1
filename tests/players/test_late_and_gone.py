"""What becomes of bots in processes of their own that are late, silent, too talkative or gone: to the second, with the
shipped fakes of the clock and of the pipe, and without a process.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from arena.bot import Limits, Start
from arena.clock import FakeClock
from arena.config.editions import load_edition
from arena.errors import ArenaError
from arena.finding.reference import BotRef
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import View
from arena.isolation.wire.control import OVER_MEMORY, OVER_THREADS
from arena.isolation.worker.bot_pipe import UNREAD_LIMIT
from arena.isolation.worker.fork_server import ProcessExit
from arena.isolation.worker.isolated_player import FLOOD_EVIDENCE, IsolatedPlayer
from arena.isolation.worker.match_processes import CLOCK_JUMP, MOST_TIMED_AGAIN, MatchProcesses
from arena.isolation.worker.process import MOST_EXCUSED, STARVED_LOOK
from arena.isolation.worker.scripted_system import Says, ScriptedPipe, ScriptedTransport, unknown_reading
from arena.isolation.worker.transport import WAIT_SECONDS
from arena.penalties import FaultKind
from arena.players.player import TimedAnswer
from arena.protocol.messages import LINE_LIMIT, PROTOCOL_VERSION, Failed, Hello, Replied, line_of
from arena.system.core_wait import STARVED_LIMIT, ProcessTimes, excused_seconds, had_little, had_no_core

EDITION = load_edition("eagle-gryphon")
GAME = load_game(EDITION.game)
TURN = GAME.hooks["turn"]
HELLO = line_of(Hello(PROTOCOL_VERSION, "bot", ("board",), ("turn",)))
STARTS: list[Says] = [(0.1, HELLO + line_of(Replied(0)))]
"""What every bot says to its start."""
HAIR = 1e-6
ASK, BANK = 2.0, 1.0


def reply(id: int) -> bytes:
    """Rolls the die."""
    return line_of(Replied(id, {"move": "roll"}))


def view() -> View:
    """What a bot is shown when it is asked."""
    return GAME.start(EDITION.rules, 3, Chance("1"), []).view(0)


class Match:
    """Players of scripted bots, which have started by saying hello, 0.1 s after they were told to."""

    def __init__(self, *pipes: ScriptedPipe, clock: FakeClock, **more: Any) -> None:
        self.clock, self.transport = clock, ScriptedTransport(clock, pipes, **more)
        refs = [BotRef(name="bot", sha256="")] * len(pipes)
        processes = MatchProcesses(self.transport, refs)
        self.players = [
            IsolatedPlayer(ref, processes, each) for ref, each in zip(refs, processes.processes, strict=True)
        ]
        limits = Limits(5.0, ASK, BANK)
        for seat, player in enumerate(self.players):
            started = player.start(Start("board", "", EDITION.rules, len(pipes), seat, "1", limits))
            assert started.fault is None
        self.began = clock.now()

    def ask(self, seat: int = 0, limit: float = ASK) -> TimedAnswer:
        """Ask one bot for its turn, and take the answer."""
        self.players[seat].post(TURN, view(), limit)
        return self.players[seat].take(limit)

    def ended(self, seat: int = 0) -> float | None:
        """Seconds from the end of the start until the bot's process was ended; None while it runs."""
        when = self.transport.ended.get(seat)
        return None if when is None else when - self.began


def match(*answers: list[Says], **more: object) -> Match:
    """A match of one bot that says this to each ask."""
    clock = FakeClock(1000.0)
    return Match(ScriptedPipe(clock, [STARTS, *answers], **more), clock=clock)  # type: ignore[arg-type]


def kind(answered: TimedAnswer) -> tuple[FaultKind | None, bool]:
    """The kind of the fault, and whether the bot is gone."""
    return (answered.fault.kind if answered.fault else None), answered.gone


# time ----------------------------------------------------------------------------------------------


def test_an_answer_in_the_last_moment_counts() -> None:
    played = match([(ASK, reply(1))])
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(ASK)
    assert played.ended() is None


def test_an_answer_late_by_a_hair_does_not_count_and_the_process_is_ended_on_time() -> None:
    played = match([(ASK + HAIR, reply(1))])
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_the_bank_gives_more_time_than_the_limit_of_one_ask_and_no_more_than_it_holds() -> None:
    played = match([(ASK + BANK, reply(1))], [(ASK + BANK + HAIR, reply(2))])
    answered = played.ask(limit=ASK + BANK)
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(ASK + BANK)
    assert kind(played.ask(limit=ASK + BANK)) == (FaultKind.LATE, True)


def test_a_bank_that_is_used_up_leaves_the_limit_of_one_ask() -> None:
    played = match([(ASK + BANK, reply(1))], [(ASK + HAIR, reply(2))])
    assert kind(played.ask(limit=ASK + BANK)) == (None, False)
    assert kind(played.ask(limit=ASK)) == (FaultKind.LATE, True)


def test_a_bot_that_never_says_hello_is_late() -> None:
    clock = FakeClock()
    pipe = ScriptedPipe(clock, [])
    transport = ScriptedTransport(clock, [pipe])
    ref = BotRef(name="bot", sha256="")
    processes = MatchProcesses(transport, [ref])
    player = IsolatedPlayer(ref, processes, processes.processes[0])
    answered = player.start(Start("board", "", EDITION.rules, 3, 0, "1", Limits(5.0, ASK, BANK)))
    assert kind(answered) == (FaultKind.LATE, True)
    assert transport.ended == {0: 5.0}


WELCOME = line_of(Replied(0))
START = 5.0


def start(says: list[Says], ask: float = ASK, **more: Any) -> tuple[TimedAnswer, float]:
    """What comes of starting a bot that says this, with :data:`START` for it, and the seconds until then. ``more`` are
    the ``reading`` of its process and the referee's ``jumps``."""
    clock = FakeClock(1000.0)
    pipe = ScriptedPipe(clock, [says], reading=more.pop("reading", unknown_reading))
    processes = MatchProcesses(ScriptedTransport(clock, [pipe], **more), [BotRef(name="bot", sha256="")])
    player = IsolatedPlayer(BotRef(name="bot", sha256=""), processes, processes.processes[0])
    answered = player.start(Start("board", "", EDITION.rules, 3, 0, "1", Limits(START, ask, BANK)))
    return answered, clock.now() - 1000.0


def parts(parted: bool, first: float, last: float) -> list[Says]:
    """The hello and the reply to the start, ``last`` seconds after it; the hello already after ``first``, if they are
    ``parted``."""
    return [(first, HELLO), (last, WELCOME)] if parted else [(last, HELLO + WELCOME)]


@pytest.mark.parametrize("parted", [False, True])
def test_waiting_for_a_core_is_not_charged_at_the_start_either(parted: bool) -> None:
    waiting = 8.0
    says = parts(parted, waiting + 1.0, waiting + START - HAIR)
    answered, _ = start(says, reading=computing_after(waiting, 1000.0 + WAIT_SECONDS))
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(START)


@pytest.mark.parametrize("parted", [False, True])
def test_a_start_is_late_by_a_hair_and_its_excuse_is_no_longer_than_the_wait(parted: bool) -> None:
    for waiting in (0.0, 8.0):
        says = parts(parted, waiting + 1.0, waiting + START + HAIR)
        answered, after = start(says, reading=computing_after(waiting, 1000.0 + WAIT_SECONDS))
        assert kind(answered) == (FaultKind.LATE, True)
        assert answered.computed == pytest.approx(START, abs=2 * WAIT_SECONDS)
        assert after == pytest.approx(waiting + START)


@pytest.mark.parametrize("ask", [ASK, 60.0])
def test_a_start_that_the_referee_was_away_for_is_in_time_whatever_the_limit_of_an_ask(ask: float) -> None:
    answered, _ = start([(20.0, HELLO + WELCOME)], ask, reading=sleeping, jumps=[(1000.05, 30.0)])
    assert kind(answered) == (None, False)


def test_a_process_that_says_of_itself_that_it_is_late_does_not_know_the_words() -> None:
    told = line_of(Failed(0, FaultKind.LATE, "no reply in time"))
    for says in ([(0.1, told)], [(0.1, HELLO + told)]):
        answered, _ = start(says)  # type: ignore[arg-type]
        assert kind(answered) == (FaultKind.GARBLED, False)


def test_the_time_of_a_second_ask_begins_when_the_first_is_answered() -> None:
    played = match([(1.5, reply(1))], [(1.5 + ASK, reply(2))])
    player = played.players[0]
    for _ in range(2):
        player.post(TURN, view(), ASK)
    first, second = player.take(ASK), player.take(ASK)
    assert (first.fault, second.fault) == (None, None)
    assert first.seconds == pytest.approx(1.5)
    assert second.seconds == pytest.approx(ASK)


def test_a_second_ask_is_late_by_a_hair_counted_from_the_first_answer() -> None:
    played = match([(1.5, reply(1))], [(1.5 + ASK + HAIR, reply(2))])
    player = played.players[0]
    for _ in range(2):
        player.post(TURN, view(), ASK)
    assert kind(player.take(ASK)) == (None, False)
    assert kind(player.take(ASK)) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(1.5 + ASK)


def test_an_answer_to_a_second_ask_while_the_first_is_open_is_garbled_for_the_first() -> None:
    played = match([], [(0.5, reply(2)), (0.6, reply(1))])
    player = played.players[0]
    for _ in range(2):
        player.post(TURN, view(), ASK)
    first = player.take(ASK)
    assert kind(first) == (FaultKind.GARBLED, False)
    assert first.fault is not None
    assert first.fault.evidence == "the reply is to ask 2; expected 1"
    assert kind(player.take(ASK)) == (FaultKind.GARBLED, False)


def test_who_is_late_is_ended_on_time_while_another_is_waited_for() -> None:
    clock = FakeClock()
    quick = ScriptedPipe(clock, [STARTS, [(2.9, reply(1))]])
    slow = ScriptedPipe(clock, [STARTS])
    played = Match(quick, slow, clock=clock)
    for player, limit in zip(played.players, (3.0, 1.0), strict=True):
        player.post(TURN, view(), limit)
    assert kind(played.players[0].take(3.0)) == (None, False)
    assert played.ended(1) == pytest.approx(1.0)
    assert kind(played.players[1].take(1.0)) == (FaultKind.LATE, True)


# waiting for a core --------------------------------------------------------------------------------


def computing_after(waiting: float, began: float = 1000.1 + WAIT_SECONDS) -> object:
    """What the kernel tells of a process that had no core for so many seconds, and computes from then on: it does not
    count a wait before it is over. Waiting is measured from when the process is first looked at."""

    def reading(now: float) -> ProcessTimes:
        over = now - began - waiting
        return ProcessTimes(now, waiting if over >= 0 else 0.0, max(0.0, over), True)

    return reading


def test_waiting_for_a_core_is_excused_and_not_charged() -> None:
    played = match([(ASK + 1.0, reply(1))], reading=computing_after(1.5))
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(ASK + 1.0 - 1.5)
    assert played.ended() is None


def test_waiting_for_a_core_is_not_charged_within_the_limit_of_an_ask_either() -> None:
    played = match([(1.5, reply(1))], reading=computing_after(1.25))
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(0.25)


def test_what_the_referee_waits_while_a_bot_sleeps_is_charged_within_the_limit_of_an_ask() -> None:
    asleep = lambda now: ProcessTimes(now, 0.0, 0.0, False)  # noqa: E731
    played = match([(1.5, reply(1))], reading=asleep)
    played.transport.referee_waited = lambda now: now
    assert played.ask().seconds == pytest.approx(1.5)


def test_an_excuse_is_no_longer_than_the_wait() -> None:
    played = match([(ASK + 1.5 + HAIR, reply(1))], reading=computing_after(1.5))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK + 1.5)


@pytest.mark.parametrize("waiting", [1.9, 2.1, 10.0, STARVED_LIMIT])
def test_a_process_that_gets_no_core_at_all_is_never_ended_for_being_late(waiting: float) -> None:
    played = match([(waiting + 0.5, reply(1))], reading=computing_after(waiting))
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(0.5)


def test_once_it_has_had_a_core_a_starved_process_has_its_time_and_no_more() -> None:
    played = match([(10.0 + ASK + 0.1, reply(1))], reading=computing_after(10.0))
    answered = played.ask()
    assert kind(answered) == (FaultKind.LATE, True)
    assert answered.fault is not None
    assert answered.fault.evidence == "the process had to be ended while the bot was thinking"
    ended = played.ended()
    assert ended is not None
    assert 10.0 + ASK <= ended + HAIR <= 10.0 + ASK + STARVED_LOOK


def test_a_process_that_gets_no_core_for_ever_breaks_the_match_off_and_is_not_blamed() -> None:
    played = match(reading=computing_after(1e9))
    with pytest.raises(ArenaError, match="no core for 60 s; the machine is overloaded"):
        played.ask()
    assert STARVED_LIMIT <= played.clock.now() - played.began - ASK <= STARVED_LIMIT + STARVED_LOOK


def test_a_process_that_waits_again_after_a_little_work_is_not_ended_before_it_gets_a_core() -> None:
    # it computed for 0.1 s, and the wait that then began, in which its time runs out, is not counted until it is over
    def reading(now: float) -> ProcessTimes:
        spent = now - 1000.1
        return ProcessTimes(now, 5.0 if spent >= 5.1 else 0.0, min(spent, 0.1) + max(0.0, spent - 5.1), True)

    played = match([(5.2, reply(1))], reading=reading)
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(0.2)


def test_a_process_that_sleeps_is_ended_on_time_although_it_computes_nothing() -> None:
    played = match(reading=lambda now: ProcessTimes(now, 0.0, 0.0, False))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_a_process_that_computes_is_ended_on_time() -> None:
    played = match(reading=lambda now: ProcessTimes(now, 0.0, now, True))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_threads_that_keep_each_other_waiting_buy_no_time() -> None:
    played = match(reading=lambda now: ProcessTimes(now, now, now, True))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_a_process_that_gets_a_tenth_of_a_core_has_ten_times_as_long() -> None:
    in_time = match([(10 * ASK - 0.5, reply(1))], reading=lambda now: ProcessTimes(now, now * 0.9, now * 0.1, True))
    assert kind(in_time.ask()) == (None, False)
    late = match(reading=lambda now: ProcessTimes(now, now * 0.9, now * 0.1, True))
    assert kind(late.ask()) == (FaultKind.LATE, True)
    ended = late.ended()
    assert ended is not None
    assert 10 * (ASK - WAIT_SECONDS) <= ended <= 10 * (ASK + 2 * STARVED_LOOK)


def test_no_bot_is_excused_for_longer_in_a_match_than_is_declared() -> None:
    played = match(reading=lambda now: ProcessTimes(now, now * 0.999, now * 0.001, True))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    ended = played.ended()
    assert ended is not None
    assert MOST_EXCUSED <= ended <= MOST_EXCUSED + ASK + 2 * STARVED_LOOK


def test_what_the_system_does_not_tell_is_no_excuse() -> None:
    reading = ProcessTimes(1.0, 1.0, 0.0, True)
    assert excused_seconds(None, reading) == excused_seconds(reading, None) == 0.0
    for had in (had_no_core, had_little):
        assert not had(None, reading)
        assert not had(reading, None)


# the referee's own absence -------------------------------------------------------------------------


def sleeping(now: float) -> ProcessTimes:
    """What the kernel tells of a process that does nothing."""
    return ProcessTimes(now, 0.0, 0.0, False)


def computing(now: float) -> ProcessTimes:
    """What the kernel tells of a process that has a core all the time."""
    return ProcessTimes(now, 0.0, now, True)


@pytest.mark.parametrize("moment", [0.001, 0.5, 1.9])
def test_time_in_which_the_referee_was_away_is_not_charged(moment: float) -> None:
    clock, away = FakeClock(1000.0), 30.0
    pipe = ScriptedPipe(clock, [STARTS, [(away + moment + 0.05, reply(1))]], reading=sleeping)
    played = Match(pipe, clock=clock, jumps=[(1000.1 + moment, away)])
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(0.05, abs=2 * WAIT_SECONDS)


def test_an_answer_that_came_while_the_referee_was_away_is_in_time() -> None:
    clock = FakeClock(1000.0)
    played = Match(ScriptedPipe(clock, [STARTS, [(0.01, reply(1))]]), clock=clock, jumps=[(1000.105, 30.0)])
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds <= 2 * WAIT_SECONDS


def test_after_the_referee_was_away_a_bots_time_begins_anew() -> None:
    clock, away = FakeClock(1000.0), 30.0
    played = Match(ScriptedPipe(clock, [STARTS], reading=sleeping), clock=clock, jumps=[(1000.1 + 0.5, away)])
    assert kind(played.ask()) == (FaultKind.LATE, True)
    ended = played.ended()
    assert ended is not None
    assert ended == pytest.approx(0.5 + away + ASK)


def test_what_a_bot_has_computed_while_the_referee_was_away_is_charged() -> None:
    clock = FakeClock(1000.0)
    played = Match(ScriptedPipe(clock, [STARTS], reading=computing), clock=clock, jumps=[(1000.1 + 0.5, 30.0)])
    assert kind(played.ask()) == (FaultKind.LATE, True)
    ended = played.ended()
    assert ended is not None
    assert ended <= 0.5 + 30.0 + 2 * STARVED_LOOK


def test_a_bot_is_not_charged_for_the_time_it_takes_to_end_another() -> None:
    clock = FakeClock(1000.0)
    slow = ScriptedPipe(clock, [STARTS], reading=sleeping)
    fair = ScriptedPipe(clock, [STARTS, [(ASK + 0.5, reply(1))]], reading=sleeping)
    played = Match(slow, fair, clock=clock, ending=30.0)
    for player, limit in zip(played.players, (ASK, ASK + BANK), strict=True):
        player.post(TURN, view(), limit)
    assert kind(played.players[0].take(ASK)) == (FaultKind.LATE, True)
    assert kind(played.players[1].take(ASK + BANK)) == (None, False)


def test_a_look_that_is_a_little_late_is_no_absence() -> None:
    clock = FakeClock(1000.0)
    played = Match(
        ScriptedPipe(clock, [STARTS], reading=sleeping), clock=clock, jumps=[(1000.1 + 1.0, 0.9 * CLOCK_JUMP)]
    )
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_an_answer_that_the_referee_had_no_core_to_read_is_in_time() -> None:
    # it came after 1 s, but was read after 2.5 s: meanwhile the referee waited for a core
    clock = FakeClock(1000.0)
    pipe = ScriptedPipe(
        clock, [STARTS, [(ASK + 0.5, reply(1))]], reading=lambda now: ProcessTimes(now, 0.0, 0.2, False)
    )
    played = Match(pipe, clock=clock, referee_waited=lambda now: 1.5 if now >= 1000.1 + ASK else 0.0)
    played.players[0].post(TURN, view(), ASK)
    clock.advance(ASK + 0.5)
    pipe.receive()
    answered = played.players[0].take(ASK)
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(ASK + 0.5 - 1.5)


def test_what_the_referee_has_waited_is_excused_once() -> None:
    clock = FakeClock(1000.0)
    pipe = ScriptedPipe(clock, [STARTS, [(ASK + 0.5, reply(1))], [(ASK + 0.5, reply(2))]], reading=sleeping)
    played = Match(pipe, clock=clock, referee_waited=lambda now: 1.5)
    played.transport.referee_waited = lambda now: 3.0
    for expected in (None, FaultKind.LATE):
        played.players[0].post(TURN, view(), ASK)
        clock.advance(ASK + 0.5)
        pipe.receive()
        assert kind(played.players[0].take(ASK))[0] == expected


# several seats late in one phase -------------------------------------------------------------------


def busy(now: float) -> float:
    """What a referee has waited that waits for a core in a fifth of all time."""
    return now * 0.2


def pressed(now: float) -> ProcessTimes:
    """What the kernel tells of a process that waited for a core in a fifth of the time and computed in another, now
    sleeps."""
    return ProcessTimes(now, now * 0.2, now * 0.2, False)


def phase(*answers: list[Says], reading: Any, **more: Any) -> tuple[Match, list[TimedAnswer]]:
    """Bots that are asked at once, one for each of these answers; and what came of it."""
    clock = FakeClock(1000.0)
    pipes = [ScriptedPipe(clock, [STARTS, answer], reading=reading) for answer in answers]
    played = Match(*pipes, clock=clock, **more)
    played.began = clock.now()
    for player in played.players:
        player.post(TURN, view(), ASK)
    return played, [player.take(ASK) for player in played.players]


@pytest.mark.parametrize("signs", [{"reading": pressed}, {"reading": sleeping, "referee_waited": busy}])
def test_several_seats_late_in_one_phase_on_a_machine_too_busy_are_timed_again(signs: Any) -> None:
    _, answered = phase([(2 * ASK - 0.5, reply(1))], [(2 * ASK - 0.2, reply(1))], **signs)
    assert [each.fault for each in answered] == [None, None]
    assert all(each.seconds < ASK for each in answered)


def test_seats_that_sleep_together_on_an_idle_machine_are_late() -> None:
    played, answered = phase([], [], reading=sleeping)
    assert [kind(each) for each in answered] == [(FaultKind.LATE, True)] * 2
    assert played.ended(0) == played.ended(1) == pytest.approx(ASK)


def test_seats_that_compute_for_too_long_are_late_however_busy_the_machine_is() -> None:
    played, answered = phase([], [], reading=computing, referee_waited=busy)
    assert [kind(each) for each in answered] == [(FaultKind.LATE, True)] * 2
    assert played.ended(0) == played.ended(1) == pytest.approx(ASK, abs=5 * STARVED_LOOK)


def test_one_seat_alone_is_late_however_busy_the_machine_is() -> None:
    played, answered = phase([], [(0.5, reply(1))], reading=sleeping, referee_waited=busy)
    assert [kind(each)[0] for each in answered] == [FaultKind.LATE, None]
    assert played.ended(0) == pytest.approx(ASK, abs=2 * WAIT_SECONDS)


def test_seats_in_collusion_are_timed_again_so_often_and_no_more() -> None:
    played, answered = phase([], [], reading=sleeping, referee_waited=busy)
    assert [kind(each) for each in answered] == [(FaultKind.LATE, True)] * 2
    assert played.ended(0) == pytest.approx((1 + MOST_TIMED_AGAIN) * ASK, abs=3 * WAIT_SECONDS)


def test_a_late_answer_tells_how_long_it_took_and_how_much_of_that_was_computed() -> None:
    played = match(reading=lambda now: ProcessTimes(now, 0.0, now / 4, False))
    late = played.ask()
    assert late.seconds == pytest.approx(ASK)
    assert late.computed == pytest.approx((ASK - WAIT_SECONDS) / 4)
    assert match().ask().computed is None  # where the system does not tell


# floods and ends -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "flood",
    [
        [(0.1, b"x" * LINE_LIMIT)],
        [(0.1, b"x" * 60_000), (0.2, b"x" * 6_000), (0.3, b"\n")],
        [(0.1, b"\n" * UNREAD_LIMIT)],
        [(0.1, b"x" * LINE_LIMIT), (0.2, reply(1))],
    ],
)
def test_a_line_without_end_and_a_flood_of_lines_are_garbled_and_end_the_process(flood: list[Says]) -> None:
    played = match(flood)
    answered = played.ask()
    assert kind(answered) == (FaultKind.GARBLED, True)
    assert answered.fault is not None
    assert answered.fault.evidence == FLOOD_EVIDENCE
    ended = played.ended()
    assert ended is not None
    assert ended < ASK


def test_a_line_may_come_in_parts() -> None:
    line = reply(1)
    played = match([(0.1, line[:5]), (0.2, line[5:])])
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(0.2)


def test_a_process_that_is_gone_is_dead_at_once_and_stays_so() -> None:
    played = match([(0.5, b"")])
    answered = played.ask()
    assert kind(answered) == (FaultKind.DEAD, True)
    assert answered.seconds == pytest.approx(0.5)


def test_what_a_process_has_said_before_it_was_gone_counts() -> None:
    played = match([(0.4, reply(1)), (0.5, b"")], [])
    assert kind(played.ask()) == (None, False)
    assert kind(played.ask()) == (FaultKind.DEAD, True)


@pytest.mark.parametrize(
    ("which", "told"),
    [
        (OVER_MEMORY, "more than 512 MB of memory (sandbox.memory in the tournament file); the process was ended"),
        (OVER_THREADS, "more than 32 threads (sandbox.threads in the tournament file); the process was ended"),
    ],
)
def test_a_process_that_was_ended_for_what_it_holds_is_told_its_limit(which: int, told: str) -> None:
    played = match([(0.5, b"")], exit=ProcessExit(9, 1 << 30, 0.1, which))
    answered = played.ask()
    assert kind(answered) == (FaultKind.REFUSED, True)
    assert answered.fault is not None
    assert answered.fault.evidence == told
    assert played.players[0].usage.memory == 1 << 30


def test_a_bots_own_account_of_a_fault_does_not_end_it() -> None:
    played = match([(0.1, line_of(Failed(1, FaultKind.BROKEN, "out of ideas")))], [(0.1, reply(2))])
    assert kind(played.ask()) == (FaultKind.BROKEN, False)
    assert kind(played.ask()) == (None, False)


def test_asks_are_numbered_and_carry_the_view() -> None:
    played = match([(0.1, reply(1))], [(0.1, reply(2))])
    played.ask()
    played.ask()
    sent = [msgspec.json.decode(line) for line in played.transport.pipes[0].sent]
    assert [line["type"] for line in sent] == ["start", "ask", "ask"]
    assert [line["id"] for line in sent[1:]] == [1, 2]
    assert sent[1]["view"]["seat"] == 0
