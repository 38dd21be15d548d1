"""Which decisions a scan looks at."""

from __future__ import annotations

from arena.commands.branch.inference.candidates import Candidate, CandidateReason, choose_candidates


def candidate(
    ask: int, hook: str = "accept", unsure: float = 0.0, opinion: bool = False, all: bool = True
) -> Candidate:
    return Candidate(ask, hook, 2, unsure, opinion, all, (b"{}",))


def test_where_the_bot_is_unsure_comes_first_then_where_the_opinion_differs_then_few_answers() -> None:
    every = [
        candidate(1, all=False),
        candidate(2),
        candidate(3, opinion=True),
        candidate(4, unsure=0.2),
        candidate(5, unsure=0.9, opinion=True),
    ]
    assert [each.first_reason for each in every] == [
        CandidateReason.NOTHING,
        CandidateReason.FEW,
        CandidateReason.OPINION,
        CandidateReason.UNSURE,
        CandidateReason.UNSURE,
    ]
    for most in range(1, 6):
        assert [each.ask for each in choose_candidates(every, most)] == sorted([5, 4, 3, 2, 1][:most])


def test_hooks_take_turns_the_rarest_first_each_with_its_latest_decision() -> None:
    every = [candidate(ask, "accept") for ask in range(1, 90)] + [candidate(ask, "turn") for ask in (20, 95)]
    every += [candidate(97, "close")]
    assert [each.ask for each in choose_candidates(every, 3)] == [89, 95, 97]
    assert [each.ask for each in choose_candidates(every, 7)] == [20, 86, 87, 88, 89, 95, 97]


def test_what_is_chosen_does_not_depend_on_the_order_in_which_decisions_come() -> None:
    every = [candidate(ask, "turn" if ask % 3 else "close", unsure=ask % 2 / 4) for ask in range(1, 40)]
    assert choose_candidates(every, 9) == choose_candidates(every[::-1], 9)
