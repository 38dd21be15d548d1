"""Whatever a bot does wrong is a fault of its seat: written down, paid for, and of no harm to anybody else."""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Limits
from arena.config.editions import load_edition
from arena.match.refereeing.match_result import MatchResult
from arena.match.walk.verify import verify_replay
from arena.players import inprocess

SHORT = Limits(start=2.0, ask=0.25, bank=0.0)
NEGOTIATES = """
def turn(self, view):
    return Open() if self.refusal(view, Open()) is None else self.play_on(view)
"""

BROKEN = {
    "an exception": ("raise ValueError('no idea')", "ValueError: no idea at line {0} in turn"),
    "an exit": ("sys.exit(0)", "SystemExit: 0 at line {0} in turn"),
    "Ctrl-C": ("raise KeyboardInterrupt", "KeyboardInterrupt:  at line {0} in turn"),
    "endless recursion": ("return self.turn(view)", "RecursionError: maximum recursion depth exceeded"),
    "no memory": ("raise MemoryError", "MemoryError: out of memory at line {0} in turn"),
    "an exception without a message": (
        "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd",
        "Odd: (its message cannot be printed) at line {2} in turn",
    ),
    "an exception whose message exits": (
        "class Odd(Exception):\n    def __str__(self): sys.exit(1)\nraise Odd",
        "Odd: (its message cannot be printed) at line {2} in turn",
    ),
    "an exception whose message is no plain text": (
        """class Text(str):
    def __format__(self, how): sys.exit(1)
class Odd(Exception):
    def __str__(self): return Text('odd')
raise Odd""",
        "Odd: odd at line {4} in turn",
    ),
    "an address in a message": ("raise ValueError(object())", "ValueError: <object object at 0x…> at line {0} in turn"),
    "half a character in a message": ("raise ValueError('\\ud800')", "ValueError: \\ud800 at line {0} in turn"),
}
GARBLED = {
    "text": ("return 'roll'", "turn is answered by Open, Roll, Draw; got 'roll'"),
    "nothing, where something must be done": ("return None", "turn is answered by Open, Roll, Draw; got None"),
    "a number": ("return 7", "got 7"),
    "yes": ("return True", "got True"),
    "an answer to another hook": ("return Yes()", "got an object of class Yes"),
    "a class instead of a move": ("return Roll", "got an object of class StructMeta"),
    "a list of moves": ("return [Roll()]", "got an object of class list"),
    "an object that lies about its class": (
        "class Liar:\n    __class__ = property(lambda self: sys.exit(1))\nreturn Liar()",
        "got an object of class Liar",
    ),
    "text in place of a tuple": ("return Open(lay='red')", "Open: Expected `array`, got `str`"),
    "an unknown family": ("return Open(lay=('purple',))", "Open: Invalid enum value 'purple'"),
    "yes in place of a family": ("return Open(lay=(True,))", "Open: Expected `str`, got `bool`"),
    "half a character in a move": ("return Open(lay=('\\ud800',))", "Open: 'utf-8' codec can't encode"),
    "an object in a move": ("return Open(lay=(object(),))", "Open: an object of class object is no value of a move"),
    "a say that is too long": ("return Reply(Roll(), say='x' * 201)", "say has 201 characters; at most 200"),
    "a note that is too long": ("return Reply(Roll(), note='x' * 1001)", "note has 1001 characters; at most 1000"),
    "a say that is no text": ("return Reply(Roll(), say=b'x')", "say is no text: an object of class bytes"),
    "half a character in a say": ("return Reply(Roll(), say='\\ud800')", "say is no valid Unicode"),
    "words without a move": ("return Reply(say='well')", "got None"),
}
GARBLED_OFFERS = {
    "text as a seat": ("return Offers((Offer('1', 2),))", "Expected `int`, got `str`"),
    "yes as a price": ("return Offers((Offer(1, True),))", "Expected `int`, got `bool`"),
    "a broken price": ("return Offers((Offer(1, 2.5),))", "Expected `int`, got `float`"),
    "not a number as a price": ("return Offers((Offer(1, float('nan')),))", "Expected `int`, got `null`"),
    "a number in place of offers": ("return Offers(5)", "Expected `array`, got `int`"),
}
ILLEGAL = {
    "a price beyond all numbers": ("offer", "return Offers((Offer(int(view.seat == 0), 10**30),))", "B4"),
    "drawing before rolling": ("turn", "return Draw() if not view.rolled else Roll()", "B3"),
    "laying cards that are not there": ("turn", "return Open(('red',) * 9)", "B"),
    "a space off the board": ("place_marker", "return PlaceMarker(99)", "B2.4"),
    "a negative space": ("place_marker", "return PlaceMarker(-1)", "B2.4"),
}


