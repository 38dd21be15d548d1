"""Plays a state on with policies: rollouts, for bots that search and for whoever asks what a position is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from arena.games.contract import Event, Move, State

Until = int | Callable[[State], bool] | None
"""When a rollout stops: after so many asks, once the function says so, or (None) at the end of the match. It always
finishes a phase, so that all its answers take effect."""


def is_reached(until: Until, state: State, asked: int) -> bool:
    """Whether a rollout that has answered so many asks stops before this phase."""
    return until is not None and (asked >= until if isinstance(until, int) else until(state))


class PlayedOut(NamedTuple):
    """The end of a rollout: the ``money`` of all seats in the game's unit (:func:`money_by_seat`), how many ``asks``
    were answered, and the ``state`` that was reached."""

    money: tuple[int, ...]
    asks: int
    state: State


class SeatPolicy:
    """Base class of policies, which answer for seats in rollouts: override :meth:`answer`. One object may answer for
    several seats.

    ``wants_news`` says that it wants the events of a rollout; then :meth:`begin_phase` is called before each phase.
    """

    wants_news: bool = False

    def answer(self, state: State, index: int) -> Move:
        """Return a legal answer to ``state.asks[index]``, without changing ``state``."""
        raise NotImplementedError

    def play(self, state: State, index: int, log: list[Event] | None) -> None:
        """Answer ``state.asks[index]`` in ``state``; its events are appended to ``log``."""
        state.apply(index, self.answer(state, index), log)

    def renew(self, log: list[Event] | None) -> None:
        """A rollout begins. Its events are appended to ``log``, which is None if no policy wants news."""

    def begin_phase(self) -> None:
        """A phase begins. Whoever is asked in it knows the events that are in the log now, and no later ones."""


def play_out(
    state: State,
    policies: SeatPolicy | Sequence[SeatPolicy],
    until: Until = None,
    first: Mapping[int, Move] | None = None,
) -> PlayedOut:
    """Play a copy of ``state`` to the end of the match, or until ``until`` is reached, and return the outcome.
    ``state`` itself does not change.

    ``policies`` answer the asks: one for all seats, or one for each, in seat order. ``first`` has moves that are
    already chosen for asks of the current phase, by their index in ``state.asks``. Raises IllegalMove where one of
    them is against the rules, and passes on what policies raise.
    """
    state = state.copy()
    each = (policies,) if isinstance(policies, SeatPolicy) else tuple(policies)
    distinct = dict.fromkeys(each)
    listening = [policy for policy in distinct if policy.wants_news]
    log: list[Event] | None = [] if listening else None
    for policy in distinct:
        policy.renew(log)
    play, several = [policy.play for policy in each], len(each) > 1
    for policy in listening:
        policy.begin_phase()
    chosen = first or {}
    for index, move in chosen.items():
        state.apply(index, move, log)
    asked = len(chosen)
    pending: Sequence[int] = state.pending
    begun = len(pending) < len(state.asks)
    if chosen and not begun:  # the chosen moves have ended the phase
        for policy in listening:
            policy.begin_phase()
    while asks := state.asks:
        if begun:
            begun = False
        elif is_reached(until, state, asked):
            break
        for index in pending:
            play[asks[index].seat if several else 0](state, index, log)
        asked += len(pending)
        pending = range(len(state.asks))
        for policy in listening:
            policy.begin_phase()
    return PlayedOut(money_by_seat(state), asked, state)


def money_by_seat(state: State) -> tuple[int, ...]:
    """The money of every seat, in the game's unit. At the end of a match it comes from the outcome; before that, it is
    the ``money`` of each seat's view (0 in games whose views have none)."""
    if state.outcome is not None:
        return state.outcome.money
    return tuple(getattr(state.look(seat), "money", 0) for seat in range(state.look().players))
