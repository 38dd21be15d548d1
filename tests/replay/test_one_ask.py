"""``arena show --ask N``: what the seat saw at one ask, what was legal, what it answered and what came of it; and where
in the narration the asks are found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match.refereeing.referee import Referee
from arena.match.walk.asks_of_lines import asks_of_lines
from arena.match.walk.timeline import Timeline
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.lines import Answered, Faulted
from arena.replay.read import read_replay, read_replay_lines

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*-4p.jsonl"))
FAULTY = """
def turn(self, view):
    if 4 <= view.turn <= 6 and not view.rolled: return Draw()
    if view.turn > 12: 1 / 0
    return Reply(self.play_on(view), say="hello", note="secret \\x1b[2J")
"""


@pytest.fixture
def one(arena: Any) -> Callable[..., dict[str, Any]]:
    """What ``arena show m.jsonl --ask N --json`` prints."""

    def ask(number: int, *more: object) -> dict[str, Any]:
        ran = arena("show", "m.jsonl", "--at", f"ask{number}", "--json", *more)
        assert (ran.code, ran.err) == (0, "")
        found: dict[str, Any] = json.loads(ran.out)
        return found

    return ask


@pytest.fixture
def kept(arena: Any, write_bot: Any) -> Path:
    """A match with answers, words, faults and a seat that goes out; the faulty bot sits in seat 0."""
    write_bot(FAULTY)
    words = ("./player.py", "greedy", "silent", "--seed", "7", "--set", "max_turns=24", "-o", "m.jsonl")
    assert arena("match", *words).code == 0
    return Path("m.jsonl")


def decisions(path: Path, kind: type) -> list[Any]:
    return [line for line in read_replay_lines(read_replay(path))[1] if isinstance(line, kind)]


def test_what_a_seat_saw_is_what_its_bot_was_handed(monkeypatch: pytest.MonkeyPatch, contest: Any) -> None:
    """Views of a match, looked up in its replay afterwards, equal those that the referee made, but for the news."""
    seen: list[tuple[int, Any]] = []
    post = Referee.post

    def watched(self: Any, state: Any, index: int, ask: Any) -> Any:
        if ask.hook in self.bots[ask.seat].player.hooks and not self.out[ask.seat]:
            seen.append((self.minutes.asks + index + 1, state.view(index)))
        return post(self, state, index, ask)

    monkeypatch.setattr(Referee, "post", watched)
    result = contest("dealmaker", "greedy", "fair")
    assert len(seen) > 60
    for number, view in seen[::5]:
        found = Timeline(result.replay).ask(number)
        assert found is not None
        assert found.view == view
        assert found.number == number


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_ask_of_a_match_can_be_looked_at(path: Path) -> None:
    content = path.read_bytes()
    _, lines = read_replay_lines(content)
    recorded = {line.ask: (at, line) for at, line in enumerate(lines, 1) if isinstance(line, Answered | Faulted)}
    last: Any = lines[-1]
    for number in range(1, last.asks + 1, 97):
        found = Timeline(content).ask(number)
        assert found is not None
        assert found.ask.seat == found.view.seat
        at, line = recorded.get(number, (None, None))
        assert (found.at, found.line) == (at, line)
        if line is None:
            idle = found.played
            assert idle in found.legal
        elif isinstance(line, Answered):
            assert msgspec.json.encode(found.played) == bytes(line.move)
    assert Timeline(content).ask(last.asks + 1) is None


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_asks_of_lines_are_of_their_seat_and_phase(path: Path) -> None:
    content = path.read_bytes()
    _, lines = read_replay_lines(content)
    found = asks_of_lines(Timeline(content), lines)
    decided = {at: line for at, line in enumerate(lines, 1) if isinstance(line, Answered | Faulted)}
    assert all(found[at] == line.ask for at, line in decided.items())
    of = {line.ask: (at, line.seat) for at, line in decided.items()}
    events = {at: ask for at, ask in found.items() if at not in decided}
    assert len(events) > 20
    for at, ask in events.items():
        if ask in of:  # else its answer was idle
            before, seat = of[ask]
            assert before < at
            assert getattr(lines[at - 1], "seat", seat) == seat


STOPPABLE = [path for path in sorted(GOLDEN[0].parent.glob("*.jsonl")) if not path.stem.startswith("card-game")]


@pytest.mark.parametrize("path", STOPPABLE, ids=lambda path: path.stem)
def test_what_waits_behind_a_stop_question_is_of_the_ask_that_caused_it(path: Path) -> None:
    content = path.read_bytes()
    _, lines = read_replay_lines(content)
    found = asks_of_lines(Timeline(content), lines)
    answers = {line.ask: line for line in lines if isinstance(line, Answered)}
    cause: dict[str, set[str]] = {
        "played": {"travel", "boss", "recruit", "discard"},
        "stopped": {"stop"},
        "closed": {"close", "open"},  # an edition may close a deal as it is opened
    }
    play, effects = 0, 0
    for at, line in enumerate(lines, 1):
        kind = str(line.__struct_config__.tag)
        if kind in cause:
            assert json.loads(bytes(answers[found[at]].move))["move"] in cause[kind], f"line {at}"
        if kind == "played":
            play = found[at]
            assert answers[play].seat == getattr(line, "seat")  # noqa: B009 - a field of this event
        if kind in ("travelled", "new boss", "recruited"):
            effects += 1
            assert found[at] == play, f"line {at}"
    assert effects


NOTES = """
def interrupt(self, view):
    return Reply(self.choose(view) if view.can_stop is None else None, note="so")
