"""The talker plays whole matches with a model, with none, and with one that gives no answer of use."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from arena.consultation.scripted_model import FAILURES
from arena.finding.reference import find_file
from arena.match.runner import play_here
from arena.penalties import FaultKind
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import policy_here
from tests.conftest import play, small, spec_of
from tests.talking.talks import Talk, question_in, talk, talker, words_said

OTHERS = "dealmaker", "greedy", "fair"


@pytest.fixture(scope="module")
def match() -> Talk:
    return talk(talker(), *OTHERS)


def test_it_bargains_in_a_whole_match_without_a_fault(match: Talk) -> None:
    assert match.result.seats[0].faults == {}
    assert Counter(question_in(user)["question"] for user in match.users()).keys() == {"sell", "buy", "accept", "close"}


def test_what_the_model_says_is_heard_at_the_table(match: Talk) -> None:
    said = words_said(match.result, 0)
    assert said
    assert set(said) <= {"Let us make a deal.", "That is a fair price.", "I am listening."}


def test_a_talker_in_dutch_talks_dutch() -> None:
    said = words_said(talk(talker(language="nl"), *OTHERS).result, 0)
    assert said
    assert set(said) <= {"Laten we een deal sluiten.", "Dat is een eerlijke prijs.", "Ik luister."}


def test_the_same_match_with_the_same_model_has_the_same_bytes(match: Talk) -> None:
    assert talk(talker(), *OTHERS).result.sha256 == match.result.sha256


@pytest.mark.parametrize("rules", ["face2face-2003", "schmidt-1994", "eagle-gryphon+less-cutthroat+active-to-be-paid"])
def test_it_makes_no_fault_in_other_editions(rules: str) -> None:
    found = talk(talker(), talker(language="nl"), "dealmaker", rules=rules, turns=25)
    assert [seat.faults for seat in found.result.seats] == [{}, {}, {}]
    assert found.calls


@pytest.mark.parametrize("style", ["generous", "stubborn", "rude"])
def test_a_style_of_the_model_shows_in_the_match(match: Talk, style: str) -> None:
    other = talk(talker(), *OTHERS, style=style, turns=40)
    assert other.result.seats[0].faults == {}
    assert other.calls[0][1].text != match.calls[0][1].text or style == "rude"
    assert style != "rude" or not {*words_said(other.result, 0)} & {*words_said(match.result, 0)}


@pytest.mark.parametrize("plays", ["dealmaker", "greedy", "silent", "random-legal"])
def test_without_models_it_plays_as_the_bot_that_plays_for_it(plays: str) -> None:
    replays = []
    for ref in (talker(plays=plays), find_file(plays)):
        refs = (replace(ref, name="one", options=ref.options), *map(find_file, OTHERS))
        replays.append(play_here(spec_of(refs, small(turns=30)), refs).replay.splitlines()[1:-1])
    assert replays[0] == replays[1]
    assert len(replays[0]) > 20


def test_when_the_budget_is_used_up_it_plays_on_by_rules() -> None:
    found = talk(talker(), *OTHERS, calls=3)
    assert len(found.calls) == 3
    assert found.result.seats[0].faults == {}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_model_that_mends_its_answer_costs_no_fault(failure: str, match: Talk) -> None:
    found = talk(talker(), *OTHERS, style=failure)
    assert found.result.seats[0].faults == {}
    assert [seat.money for seat in found.result.seats] == [seat.money for seat in match.result.seats]
    assert found.result.asks == match.result.asks
    assert len(found.calls) > len(match.calls)


@pytest.mark.parametrize("failure", [name for name in FAILURES if name != "illegal"])
def test_a_model_without_use_makes_its_bot_fail_and_no_move_is_guessed(failure: str) -> None:
    found = talk(talker(), *OTHERS, style=f"{failure}-always")
    assert found.result.seats[0].faults == {FaultKind.UNUSABLE: 3}
    assert found.result.seats[0].ended == "struck-out"


def test_an_illegal_answer_is_told_back_once_and_is_then_a_fault() -> None:
    found = talk(talker(), *OTHERS, style="illegal-always")
    assert found.result.seats[0].faults == {FaultKind.ILLEGAL: 3}
    told = [consult.messages[-1].content for consult, _ in found.calls if len(consult.messages) == 4]
    assert len(told) == 3
    assert told[0].startswith('{"wrong":"illegal","because":"B4.5: the same offer stands twice"}\n')


def test_in_a_process_of_its_own_it_plays_the_same() -> None:
    refs = [talker(language="nl"), find_file("greedy"), find_file("fair")]
    spec = spec_of(refs, small(turns=12))
    assert play(spec, refs, policy_here(SandboxPolicy())).sha256 == play(spec, refs).sha256
