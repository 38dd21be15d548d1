"""Which matches an audit draws."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from arena.errors import UserError
from arena.rerun.sample import LEAST_SAMPLE, SampleSize, draw_sample, read_wanted
from arena.tournament.records.match_record import MatchRecord, SeatRecord

RARE = 1000
"""The match that has an entrant and a host of its own, and comes last."""


def record(number: int, names: tuple[str, ...], faults: dict[str, int] | None = None) -> MatchRecord:
    seats = tuple(SeatRecord(name, 0, 1, "played", faults or {}) for name in names)  # type: ignore[arg-type]
    return MatchRecord(f"m{number}", "board", "one-2p", number, "seed", "end roll", 9, seats)


def matches() -> list[tuple[MatchRecord, str]]:
    found = [(record(number, ("a", "b" if number % 2 else "c")), f"host{number % 3}") for number in range(RARE)]
    return [*found, (record(RARE, ("a", "rare")), "lonely")]


def test_a_sample_follows_from_its_seed_alone() -> None:
    one, same, other = (draw_sample(matches(), seed, SampleSize(number=50)) for seed in ("x", "x", "y"))
    assert one == same
    assert one.drawn != other.drawn


def test_every_entrant_and_host_has_a_few_as_far_as_it_has_as_many() -> None:
    found, every = draw_sample(matches(), "x", SampleSize(number=2)), matches()
    counts: Counter[str] = Counter()
    for place in found.match_ids:
        counts.update([every[place][1], *(seat.entrant for seat in every[place][0].seats)])
    assert {name: counts[name] for name in ("rare", "lonely")} == {"rare": 1, "lonely": 1}
    assert all(counts[name] >= LEAST_SAMPLE for name in ("a", "b", "c", "host0", "host1", "host2"))
    assert len(found.drawn) == 2
    assert not found.drawn & found.added
    assert not draw_sample(matches(), "x", SampleSize(number=2), each=0).added


@pytest.mark.slow
def test_every_match_is_drawn_equally_often() -> None:
    times, number, matches = 1000, 20, 50
    every = [(record(each, ("a", "b")), "host") for each in range(matches)]
    counts = Counter(
        place for seed in range(times) for place in draw_sample(every, str(seed), SampleSize(number=number)).drawn
    )
    share = number / matches
    deviation = sqrt(times * share * (1 - share))
    assert all(abs(counts[place] - times * share) < 5 * deviation for place in range(matches))


def test_matches_with_faults_of_time_and_of_absent_entrants_are_not_drawn_but_counted() -> None:
    every = [(record(0, ("a", "b"), {"late": 2}), "h"), (record(1, ("a", "gone")), "h"), (record(2, ("a", "b")), "h")]
    found = draw_sample(every, "x", SampleSize(share=1.0), absent={"gone"})
    assert (found.matches, found.eligible, found.timely) == (3, 1, 1)
    assert found.match_ids == {2}
    assert found.entrants == {"a": 3, "b": 2, "gone": 1}


@pytest.mark.parametrize(
    ("text", "of_960"), [("5%", 48), ("0.1%", 1), ("100%", 960), (" 2.5 % ", 24), ("7", 7), ("9999", 960)]
)
def test_a_size_is_a_share_or_a_number(text: str, of_960: int) -> None:
    assert read_wanted(text).count_sample(960) == of_960


@pytest.mark.parametrize("text", ["", "0", "-1", "0%", "100.1%", "nan%", "5%%", "5% of", "1.5", "all"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="expected a share such as 5%, or a number of matches such as 200, got"):
        read_wanted(text)