"""


def test_a_note_at_a_stop_question_takes_no_credit_for_a_play_that_waited(contest: Any, write_bot: Any) -> None:
    bot = write_bot(NOTES)
    content = contest(bot, bot, "random-legal", bot).replay
    _, lines = read_replay_lines(content)
    found = asks_of_lines(Timeline(content), lines)
    answers = {line.ask: line for line in lines if isinstance(line, Answered)}
    told = 0
    for at, line in enumerate(lines, 1):
        if line.__struct_config__.tag in ("played", "fizzled", "new boss", "recruited"):
            answer = answers[found[at]]
            assert answer.seat == getattr(line, "seat")  # noqa: B009 - each of these has one
            assert json.loads(bytes(answer.move))["move"] not in ("stop", "pass")
            told += 1
    assert told > 5


@pytest.mark.slow
def test_a_fault_is_found_by_the_number_that_the_match_prints(arena: Any, kept: Path, one: Any) -> None:
    ran = arena("match", "./player.py", "greedy", "silent", "--seed", "7", "--set", "max_turns=24")
    numbers = [int(each) for each in re.findall(r"\(first at ask (\d+)\)", ran.err)]
    assert len(numbers) == 2
    told = arena("show", "m.jsonl").out
    for number, kind in zip(numbers, ("illegal", "broken"), strict=True):
        assert re.search(rf"^ +\d+ +{number}  +player \(0\) turn: {kind}", told, re.MULTILINE)
        assert (one(number)["answer"], kind in one(number)["fault"]) == ("fault", True)


@pytest.mark.slow
def test_an_ask_is_found_by_an_event_too(arena: Any, kept: Path) -> None:
    lines = read_replay_lines(read_replay(kept))[1]
    at, answer = next((at, line) for at, line in enumerate(lines, 1) if isinstance(line, Answered))
    by_ask = arena("show", "m.jsonl", "--at", f"ask{answer.ask}")
    assert arena("show", "m.jsonl", "--at", f"#{at}") == by_ask
    assert f"(#{at}).\n" in by_ask.out
    assert arena("show", "m.jsonl", "--at", 1, "--seat", answer.seat).out.startswith("Ask ")
    refused = arena("show", "m.jsonl", "--at", 1)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("arena: event #1 is neither an answer nor a fault; after it is ask ")
    for same in (f"#event={at}", f"ask {answer.ask}", f"#ask={answer.ask}"):
        assert arena("show", "m.jsonl", "--at", same) == by_ask
    old = arena("show", "m.jsonl", "--ask", answer.ask)
    assert (old.out, old.err.partition(";")[0]) == (by_ask.out, "--ask is now --at askN")
    cut = read_replay(kept).replace(b'"event":"turn"', b'"event":"tern"', 1)
    Path("bad.jsonl").write_bytes(cut)
    assert arena("show", "bad.jsonl", "--at", len(lines) - 1, "--seat", 0).err.startswith("arena: bad.jsonl: line ")


@pytest.mark.slow
def test_an_illegal_reply_is_shown_with_what_was_played_instead(arena: Any, kept: Path, one: Any) -> None:
    (illegal,) = [line for line in decisions(kept, Faulted) if line.kind == "illegal"]
    found = one(illegal.ask)
    assert (found["reply"], found["replied"]) == ({"move": "draw"}, "draws")
    assert (found["move"], found["played"]) == ({"move": "roll"}, "rolls")
    assert "draws" not in found["options"]
    told = arena("show", "m.jsonl", "--at", f"ask{illegal.ask}").out
    expected = r"\nIt answers\n  draws \(refused\)\n  player \(0\) turn: illegal \[B3[.\d]*\]: .+\n  instead: rolls\n"
    assert re.search(expected, told)


@pytest.mark.slow
def test_words_and_notes_are_shown_and_leave_the_terminal_alone(arena: Any, kept: Path, one: Any) -> None:
    first = next(line for line in decisions(kept, Answered) if line.note)
    found = one(first.ask)
    assert (found["say"], found["note"], found["answer"]) == ("hello", "secret �[2J", "move")
    told = arena("show", "m.jsonl", "--at", f"ask{first.ask}").out
    assert '\n  and says: "hello"\n  and notes: secret �[2J\n' in told


def test_an_ask_that_was_answered_with_nothing_has_no_line_but_can_be_looked_at(
    arena: Any, kept: Path, one: Any
) -> None:
    recorded = {line.ask for line in decisions(kept, Answered | Faulted)}
    number = next(each for each in range(1, 10_000) if each not in recorded)
    found = one(number)
    assert (found["line"], found["answer"]) == (None, "nothing")
    told = arena("show", "m.jsonl", "--at", f"ask{number}").out
    assert told.startswith(f"Ask {number} of {found['asks']}: ")
    assert "(no line of the file).\n" in told
    assert f"\nIt answers\n  {found['played']}, or nothing at all, which has the same effect\n" in told


@pytest.mark.slow
def test_a_seat_that_is_out_was_not_asked(kept: Path, one: Any) -> None:
    out = next(line for line in decisions(kept, Faulted) if line.out)
    assert one(out.ask)["answer"] == "fault"
    later = next(line for line in decisions(kept, Answered) if line.seat == 0 and line.ask > out.ask)
    assert one(later.ask)["answer"] == "out"
    before = next(line for line in decisions(kept, Answered) if line.seat == 0)
    assert one(before.ask)["answer"] == "move"


def test_the_view_has_all_that_the_hook_shows_but_the_news(kept: Path, one: Any) -> None:
    found = one(decisions(kept, Answered)[4].ask)
    assert {"seat", "hand", "money", "placards", "marker"} <= set(found["view"])
    assert "news" not in found["view"]
    said = {each["name"]: each["text"] for each in found["saw"]}
    assert said["own money"] == f"${found['view']['money']}M"
    assert said["own hand"].count(",") == len(found["view"]["hand"]) - 1


@pytest.mark.slow
def test_what_happened_before_an_ask_is_what_its_seat_saw(kept: Path, one: Any, arena: Any) -> None:
    """Cards that others drew since are numbers, with --seat or without."""
    asks = [line.ask for line in decisions(kept, Answered) if line.seat == 0][:6]
    befores = {number: one(number)["before"] for number in asks}
    drawn = [each["text"] for before in befores.values() for each in before if " draws " in each["text"]]
    others = [text for text in drawn if not text.startswith("player (0)")]
    assert others
    assert all(re.search(r"draws \d cards\.$", text) for text in others)
    assert any(text not in others for text in drawn)
    own = seat_numbers_in(Timeline(read_replay(kept)), 0).asks.index(asks[3]) + 1
    seen = one(own, "--seat", 0)["before"]
    assert [each["text"] for each in seen] == [each["text"] for each in befores[asks[3]]]


def test_with_a_seat_only_its_own_asks_are_shown_by_its_own_count_and_only_what_it_knew(
    arena: Any, kept: Path, one: Any
) -> None:
    numbers = seat_numbers_in(Timeline(read_replay(kept)), 1)
    for own in (1, 2, numbers.many):
        found = one(own, "--seat", 1)
        assert (found["seat"], found["ask"], found["asks"]) == (1, own, numbers.many)
        assert found["previous"] in (0, own - 1)
        assert "line" not in found
        lines = [*found["before"], *found["came"]]
        assert not [each for each in lines if "line" in each or not 1 <= each["seen"] <= numbers.last]
        whole = one(numbers.asks[own - 1])
        assert (found["view"], found["move"], found["legal"]) == (whole["view"], whole["move"], whole["legal"])
    refused = f"arena: there is no ask {numbers.many + 1} of seat 1; its own asks are 1 to {numbers.many}\n"
    assert arena("show", "m.jsonl", "--at", f"ask{numbers.many + 1}", "--seat", 1) == (2, "", refused)


@pytest.mark.slow
def test_the_notes_of_others_are_in_nothing_that_a_seat_is_shown(arena: Any, kept: Path) -> None:
    for number in range(1, 5):
        ran = arena("show", "m.jsonl", "--at", f"ask{number}", "--seat", 1, "--json")
        assert ran.code == 0
        assert "secret" not in ran.out
    assert "secret" not in arena("show", "m.jsonl", "--seat", 1).out
    assert "secret" in arena("show", "m.jsonl", "--seat", 0).out


@pytest.mark.slow
def test_mistakes_are_told_in_one_line(arena: Any, kept: Path, tmp_path: Path) -> None:
    last: Any = read_replay_lines(read_replay(kept))[1][-1]
    none = f"arena: there is no ask 99999 in m.jsonl; its asks are 1 to {last.asks}\n"
    assert arena("show", "m.jsonl", "--at", "ask99999") == (2, "", none)
    both = "arena: --at, --deals, and --from or --to show different things; give one of them\n"
    for words in (("--at", "ask3", "--deals"), ("--at", "ask3", "--from", 2), ("--deals", "--to", 9)):
        assert arena("show", "m.jsonl", *words) == (2, "", both)
    changed = kept.read_bytes().replace(b'"roll":', b'"roll":1', 1)
    (tmp_path / "bad.jsonl").write_bytes(changed)
    ran = arena("show", "bad.jsonl", "--at", "ask30")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("arena: bad.jsonl: line ")


@pytest.mark.slow
def test_a_replay_that_does_not_verify_is_still_told_with_the_asks_of_its_decisions(
    arena: Any, kept: Path, tmp_path: Path
) -> None:
    changed = kept.read_bytes().replace(b'"roll":', b'"roll":1', 1)
    (tmp_path / "bad.jsonl").write_bytes(changed)
    told = json.loads(arena("show", "bad.jsonl", "--json").out)["lines"]
    asks = {line.ask for line in decisions(kept, Faulted)}
    assert asks <= {each["ask"] for each in told if each["kind"] == "fault"}


@pytest.mark.slow
def test_a_match_of_the_card_game_is_told_in_its_words(arena: Any, one: Any) -> None:
    assert arena("match", "greedy", "fair", "hard", "--rules", "card-game", "--seed", "7", "-o", "m.jsonl").code == 0
    answered = decisions(Path("m.jsonl"), Answered)
    said = {one(line.ask)["played"].split()[0] for line in answered[:40]}
    assert {"leads", "plays", "passes", "offers"} <= said
    told = arena("show", "m.jsonl", "--at", f"ask{answered[0].ask}").out
    assert re.search(r"^  own hand +\w+ [+-]?\w+", told, re.MULTILINE)
