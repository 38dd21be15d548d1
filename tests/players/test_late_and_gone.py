"""What becomes of bots in processes of their own that are late, silent, too talkative or gone: to the second, with the
shipped fakes of the clock and of the pipe, and without a process.
"""

from __future__ import annotations

import msgspec
import pytest

from arena.bot import Limits, Start
from arena.clock import FakeClock
from arena.config.editions import load_edition
from arena.finding.reference import BotRef
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import View
from arena.isolation.wire.control import MEMORY, THREADS
from arena.isolation.worker.fork_server import Exit
from arena.isolation.worker.match_processes import MatchProcesses
from arena.isolation.worker.pipe import UNREAD_LIMIT
from arena.isolation.worker.player import FLOODED, IsolatedPlayer
from arena.isolation.worker.process import MOST_EXCUSES, STARVED_LIMIT, STARVED_LOOK
from arena.isolation.worker.scheduling import Reading, excused, is_starved
from arena.isolation.worker.scripted import Says, ScriptedPipe, ScriptedTransport
from arena.isolation.worker.transport import BRIEFLY
from arena.players.faults import FaultKind
from arena.players.player import TimedAnswer
from arena.protocol.messages import LINE_LIMIT, VERSION, Failed, Hello, Replied, line_of

EDITION = load_edition("eagle-gryphon")
GAME = load_game(EDITION.game)
TURN = GAME.hooks["turn"]
HELLO = line_of(Hello(VERSION, "bot", ("board",), ("turn",)))
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

    def __init__(self, *pipes: ScriptedPipe, clock: FakeClock) -> None:
        self.clock, self.transport = clock, ScriptedTransport(clock, pipes)
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


def computing_after(waiting: float, began: float = 1000.1 + BRIEFLY) -> object:
    """What the kernel tells of a process that had no core for so many seconds, and computes from then on: it does not
    count a wait before it is over. Waiting is measured from when the process is first looked at."""

    def reading(now: float) -> Reading:
        over = now - began - waiting
        return Reading(now, waiting if over >= 0 else 0.0, max(0.0, over), True)

    return reading


def test_waiting_for_a_core_is_excused_and_not_charged() -> None:
    played = match([(ASK + 1.0, reply(1))], reading=computing_after(1.5))
    answered = played.ask()
    assert kind(answered) == (None, False)
    assert answered.seconds == pytest.approx(ASK + 1.0 - 1.5)
    assert played.ended() is None


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


def test_a_process_that_gets_no_core_for_ever_is_ended_in_the_end() -> None:
    played = match(reading=computing_after(1e9))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    ended = played.ended()
    assert ended is not None
    assert STARVED_LIMIT <= ended - ASK <= STARVED_LIMIT + STARVED_LOOK


def test_a_process_that_sleeps_is_ended_on_time_although_it_computes_nothing() -> None:
    played = match(reading=lambda now: Reading(now, 0.0, 0.0, False))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_a_process_that_computes_is_ended_on_time() -> None:
    played = match(reading=lambda now: Reading(now, 0.0, now, True))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_threads_that_keep_each_other_waiting_buy_no_time() -> None:
    played = match(reading=lambda now: Reading(now, now, now, True))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    assert played.ended() == pytest.approx(ASK)


def test_time_is_prolonged_only_so_often_in_a_match() -> None:
    played = match(reading=lambda now: Reading(now, now * 0.9, now * 0.1, True))
    assert kind(played.ask()) == (FaultKind.LATE, True)
    ended = played.ended()
    assert ended is not None
    assert ASK < ended < 10 * ASK + MOST_EXCUSES


def test_what_the_system_does_not_tell_is_no_excuse() -> None:
    reading = Reading(1.0, 1.0, 0.0, True)
    assert excused(None, reading) == excused(reading, None) == 0.0
    assert not is_starved(None, reading)
    assert not is_starved(reading, None)


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
    assert answered.fault.evidence == FLOODED
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
        (MEMORY, "more than 512 MB of memory (sandbox.memory in the tournament file); the process was ended"),
        (THREADS, "more than 32 threads (sandbox.threads in the tournament file); the process was ended"),
    ],
)
def test_a_process_that_was_ended_for_what_it_holds_is_told_its_limit(which: int, told: str) -> None:
    played = match([(0.5, b"")], exit=Exit(9, 1 << 30, 0.1, which))
    answered = played.ask()
    assert kind(answered) == (FaultKind.REFUSED, True)
    assert answered.fault is not None
    assert answered.fault.evidence == told
    assert played.players[0].usage.memory == 1 << 30


def test_a_bots_own_account_of_a_fault_does_not_end_it() -> None:
    played = match([(0.1, line_of(Failed(1, "broken", "out of ideas")))], [(0.1, reply(2))])
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
