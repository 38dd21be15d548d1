"""Shares of a schedule: together everything once, each as much as the others, and known from their own numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UserError
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.share import MOST_SHARES, Share, SharedSchedule, read_share


@st.composite
def divided(draw: st.DrawFn) -> tuple[int, list[Share]]:
    """A number of matches and all shares of it."""
    of = draw(st.integers(1, 40))
    return draw(st.integers(0, 500)), [Share(number, of) for number in range(1, of + 1)]


@given(divided())
@settings(max_examples=15)
def test_every_match_is_in_exactly_one_share(case: tuple[int, list[Share]]) -> None:
    matches, shares = case
    items = [[share.schedule_index(at) for at in range(share.count(matches))] for share in shares]
    assert sorted(index for each in items for index in each) == list(range(matches))
    for share, each in zip(shares, items, strict=True):
        assert each == [index for index in range(matches) if share.has_match(index)]


@given(divided())
def test_no_share_has_more_than_one_match_more_than_another(case: tuple[int, list[Share]]) -> None:
    matches, shares = case
    lengths = [share.count(matches) for share in shares]
    assert max(lengths) - min(lengths) <= 1


def test_a_share_of_a_schedule_is_in_its_order_and_has_nearly_as_much_of_every_edition() -> None:
    editions = [ScheduledEdition("one-3p", 3), ScheduledEdition("two-4p", 4)]
    schedule = Schedule(6, editions, 2)
    shares = [SharedSchedule(schedule, Share(number, 7)) for number in range(1, 8)]
    for share in shares:
        assert [each.index for each in share] == sorted(each.index for each in share)
        assert list(share) == [schedule[each.index] for each in share]
        assert share[-1] == share[len(share) - 1] == list(share)[-1]
    for edition in range(2):
        counts = [sum(each.edition == edition for each in share) for share in shares]
        assert max(counts) - min(counts) <= 2


@pytest.mark.parametrize("of", [3, 4, 12, 60, 180])
def test_no_share_has_one_entrant_or_one_seat_order_all_the_time(of: int) -> None:
    """Whatever the sizes of tables and blocks have in common with the number of shares."""
    schedule = Schedule(6, [ScheduledEdition("one-4p", 4)], 60)
    for number in (1, of):
        share = SharedSchedule(schedule, Share(number, of))
        first = [fixture.entrants[0] for fixture in share]
        assert len(set(first)) > 1
        assert max(map(first.count, range(6))) < len(first) * 0.4


def test_a_share_of_an_endless_schedule_takes_no_time() -> None:
    schedule = Schedule(6, [ScheduledEdition("one-4p", 4)], 1_000_000_000)
    share = SharedSchedule(schedule, Share(3, 16))
    assert len(share) * 16 == pytest.approx(len(schedule))
    assert schedule[share[-1].index] == share[-1]


def test_a_share_says_what_it_is_called() -> None:
    assert read_share("3/16") == Share(3, 16)
    assert str(Share(3, 16)) == "3/16"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("3", "expected a share such as 3/16, the third of sixteen, got '3'"),
        ("3/", "expected a share such as 3/16"),
        ("-1/2", "expected a share such as 3/16"),
        ("3 / 16", "expected a share such as 3/16"),
        ("٣/٤", "expected a share such as 3/16"),
        ("0/4", "expected one of the shares 1/4 to 4/4, got 0/4"),
        ("5/4", "expected one of the shares 1/4 to 4/4, got 5/4"),
        ("1/0", f"expected 1 to {MOST_SHARES:,} shares, got 1/0"),
        ("1/1000001", f"expected 1 to {MOST_SHARES:,} shares"),
    ],
)
def test_what_is_no_share_is_refused_with_what_was_expected(text: str, problem: str) -> None:
    with pytest.raises(UserError) as raised:
        read_share(text)
    assert str(raised.value).startswith(problem)
