"""A match is played again from its replay, and told from it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.match.walk.timeline import Timeline
from arena.penalties import FaultKind
from arena.players.faults import ENDED_EVIDENCE
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.lines import Answered, Faulted
from arena.replay.play_difference import first_difference
from arena.replay.read import read_replay_lines
from arena.runs.planning.isolation_level import strictest_isolation

PATIENT = "def turn(self, view): return self.play_on(view)"
UNINTERRUPTED = "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()); time.sleep(600)"
"""As endless work within one call of C, but without any work."""

ISOLATED, TRUSTED = f"isolation {strictest_isolation().level}\n", "isolation none\n"
"""What is said of the level at which bots are played again."""


@pytest.fixture(scope="module")
def replays() -> dict[str, bytes]:
    """The replays that were kept, by the text of the bot."""
    return {}


@pytest.fixture
def kept(arena: Any, write_bot: Any, replays: dict[str, bytes]) -> Callable[[], Path]:
    """Keeps the replay of ./player.py, greedy and silent; a match is played once for all tests of the same bot."""

    def play() -> Path:
        bot, path = Path("player.py"), Path("m.jsonl")
        if not bot.exists():
            write_bot(PATIENT)
        if bot.read_text() in replays:
            path.write_bytes(replays[bot.read_text()])
        else:
            ran = arena("match", "./player.py", "greedy", "silent", "--seed", "7", "--rule", "max_turns=20", "-o", path)
            assert ran.code == 0
            replays[bot.read_text()] = path.read_bytes()
        return path

    return play


@pytest.mark.slow
def test_a_rerun_with_the_same_bots_is_identical(arena: Any, kept: Any) -> None:
    kept()
    assert arena("rerun", "m.jsonl") == (0, "m.jsonl: identical\n", ISOLATED)


@pytest.mark.slow
def test_a_bot_that_has_changed_is_refused_with_what_to_do(arena: Any, kept: Any, write_bot: Any) -> None:
    kept()
    Path("player.py").rename("old.py")
    gone = "arena: the bot of player (player.py) was not found; name it with --bot player=BOT\n"
    assert arena("rerun", "m.jsonl") == (2, "", gone)
    write_bot("def turn(self, view): return self.choose(view)")
    changed = "arena: the bot of player (player.py) has changed; name the old version with --bot player=BOT\n"
    assert arena("rerun", "m.jsonl") == (2, "", changed)
    assert arena("rerun", "m.jsonl", "--bot", "player=./old.py") == (0, "m.jsonl: identical\n", ISOLATED)


@pytest.mark.slow
def test_another_version_differs_from_the_first_decision_on_that_is_shown(
    arena: Any, kept: Any, write_bot: Any
) -> None:
    kept()
    write_bot("def turn(self, view): return Open() if self.refusal(view, Open()) is None else self.play_on(view)")
    ran = arena("rerun", "m.jsonl", "--bot", "player=./player.py")
    assert (ran.code, ran.err) == (1, ISOLATED)
    pattern = r'm\.jsonl: differs; first:\n  then ask \d+: seat 0, turn: \{"move":"roll"\}\n  now  ask \d+: seat 0, '
    assert re.match(pattern, ran.out)


def test_two_plays_part_at_the_earlier_of_two_decisions_whichever_play_has_it() -> None:
    path = Path(__file__).parents[1] / "golden" / "eagle-gryphon-4p.jsonl"
    whole = path.read_bytes().splitlines(keepends=True)
    found = [(at, json.loads(line)) for at, line in enumerate(whole) if line.startswith(b'{"event":"answer"')]
    at, decided = next((at, one) for (at, one), (_, two) in pairwise(found) if one["seat"] != two["seat"])
    less = [*whole[:at], *whole[at + 1 :]]
    for before, after in ((whole, less), (less, whole)):
        parted = first_difference(b"".join(before), b"".join(after))
        assert (parted.seat, parted.ask) == (decided["seat"], decided["ask"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("player", "arena: --bot player: expected ENTRANT=BOT, such as mybot=./mybot.py\n"),
        ("plaier=greedy", "arena: no entrant 'plaier' in m.jsonl; there are player, greedy, silent\n"),
    ],
)
def test_a_wrong_entrant_is_a_mistake(given: str, message: str, arena: Any, kept: Any) -> None:
    kept()
    assert arena("rerun", "m.jsonl", "--bot", given) == (2, "", message)


@pytest.mark.slow
@pytest.mark.parametrize(("end", "trust"), [("os._exit(0)", []), ("os.kill(os.getpid(), signal.SIGKILL)", ["--trust"])])
@pytest.mark.usefixtures("pool")
def test_a_match_with_a_bot_that_ends_its_process_is_repeated_too(
    end: str, trust: list[str], arena: Any, kept: Any, write_bot: Any
) -> None:
    write_bot(f"def turn(self, view):\n    if view.turn > 2: {end}\n    return self.play_on(view)")
    path = kept()
    assert b'"kind":"dead"' in path.read_bytes()
    assert arena("verify", "m.jsonl").code == 0
    assert arena("rerun", "m.jsonl", *trust) == (0, "m.jsonl: identical\n", TRUSTED if trust else ISOLATED)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "kind"), [("os._exit(0)", "dead"), (UNINTERRUPTED, "late")])
@pytest.mark.usefixtures("pool")
def test_a_trusted_bot_that_takes_its_process_down_does_so_again_in_a_process_of_its_own(
    code: str, kind: str, arena: Any, write_bot: Any
) -> None:
    write_bot(f"def turn(self, view): {code}")
    options = ("--trust", "--ask", 0.2, "--bank", 0, "--seed", "1", "--rule", "max_turns=6", "-o", "m.jsonl")
    assert arena("match", "./player.py", "silent", "silent", *options).code == 0
    (fault,) = [json.loads(line) for line in Path("m.jsonl").read_bytes().splitlines() if b'"event":"fault"' in line]
    assert (fault["kind"], fault["gone"], fault["out"]) == (kind, True, True)
    assert arena("verify", "m.jsonl").code == 0
    ran = arena("rerun", "m.jsonl", "--trust")
    assert (ran.code, ran.out) == (0, "m.jsonl: identical\n")


LIAR = """
import json, sys

