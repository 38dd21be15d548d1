"""A page for one seat holds nothing that this seat did not know: neither in words, nor in any byte that would be
another if what is hidden had been another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import UserError
from arena.games import load_game
from arena.games.board import events as board
from arena.games.cards import events as cards
from arena.match.walk.timeline import Timeline
from arena.recorded.event_address import Address
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.lines import Faulted, encode_line
from arena.replay.read import read_replay_lines, rules_of
from arena.web.viewer.match_data import match_data
from arena.web.viewer.write_page import write_match_page
from tests.viewer.hidden import with_more_that_is_hidden, with_other_secrets, without_what_came_to_nothing
from tests.viewer.replays import GOLDEN, SECRET, talkative

GAMES = ("board", "cards")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [1, 3])
def test_the_bytes_hold_no_hand_seed_or_digest_that_the_seat_did_not_know(game: str, seat: int) -> None:
    page = write_match_page(talkative(game), seat)
    header, lines = read_replay_lines(talkative(game))
    whole = write_match_page(talkative(game))
    assert header.seed in whole
    hidden = [header.seed, header.rules_sha256, *(each.sha256 for each in header.seats)]
    for line in lines:
        if isinstance(line, board.Drew | cards.Drew) and line.seat != seat and len(line.cards) > 3:
            named = msgspec.json.encode(sorted(line.cards)).decode()[1:-1]
            told = load_game(header.game).tell(rules_of(header), [each.entrant for each in header.seats])(line)
            assert told is not None
            assert told in whole
            hidden += [named, told]
    assert len(hidden) > 8
    assert not [each for each in hidden if each in page]


def test_the_bytes_hold_no_note_and_no_fault_of_another() -> None:
    page, whole = write_match_page(talkative(), 1), write_match_page(talkative())
    faults = [line for line in read_replay_lines(talkative())[1] if isinstance(line, Faulted)]
    assert faults
    for secret in (SECRET, faults[0].evidence):
        assert embedded(secret) in whole
        assert embedded(secret) not in page
        assert embedded(secret) in write_match_page(talkative(), 0)
    assert '"said"' in page


def test_the_bytes_tell_neither_what_the_replay_is_called_nor_its_events_and_asks_to_a_shell() -> None:
    called = ("secret run", "a/b0000/0-1")
    whole = write_match_page(talkative(), called=called)
    assert embedded("'secret run' a/b0000/0-1") in whole
    assert 'id="shell"' in whole
    page = write_match_page(talkative(), 1, called=called)
    assert page == write_match_page(talkative(), 1)
    assert 'id="shell"' not in page


def embedded(text: str) -> str:
    """A text as it stands in a page's data."""
    plain = msgspec.json.encode(text).decode()[1:-1]
    return plain.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@pytest.mark.parametrize("content", [talkative, *GOLDEN[::2]], ids=lambda each: getattr(each, "stem", "talkative"))
def test_the_page_stays_the_same_when_what_is_hidden_is_another(content: Any) -> None:
    replay = content.read_bytes() if isinstance(content, Path) else content()
    header, lines = read_replay_lines(replay)
    seat = len(lines) % len(header.seats)  # now this one, now that
    other = b"".join(encode_line(line) for line in with_other_secrets(header, lines, seat))
    assert other != replay
    assert write_match_page(other, seat) == write_match_page(replay, seat)


FIZZLED = [path for path in GOLDEN if b'"event":"fizzled"' in path.read_bytes()]


@pytest.mark.parametrize(
    "content", [talkative, *GOLDEN[::5], *FIZZLED[::2]], ids=lambda each: getattr(each, "stem", "talks")
)
def test_nor_do_its_bytes_tell_how_much_happened_that_the_seat_did_not_see(content: Any) -> None:
    replay = content.read_bytes() if isinstance(content, Path) else content()
    header, lines = read_replay_lines(replay)
    seat = len(lines) % len(header.seats)  # now this one, now that
    more = b"".join(encode_line(line) for line in with_more_that_is_hidden(header, lines, seat))
    fewer = b"".join(encode_line(line) for line in without_what_came_to_nothing(lines, seat))
    assert len(more) > len(replay)
    assert write_match_page(more, seat) == write_match_page(replay, seat) == write_match_page(fewer, seat)


def test_the_page_of_a_seat_opens_by_the_count_of_this_seat() -> None:
    whole = match_data(talkative()).course.frames
    seen = [frame.n for frame in whole if 1 not in frame.unseen]
    assert len(seen) < len(whole)
    assert seen == seat_numbers_in(Timeline(talkative()), 1).lines
    for event in (1, 60, len(seen)):
        assert match_data(talkative(), 1, Address(event, None)).opens == event
    with pytest.raises(UserError, match=rf"no event {len(seen) + 1} of seat 1; its own events are 1 to {len(seen)}$"):
        match_data(talkative(), 1, Address(len(seen) + 1, None))
    assert match_data(talkative(), 1).last == len(seen)
    assert match_data(talkative(), None, Address(60, None)).opens == 60


def test_every_ask_has_a_place_in_the_page_also_one_without_a_line() -> None:
    data, timeline = match_data(talkative()), Timeline(talkative())
    named = {frame.ask for frame in data.course.frames if frame.ask}
    listed = {ask: group for group in data.asks for ask in group.asks}
    asked = [ask for phase in timeline.phases() for ask in phase.asks]
    assert named.isdisjoint(listed)
    assert named | set(listed) == set(range(1, len(asked) + 1))
    assert any(group.silent for group in data.asks)
    for ask, group in listed.items():
        assert (group.hook, group.seats[group.asks.index(ask)]) == (asked[ask - 1].hook, asked[ask - 1].seat)
        assert 1 <= group.n <= data.last


@pytest.mark.parametrize("seat", [None, 1])
def test_a_page_opens_at_an_ask(seat: int | None) -> None:
    asked = [ask for phase in Timeline(talkative()).phases() for ask in phase.asks if seat in (None, ask.seat)]
    data = match_data(talkative(), seat, Address(None, len(asked)))
    assert data.opens_ask == len(asked)
    if seat is not None:
        (group,) = data.asks
        assert (group.asks, group.seats, group.hook) == ([len(asked)], [seat], asked[-1].hook)
        assert 1 <= group.n <= data.last
    with pytest.raises(UserError, match=rf"there is no ask {len(asked) + 1}; asks"):
        match_data(talkative(), seat, Address(None, len(asked) + 1))
