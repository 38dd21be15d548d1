"""The desk of a match: what is answered, recorded, refused, and whose fault it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from time import process_time

import msgspec
import pytest

from arena.consultation import match_desk
from arena.consultation.answer_check import MOST_DEPTH
from arena.consultation.backend import Completion, ModelUnreachable, PayAgain, ReachProblem, pay_always
from arena.consultation.call_record import Cassette, RecordedCall, encode_cassette, read_cassette
from arena.consultation.journal import CallJournal
from arena.consultation.match_desk import MOST_CALLS, CassetteMode, LiveCalls
from arena.consultation.model_spec import CallBudget, CallBudgets, ModelSpec
from arena.consultation.paid_backend import LONGEST_TEXT
from arena.consultation.spending import (
    ModelSpending,
    ModelUse,
    RunAllowance,
    UsedUp,
    largest_spending,
    largest_tokens,
    use_by_model,
)
from arena.consulting.consultation import Consult, ConsultProblem
from arena.errors import CassetteMiss, MatchSuspended, ReplayError
from arena.penalties import FaultKind
from tests.consultation.asking import MODEL, NUMBER, FakeModel, desk_with, live, models_for, request

DEEP = (MOST_DEPTH, 990, 996)
"""How deep answers are nested that nobody reads: those near the limit of Python broke off the match."""


def test_a_request_is_answered_with_text_and_data() -> None:
    answer = desk_with(FakeModel(lambda text: '```json\n{"n": 7}\n```')).submit(0, 3, request(schema=NUMBER)).result()
    assert answer.consulted.data == {"n": 7}
    assert answer.consulted.problem is None
    assert answer.consulted.tokens == (100, 10)
    assert answer.fault is None


@pytest.mark.parametrize(
    ("text", "finish", "problem"),
    [
        ('{"n": 1', "length", ConsultProblem.TRUNCATED),
        ("  ", "stop", ConsultProblem.EMPTY),
        ("I cannot", "content_filter", ConsultProblem.FILTERED),
        ('I would say {"n": 1}, because', "stop", ConsultProblem.UNREADABLE),
        ('{"n": "many"}', "stop", ConsultProblem.OFF_SCHEMA),
        ("[" * 100_000, "stop", ConsultProblem.UNREADABLE),
        ("[" + "1," * 200_000 + "1]", "stop", ConsultProblem.OFF_SCHEMA),
        ("x" * (LONGEST_TEXT + 1), "stop", ConsultProblem.TRUNCATED),
        *(('{"n": 1, "more": ' + "[" * depth + "]" * depth + "}", "stop", ConsultProblem.UNREADABLE) for depth in DEEP),
    ],
)
def test_an_answer_of_no_use_is_told_back_and_is_a_fault_when_it_comes_again(
    text: str, finish: str, problem: ConsultProblem
) -> None:
    desk = desk_with(FakeModel(lambda asked: text, finish))
    first, second = (desk.submit(0, 1, request(f"try {n}", NUMBER)).result() for n in (1, 2))
    assert (first.consulted.problem, first.consulted.tries_left, first.fault) == (problem, 1, None)
    assert second.fault is not None
    assert second.fault.kind is FaultKind.UNUSABLE
    assert second.fault.evidence.startswith(f"{problem}: ")
    at_next_ask = desk.submit(0, 2, request("try 3", NUMBER)).result()
    assert at_next_ask.fault is None


def test_an_equal_request_may_be_answered_otherwise_and_both_are_recorded() -> None:
    texts = iter(["one", "two", "three"])
    desk = desk_with(FakeModel(lambda asked: next(texts)))
    said = [desk.submit(seat, 1, request()).result().consulted.text for seat in (0, 0, 1)]
    assert said == ["one", "two", "three"]
    again = desk_with(recorded=desk.calls)
    assert [again.submit(seat, 1, request()).result().consulted.text for seat in (1, 0, 0)] == ["three", "one", "two"]


def test_a_recorded_call_costs_nothing_and_a_new_one_is_recorded_before_its_answer_is_given() -> None:
    backend, kept = FakeModel(), []
    desk = desk_with(backend, record=kept.append)
    desk.submit(0, 1, request("a")).result()
    assert kept == desk.calls
    resumed = desk_with(backend, recorded=kept, record=kept.append)
    resumed.submit(0, 1, request("a")).result()
    resumed.submit(0, 2, request("b")).result()
    assert [asked.messages[-1].content for asked in backend.asked] == ["a", "b"]
    assert len(kept) == 2


def test_passthrough_makes_all_calls_anew() -> None:
    backend = FakeModel()
    before = desk_with(backend)
    before.submit(0, 1, request()).result()
    desk_with(backend, recorded=before.calls, mode=CassetteMode.PASSTHROUGH).submit(0, 1, request()).result()
    assert len(backend.asked) == 2


def test_a_request_that_is_not_recorded_fails_with_the_first_difference() -> None:
    desk = desk_with(FakeModel())
    desk.submit(0, 4, request("the price is 10")).result()
    desk.submit(0, 5, request("other words")).result()
    again = desk_with(recorded=desk.calls)
    with pytest.raises(CassetteMiss, match=r"ask 9, seat 0: .*nearest recording: ask 4; .*recorded ….*10.*now ….*12"):
        again.submit(0, 9, request("the price is 12")).result()
    with pytest.raises(CassetteMiss, match="nothing of seat 1 is recorded"):
        again.submit(1, 9, request()).result()
    again.submit(0, 9, request("the price is 10")).result()
    with pytest.raises(CassetteMiss, match="recorded 1 times, and is asked once more"):
        again.submit(0, 10, request("the price is 10")).result()


def test_a_model_out_of_reach_suspends_the_match_and_blames_nobody() -> None:
    desk = desk_with(FakeModel(lambda text: ModelUnreachable("429 six times")))
    with pytest.raises(MatchSuspended, match="the model fast is out of reach: 429 six times") as raised:
        desk.submit(0, 1, request()).result()
    assert not raised.value.stop
    assert desk.calls == []


def test_a_refused_key_stops_the_run() -> None:
    desk = desk_with(FakeModel(lambda text: ModelUnreachable("401", lasting=True)))
    with pytest.raises(MatchSuspended) as raised:
        desk.submit(0, 1, request()).result()
    assert raised.value.stop


def test_a_request_that_the_endpoint_refuses_is_the_bots_and_stops_no_run() -> None:
    backend = FakeModel(lambda text: ModelUnreachable("HTTP 400: too long", True, ReachProblem.REFUSED))
    desk = desk_with(backend)
    answer = desk.submit(0, 1, request()).result()
    assert answer.consulted.problem is ConsultProblem.REFUSED
    assert (answer.consulted.evidence, answer.consulted.tries_left) == ("HTTP 400: too long", 1)
    assert desk_with(recorded=desk.calls).submit(0, 1, request()).result() == answer


def test_a_model_given_up_is_a_blameless_fault_that_can_be_played_again() -> None:
    backend = FakeModel(lambda text: ModelUnreachable("hangs"))
    desk = desk_with(calls=live(backend, give_up=True))
    answer = desk.submit(0, 1, request()).result()
    assert answer.fault is not None
    assert answer.fault.kind is FaultKind.UNREACHABLE
    again = desk_with(recorded=desk.calls).submit(0, 1, request()).result()
    assert again == answer


def test_budgets_of_ask_and_match_refuse_calls_before_they_are_made() -> None:
    backend = FakeModel()
    budgets = CallBudgets(ask=CallBudget(calls=1), match=CallBudget(calls=2))
    desk = desk_with(backend, models_for(budgets=budgets))
    problems = [desk.submit(0, ask, request(str(ask))).result().consulted.problem for ask in (1, 1, 2, 3)]
    assert problems == [None, ConsultProblem.OVER_BUDGET, None, ConsultProblem.OVER_BUDGET]
    assert len(backend.asked) == 2
    assert desk.submit(1, 3, request()).result().consulted.problem is None


def test_a_budget_holds_even_if_a_call_comes_to_the_worst() -> None:
    backend = FakeModel()
    budgets = CallBudgets(match=CallBudget(money=0.0005))
    desk = desk_with(backend, models_for(budgets=budgets))
    told = desk.submit(0, 1, request(most=400)).result().consulted
    assert told.problem is ConsultProblem.OVER_BUDGET
    assert "money: $0 of $0.0005 spent" in told.evidence
    assert desk.submit(0, 1, request(most=50)).result().consulted.problem is None
    assert len(backend.asked) == 1


def test_a_used_up_budget_of_the_run_or_an_entrant_stops_the_run() -> None:
    for budgets in (CallBudgets(run=CallBudget(calls=1)), CallBudgets(entrant=CallBudget(calls=1))):
        calls = live(FakeModel(), budgets)
        desk = desk_with(calls=calls)
        desk.submit(0, 1, request()).result()
        with pytest.raises(MatchSuspended, match="is used up: calls: 1 of 1 spent") as raised:
            desk.submit(0, 2, request("more")).result()
        assert raised.value.stop
        assert calls.allowance.run == ModelSpending(1, 110, 120 / 1e6)


def test_what_a_failed_call_had_reserved_is_free_again() -> None:
    answers = iter([ModelUnreachable("hangs"), "fine"])
    calls = live(FakeModel(lambda text: next(answers)), CallBudgets(run=CallBudget(calls=1)))
    desk = desk_with(calls=calls)
    with pytest.raises(MatchSuspended):
        desk.submit(0, 1, request()).result()
    assert desk.submit(0, 1, request("again")).result().consulted.text == "fine"


@pytest.mark.parametrize(("whose", "hint"), [("run", True), ("entrant", False)])
def test_only_a_budget_that_the_option_raises_names_it(whose: str, hint: bool) -> None:
    calls = live(FakeModel(lambda text: "fine"), CallBudgets(**{whose: CallBudget(money=0.0)}))
    with pytest.raises(MatchSuspended, match="is used up: money: ") as raised:
        desk_with(calls=calls).submit(0, 1, request()).result()
    assert str(raised.value).endswith("; --money DOLLARS allows more") is hint


def test_answers_that_had_begun_when_a_call_was_given_up_count_at_their_worst() -> None:
    answers = iter([ModelUnreachable("no whole answer in 120 s", begun=2), "fine"])
    calls = live(FakeModel(lambda text: next(answers)), CallBudgets(run=CallBudget(tokens=500)))
    desk, most = desk_with(calls=calls), largest_spending(MODEL, request(model="fast"))
    with pytest.raises(MatchSuspended):
        desk.submit(0, 1, request()).result()
    assert calls.allowance.run == ModelSpending(2, 2 * most.tokens, 2 * most.money, 2)
    assert [(call.answered, call.answer.failed) for call in desk.suspended] == [(False, 2)]
    with pytest.raises(MatchSuspended, match="the budget of the run is used up: tokens: "):
        desk.submit(0, 1, request(most=300)).result()


def test_attempts_at_a_call_that_suspended_its_match_count_when_it_has_gone_on() -> None:
    kept: list[RecordedCall] = []
    desk = desk_with(FakeModel(lambda text: ModelUnreachable("no byte in 60 s", begun=2)), record=kept.append)
    with pytest.raises(MatchSuspended):
        desk.submit(0, 1, request()).result()
    resumed = desk_with(FakeModel(), recorded=kept)
    assert resumed.submit(0, 1, request()).result().consulted.tokens == (100, 10)
    assert resumed.suspended == kept
    prompt, completion = largest_tokens(request(model="fast"))
    used = use_by_model([*resumed.calls, *resumed.suspended])
    assert used == {"fast": ModelUse(3, 100 + 2 * prompt, 10 + 2 * completion, 2)}


def test_tokens_that_nobody_counts_are_the_most_that_there_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = FakeModel(lambda text: "" if text == "silence" else "fine", tokens=(0, 0))
    desk, calls = desk_with(calls=(calls := live(backend))), calls
    told = [desk.submit(0, ask, request(text)).result().consulted for ask, text in ((1, "hello"), (2, "silence"))]
    prompt, completion = largest_tokens(request(model="fast"))
    assert [each.tokens[1] for each in told] == [completion, 0]
    assert told[0].tokens[0] == prompt
    assert (calls.allowance.run.calls, calls.allowance.run.estimated) == (2, 2)
    assert calls.allowance.run.tokens == sum(told[0].tokens) + sum(told[1].tokens)
    again = desk_with(recorded=desk.calls).submit(0, 1, request("hello")).result()
    assert again.consulted == told[0]


def test_an_attempt_that_no_budget_allows_is_not_made() -> None:
    paid: list[bool] = []

    class Failing(FakeModel):
        def complete(
            self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always
        ) -> Completion:
            paid.extend(pay_again() for _ in range(3))
            return msgspec.structs.replace(super().complete(name, model, consult), failed=sum(paid))

    calls = live(Failing(), CallBudgets(run=CallBudget(calls=3)))
    desk_with(calls=calls).submit(0, 1, request()).result()
    assert paid == [True, True, False]
    assert (calls.allowance.run.calls, calls.allowance.run.estimated) == (3, 2)


@pytest.mark.parametrize("stop", [False, True])
def test_a_call_whose_next_attempt_nobody_pays_is_over_budget(stop: bool) -> None:
    class Failing(FakeModel):
        def complete(
            self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always
        ) -> Completion:
            assert not pay_again()
            raise ModelUnreachable("no byte in 60 s", begun=1)

    class OneCall(RunAllowance):
        def reserve(self, entrant: str, most: ModelSpending) -> UsedUp | None:
            return super().reserve(entrant, most) and UsedUp("the budget of a is used up", stop)

    calls = LiveCalls(Failing(), ThreadPoolExecutor(1), OneCall(CallBudgets(run=CallBudget(calls=1))))
    desk = desk_with(calls=calls)
    if stop:
        with pytest.raises(MatchSuspended, match="the budget of a is used up") as raised:
            desk.submit(0, 1, request()).result()
        assert raised.value.stop
    else:
        assert desk.submit(0, 1, request()).result().consulted.problem is ConsultProblem.OVER_BUDGET
    (call,) = desk.suspended if stop else desk.calls
    assert (call.answer.failed, calls.allowance.run.calls, calls.allowance.run.estimated) == (1, 1, 1)


def test_no_seat_makes_a_cassette_that_is_too_long_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_desk, "MOST_CASSETTE_BYTES", 2000)
    backend = FakeModel(lambda text: "x" * 400)
    desk = desk_with(backend)
    told = [desk.submit(0, ask, request(str(ask))).result().consulted for ask in range(9)]
    assert told[0].problem is None
    assert {each.problem for each in told[2:]} == {ConsultProblem.OVER_BUDGET}
    assert told[-1].evidence == "the calls of this seat in this match take too many bytes"
    assert desk.submit(1, 9, request()).result().consulted.problem is None
    again = desk_with(recorded=desk.calls)
    assert [again.submit(0, ask, request(str(ask))).result().consulted for ask in range(9)] == told


def test_a_journal_that_is_a_link_is_not_written_to(tmp_path: Path) -> None:
    desk = desk_with(FakeModel())
    desk.submit(0, 1, request()).result()
    (tmp_path / "there").write_text("mine")
    for target in ("there", "nowhere"):
        (tmp_path / f"{target}.jsonl").symlink_to(tmp_path / target)
        journal = CallJournal(tmp_path / f"{target}.jsonl", "m", ("a", "b"))
        with closing(journal), pytest.raises(OSError, match="symbolic links"):
            journal.add(desk.calls[0])
    assert [path.read_text() for path in tmp_path.iterdir() if not path.is_symlink()] == ["mine"]


def test_the_nearest_of_many_long_recordings_is_found_soon() -> None:
    begins, desk = "x" * 60_000, desk_with(FakeModel())
    for number in range(200):
        desk.submit(0, number, request(f"{begins}{number}")).result()
    began = process_time()
    with pytest.raises(CassetteMiss, match=r"nearest recording: ask 199; .* recorded ….*x199.*, now ….*x199y"):
        desk_with(recorded=desk.calls).submit(0, 300, request(f"{begins}199y")).result()
    assert process_time() - began < 2


def test_a_bot_that_asks_without_end_fails_at_the_ask() -> None:
    desk = desk_with(FakeModel(lambda text: "hm"))
    answers = [desk.submit(0, 1, request(str(n))).result() for n in range(MOST_CALLS + 1)]
    assert [answer.fault is not None for answer in answers] == [False] * MOST_CALLS + [True]


def test_only_models_that_an_entrant_may_use_are_asked() -> None:
    backend = FakeModel()
    told = desk_with(backend).submit(0, 1, request(model="fsat")).result().consulted
    assert told.problem is ConsultProblem.NO_MODEL
    assert "did you mean 'fast'?" in told.evidence
    assert backend.asked == []


def test_a_cassette_is_read_as_it_was_written_and_damage_is_told() -> None:
    desk = desk_with(FakeModel())
    desk.submit(1, 8, request("b")).result()
    desk.submit(0, 2, request("a", NUMBER)).result()
    written = encode_cassette(Cassette("m", ("a", "b"), desk.calls))
    read = read_cassette(written, "x")
    assert (read.id, read.entrants, [call.ask for call in read.calls]) == ("m", ("a", "b"), [2, 8])
    assert encode_cassette(read) == written
    assert b"estimated" not in written
    assert b"failed" not in written
    more = msgspec.structs.replace(read.calls[0].answer, estimated=True, failed=2)
    call = msgspec.structs.replace(read.calls[0], answer=more)
    assert read_cassette(encode_cassette(Cassette("m", ("a", "b"), [call])), "x").calls == [call]
    assert call.digest == read.calls[0].digest
    for damaged, told in (
        (written[:-5], "line 3: cut off"),
        (written.replace(b'"seat":1', b'"seat":5'), "a call of seat 5; there are 2 seats"),
        (written.replace(b"arena-cassette/1", b"arena-cassette/9"), "arena-cassette/9"),
        (b"[]\n", "no cassette"),
        (written.replace(b'"ask":8', b'"ask":"x"'), "line 3: no call of a model"),
    ):
        with pytest.raises(ReplayError, match=told):
            read_cassette(damaged, "x")
