"""The asks of one seat of a recorded match, with the views that it got, news included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from arena.errors import UserError
from arena.games.contract import Event, Hook, State, View
from arena.match.match_spec import spec_from, start_of
from arena.match.walk.record_walk import RecordedPhase
from arena.match.walk.timeline import Timeline
from arena.players.player import TimedAnswer


class SeatAsk(NamedTuple):
    """The ask ``number`` of a match, from 1: its ``hook``, its ``view``, and the ``recorded`` answer (a reply that the
    rules refused is given as it was). ``put`` says whether the bot has the hook: else it is not asked, the view has no
    news, and is None where nothing was done in the match either. ``more``: another ask of its phase follows."""

    number: int
    hook: Hook
    view: View | None
    recorded: TimedAnswer
    put: bool = True
    more: bool = False


class SeatAsks:
    """The asks of ``seat`` in the match of a ``timeline``, for a bot that gets the ``start`` before them.
    ``was_missing`` says that the seat's bot could not be started in the match, and got no asks.

    Raises Mismatch and ReplayError as the timeline does, and UserError where the match has no such seat.
    """

    def __init__(self, timeline: Timeline, seat: int) -> None:
        self.header = header = timeline.header
        if not 0 <= seat < len(header.seats):
            raise UserError(f"expected a seat from 0 to {len(header.seats) - 1}, got {seat}")
        self.timeline, self.seat, self.rules = timeline, seat, timeline.rules
        self.start = start_of(spec_from(header, self.rules), msgspec.json.encode(self.rules), seat)
        self.was_missing = timeline.start(seat).fault is not None

    def asks(self, hooks: frozenset[str]) -> Iterator[SeatAsk]:
        """Each ask, for a bot with these ``hooks``, up to where the seat's bot was put out of the match, or to its end.
        News come with the next ask for which the bot has the hook. After the last ask, the rest of the replay is
        compared too."""
        seat, timeline = self.seat, self.timeline
        news = [*_events_for_seat(timeline.walk.opening, seat)]
        for phase in timeline.phases():
            asks, state = phase.asks, phase.state
            mine = [index for index, ask in enumerate(asks) if ask.seat == seat]
            if not mine:
                news += _events_for_seat(phase.play().happened, seat)
                continue
            views = {index: state.view(index, tuple(news)) for index in mine if asks[index].hook in hooks}
            if views:
                news.clear()
            if len(views) < len(mine):
                state = state.copy()  # before it goes on
            outcome = phase.play()
            yield from self._asks(phase, mine, views, state, outcome.answers)
            if outcome.answers[mine[-1]] is None:
                break
            news += _events_for_seat(outcome.happened, seat)
        timeline.finish()

    def _asks(
        self,
        phase: RecordedPhase,
        mine: list[int],
        views: dict[int, View],
        state: State,
        answers: list[TimedAnswer | None],
    ) -> list[SeatAsk]:
        """The seat's asks of a phase, with these ``views`` for the bot; those after which the seat was out are left
        out."""
        known, found, last = self.timeline.walk.game.hooks, list[SeatAsk](), mine[-1]
        for index in mine:
            recorded, view = answers[index], views.get(index)
            if recorded is None:
                found[-1:] = [each._replace(more=False) for each in found[-1:]]
                break
            if view is None and (recorded.move is not None or recorded.fault is not None or recorded.say):
                view = state.view(index)
            hook = known[phase.asks[index].hook]
            found.append(SeatAsk(phase.first + index, hook, view, recorded, index in views, index < last))
        return found


def _events_for_seat(events: list[Event], seat: int) -> list[Event]:
    """The part of the events that a seat may know."""
    return [seen for event in events if (seen := event.seen_by(seat)) is not None] if events else events
