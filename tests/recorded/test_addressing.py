"""Which ask is meant by an event of a replay, or by the number of an ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UserError
from arena.match.walk.timeline import Timeline
from arena.recorded.event_address import ask_meant, events_of_asks
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.lines import Answered, Faulted
from arena.replay.read import read_replay_lines

GOLDEN = Path(__file__).parents[1] / "golden"
REPLAY = (GOLDEN / "eagle-gryphon-4p.jsonl").read_bytes()
MATCH = Timeline(REPLAY)
HEADER, LINES = read_replay_lines(REPLAY)
DECIDED = {at: line for at, line in enumerate(LINES, 1) if isinstance(line, Answered | Faulted)}

LAST_SEEN = seat_numbers_in(MATCH, 2).last


def test_the_line_of_an_answer_is_its_ask() -> None:
    for at, line in list(DECIDED.items())[::40]:
        meant = ask_meant(MATCH, at, None, None)
        assert meant == ask_meant(MATCH, at, None, line.seat, own=False) == (line.ask, line.ask, "")
    assert events_of_asks(REPLAY) == {line.ask: at for at, line in DECIDED.items()}


@pytest.mark.parametrize("name", ["eagle-gryphon-4p.jsonl", "card-game-3p.jsonl"])
def test_another_line_means_the_first_ask_of_the_seat_that_was_not_put_before_it(name: str) -> None:
    content = (GOLDEN / name).read_bytes()
    match = Timeline(content)
    asks = [
        (number, ask.seat, phase.decisions)
        for phase in match.phases()
        for number, ask in enumerate(phase.asks, phase.first)
    ]
    places = events_of_asks(content)
    for event in range(1, max(places.values()) - 100, 97):
        for seat in range(3):
            meant = ask_meant(match, event, None, seat, own=False).number
            number, owner, decisions = asks[meant - 1]
            assert (number, owner) == (meant, seat)
            assert places.get(meant, decisions.stop) >= event
            earlier = [(number, place) for number, asked, place in asks[: meant - 1] if asked == seat]
            if earlier:
                before, place = earlier[-1]
                at_event = next((ask for ask, at in places.items() if at == event), 0)
                assert place.stop <= event or before < at_event, "no ask of the seat stands between"


def test_an_ask_means_itself_if_it_is_of_the_seat() -> None:
    seat = next(line.seat for line in DECIDED.values() if line.ask == 47)
    for named in (None, seat):
        assert ask_meant(MATCH, None, 47, named, own=False) == (47, 47, "")
    with pytest.raises(UserError, match=rf"ask 47 belongs to seat {seat}, not to seat {(seat + 1) % 4}; see it with"):
        ask_meant(MATCH, None, 47, (seat + 1) % 4, own=False)


def test_a_line_that_is_no_answer_of_the_seat_says_which_ask_is_taken_instead() -> None:
    event, line = next((at, line) for at, line in DECIDED.items() if at > 60 and line.ask)
    other = (line.seat + 1) % 4
    meant = ask_meant(MATCH, event, None, other, own=False)
    name = HEADER.seats[other].entrant
    assert meant.instead == f"#{event} is not an answer of {name}; using its next ask, {meant.number}"


@pytest.mark.parametrize("name", ["eagle-gryphon-4p.jsonl", "card-game-3p.jsonl"])
def test_a_seat_names_events_and_asks_by_its_own_count(name: str) -> None:
    match = Timeline((GOLDEN / name).read_bytes())
    asked = [ask.seat for phase in match.phases() for ask in phase.asks]
    for seat in range(3):
        numbers = seat_numbers_in(match, seat)
        assert numbers.asks == [number for number, each in enumerate(asked, 1) if each == seat]
        for own in (1, 2, len(numbers.asks)):
            assert ask_meant(match, None, own, seat) == (numbers.asks[own - 1], own, "")
        for seen in range(1, numbers.last - 60, 181):
            meant = ask_meant(match, seen, None, seat)
            same = ask_meant(match, numbers.lines[seen - 1], None, seat, own=False)
            assert (meant.number, numbers.asks[meant.called - 1]) == (same.number, same.number)
            assert bool(meant.instead) == bool(same.instead)
        for event, ask, last in ((numbers.last + 1, None, numbers.last), (None, numbers.many + 1, numbers.many)):
            with pytest.raises(UserError, match=rf"of seat {seat}; its own .+ 1 to {last}$"):
                ask_meant(match, event, ask, seat)


def test_a_line_without_an_ask_is_answered_by_the_asks_near_it_and_how_to_see_them() -> None:
    event = next(at for at in range(60, len(LINES)) if at not in DECIDED)
    before, after = max(at for at in DECIDED if at < event), min(at for at in DECIDED if at > event)
    with pytest.raises(UserError) as told:
        ask_meant(MATCH, event, None, None)
    one, two = DECIDED[before], DECIDED[after]
    assert str(told.value) == (
        f"event #{event} is neither an answer nor a fault; before it is ask {one.ask} of seat {one.seat} (#{before}) "
        f"and after"
        f" it is ask {two.ask} of seat {two.seat} (#{after}); see it with: arena show FILE --from {event - 10} --to"
        f" {event + 10}"
    )


@pytest.mark.parametrize(
    ("event", "ask", "seat", "said"),
    [
        (0, None, None, "there is no event #0; the replay has lines 1 to"),
        (99999, None, None, "there is no event #99999"),
        (99999, None, 1, "there is no event 99999 of seat 1"),
        (None, 99999, None, "there is no ask 99999; the asks of the replay are 1 to"),
        (None, 0, None, "there is no ask 0"),
        (None, 3, 7, "there is no seat 7; seats are 0 to 3"),
        (
            LAST_SEEN,
            None,
            2,
            f"seat 2 is not asked at event #{LAST_SEEN} or after it; see it with: arena show FILE --se",
        ),
        (1, None, None, "event #1 is neither an answer nor a fault; after it is ask"),
        (None, None, None, "got neither"),
        (3, 3, None, "got both"),
    ],
)
def test_what_means_no_ask_is_refused(event: int | None, ask: int | None, seat: int | None, said: str) -> None:
    with pytest.raises(UserError) as told:
        ask_meant(MATCH, event, ask, seat)
    assert said in str(told.value)
