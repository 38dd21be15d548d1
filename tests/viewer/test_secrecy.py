"""A page for one seat holds nothing that this seat did not know: neither in words, nor in any byte that would be
another if what is hidden had been another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.app.view import match_page
from arena.games import load_game
from arena.games.board import events as board
from arena.games.cards import events as cards
from arena.games.contract import Chanced, Event
from arena.players.faults import FaultKind
from arena.replay.lines import Answered, Faulted, Header, encode
from arena.replay.read import read_lines, rules_of
from arena.viewer.match_data import match_data
from tests.viewer.replays import GOLDEN, SECRET, talkative

GAMES = ("board", "cards")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [1, 3])
def test_the_bytes_hold_no_hand_seed_or_digest_that_the_seat_did_not_know(game: str, seat: int) -> None:
    page = match_page(talkative(game), seat)
    header, lines = read_lines(talkative(game))
    whole = match_page(talkative(game))
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
    page, whole = match_page(talkative(), 1), match_page(talkative())
    faults = [line for line in read_lines(talkative())[1] if isinstance(line, Faulted)]
    assert faults
    for secret in (SECRET, faults[0].evidence):
        assert embedded(secret) in whole
        assert embedded(secret) not in page
        assert embedded(secret) in match_page(talkative(), 0)
    assert '"said"' in page


def embedded(text: str) -> str:
    """A text as it stands in a page's data."""
    plain = msgspec.json.encode(text).decode()[1:-1]
    return plain.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@pytest.mark.parametrize("content", [talkative, *GOLDEN[::2]], ids=lambda each: getattr(each, "stem", "talkative"))
def test_the_page_stays_the_same_when_what_is_hidden_is_another(content: Any) -> None:
    replay = content.read_bytes() if isinstance(content, Path) else content()
    header, lines = read_lines(replay)
    for seat in (0, len(header.seats) - 1):
        other = b"".join(encode(line) for line in with_other_secrets(header, lines, seat))
        assert other != replay
        assert match_page(other, seat) == match_page(replay, seat)


FIZZLED = [path for path in GOLDEN if b'"event":"fizzled"' in path.read_bytes()]


@pytest.mark.parametrize(
    "content", [talkative, *GOLDEN[::3], *FIZZLED], ids=lambda each: getattr(each, "stem", "talks")
)
def test_nor_do_its_bytes_tell_how_much_happened_that_the_seat_did_not_see(content: Any) -> None:
    replay = content.read_bytes() if isinstance(content, Path) else content()
    header, lines = read_lines(replay)
    for seat in (0, len(header.seats) - 1):
        more = b"".join(encode(line) for line in with_more_that_is_hidden(header, lines, seat))
        fewer = b"".join(encode(line) for line in without_what_came_to_nothing(lines, seat))
        assert len(more) > len(replay)
        assert match_page(more, seat) == match_page(replay, seat) == match_page(fewer, seat)


def with_more_that_is_hidden(header: Header, lines: Iterable[Event], seat: int) -> Iterator[Event]:
    """The match with more answers of others that nobody saw, and in the board game with more plays that came to
    nothing."""
    other = (seat + 1) % len(header.seats)
    for line in lines:
        yield line
        if isinstance(line, Answered) and line.seat != seat and not line.say and line.hook != "accept":
            yield line
        if isinstance(line, board.Played | board.Opened):
            yield board.Fizzled(other, "B5.2")


def without_what_came_to_nothing(lines: list[Event], seat: int) -> list[Event]:
    """The match in which others had said no, or not played, where their yes or play came to nothing."""
    left: list[Event] = []
    for line in lines:
        if not isinstance(line, board.Fizzled) or line.seat == seat:
            left.append(line)
            continue
        said = [at for at, each in enumerate(left) if isinstance(each, Answered) and each.seat == line.seat]
        del left[said[-1]]
    return left


def test_an_event_of_the_replay_leads_to_the_last_that_the_seat_saw_up_to_it() -> None:
    lines = read_lines(talkative())[1]
    whole = match_data(talkative()).course.frames
    seen = [frame.n for frame in whole if 1 not in frame.unseen]
    assert len(seen) < len(whole)
    for event in (1, 60, seen[30], seen[30] - 1, len(lines)):
        opens = match_data(talkative(), 1, event).opens
        assert opens == max(1, sum(n <= event for n in seen))
    assert match_data(talkative(), 1).last == len(seen)
    assert match_data(talkative(), None, 60).opens == 60


def with_other_secrets(header: Header, lines: Iterable[Event], seat: int) -> list[Event]:
    """The match with another seed, other notes and faults of other seats, and other cards in their hands."""
    cards_now = exchanged(header, list(lines), seat)
    return [_other(line, seat) for line in cards_now]


def _other(line: Event, seat: int) -> Event:
    match line:
        case Header():
            seats = tuple(replace(each, sha256="0" * 64, options={"x": 1}) for each in line.seats)
            return replace(line, seed="another", seats=seats)
        case Chanced(name="deck", value=tuple(value)):
            return replace(line, value=value[::-1])
        case Answered() if line.seat != seat and line.note:
            return replace(line, note="another note")
        case Faulted() if line.seat != seat:
            return replace(line, evidence="another", rule="B0", kind=FaultKind.LATE)
    return line


def exchanged(header: Header, lines: list[Event], seat: int) -> list[Event]:
    """The match with a card of one other seat exchanged for one of another, both of which they never played
    (clan cards may have lain open and come back)."""
    fold = load_game(header.game).fold(rules_of(header), len(header.seats), None)
    for line in lines:
        fold.follow(line)
    hands: Any = getattr(fold.table, "hands")  # noqa: B009 - every game's own
    others = [each for each in range(len(hands)) if each != seat]
    for one in others:
        for two in others:
            pairs = [(a, b) for a in hands[one] for b in hands[two] if one < two and a != b and "clan" not in a + b]
            if pairs:
                return swap(lines, {one: pairs[0], two: pairs[0][::-1]})
    return lines


def swap(lines: list[Event], cards_by_seat: dict[int, tuple[str, str]]) -> list[Event]:
    """For each seat the last card that it drew of a kind becomes one of another."""
    wanted = dict(cards_by_seat)
    changed: list[Event] = []
    for line in reversed(lines):
        if isinstance(line, board.Drew | cards.Drew) and line.seat in wanted and wanted[line.seat][0] in line.cards:
            old, new = wanted.pop(line.seat)
            drawn: list[Any] = list(line.cards)
            drawn[drawn.index(old)] = new
            line = replace(line, cards=tuple(drawn))
        changed.append(line)
    assert not wanted
    return changed[::-1]
