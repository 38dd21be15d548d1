"""``arena show --jsonl``: of each line of the file the line itself, what is told of it, and the table after it; with
``--seat`` only what that seat knew."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from arena.commands.docs.topics import topic_text
from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.contract import Chanced
from arena.match.walk.asks_of_lines import asks_of_lines
from arena.match.walk.timeline import Timeline
from arena.recorded.match_lines import LineRange, match_lines
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.lines import Answered, Faulted, Result, encode_line
from arena.replay.read import read_replay_lines, rules_of
from arena.replay.seat_lines import seen_line
from arena.web.viewer.match_data import match_data
from tests.viewer.hidden import with_more_that_is_hidden, with_other_secrets, without_what_came_to_nothing
from tests.viewer.replays import SECRET, pie, talkative

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDED = {
    "board": GOLDEN / "eagle-gryphon-4p.jsonl",
    "cards": GOLDEN / "card-game-4p.jsonl",
    "format 1": GOLDEN / "0.1.0" / "fault-isolated-dead.jsonl",
    "faults at the start": GOLDEN / "0.1.0" / "fault-trusted-start-late.jsonl",
}


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with talk, notes and faults, all of seat 0."""
    path = tmp_path_factory.mktemp("talk") / "m.jsonl"
    path.write_bytes(talkative())
    return path


def printed(path: Path, **wanted: Any) -> list[dict[str, Any]]:
    """What is printed of the replay."""
    return [json.loads(line) for line in match_lines(path, LineRange(**wanted))]


def seen_bytes(folder: Path, content: bytes, seat: int) -> bytes:
    """What is printed of a replay for a seat."""
    path = folder / "seen.jsonl"
    path.write_bytes(content)
    return b"".join(match_lines(path, LineRange(seat=seat)))


@pytest.mark.parametrize("name", RECORDED)
def test_every_line_of_the_file_comes_in_its_order_as_it_stands_there(name: str, arena: Any) -> None:
    path = RECORDED[name]
    raw, (_, lines) = path.read_bytes().splitlines(), read_replay_lines(path.read_bytes())
    found = printed(path)
    assert [each["line"] for each in found] == list(range(1, len(raw) + 1))
    assert [each["event"] for each in found] == [json.loads(line) for line in raw]
    asks = asks_of_lines(Timeline(path.read_bytes()), lines)
    assert [each["ask"] for each in found] == [asks.get(at) for at in range(1, len(raw) + 1)]
    ran = arena("show", path, "--json")
    told = [(each["line"], each["text"].strip()) for each in json.loads(ran.out)["lines"]]
    assert [(each["line"], text) for each in found for text in each["told"]] == told


@pytest.mark.parametrize("name", RECORDED)
def test_the_table_after_each_line_is_the_fold_of_the_events_so_far(name: str) -> None:
    path = RECORDED[name]
    header, lines = read_replay_lines(path.read_bytes())
    game, rules = load_game(header.game), rules_of(header)
    for seat in (None, 0):
        fold, begun, tables = game.fold(rules, len(header.seats), seat), False, []
        for line in lines:
            fold.follow(line)
            begun = begun or (type(line) in game.events and not isinstance(line, Chanced))
            if seat is None or seen_line(line, seat) is not None:
                tables.append(json.loads(msgspec.json.encode(fold.table)) if begun else None)
        found = [each["table"] for each in printed(path, seat=seat)]
        assert found == tables
        assert (found[0], found[-1]["over"]) == (None, True)
        assert type(fold.table) is game.folded


def test_a_part_of_the_match_is_told_with_the_table_of_the_whole(talk: Path) -> None:
    whole = printed(talk)
    assert printed(talk, first=100, last=120) == whole[99:120]
    assert printed(talk, last=10**9) == whole
    ask = next(each["ask"] for each in whole[150:] if each["event"]["event"] == "offered")
    of_ask = printed(talk, ask=ask)
    assert len(of_ask) > 1
    assert of_ask == [each for each in whole if each["ask"] == ask]
    seen = printed(talk, seat=1)
    assert printed(talk, first=60, last=80, seat=1) == [each for each in seen if 60 <= each["seen"] <= 80]
    numbers = seat_numbers_in(Timeline(talk.read_bytes()), 1)
    own = next(numbers.own_ask(each["ask"]) for each in whole[150:] if each["seat"] == 1 and each["ask"])
    of_own = printed(talk, ask=own, seat=1)
    assert of_own
    assert all(each["seat"] == 1 and each in seen for each in of_own)


