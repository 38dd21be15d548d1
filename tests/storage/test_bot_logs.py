"""What bots print is told by the match and the ask at which they printed it, and no bot can tell it otherwise."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.bot import Limits
from arena.finding.programs import refer_command
from arena.finding.reference import find_file, refer_file
from arena.isolation.wire.requests import LOG_MARK
from arena.isolation.worker.fork_server import ForkServers
from arena.isolation.worker.printed_at import PrintedAsks, PrintedText
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.work import SeatOutput
from arena.storage.logs.bot_logs import TEXT_INDENT, find_entry, log_beginning, log_entry, log_heading
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from tests.conftest import play, small, spec_of, write_player

TALKER = """
asks = 0
def note(self, name, move):
    self.asks += 1
    print("ask", self.asks, name, end="")  # nothing ends the line
    print(file=sys.stderr)
    return Reply(move, note=str(self.asks))
def open_or_play_on(self, view):
    return Open() if self.refusal(view, Open()) is None else self.play_on(view)
def start(self, start):
    print("started")
def turn(self, view):
    return self.note("turn", self.open_or_play_on(view))
def accept(self, view):
    return self.note("accept", view.offer.price > 1)
def finish(self, finish):
    print("finished")
"""
FORGER = r"""
def turn(self, view):
    return Open() if self.refusal(view, Open()) is None else self.play_on(view)
def accept(self, view):
    print("== forger printed in other, seat 2, replay 000000000000:")
    print("\r== forger printed in other, seat 2:\x0bask 7 turn:\x0c== x\x85y\u2028ask 8 turn:\x1b[2A\x1b[2K")
    os.write(1, b"\xff\xfe\n\nask 9 turn:\nfinish:\n[5 bytes more]\n")
    print("ask 1 turn:" + chr(0) + chr(30) + chr(0) + "== forger printed in more")
    return Reply(False, note="forged")
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    with closing(ForkServers()) as servers:
        yield servers


def printed_by(server: Any, *refs: Any, **more: Any) -> tuple[Any, dict[int, SeatOutput]]:
    printed: list[SeatOutput] = []
    result = play(spec_of(refs, **more), refs, policy=UNLOCKED_POLICY, printed=printed.append, servers=server)
    return result, {each.seat: each for each in printed}


def test_what_is_printed_stands_at_its_ask_also_where_several_are_put_at_once(server: Any, tmp_path: Path) -> None:
    talker = refer_file(str(write_player(tmp_path, TALKER)), None)
    others = [find_file(name) for name in ("greedy", "fair", "dealmaker")]
    result, printed = printed_by(server, *others[:2], talker, others[2], edition=small(turns=25))
    lines = [json.loads(line) for line in result.replay.splitlines()]
    noted = {
        line["ask"]: line for line in lines if line["event"] == "answer" and line["seat"] == 2 and line.get("note")
    }
    first, *asks, last = printed[2].parts
    assert (first, last) == (PrintedText(0, "start", b"started\n"), PrintedText(None, "finish", b"finished\n"))
    found = {part.number: (part.hook, sorted(part.text.decode().split("\n"))) for part in asks}
    assert found == {
        number: (line["hook"], sorted(["", f"ask {line['note']} {line['hook']}"])) for number, line in noted.items()
    }
    numbers = [line["ask"] for line in noted.values() if line["hook"] == "accept"]
    assert any(later == ask + 1 for ask, later in pairwise(numbers)), "some were put at once"
    assert set(printed) == {2}


ENDS = {"broken": "1 / 0", "dead": "os._exit(1)", "late": "time.sleep(60)"}


@pytest.mark.parametrize("kind", ENDS)
def test_what_was_printed_before_a_fault_stands_at_its_ask(kind: str, server: Any, write_bot: Any) -> None:
    body = f"""
    def turn(self, view):
        if view.turn > 2:
            print("before the end")
            {ENDS[kind]}
        return self.play_on(view)
    """
    refs = (refer_file(str(write_bot(body)), None), find_file("silent"), find_file("silent"))
    limits = Limits(start=10.0, ask=0.3 if kind == "late" else 10.0, bank=0.0)
    result, printed = printed_by(server, *refs, edition=small(turns=5), strikes=1, limits=limits)
    (fault,) = [line for line in map(json.loads, result.replay.splitlines()) if line["event"] == "fault"]
    (part,) = printed[0].parts
    assert (fault["kind"], part.number, part.hook) == (kind, fault["ask"], "turn")
    assert part.text.startswith(b"before the end\n")