@pytest.fixture(autouse=True)
def only_bots_interrupt() -> Iterator[None]:
    """As in a worker: SIGINT is ignored, so a KeyboardInterrupt can only be the bot's."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable()  # not all that bots write can be written down by the test runner
    yield
    logging.disable(logging.NOTSET)
    signal.signal(signal.SIGINT, before)


def lines_of(result: MatchResult, event: str) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, result.replay.splitlines()) if line["event"] == event]


def check_the_rest(result: MatchResult, culprit: int = 1) -> None:
    """The match has ended, verifies, and nobody but the culprit has a fault."""
    assert result.termination
    verify_replay(result.replay)
    for seat, each in enumerate(result.seats):
        assert seat == culprit or (each.ended == "played" and not each.faults)
    faults = lines_of(result, "fault")
    assert {line["seat"] for line in faults} == {culprit}
    counted: dict[str, int] = {}
    for line in faults:
        counted[line["kind"]] = counted.get(line["kind"], 0) + 1
    assert counted == result.seats[culprit].faults


def lined(evidence: str, after: int = 0) -> str:
    """The evidence with the numbers of the lines of a bot's body that follow line ``after``."""
    first = 14 + after
    return evidence.format(*range(first, first + 9))


def hook(name: str, code: str) -> str:
    inner = "\n".join(f"    {line}" for line in code.splitlines())
    return f"def {name}(self, view):\n{inner}\n"


@pytest.mark.parametrize("what", BROKEN)
def test_what_a_bot_raises_is_a_broken_fault_with_the_line_of_its_file(what: str, write_bot: Any, contest: Any) -> None:
    code, evidence = BROKEN[what]
    result = contest("random-legal", write_bot(hook("turn", code)), "silent")
    check_the_rest(result)
    fault = lines_of(result, "fault")[0]
    assert (fault["kind"], fault["hook"]) == ("broken", "turn")
    assert fault["evidence"].startswith(lined(evidence, 1))
    assert fault["move"] == {"move": "roll"}


def test_a_message_that_is_never_ready_does_not_hold_the_match(
    write_bot: Any, contest: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inprocess, "MESSAGE_LIMIT", 0.05)
    code = "class Odd(Exception):\n    def __str__(self):\n        while True: pass\nraise Odd"
    result = contest("random-legal", write_bot(hook("turn", code)), "silent")
    check_the_rest(result)
    assert lines_of(result, "fault")[0]["evidence"] == "an exception that cannot be described"


@pytest.mark.parametrize("what", GARBLED)
def test_what_is_no_answer_is_garbled(what: str, write_bot: Any, contest: Any) -> None:
    code, evidence = GARBLED[what]
    result = contest("random-legal", write_bot(hook("turn", code)), "silent")
    check_the_rest(result)
    fault = lines_of(result, "fault")[0]
    assert fault["kind"] == "garbled"
    assert evidence in fault["evidence"]