def send(**message):
    print(json.dumps(message), flush=True)

send(type="hello", protocol=2, games=["board"], hooks=["turn"])
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "start":
        send(type="reply", id=0)
    elif asked["type"] == "ask":
        send(type="fault", id=asked["id"], kind="broken", evidence=EVIDENCE)
    else:
        break
"""


@pytest.mark.slow
@pytest.mark.parametrize("evidence", ENDED_EVIDENCE.values())
def test_nothing_follows_from_evidence_that_a_bot_sends(evidence: str, arena: Any, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text(LIAR.replace("EVIDENCE", repr(evidence)))
    liar = f"cmd:{sys.executable} {tmp_path / 'liar.py'}"
    ran = arena("match", liar, "silent", "--seed", "1", "--trust", "--rule", "max_turns=8", "-o", "m.jsonl")
    assert ran.code == 0
    header, lines = read_replay_lines(Path("m.jsonl").read_bytes())
    faults = [line for line in lines if isinstance(line, Faulted)]
    assert [(each.kind, each.evidence, each.gone, each.out) for each in faults] == [
        (FaultKind.BROKEN, evidence, False, number == 3) for number in (1, 2, 3)
    ]
    assert arena("verify", "m.jsonl", "-q") == (0, "", "")
    ran = arena("rerun", "m.jsonl", "--trust", "--bot", f"{header.seats[0].entrant}={liar}")
    assert (ran.code, ran.out, ran.err) == (0, "m.jsonl: identical\n", TRUSTED)


def test_a_match_is_told_in_sentences_with_the_numbers_of_the_lines(arena: Any, kept: Any) -> None:
    path = kept()
    ran = arena("show", "m.jsonl")
    assert (ran.code, ran.err) == (0, "")
    heading, first, *_ = ran.out.splitlines()
    assert heading == " line   ask"
    assert first == "    1        eagle-gryphon+max_turns=20, seed 7: player (0), greedy (1), silent (2)."
    assert "The match is over: " in ran.out
    numbers = [int(line[:5]) for line in ran.out.splitlines()[1:] if line.strip()]
    assert numbers == sorted(numbers)
    assert numbers[-1] == len(path.read_bytes().splitlines())
    assert re.search(r"^1\. |  1\. ", ran.out, re.MULTILINE)


@pytest.mark.slow
def test_only_the_lines_asked_for_are_told(arena: Any, kept: Any) -> None:
    kept()
    whole = arena("show", "m.jsonl").out.splitlines()
    numbers = [int(line[:5]) for line in whole[1:] if line]
    part = arena("show", "m.jsonl", "--from", 20, "--to", 40).out.splitlines()
    assert part[0] == whole[0]
    assert [line for line in part[1:] if line] == [line for line in whole[1:] if line and 20 <= int(line[:5]) <= 40]
    refused = f"arena: there is no event 99999; events are the lines of the replay, 1 to {numbers[-1]}\n"
    assert arena("show", "m.jsonl", "--from", 99999) == (2, "", refused)


def test_a_range_of_lines_may_begin_and_end_at_asks(arena: Any, kept: Any) -> None:
    """An ask means its answer's line, and one at which nothing was done the last line before its phase's answers."""
    _, lines = read_replay_lines(kept().read_bytes())
    line_of = {each.ask: at for at, each in enumerate(lines, 1) if isinstance(each, Answered)}
    first, last = sorted(line_of)[3], sorted(line_of)[9]
    expected = arena("show", "m.jsonl", "--from", str(line_of[first]), "--to", str(line_of[last]))
    assert arena("show", "m.jsonl", "--from", f"ask{first}", "--to", f"ask{last}") == expected
    silent = next(ask for ask in range(first, max(line_of)) if ask not in line_of)
    (phase,) = (
        each
        for each in Timeline(Path("m.jsonl").read_bytes()).phases()
        if silent in range(each.first, each.first + len(each.asks))
    )
    before = phase.decisions.start - 1
    assert arena("show", "m.jsonl", "--from", f"ask{silent}") == arena("show", "m.jsonl", "--from", str(before))


def test_a_range_is_by_the_seats_own_asks(arena: Any, kept: Any) -> None:
    kept()
    own = json.loads(arena("show", "m.jsonl", "--seat", "1", "--at", "ask5", "--json").out)["seen"]
    told = arena("show", "m.jsonl", "--seat", "1", "--from", "ask5", "--to", "ask5")
    assert told == arena("show", "m.jsonl", "--seat", "1", "--from", str(own), "--to", str(own))
    assert "there is no ask 9999" in arena("show", "m.jsonl", "--to", "ask9999").err


def test_told_for_one_seat_the_cards_of_others_stay_hidden(arena: Any, kept: Any) -> None:
    path = kept()
    drawn = [json.loads(line) for line in path.read_bytes().splitlines() if b'"event":"drew"' in line]
    assert {line["seat"] for line in drawn} == {0, 1, 2}
    whole, one = (
        {int(line[:5]): line[13:] for line in arena("show", "m.jsonl", *seat).out.splitlines()[1:] if line}
        for seat in ((), ("--seat", 1))
    )
    own = seat_numbers_in(Timeline(path.read_bytes()), 1)
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if b'"event":"drew"' in line:
            assert (whole[number] == one[own.seen(number)]) == (json.loads(line)["seat"] == 1)
        if b'"event":"fizzled"' in line or b'"event":"chance"' in line:
            assert number not in own.lines
    refused = "arena: there is no seat 3; seats are 0 to 2\n"
    assert arena("show", "m.jsonl", "--seat", 3) == (2, "", refused)


def test_told_for_one_seat_the_seed_which_gives_every_hand_away_stays_hidden(arena: Any, kept: Any) -> None:
    path = kept()
    path.write_bytes(path.read_bytes().replace(b'"seed":"7"', b'"seed":"secret"', 1))
    for words in ((), ("--json",), ("--deals", "--json")):
        assert "secret" in arena("show", "m.jsonl", *words).out
        assert "secret" not in arena("show", "m.jsonl", *words, "--seat", 1).out
    assert json.loads(arena("show", "m.jsonl", "--json", "--seat", 1).out)["seed"] is None


@pytest.mark.parametrize(("before", "after"), [(b'"space":', b'"space":99'), (b'"seat":1', b'"seat":17')])
def test_a_line_that_contradicts_the_header_is_named(before: bytes, after: bytes, arena: Any, kept: Any) -> None:
    path = kept()
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if b'"event":"opened"' in line and before in line)
    lines[at] = lines[at].replace(before, after, 1)
    path.write_bytes(b"".join(lines))
    for seat in ((), ("--seat", 0)):
        ran = arena("show", "m.jsonl", *seat)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"arena: m.jsonl: line {at + 1}: it contradicts the header (")
        assert ran.err.endswith("); try: arena verify\n")


def test_words_and_faults_are_told_and_what_is_for_nobody_else_is_not(
    arena: Any, write_bot: Any, tmp_path: Path
) -> None:
    write_bot(
        """
        def turn(self, view):
            if view.turn > 3: 1 / 0
            return Reply(self.play_on(view), say="hi\\n   12  forged\\x1b[2J", note="my plan")
        """
    )
    arena("match", "./player.py", "silent", "silent", "--seed", "1", "-o", "m.jsonl", "--rule", "max_turns=9")
    told = arena("show", "m.jsonl").out
    assert 'player (0) says: "hi�   12  forged�[2J"' in told
    assert "(player (0) notes: my plan)" in told
    assert "player (0) turn: broken: ZeroDivisionError: division by zero at line" in told
    assert "player (0) turn: broken: ZeroDivisionError: division by zero" in arena("show", "m.jsonl", "--seat", 0).out
    other = arena("show", "m.jsonl", "--seat", 1).out
    assert "says:" in other
    assert "my plan" not in other
    assert "broken" not in other


def test_a_reader_that_goes_away_is_not_complained_to(launch: Any, kept: Any) -> None:
    kept()
    show = launch("show", "m.jsonl", PYTHONUNBUFFERED="1")
    show.stdout.readline()
    show.stdout.close()
    assert show.stderr.read() == b""
    show.wait(20)
    show.stdout = None
