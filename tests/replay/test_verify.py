"""A replay that verifies is what happened: whatever is changed in the file is found, and the line is named."""

from __future__ import annotations

import contextlib
import gc
import json
import random
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena.errors import Mismatch, ReplayError
from arena.finding.reference import find_file, refer_file
from arena.match.refereeing.minutes import Minutes
from arena.match.walk.record_walk import RecordWalk
from arena.match.walk.verifier import Verifier
from arena.match.walk.verify import verify_replay
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.scripted import ScriptedPlayer
from tests.conftest import play, spec_of, write_player

FAULTY = """
def turn(self, view):
    if view.turn == 3: 1 / 0
    if view.turn == 4: return 'roll'
    if view.turn in (5, 6, 7): return Roll() if view.rolled else Draw()
    return Reply(self.choose(view), say="well", note="so") if view.turn == 1 else self.choose(view)
"""


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A match with words and faults in it."""
    bot = refer_file(str(write_player(tmp_path_factory.mktemp("bots"), FAULTY)), None)
    bots = (bot, find_file("random-legal"), find_file("greedy"))
    content = play(spec_of(bots, strikes=9), bots).replay
    assert b'"event":"fault"' in content
    return content


def lines_of(replay: bytes) -> list[bytes]:
    return replay.splitlines(keepends=True)


def sealed(lines: list[bytes]) -> bytes:
    """The lines with the closing hash made right again."""
    result = json.loads(lines[-1])
    result["sha256"] = sha256(b"".join(lines[:-1])).hexdigest()
    return b"".join([*lines[:-1], json.dumps(result, separators=(",", ":")).encode() + b"\n"])


def refused(content: bytes) -> str:
    with pytest.raises((Mismatch, ReplayError)) as caught:
        verify_replay(content)
    assert caught.value.exit_code in (2, 3)
    return str(caught.value)


def test_an_untouched_replay_verifies(replay: bytes) -> None:
    assert verify_replay(replay).header.id == "match"
    assert sealed(lines_of(replay)) == replay


def test_any_changed_byte_is_found(replay: bytes) -> None:
    pick = random.Random(20)
    positions = pick.sample(range(len(replay)), 80)
    positions += [pick.randrange(len(lines_of(replay)[0])) for _ in range(30)]  # the header is long and read first
    for position in positions:
        changed = bytearray(replay)
        changed[position] = pick.choice([byte for byte in range(256) if byte != replay[position]])
        message = refused(bytes(changed))
        line = int(re.match(r"line (\d+)", message)[1])  # type: ignore[index]
        last = replay.count(b"\n")
        assert line <= replay.count(b"\n", 0, position) + 1 or line == last, "free text is known by the hash alone"


def test_a_changed_game_event_is_named_by_its_line_with_what_was_expected_and_found(replay: bytes) -> None:
    lines = lines_of(replay)
    number = next(n for n, line in enumerate(lines) if b'"event":"marker"' in line and b"roll" in line)
    roll = json.loads(lines[number])["roll"]
    lines[number] = lines[number].replace(b'"roll":%d' % roll, b'"roll":%d' % (roll % 6 + 1))
    expected = json.dumps(json.loads(replay.splitlines()[number]), separators=(",", ":"))
    message = refused(b"".join(lines))
    assert message == f"line {number + 1}:\n  expected {expected}\n  found    {lines[number].decode().strip()}"


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_file_cut_off_at_a_line_is_found(part: float, replay: bytes) -> None:
    lines = lines_of(replay)
    kept = lines[: int(part * len(lines))]
    message = refused(b"".join(kept))
    assert message.startswith((f"line {len(kept) + 1}:\n  expected ", f"line {len(kept) + 1}: "))


def test_a_file_cut_off_within_a_line_and_an_empty_one_are_no_replays(replay: bytes) -> None:
    assert refused(replay[:-1]).endswith("cut off in the middle of a line")
    assert refused(replay[: len(replay) // 2]).endswith("cut off in the middle of a line")
    assert refused(b"") == "the file is empty"


def test_exchanged_doubled_dropped_and_added_lines_are_found(replay: bytes) -> None:
    pick = random.Random(3)
    lines = lines_of(replay)
    for _ in range(30):
        first, second = sorted(pick.sample(range(len(lines) - 1), 2))
        if lines[first] == lines[second]:
            continue
        changed = list(lines)
        changed[first], changed[second] = changed[second], changed[first]
        for content in (changed, lines[:first] + lines[first + 1 :], [*lines[:first], lines[second], *lines[first:]]):
            refused(b"".join(content))
    assert f"line {len(lines) + 1}:\n  expected the end of the file" in refused(replay + lines[-1])


def change_moves(lines: list[bytes], change: Callable[[dict[str, Any]], bool]) -> list[tuple[int, bytes]]:
    """For each decision that ``change`` changes: its line, and the replay with a hash that is right again."""
    found = []
    for number, line in enumerate(lines):
        data = json.loads(line)
        if data["event"] == "answer" and change(data):
            data_line = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
            found.append((number, sealed([*lines[:number], data_line, *lines[number + 1 :]])))
    return found


def test_a_changed_decision_is_found_although_the_hash_was_made_right(replay: bytes) -> None:
    def change(line: dict[str, Any]) -> bool:
        other = {"roll": {"move": "open"}, "draw": {"move": "open"}, "open": {"move": "roll"}}
        line["move"] = other.get(line["move"]["move"], line["move"])
        return bool(line["hook"] == "turn")

    changes = change_moves(lines_of(replay), change)
    assert len(changes) > 5
    for number, content in changes:
        message = refused(content)
        line = int(re.match(r"line (\d+)", message)[1])  # type: ignore[index]
        assert number + 1 <= line < replay.count(b"\n"), "the first consequence, not the hash"


def test_a_decision_given_to_another_seat_or_ask_is_found(replay: bytes) -> None:
    for key in ("seat", "ask"):

        def change(line: dict[str, Any], key: str = key) -> bool:
            line[key] += 1
            return True

        for number, content in change_moves(lines_of(replay), change)[::7]:
            line = int(re.match(r"line (\d+)", refused(content))[1])  # type: ignore[index]
            assert number + 1 <= line < replay.count(b"\n")


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("seed", "another", 2),
        ("rules_sha256", "0" * 64, 1),
        ("format", "arena-replay/9", 1),
        ("chance", "dice", 1),
        ("rules_version", 0, 1),
        ("rules_version", 2, 1),
        ("game", "chess", 1),
        ("game", ".oard", 1),
        ("fault_policy", "mercy", 1),
        ("seats", [], 1),
    ],
)
def test_a_changed_header_is_found_although_the_hash_was_made_right(
    key: str, value: Any, line: int, replay: bytes
) -> None:
    lines = lines_of(replay)
    header = json.loads(lines[0])
    header[key] = value
    lines[0] = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    assert refused(sealed(lines)).startswith(f"line {line}:")


def test_a_changed_rule_is_found_by_the_digest_of_the_rules(replay: bytes) -> None:
    lines = lines_of(replay)
    lines[0] = lines[0].replace(b'"hand_limit":', b'"hand_limit":1')
    assert "line 1: rules_sha256 is" in refused(sealed(lines))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "unkind"),
        ("kind", "dead"),
        ("strike", 7),
        ("out", True),
        ("gone", True),
        ("rule", "B9"),
        ("move", {"move": "draw"}),
        ("seat", 1),
        ("hook", "offer"),
        ("reply", {"move": "roll"}),
        ("reply", None),
    ],
)
def test_a_changed_verdict_is_found_although_the_hash_was_made_right(key: str, value: Any, replay: bytes) -> None:
    lines = lines_of(replay)
    number = next(n for n, line in enumerate(lines) if b'"kind":"illegal"' in line)
    fault = json.loads(lines[number])
    assert fault.get(key) != value or value is None
    fault[key] = value
    lines[number] = json.dumps(fault, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    assert refused(sealed(lines)).startswith(f"line {number + 1}:")


def test_files_that_are_no_replays_are_refused_with_the_reason() -> None:
    for content in (b"\n", b"hello\n", b"[]\n", b'{"event":"turn","turn":1,"seat":0}\n', b"\xff\xfe\n", b"{}\n"):
        assert refused(content).startswith("line 1: not a replay header: ")


def test_the_command_names_the_file_and_ends_with_exit_code_3(replay: bytes, arena: Any, tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_bytes(replay)
    (tmp_path / "bad.jsonl").write_bytes(
        replay.replace(b'"event":"draw', b'"event":"Draw').replace(b"drew", b"lost", 1)
    )
    (tmp_path / "none.jsonl").write_text("hello\n")
    ran = arena("verify", "good.jsonl")
    assert (ran.code, ran.out.splitlines()[0], ran.err) == (0, "good.jsonl: verified", "")
    assert arena("verify", "--quiet", "good.jsonl") == (0, "", "")
    ran = arena("verify", "bad.jsonl")
    assert (ran.code, ran.err) == (3, "")
    assert re.match(r"bad\.jsonl: line \d+:\n  expected .*\n  found    .*\n$", ran.out)
    ran = arena("verify", "none.jsonl")
    assert (ran.code, ran.out) == (
        2,
        "none.jsonl: line 1: not a replay header: JSON is malformed: invalid character (byte 0)\n",
    )
    ran = arena("verify", ".")
    assert ran.code == 3
    assert ran.out.count("\n  expected") == 1
    assert "good.jsonl: verified\n" in ran.out


OTHERWISE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "format": lambda header: header.update(format="arena-replay/1"),
    "arena": lambda header: header.update(arena="0.0.1"),
    "tournament": lambda header: header.update(tournament="other"),
    "id": lambda header: header.update(id="other"),
    "block": lambda header: header.update(block=7),
    "game": lambda header: header.update(game="cards"),
    "edition": lambda header: header.update(edition=header["edition"] + "-other"),
    "seats.bot": lambda header: header["seats"][0].update(bot="other"),
    "seats.sha256": lambda header: header["seats"][0].update(sha256="0"),
    "seats.options": lambda header: header["seats"][0].update(options={"greed": 1}),
    "seed": lambda header: header.update(seed="other"),
    "chance": lambda header: header.update(chance="other"),
    "fault_policy": lambda header: header.update(fault_policy="forfeit"),
    "strikes": lambda header: header.update(strikes=header["strikes"] + 1),
    "limits": lambda header: header["limits"].update(ask=9.5),
    "rules_version": lambda header: header.update(rules_version=header["rules_version"] + 1),
    "rules_sha256": lambda header: header.update(rules_sha256="0"),
    "rules": lambda header: other_rule(header),
}
"""Each field of the header with another value."""


def other_rule(header: dict[str, Any]) -> None:
    """Another limit that the edition has no use for, with a digest that fits."""
    header["rules"]["late_hand_limit"] += 1
    plain = json.dumps(header["rules"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    header["rules_sha256"] = sha256(plain.encode()).hexdigest()


@pytest.mark.parametrize("strikes", [2, 9])
@pytest.mark.parametrize("faulty", [True, False])
def test_the_fields_that_a_file_alone_cannot_show_are_those_that_may_be_changed(
    faulty: bool, strikes: int, write_bot: Any, contest: Any
) -> None:
    bot = write_bot(FAULTY) if faulty else "greedy"
    content = contest(bot, "random-legal", strikes=strikes).replay
    unchecked = {*verify_replay(content).unchecked, "seats.entrant"}
    passed = {"seats.entrant"}  # the result has it too, and is not changed here
    for field, change in OTHERWISE.items():
        lines = lines_of(content)
        header = json.loads(lines[0])
        change(header)
        lines[0] = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        with contextlib.suppress(Mismatch, ReplayError):
            verify_replay(sealed(lines))
            passed.add(field)
    assert passed == {field for field in unchecked if not field.startswith(("answer.", "fault."))}
    assert ("fault_policy" in unchecked) == (not faulty)
    assert ("strikes" in unchecked) == (not faulty or strikes == 9)


LAYS = """
def turn(self, view):
    move = Open(lay=(Family.RED, Family.BLUE)) if view.turn in (3, 4) and not view.rolled else self.play_on(view)
    return Reply(move, say="well", note="so") if view.turn < 3 else move