@pytest.mark.parametrize("what", GARBLED_OFFERS)
def test_wrong_values_inside_offers_are_garbled(what: str, write_bot: Any, contest: Any) -> None:
    code, evidence = GARBLED_OFFERS[what]
    result = contest("silent", write_bot(NEGOTIATES + hook("offer", code)), "silent")
    check_the_rest(result)
    fault = lines_of(result, "fault")[0]
    assert (fault["kind"], fault["hook"]) == ("garbled", "offer")
    assert evidence in fault["evidence"]


@pytest.mark.parametrize("what", ILLEGAL)
def test_an_illegal_move_names_the_rule_and_the_reply(what: str, write_bot: Any, contest: Any) -> None:
    name, code, rule = ILLEGAL[what]
    bots = ["random-legal", "silent", "silent"]
    for seat in range(3):  # whoever places the marker
        table = list(bots)
        table[seat] = write_bot(hook(name, code))
        result = contest(*table)
        if faults := lines_of(result, "fault"):
            check_the_rest(result, seat)
            assert faults[0]["kind"] == "illegal"
            assert faults[0]["rule"].startswith(rule)
            assert faults[0]["reply"]["move"] in ("draw", "open", "place", "offers")
            assert faults[0]["evidence"]
            return
    pytest.fail("nobody was asked")


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "time.sleep(30)",
        "while True: pass",
        """for _ in range(3):
    try:
        while True: pass
    except BaseException: pass
return self.play_on(view)""",
    ],
    ids=["sleeping", "a busy loop", "catching the overrun and answering in the end"],
)
def test_what_takes_too_long_is_late(code: str, write_bot: Any, contest: Any) -> None:
    result = contest("silent", write_bot(hook("turn", code)), "silent", limits=SHORT, strikes=1)
    check_the_rest(result)
    (fault,) = lines_of(result, "fault")
    assert (fault["kind"], fault["evidence"]) == ("late", "no reply in time")


@pytest.mark.parametrize(
    ("body", "kind", "evidence"),
    [
        ("1 / 0", "missing", "ZeroDivisionError: division by zero at line 5 in <module>, line {0} in Player"),
        ("def __init__(self): 1 / 0", "missing", "ZeroDivisionError: division by zero at line {0} in __init__"),
        ("def __init__(self): sys.exit()", "missing", "SystemExit:  at line {0} in __init__"),
        ("def __init__(self, depth): pass", "missing", "bot player.py needs the option 'depth'"),
        ("seat = property()", "missing", "AttributeError: "),
        ("def start(self, start): 1 / 0", "broken", "ZeroDivisionError: division by zero at line {0} in start"),
        ("def start(self, start): time.sleep(9)", "late", "no reply in time"),
        ("time.sleep(9)", "late", "no reply in time"),
    ],
    ids=["import", "init", "exit in init", "option", "no room for the seat", "start", "late start", "late import"],
)
def test_a_bot_that_cannot_start_is_out_from_the_start(
    body: str, kind: str, evidence: str, write_bot: Any, contest: Any
) -> None:
    result = contest("random-legal", write_bot(body), "silent", limits=Limits(1.0, 10.0, 0.0))
    check_the_rest(result)
    (fault,) = lines_of(result, "fault")
    assert (fault["ask"], fault["hook"], fault["kind"], fault["out"]) == (0, "start", kind, True)
    assert fault["evidence"].startswith(lined(evidence))
    assert "move" not in fault or fault["move"] is None
    assert result.seats[1].ended == "struck-out"
    assert result.times[1].asks == 0


def test_catching_the_overrun_in_start_does_not_buy_time(write_bot: Any, contest: Any) -> None:
    body = """
    def start(self, start):
        try:
            time.sleep(9)
        except BaseException:
            pass
    """
    result = contest("silent", write_bot(body), "silent", limits=Limits(0.5, 10.0, 0.0))
    assert result.seats[1].faults == {"late": 1}