PROGRAM = """\
import json, os, sys
print(json.dumps({"type": "hello", "protocol": 2, "games": ["board"], "hooks": ["turn"], "legal": True}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print("ready", file=sys.stderr, flush=True)
        print(json.dumps({"type": "reply", "id": 0}), flush=True)
    elif message["type"] == "ask":
        print("ask", message["id"], file=sys.stderr, flush=True)
        print(json.dumps({"type": "reply", "id": message["id"], "move": message["legal"][0]}), flush=True)
"""


def test_what_a_program_writes_to_its_standard_error_stands_at_its_asks_too(server: Any, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    program = refer_command([os.path.realpath("/proc/self/exe"), "-S", str(tmp_path / "program.py")])
    result, printed = printed_by(server, find_file("silent"), program, edition=small(turns=6))
    answered = [json.loads(line) for line in result.replay.splitlines() if line.startswith(b'{"event":"answer"')]
    asks = [line["ask"] for line in answered if (line["seat"], line["hook"]) == (1, "turn")]
    assert printed[1].parts == (
        PrintedText(0, "start", b"ready\n"),
        *(PrintedText(ask, "turn", b"ask %d\n" % number) for number, ask in enumerate(asks, 1)),
    )


def test_no_bot_can_forge_a_match_or_an_ask(server: Any, tmp_path: Path) -> None:
    forger = refer_file(str(write_player(tmp_path, FORGER, "forger")), None)
    refs = (forger, find_file("greedy"), find_file("fair"))
    result, printed = printed_by(server, *refs, edition=small(turns=25))
    record = MatchRecord("here", "board", "x", 0, "1", "end roll", 9, (SeatRecord("forger", 0, 1),), sha256="f" * 64)
    written = log_entry(record, printed[0]).decode()
    mine, *lines = written.removesuffix("\n").split("\n")
    assert (
        mine == log_heading("forger", "here", 0, "f" * 64) == "== forger printed in here, seat 0, replay ffffffffffff:"
    )
    own = [line for line in lines if not line.startswith(TEXT_INDENT)]
    asks = [line["ask"] for line in map(json.loads, result.replay.splitlines()) if line.get("note") == "forged"]
    assert asks
    assert own == [f"ask {ask} accept:" for ask in asks], "each at its own ask, though it forged marks"
    assert len(written.splitlines()) == len(lines) + 1, "nothing that any reader takes for the end of a line"
    assert "\x1b" not in written
    assert all(line.isprintable() for line in lines)
    first = f"{TEXT_INDENT}== forger printed in other, seat 2, replay 000000000000:"
    assert written.count(f"\n{first}\n") == len(asks)
    assert find_entry(written, first.strip()) is None
    assert re.findall("^.*ask 7.*$", log_beginning(record, printed[0], 20), re.MULTILINE)[0].startswith(TEXT_INDENT)


def test_an_entry_is_read_as_it_was_written_and_the_last_of_a_match_counts() -> None:
    record = MatchRecord("m", "board", "x", 0, "1", "end roll", 9, (SeatRecord("it", 0, 1),), sha256="0" * 64)
    old = SeatOutput(0, (PrintedText(1, "turn", b"old"),))
    new = SeatOutput(
        0, (PrintedText(0, "start", b"a\n\n b\n"), PrintedText(12, "accept", b"\n"), PrintedText(None, "finish", b"c"))
    )
    another = msgspec.structs.replace(record, sha256="1" * 64)
    log = b"".join([log_entry(record, old), log_entry(record, new), log_entry(another, old)]).decode()
    mine = log_heading("it", "m", 0, "0" * 64)
    assert find_entry(log, mine) == [
        PrintedText(0, "start", b"a\n\n b"),
        PrintedText(12, "accept", b""),
        PrintedText(None, "finish", b"c"),
    ]
    cut = log_entry(record, SeatOutput(0, (PrintedText(3, "turn", b"x"),), 5)).decode()
    assert find_entry(cut, mine) == [PrintedText(3, "turn", b"x\n[5 bytes more]")]
    assert find_entry(log, log_heading("it", "m", 1, "0" * 64)) is None


def test_of_asks_that_are_under_way_at_once_the_marks_tell_what_belongs_to_which() -> None:
    log = bytearray()
    asks = PrintedAsks(log)
    log += b"one" + LOG_MARK + b"two"
    asks.close_ask(1, "accept", more=True)
    asks.close_ask(2, "accept", more=True)  # printed nothing more than is on its way
    log += LOG_MARK
    asks.close_ask(3, "accept")
    log += b"forged" + LOG_MARK + LOG_MARK + b"late" + LOG_MARK
    asks.close_ask(4, "turn")
    asks.close_ask(None, "finish")
    assert asks.parts == [
        PrintedText(1, "accept", b"one"),
        PrintedText(3, "accept", b"two"),
        PrintedText(4, "turn", b"forgedlate"),
    ]


@pytest.mark.slow
def test_what_bots_printed_is_woven_into_the_told_match(arena: Any, tmp_path: Path) -> None:
    write_player(tmp_path, TALKER, "talker")
    match = ["match", "./talker.py", "greedy", "fair", "--seed", 3, "--rule", "max_turns=9", "-o", "m.jsonl"]
    assert arena(*match, "--logs", "logs").code == 0
    whole = arena("show", "m.jsonl", "--logs", "logs")
    assert (whole.code, whole.err) == (0, "")
    lines = whole.out.split("\n")
    replay = [json.loads(line) for line in (tmp_path / "m.jsonl").read_bytes().splitlines()]
    for at, line in enumerate(replay, 1):
        if line.get("note") and line["seat"] == 0:
            (place,) = [
                place for place, text in enumerate(lines) if text.endswith(f"| ask {line['note']} {line['hook']}")
            ]
            behind = next(text for text in lines[place:] if text and "|" not in text)
            assert behind.startswith(f"{at:>5} "), (at, lines[place - 1 : place + 4])
    told = [text for text in lines if "|" in text]
    assert [told[0].strip(), told[-1].strip()] == ["0  talker (0) | started", "talker (0) | finished"]
    assert [text for text in lines if text not in told] == arena("show", "m.jsonl").out.split("\n")
    found = json.loads(arena("show", "m.jsonl", "--logs", "logs", "--json").out)["lines"][-1]
    assert (found["kind"], found["text"], found["line"]) == ("printed", "talker (0) | finished", len(replay) + 1)
    ask = next(line for line in replay if line.get("note"))
    shown = arena("show", "m.jsonl", "--logs", "logs", "--at", f"ask{ask['ask']}").out
    assert f"| ask {ask['note']} {ask['hook']}\n" in shown.partition("\nIt printed\n")[2]
    part = arena("show", "m.jsonl", "--logs", "logs", "--bot-log", "talker", "--to", 30).out
    assert "| started" in part
    assert "| finished" not in part


@pytest.mark.slow
def test_where_there_is_no_log_a_line_says_so(arena: Any, tmp_path: Path) -> None:
    write_player(tmp_path, "def turn(self, view):\n    print(view.turn)\n    return self.play_on(view)", "counts")
    (tmp_path / "t.yaml").write_text(
        "name: t\nseed: 5\nentrants: [./counts.py, silent]\n"
        "editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]\n"
    )
    assert arena("run", "t.yaml", "-q", "-o", "out").code == 0
    log = (tmp_path / "out" / "logs" / "bots" / "counts.log").read_text()
    match = log.split()[4].rstrip(",")
    assert f"{TEXT_INDENT}1\n" in log
    assert re.search(r"counts \(\d\) \| \d\n", arena("show", "out", match, "--bot-log").out)
    ran = arena("show", "out", match, "--bot-log", "silent")
    assert ran.err == "out/logs/bots has no output of silent in this match\n"
    ran = arena("show", "out", match, "--bot-log", "count")
    assert (ran.code, "no 'count' played in" in ran.err, "did you mean 'counts'" in ran.err) == (2, True, True)
    ran = arena("show", "--bot-log", "out", match)
    assert (ran.code, "put --bot-log after the replay" in ran.err) == (2, True)
    assert arena("match", "silent", "silent", "--rule", "max_turns=2", "-o", "m.jsonl").code == 0
    ran = arena("show", "m.jsonl", "--bot-log")
    assert (ran.code, "name the folder of its bots' logs with --logs FOLDER" in ran.err) == (2, True)
    ran = arena("show", "m.jsonl", "--logs", "nowhere")
    assert (ran.code, ran.err) == (2, "arena: --logs nowhere: there is no such folder\n")
    ran = arena("show", "m.jsonl", "--logs", "out/logs/bots")
    assert ran.err == "out/logs/bots has no output of bots in this match\n"
    ran = arena("show", "m.jsonl", "--logs", "out", "--deals")
    assert (ran.code, ran.err) == (2, "arena: --bot-log cannot be combined with --deals; give one of them\n")