"""
"""Lays clan cards that it does not have."""
WORDS: dict[str, tuple[bytes, bytes]] = {
    "answer.say": (b'"say":"well"', b'"say":"ill"'),
    "answer.note": (b'"note":"so"', b'"note":"but"'),
    "fault.evidence": (b'"evidence":"', b'"evidence":"otherwise: '),
    "fault.reply": (b'"lay":["red","blue"]', b'"lay":["blue","red"]'),
}
"""Fields of other lines with another value, as it stands in the file."""


def test_what_the_hash_alone_holds_of_other_lines_is_named_where_the_match_has_it(write_bot: Any, contest: Any) -> None:
    content = contest(write_bot(LAYS), "silent").replay
    assert content.count(b'"kind":"illegal"') == 1
    assert {*WORDS} <= {*verify_replay(content).unchecked}
    for then, now in WORDS.values():
        assert then in content
        verify_replay(sealed(lines_of(content.replace(then, now))))
    assert not {*WORDS} & {*verify_replay(contest("greedy", "silent").replay).unchecked}
    moved = content.replace(b'"lay":["red","blue"]},"move"', b'"lay":["red"]},"move"')
    assert "fault.reply" in verify_replay(sealed(lines_of(moved))).unchecked
    assert refused(sealed(lines_of(content.replace(b'"rule":"B4', b'"rule":"B3'))))


OUT_OF_FORM: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "block": (lambda header: header.update(block=-3), "block is -3; blocks count from 0"),
    "strikes": (lambda header: header.update(strikes=-2), "strikes is -2; a bot is out after 1 or more"),
    "rules": (
        lambda header: header.update(rules=dict(reversed(header["rules"].items()))),
        "rules has the key 'side_promises' where 'game' is due; its keys have an order",
    ),
    "deals": (
        lambda header: header["rules"].update(deals=dict(reversed(header["rules"]["deals"].items()))),
        "rules.deals has the key '9' where '1' is due; its keys have an order",
    ),
    "space": (
        lambda header: header["rules"]["spaces"].__setitem__(0, dict(reversed(header["rules"]["spaces"][0].items()))),
        "rules.spaces[0] has the key ",
    ),
    "a number as text": (
        lambda header: header["rules"].update(max_turns=str(header["rules"]["max_turns"])),
        "rules.max_turns is '",
    ),
    "a default that is written out": (
        lambda header: header["rules"]["spaces"][0].update(choices=[]),
        "rules.spaces[0] has 'choices', which must be left out or written differently",
    ),
}
"""Headers that mean the same, or nothing, but are not written as the page of the format says, and what is told."""


@pytest.mark.parametrize("what", OUT_OF_FORM)
def test_a_header_out_of_form_is_found_although_its_digests_are_right(what: str, contest: Any) -> None:
    lines = lines_of(contest("greedy", "silent").replay)
    header, (change, told) = json.loads(lines[0]), OUT_OF_FORM[what]
    change(header)
    plain = json.dumps(header["rules"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    header["rules_sha256"] = sha256(plain.encode()).hexdigest()
    lines[0] = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    message = refused(sealed(lines))
    assert message.startswith(f"line 1:\n  expected a header in the form of arena docs replay ({told}")
    assert "\n  found    " in message


def test_rules_with_all_keys_sorted_as_ladders_write_them_are_in_form_and_with_some_are_not(contest: Any) -> None:
    lines = lines_of(contest("greedy", "silent").replay)
    header = json.loads(lines[0])
    whole = json.loads(json.dumps(header["rules"], sort_keys=True))
    for rules, passes in ((whole, True), ({**whole, "spaces": header["rules"]["spaces"]}, False)):
        head = json.dumps({**header, "rules": rules}, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        content = sealed([head, *lines[1:]])
        assert content != b"".join(lines)
        if passes:
            verify_replay(content)
        else:
            assert "its keys have an order" in refused(content)


def test_an_entrant_renamed_in_header_and_result_alike_passes(replay: bytes) -> None:
    assert "seats.entrant" in verify_replay(replay).unchecked
    verify_replay(sealed(lines_of(replay.replace(b'"entrant":"greedy#2"', b'"entrant":"other"'))))


def test_the_command_says_what_a_file_alone_cannot_show(replay: bytes, arena: Any, tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_bytes(replay)
    fields = ", ".join(verify_replay(replay).unchecked)
    told = f"not checked, because nothing in a match depends on these fields: {fields}\n"
    assert arena("verify", "good.jsonl") == (0, f"good.jsonl: verified\n{told}", "")


@pytest.mark.parametrize(("key", "value"), [("gone", True), ("rule", "B3.1"), ("reply", {"move": "roll"})])
def test_a_fault_says_no_more_than_goes_with_its_kind(key: str, value: Any, refereed: Any) -> None:
    lines = lines_of(refereed(ScriptedPlayer({"turn": [Fault(FaultKind.BROKEN, "so")]}), ScriptedPlayer({})).replay)
    number = next(n for n, line in enumerate(lines) if b'"kind":"broken"' in line)
    fault = json.loads(lines[number])
    move = fault.pop("move")
    lines[number] = json.dumps({**fault, key: value, "move": move}, separators=(",", ":")).encode() + b"\n"
    assert refused(sealed(lines)).startswith(f"line {number + 1}:\n  expected ")


def test_a_dead_bot_s_process_is_gone_and_a_late_one_s_may_be(replay: bytes, refereed: Any) -> None:
    for kind in (FaultKind.DEAD, FaultKind.LATE):
        content = refereed(ScriptedPlayer({"turn": [Fault(kind, "no reply")]}), ScriptedPlayer({}), strikes=9).replay
        verify_replay(content)
        lines = lines_of(content)
        number = next(n for n, line in enumerate(lines) if b'"event":"fault"' in line)
        other = {True: b"", False: b'"out":true,"gone":true,'}[kind is FaultKind.DEAD]
        now = b'"out":true,"gone":true,' if kind is FaultKind.DEAD else b""
        lines[number] = lines[number].replace(b'"strike":1,' + now, b'"strike":1,' + other)
        line = int(re.match(r"line (\d+)", refused(sealed(lines)))[1])  # type: ignore[index]
        assert line == number + 1 if kind is FaultKind.DEAD else line > number + 1, "what follows tells that it went on"


def test_the_words_of_a_refusal_may_change_its_rule_may_not(replay: bytes) -> None:
    lines = lines_of(replay)
    number = next(n for n, line in enumerate(lines) if b'"kind":"illegal"' in line)
    fault = json.loads(lines[number])
    for key, passes in (("evidence", True), ("rule", False)):
        other = json.dumps({**fault, key: "B9"}, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        content = sealed([*lines[:number], other, *lines[number + 1 :]])
        if passes:
            verify_replay(content)
        else:
            assert refused(content).startswith(f"line {number + 1}:")


def test_a_verified_match_is_freed_at_once(replay: bytes) -> None:
    """So that verifying many files needs no more memory than one, and no time of the collector of circles."""

    def alive() -> int:
        return sum(type(each) in (RecordWalk, Verifier, Minutes) for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = alive()
        verify_replay(replay)
        assert alive() == before
    finally:
        gc.enable()