POLICY_BODIES = {
    "broken": "def turn(self, view): 1 / 0",
    "garbled": "def turn(self, view): return 'roll'",
    "illegal": "def turn(self, view): return Roll() if view.rolled else Draw()",
    "late": "def turn(self, view): time.sleep(9)",
}


@pytest.mark.parametrize("kind", POLICY_BODIES)
def test_substitute_plays_defaults_until_the_strikes_are_used_up(kind: str, write_bot: Any, contest: Any) -> None:
    result = contest("random-legal", write_bot(POLICY_BODIES[kind]), "silent", limits=SHORT, strikes=2)
    check_the_rest(result)
    faults = lines_of(result, "fault")
    assert [(line["strike"], line.get("out", False)) for line in faults] == [(1, False), (2, True)]
    assert (result.seats[1].ended, result.void) == ("struck-out", False)


@pytest.mark.parametrize("kind", POLICY_BODIES)
def test_forfeit_puts_out_at_the_first_fault_and_ranks_last(kind: str, write_bot: Any, contest: Any) -> None:
    result = contest("silent", write_bot(POLICY_BODIES[kind]), "silent", limits=SHORT, policy="forfeit")
    check_the_rest(result)
    assert [line["out"] for line in lines_of(result, "fault")] == [True]
    assert [seat.rank for seat in result.seats] == [1, 3, 1]
    assert (result.seats[1].ended, result.void) == ("forfeit", False)


@pytest.mark.parametrize("kind", POLICY_BODIES)
def test_void_makes_the_match_count_for_nothing(kind: str, write_bot: Any, contest: Any) -> None:
    result = contest("random-legal", write_bot(POLICY_BODIES[kind]), "silent", limits=SHORT, policy="void")
    check_the_rest(result)
    assert result.void
    assert json.loads(result.replay.splitlines()[-1])["void"] is True


def test_the_richest_seat_ranks_last_when_it_forfeits_and_two_forfeits_share_the_last_rank(
    write_bot: Any, contest: Any
) -> None:
    late = hook("turn", "if view.turn > 30: 1 / 0\nreturn self.choose(view)")
    bots = [write_bot(late, "one"), "silent", write_bot(late, "two")]
    edition = load_edition("eagle-gryphon", changes={"max_turns": 32})
    result = contest(*bots, policy="forfeit", edition=edition, seed="6")
    verify_replay(result.replay)
    assert result.seats[0].money + result.seats[2].money > 0
    assert [seat.rank for seat in result.seats] == [2, 1, 2]


@pytest.mark.parametrize("policy", ["substitute", "forfeit", "void"])
def test_two_bad_bots_at_a_table_pay_for_their_own_faults(policy: str, write_bot: Any, contest: Any) -> None:
    bots = [write_bot(POLICY_BODIES["broken"], "one"), "silent", write_bot(POLICY_BODIES["garbled"], "two")]
    result = contest(*bots, policy=policy)
    verify_replay(result.replay)
    strikes = 3 if policy == "substitute" else 1
    assert [seat.faults for seat in result.seats] == [{"broken": strikes}, {}, {"garbled": strikes}]


@pytest.mark.parametrize("policy", ["substitute", "forfeit", "void"])
@pytest.mark.parametrize("kind", ["broken", "garbled", "illegal"])
def test_every_hook_may_fail_and_the_replay_verifies(kind: str, policy: str, write_bot: Any, contest: Any) -> None:
    wrong = {"broken": "1 / 0", "garbled": "return object()", "illegal": "return self.wrong(view)"}[kind]
    body = f"""
    def wrong(self, view):
        wrong = {{"accept": Yes(), "offer": Offers((Offer(9, 1),)), "close": Close(), "interrupt": TakeOver(),
                 "discard": Discard(()), "place_marker": PlaceMarker(99)}}
        return wrong.get(type(view).__name__.removesuffix("View").lower(), Roll())

    def fail(self, view):
        if self.random.random() < 0.2:
            {wrong}
        return self.choose(view)

    place_marker = turn = offer = accept = interrupt = close = discard = fail
    """
    bot = write_bot(body)
    hooks = set()
    for seed in range(4):
        result = contest(bot, bot, bot, seed=f"{kind}{seed}", policy=policy, strikes=50)
        verify_replay(result.replay)
        assert result.termination
        hooks |= {line["hook"] for line in lines_of(result, "fault")}
    assert len(hooks) >= (2 if policy != "substitute" else 4)


