"""Moves as numbers and views as vectors, in positions of many editions: laws of every coding."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy
import pytest

from arena.coding.coding import Coding
from arena.games.board.moves import Offers
from arena.games.contract import State
from arena.games.presenting import checked_part
from tests.laws.cases import CASES, Case, Sample, edition_of, game_of, rules_of, samples

CODED = [case for case in CASES if game_of(case).presenting.coding is not None]
FEW = [*[case for case in CODED if not case.settings][::12], *[case for case in CODED if case.settings][::3]]


@pytest.fixture(scope="module", params=FEW, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    """Each of the few cases; all laws are tried of one before the next, while its samples are kept."""
    found: Case = request.param
    return found


@cache
def coding_of(case: Case) -> Coding:
    make = game_of(case).presenting.coding
    assert make is not None
    return checked_part(case.edition, make(rules_of(case)), Coding)


def observed(coding: Coding, state: State, index: int) -> tuple[list[float], dict[int, Any]]:
    return coding.observe(state.view(index)).tolist(), dict(coding.choices(state, index))


def test_every_choice_is_a_legal_move_and_has_a_number_of_its_own_that_is_there(case: Case) -> None:
    coding = coding_of(case)
    for state, index in ((sample.state, sample.index) for sample in samples(case)):
        choices = coding.choices(state, index)
        assert choices
        assert set(choices) <= set(range(len(coding.actions)))
        assert len(set(choices.values())) == len(choices)
        hook = state.asks[index].hook
        for action, move in choices.items():
            assert hook in coding.actions[action].split(": ")[0].split(", ")
            assert state.refusal(index, coding.finished(state, index, move)) is None
        (legal,) = numpy.nonzero(coding.mask(choices))
        assert set(legal.tolist()) == set(choices)


def test_a_seat_that_can_choose_can_choose_by_numbers(case: Case) -> None:
    coding = coding_of(case)
    for sample in samples(case):
        moves = set(sample.state.legal(sample.index))
        if sample.ask.hook == "offer" and not getattr(sample.state, "offers", [()] * 6)[sample.ask.seat]:
            moves -= {Offers()}  # there is nothing to withdraw
        assert (len(moves) > 1) == (len(coding.choices(sample.state, sample.index)) > 1)


def test_two_states_with_one_view_give_the_same_observation_and_the_same_choices(case: Case) -> None:
    coding, rng = coding_of(case), Random(5)
    changed = False
    for sample in samples(case)[::2]:
        view = sample.state.view(sample.index)
        other = view.imagine(rules_of(case), rng)
        index = other.asks.index(view.ask(rules_of(case)))
        there, here = observed(coding, other, index), observed(coding, sample.state, sample.index)
        assert there == here
        changed = changed or other.look(1 - min(view.seat, 1)) != sample.state.look(1 - min(view.seat, 1))
    assert changed  # what the seat does not see was another


def test_what_another_seat_answered_in_the_same_phase_is_not_seen(case: Case) -> None:
    coding, tried = coding_of(case), 0
    for sample in samples(case):
        for other in sample.state.pending:
            if other != sample.index and sample.state.asks[other].seat != sample.ask.seat:
                before = observed(coding, sample.state, sample.index)
                for move in sample.state.legal(other)[:3]:
                    later = sample.state.copy()
                    later.apply(other, move)
                    assert observed(coding, later, sample.index) == before
                    tried += 1
    assert tried or edition_of(case).game == "cards"  # where single seats are asked


def test_the_vector_has_the_numbers_that_its_fields_say(case: Case) -> None:
    coding = coding_of(case)
    for sample in samples(case)[::3]:
        views = [sample.state.view(sample.index), *(sample.state.look(seat) for seat in range(case.players))]
        for view in views:
            assert [len(field.read(view)) for field in coding.fields] == [field.size for field in coding.fields]
            vector = coding.observe(view)
            assert vector.dtype == numpy.float32
            assert vector.shape == (coding.size,)
            assert numpy.abs(vector).max() <= 1


def test_what_a_seat_observed_before_changes_nothing(case: Case) -> None:
    coding, make = coding_of(case), game_of(case).presenting.coding
    assert make is not None
    for sample in samples(case)[::12]:
        views = [sample.state.view(sample.index), sample.state.look(sample.ask.seat), sample.state.look()]
        for view in views:
            assert coding.observe(view).tolist() == make(rules_of(case)).observe(view).tolist()


def test_an_observation_is_the_learners_own() -> None:
    coding, view = coding_of(FEW[0]), samples(FEW[0])[0].state.look(0)
    first = coding.observe(view)
    second = coding.observe(view)
    first += 1
    assert coding.observe(view).tolist() == second.tolist() != first.tolist()


def values_of(coding: Coding, sample: Sample) -> dict[str, list[float]]:
    """The observation by field, as it is before it is divided."""
    view = sample.state.view(sample.index)
    return {field.name: list(field.read(view)) for field in coding.fields}


@pytest.mark.parametrize("case", FEW[:3], ids=str)
def test_seats_are_counted_from_the_own_one(case: Case) -> None:
    coding = coding_of(case)
    for sample in samples(case):
        values, look = values_of(coding, sample), sample.state.look(sample.ask.seat)
        assert values["players"] == [case.players]
        own = len(look.hand)  # type: ignore[attr-defined]
        assert values["hand_sizes"][0] == own == sum(values["hand"])
        assert values["hand_sizes"][case.players :] == [0] * (6 - case.players)
        on_turn = look.on_turn  # type: ignore[attr-defined]
        assert values["on_turn"].index(1) == (on_turn - sample.ask.seat) % case.players