def test_a_seat_is_shown_by_its_own_count_which_is_that_of_its_page(talk: Path) -> None:
    for path in (talk, RECORDED["cards"]):
        for seat in (0, 3):
            found = printed(path, seat=seat)
            frames = {frame.n for frame in match_data(path.read_bytes(), seat).course.frames}
            assert {each["seen"] for each in found} == frames
            assert all(0 <= b["seen"] - a["seen"] <= 1 for a, b in pairwise(found))
            silent = [b["event"] for a, b in pairwise(found) if a["seen"] == b["seen"]]
            assert silent
            assert all((line["event"], line["seat"]) == ("answer", seat) for line in silent)
            assert not [each for each in found if "line" in each or "ask" in each or "ask" in each["event"]]


def test_a_seat_is_shown_its_own_answers_faults_and_notes_and_of_others_only_what_they_said(talk: Path) -> None:
    _, lines = read_replay_lines(talk.read_bytes())
    own, other = ([each["event"] for each in printed(talk, seat=seat)] for seat in (0, 1))
    answers = [line for line in lines if isinstance(line, Answered) and line.seat == 0]
    shown = [line for line in own if line["event"] == "answer"]
    assert [(line["hook"], line.get("note", "")) for line in shown] == [(line.hook, line.note) for line in answers]
    faults = sum(isinstance(line, Faulted) for line in lines)
    assert sum(line["event"] == "fault" for line in own) == faults > 0
    assert not [line for line in other if line["event"] == "fault" or (line["event"] == "answer" and line["seat"] != 1)]
    said = [line.say for line in answers if line.say]
    assert [line["text"] for line in other if line["event"] == "said"] == said != []
    assert (own[-1]["seats"][0]["faults"], "faults" in other[-1]["seats"][0]) == ({"garbled": faults}, False)


def test_a_seat_is_not_shown_what_it_did_not_know(talk: Path, tmp_path: Path) -> None:
    header, lines = read_replay_lines(talk.read_bytes())
    bytes_seen = seen_bytes(tmp_path, talk.read_bytes(), 1).decode()
    last = lines[-1]
    assert isinstance(last, Result)
    digests = [header.rules_sha256, last.sha256, *(each.sha256 for each in header.seats)]
    assert not [each for each in (header.seed, SECRET, *digests, '"chance"') if each in bytes_seen]
    assert header.seats[0].entrant in bytes_seen


@pytest.mark.parametrize("name", ["talk", "cards"])
@pytest.mark.parametrize("seat", [1, 3])
def test_matches_that_differ_only_in_what_is_hidden_give_a_seat_the_same_bytes(
    name: str, seat: int, talk: Path, tmp_path: Path
) -> None:
    content = (talk if name == "talk" else RECORDED[name]).read_bytes()
    header, lines = read_replay_lines(content)
    known = seen_bytes(tmp_path, content, seat)
    for other in (
        with_other_secrets(header, lines, seat),
        with_more_that_is_hidden(header, lines, seat),
        without_what_came_to_nothing(lines, seat),
    ):
        changed = b"".join(encode_line(line) for line in other)
        assert seen_bytes(tmp_path, changed, seat) == known