def test_a_fault_at_the_finish_harms_nobody(write_bot: Any, contest: Any) -> None:
    result = contest("silent", write_bot("def finish(self, finish): sys.exit(1)"), "random-legal")
    assert [seat.faults for seat in result.seats] == [{}, {}, {}]


def test_a_bot_may_use_the_names_that_are_set_for_it_as_it_likes(write_bot: Any, contest: Any) -> None:
    body = "def start(self, start):\n    self.limits = self.rules = self.seat = self.players = None\n"
    body += "def turn(self, view): return self.play_on(view)\n"
    body += "offer = accept = interrupt = close = discard = place_marker = lambda self, view: None\n"
    result = contest("silent", write_bot(body), "silent")
    assert set(result.seats[1].faults) <= {"garbled"}


def test_a_hook_that_cannot_even_be_looked_up_is_broken(write_bot: Any, contest: Any) -> None:
    result = contest("silent", write_bot("turn = property(lambda self: 1 / 0)"), "silent")
    check_the_rest(result)
    assert result.seats[1].faults == {"broken": 3}


MUTATIONS = {
    "a field of the view": "view.money = 1000",
    "a field of a part": "view.space.dividends = 99",
    "a deleted field": "del view.hand",
    "an item of the hand": "view.hand[0] = 'boss'",
    "a longer hand": "view.hand.append('boss')",
    "an item of the discards": "view.discards[0] += 1",
    "the news": "view.news.clear()",
    "a new attribute": "view.extra = 1",
}


@pytest.mark.parametrize("what", MUTATIONS)
def test_views_cannot_be_changed(what: str, write_bot: Any, contest: Any) -> None:
    result = contest("silent", write_bot(hook("turn", f"{MUTATIONS[what]}\nreturn self.play_on(view)")), "silent")
    check_the_rest(result)
    assert result.seats[1].faults == {"broken": 3}


def test_a_bot_that_writes_into_its_rules_harms_nobody(write_bot: Any, contest: Any) -> None:
    body = """
    def start(self, start):
        for table in (start.rules.deals, start.rules.names, start.rules.placards, start.rules.end_rolls):
            table.clear()
    """
    head = "from arena.bot import Bot\nclass Idle(Bot):\n"
    plain, spoiled = write_bot("pass", "plain", head), write_bot(body, "spoiled", head)
    before = contest("random-legal", plain, "greedy")
    after = contest("random-legal", spoiled, "greedy")
    again = contest("random-legal", plain, "greedy")
    assert before.replay == again.replay
    assert [(s.money, s.rank) for s in before.seats] == [(s.money, s.rank) for s in after.seats]


def test_bots_of_the_same_name_in_two_folders_import_their_own_neighbours(
    write_bot: Any, contest: Any, tmp_path: Path
) -> None:
    bots = []
    for word in ("one", "two"):
        folder = tmp_path / word
        folder.mkdir()
        (folder / "words.py").write_text(f"WORD = {word!r}")
        body = "def turn(self, view):\n    return Reply(self.play_on(view), say=WORD)"
        bot = write_bot(body)
        source = bot.read_text().replace("import os,", "from words import WORD\nimport os,")
        (folder / "player.py").write_text(source)
        bots.append(folder / "player.py")
    for _ in range(2):
        result = contest(*bots)
        said = {(line["seat"], line["say"]) for line in lines_of(result, "answer") if line["hook"] == "turn"}
        assert said == {(0, "one"), (1, "two")}
