"""What a page is given of a match: the tables that it makes from it are those of the fold, for every seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.games import load_game
from arena.replay.lines import Faulted, Header
from arena.replay.read import read_replay_lines, rules_of
from arena.replay.replay_sentences import Sentences
from arena.web.viewer.frames import Frame, frames_of
from arena.web.viewer.game_page import game_page
from arena.web.viewer.match_data import MatchData, match_data
from tests.viewer.replays import GOLDEN, data_of, talkative

every_replay = pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def made(data: MatchData) -> Iterator[Any]:
    """The table after each frame, as a script makes it from the page's data."""
    table = plain(data.course.first)
    for frame in plain(data.course.frames):
        table = {**table, **frame.get("set", {})}
        for name, (start, gone, come) in frame.get("splice", {}).items():
            table[name] = [*table[name][:start], *come, *table[name][start + gone :]]
        yield table


def seen(data: MatchData, seat: int) -> Iterator[Any]:
    """The same as a seat sees it."""
    other: dict[str, Any] = {}
    eyes = dict(plain(data.course.eyes[seat]))
    other |= eyes.get(-1, {})
    for at, table in enumerate(made(data)):
        other |= eyes.get(at, {})
        own = {name: [x if who == seat else None for who, x in enumerate(table[name])] for name in data.course.own}
        yield {**table, **other, **own}


def folded(path: Path, frames: list[Frame], seat: int | None) -> Iterator[Any]:
    """The table after every third frame, as the game's fold has it and its drawing is given it."""
    header, lines = read_replay_lines(path.read_bytes())
    game, rules, players = load_game(header.game), rules_of(header), len(header.seats)
    fold, drawing = game.fold(rules, players, seat), game_page(game).drawing
    drawn = drawing.shown(rules, players) if drawing and drawing.shown else lambda table: table
    numbers = {frame.n for frame in frames[::3]}
    for number, line in enumerate(lines, 1):
        fold.follow(line)
        if number in numbers:
            yield plain(drawn(fold.table))


@lru_cache
def fixed_data(content: bytes, seat: int) -> MatchData:
    """The data of a page for a seat alone."""
    return match_data(content, seat)


@lru_cache
def frames_for(content: bytes, seat: int) -> list[Frame]:
    """The frames of a page for a seat alone, with the numbers of their lines in place of the seat's own count."""
    header, lines = read_replay_lines(content)
    by_line = frames_of(header, lines, load_game(header.game), rules_of(header), {}, seat).frames
    counted = fixed_data(content, seat).course.frames
    assert [frame.n for frame in counted] == [*range(1, len(counted) + 1)]
    return [replace(frame, n=line.n) for frame, line in zip(counted, by_line, strict=True)]


@every_replay
def test_the_tables_made_of_a_page_are_those_of_the_fold_for_all_and_for_a_seat(path: Path) -> None:
    """Of each replay another seat, on a page for all or, in every other replay, on one for a seat alone."""
    data, place = data_of(path), GOLDEN.index(path)
    assert list(made(data))[::3] == list(folded(path, data.course.frames, None))
    if place % 2:
        fixed = fixed_data(path.read_bytes(), 1)
        assert list(made(fixed))[::3] == list(folded(path, frames_for(path.read_bytes(), 1), 1))
    else:
        seat = place // 2 % len(data.entrants)
        assert list(seen(data, seat))[::3] == list(folded(path, data.course.frames, seat))


@every_replay
def test_sentences_are_those_of_the_story_for_every_pair_of_eyes(path: Path) -> None:
    """And on a page for a seat alone, of every other replay."""
    check_sentences(path.read_bytes(), data_of(path), alone=bool(GOLDEN.index(path) % 2))


def test_so_they_are_with_talk_notes_and_faults() -> None:
    check_sentences(talkative(), match_data(talkative()), alone=True)


def check_sentences(content: bytes, data: MatchData, alone: bool) -> None:
    header, lines = read_replay_lines(content)
    rules, names = rules_of(header), [seat.entrant for seat in header.seats]
    fixed = {frame.n: frame for frame in frames_for(content, 1)} if alone else {}
    by_number = {frame.n: frame for frame in data.course.frames}
    told_of = Sentences(header, rules, names)
    for number, line in enumerate(lines, 1):
        frame = by_number.get(number, Frame(number, ""))
        for seat in (None, *range(len(names))):
            story = [each.text for each in told_of.line_sentences(line, seat)]
            told = [
                each.text
                for each in frame.told
                if (not each.part if seat is None else each.only is None or seat in each.only)
            ]
            assert told == story, (number, seat)
            assert seat is None or not story or seat not in frame.unseen
        if alone:
            assert [each.text for each in fixed.get(number, Frame(number, "")).told] == [
                each.text for each in told_of.line_sentences(line, 1)
            ]


def test_words_said_and_noted_stand_alone_too() -> None:
    told = [each for frame in match_data(talkative()).course.frames for each in frame.told]
    said = next(each for each in told if each.kind == "said")
    assert said.words.startswith("my turn <b>")
    assert f'says: "{said.words}"' in said.text
    note = next(each for each in told if each.kind == "note")
    assert note.only == [0]
    assert f"notes: {note.words})" in note.text


def test_frames_have_the_numbers_of_their_lines_and_the_asks_of_the_story() -> None:
    header, lines = read_replay_lines(talkative())
    assert isinstance(header, Header)
    data = match_data(talkative())
    numbers = [frame.n for frame in data.course.frames]
    assert numbers == sorted(set(numbers))
    assert (numbers[0], numbers[-1], data.last) == (1, len(lines), len(lines))
    faults = [frame for frame in data.course.frames if frame.kind == "fault"]
    assert [(frame.n, frame.ask, frame.seat) for frame in faults] == [
        (number, line.ask, line.seat) for number, line in enumerate(lines, 1) if isinstance(line, Faulted)
    ]
    assert faults


@pytest.mark.parametrize(("game", "levels"), [("board", ["tick", "turn", "deal"]), ("cards", ["turn", "round"])])
def test_parts_begin_at_events_of_the_match(game: str, levels: list[str]) -> None:
    data = match_data(talkative(game))
    assert [level.name for level in data.course.levels] == levels
    numbers = {frame.n for frame in data.course.frames}
    for level in data.course.levels:
        assert level.starts
        assert set(level.starts) <= numbers
