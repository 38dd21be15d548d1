"""Matches that went wrong, or in which hardly anything happened, have pages too; and files that are none are refused in
one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import ReplayError, UserError
from arena.finding.reference import find_file, refer_file
from arena.games import load_game
from arena.games.contract import no_fold
from arena.recorded.event_address import Address
from arena.replay.read import read_replay_lines, rules_of
from arena.web.viewer.frames import frames_of
from arena.web.viewer.match_data import match_data
from arena.web.viewer.moment import Jump
from arena.web.viewer.write_page import PageLink, write_match_page
from tests.conftest import play, small, spec_of, write_player
from tests.viewer.replays import GOLDEN, pie, talkative


def match_of(tmp_path: Path, body: str, policy: str) -> bytes:
    """The replay of a short match of a bot with this ``body``, and silent ones."""
    refs = [refer_file(str(write_player(tmp_path, body)), None), *[find_file("silent")] * 3]
    return play(spec_of(refs, small(turns=6), policy=policy), refs).replay


def test_a_fault_before_the_first_ask_is_the_first_that_happens(tmp_path: Path) -> None:
    content = match_of(tmp_path, "def __init__(self, *given, **more): raise RuntimeError('no start')", "substitute")
    data = match_data(content)
    frame = next(frame for frame in data.course.frames if frame.kind == "fault")
    assert "no start" in frame.told[0].text
    assert data.places[0].jump is Jump.FAULT
    assert data.places[0].n == frame.n
    assert not [each for each in match_data(content, 1).places if each.jump is Jump.FAULT]


def test_a_void_match_says_so(tmp_path: Path) -> None:
    content = match_of(tmp_path, "def turn(self, view): return 5", "void")
    assert match_data(content).void
    assert '"void":true' in write_match_page(content)
    assert not match_data(talkative()).void


def test_a_match_without_deals_is_a_match() -> None:
    refs = [find_file("silent")] * 3
    data = match_data(play(spec_of(refs, small(turns=4)), refs).replay)
    assert {level.name: bool(level.starts) for level in data.course.levels} == {
        "tick": False,
        "turn": True,
        "deal": False,
    }
    assert data.places == []


def test_a_game_without_a_fold_is_told_in_sentences() -> None:
    header, lines = read_replay_lines(pie())
    game = replace(load_game(header.game), fold=no_fold)
    course = frames_of(header, lines, game, rules_of(header), {}, None)
    assert (course.first, course.own, course.levels) == (None, [], [])
    assert [frame.n for frame in course.frames] == [frame.n for frame in match_data(pie()).course.frames]
    assert not any(frame.set or frame.splice for frame in course.frames)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seat": -1}, r"line \d+: Expected `int` >= 0"),
        ({"seat": 77}, r"line \d+: it contradicts those before it"),
        ({"count": 9000}, r"line \d+: it contradicts those before it \(.* try: arena verify"),
    ],
)
def test_lines_that_contradict_each_other_are_told_in_one_line(changed: dict[str, Any], message: str) -> None:
    raw = GOLDEN[4].read_bytes().splitlines(keepends=True)
    at = next(at for at, line in enumerate(raw) if b'"event":"drew"' in line)
    raw[at] = msgspec.json.encode({**msgspec.json.decode(raw[at]), **changed}) + b"\n"
    with pytest.raises(ReplayError, match=message):
        write_match_page(b"".join(raw))


def test_a_match_has_its_seats_and_events_and_no_others() -> None:
    with pytest.raises(UserError, match="there is no seat 4; seats are 0 to 3"):
        write_match_page(talkative(), 4)
    with pytest.raises(UserError, match=r"there is no event 99999; events are the lines of the replay, 1 to \d+"):
        write_match_page(talkative(), None, Address(99_999, None))
    with pytest.raises(ReplayError, match="the file is empty"):
        write_match_page(b"")


def test_links_stand_in_the_head_as_text() -> None:
    page = write_match_page(talkative(), links=[PageLink("run <b>", "/run/a%22?x=1&y=2")])
    assert '<a href="/run/a%22?x=1&amp;y=2">run &lt;b&gt;</a>' in page
    assert "viewer-links" not in write_match_page(talkative()).partition("<body>")[2]