def test_what_is_printed_fits_its_schema(talk: Path) -> None:
    schema = json.loads(topic_text("show-schema"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in (talk, RECORDED["cards"]):
        for seat in (None, 0):
            found = printed(path, seat=seat)
            for each in [*found[:3], *found[3:-1:75], found[-1]]:
                validator.validate(each)
    line = found[40]
    for change in ({"event": {"event": "danced"}}, {"table": {"turn": 1}}, {"told": "so"}, {"seen": None}, {"line": 3}):
        with pytest.raises(jsonschema.ValidationError):
            validator.validate({**line, **change})


def test_a_game_of_others_is_shown_with_its_table(tmp_path: Path) -> None:
    (tmp_path / "pie.jsonl").write_bytes(pie())
    found = printed(tmp_path / "pie.jsonl")
    assert set(found[-1]["table"]) == {"pie", "round", "shares", "worths"}


def test_characters_that_a_terminal_does_not_print_are_escaped_and_nothing_is_lost(
    tmp_path: Path, contest: Any, write_bot: Any
) -> None:
    hostile = "\x9b2J \u202e \x1b]0;x\x07 \x7f \U000e0001 é"
    bot = write_bot(f"def turn(self, view): return Reply(self.play_on(view), note={hostile!r})")
    edition = load_edition("eagle-gryphon", changes={"max_turns": 4})
    (tmp_path / "m.jsonl").write_bytes(contest(bot, "silent", edition=edition).replay)
    printed_bytes = b"".join(match_lines(tmp_path / "m.jsonl", LineRange()))
    assert all(line.decode().isprintable() for line in printed_bytes.splitlines())
    notes = {each["event"].get("note") for each in printed(tmp_path / "m.jsonl")}
    assert hostile in notes


def test_lines_that_contradict_each_other_are_told_where_they_begin_to(arena: Any, talk: Path, tmp_path: Path) -> None:
    lines = talk.read_bytes().splitlines(keepends=True)
    (stopped,) = [at for at, line in enumerate(lines) if b'"event":"tick"' in line][:1]
    broken = [*lines[:stopped], b'{"event":"stopped","seat":3}\n', *lines[stopped:]]
    (tmp_path / "bad.jsonl").write_bytes(b"".join(broken))
    ran = arena("show", "bad.jsonl", "--jsonl")
    assert ran.code == 2
    assert ran.err.startswith(f"arena: bad.jsonl: line {stopped + 1}: it contradicts those before it (")
    assert ran.out.count("\n") == stopped


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--json",), "--jsonl and --json print different things; give one of them"),
        (("--deals",), "--jsonl and --deals print different things; give one of them"),
        (("--from", "9", "--to", "8"), "--from 9 --to 8: there are no such lines"),
        (("--from", "#99999"), "there is no event 99999; events are the lines of the replay, 1 to "),
        (("--at", "ask99999"), "there is no ask 99999 in m.jsonl; its asks are 1 to "),
        (("--seat", "9"), "there is no seat 9; seats are 0 to 3"),
        (("--seat", "3", "--at", "ask99999"), "there is no ask 99999 of seat 3; its own asks are 1 to "),
        (("--seat", "3", "--from", "99999"), "there is no event 99999 of seat 3; its own events are 1 to "),
    ],
)
def test_mistakes_are_told_in_one_line(words: tuple[str, ...], told: str, arena: Any, talk: Path) -> None:
    Path("m.jsonl").write_bytes(talk.read_bytes())
    ran = arena("show", "m.jsonl", "--jsonl", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"arena: {told}")
    assert ran.err.count("\n") == 1


def test_an_ask_at_which_nothing_was_done_has_no_line_and_that_is_said(arena: Any, talk: Path) -> None:
    _, lines = read_replay_lines(talk.read_bytes())
    asks = set(asks_of_lines(Timeline(talk.read_bytes()), lines).values())
    idle = next(ask for ask in range(1, 1000) if ask not in asks)
    ran = arena("show", talk, "--jsonl", "--at", f"ask{idle}")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == f"ask {idle} has no line, because its answer was idle (leave out --jsonl to see the question)\n"


def test_a_reader_that_has_seen_enough_may_close_the_pipe(talk: Path, launch: Any) -> None:
    running = launch("show", talk, "--jsonl")
    assert json.loads(running.stdout.readline())["line"] == 1
    running.stdout.close()
    assert running.stderr.read() == b""
    assert running.wait(60) == 0
    running.stdout = None
