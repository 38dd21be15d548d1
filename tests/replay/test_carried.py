"""A replay is carried over to another tournament as if the match had been played there, or it is said why not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from arena.config.editions import load_edition
from arena.errors import ReplayError
from arena.finding.reference import find_file
from arena.match.match_spec import MatchSpec, header_of_spec
from arena.match.runner import play_here
from arena.match.walk.verify import verify_replay
from arena.replay.lines import Header
from arena.replay.rename_match import carried_over
from tests.conftest import small, spec_of

EDITIONS = {"board": small, "cards": lambda: load_edition("card-game", changes={"rounds": {3: 1}})}
REFS = (find_file("greedy"), find_file("silent"), find_file("random-legal"))


def named(spec: MatchSpec) -> MatchSpec:
    """The same match under other names."""
    seats = tuple(replace(seat, entrant=f"the other {number}") for number, seat in enumerate(spec.seats))
    return replace(spec, id="b0007/3-1-4", tournament="elsewhere", block=7, seats=seats)


@pytest.fixture(params=EDITIONS)
def spec(request: pytest.FixtureRequest) -> MatchSpec:
    return spec_of(REFS, EDITIONS[request.param]())


def test_a_replay_under_other_names_is_what_playing_under_them_gives(spec: MatchSpec) -> None:
    content, result = carried_over(play_here(spec, REFS).replay, header_of_spec(named(spec)))
    played = play_here(named(spec), REFS)
    assert content == played.replay
    assert (result.sha256, result.seats) == (played.sha256, played.seats)
    verify_replay(content)


def test_it_can_be_carried_back(spec: MatchSpec) -> None:
    before = play_here(spec, REFS).replay
    there, _ = carried_over(before, header_of_spec(named(spec)))
    assert carried_over(there, header_of_spec(spec))[0] == before


@pytest.mark.parametrize(
    "other",
    [
        {"seed": "another"},
        {"edition": "another"},
        {"strikes": 9},
        {"rules_sha256": "0"},
        {"bots": "another"},
        {"seats": 2},
    ],
)
def test_a_replay_of_another_match_is_refused(spec: MatchSpec, other: dict[str, object]) -> None:
    to: Header = header_of_spec(spec)
    if "bots" in other:
        to = replace(to, seats=(replace(to.seats[0], sha256="0"), *to.seats[1:]))
    elif "seats" in other:
        to = replace(to, seats=to.seats[:2])
    else:
        to = replace(to, **other)
    with pytest.raises(ReplayError, match="of another match: its header differs not only in names"):
        carried_over(play_here(spec, REFS).replay, to)


def test_a_replay_that_was_changed_or_cut_off_is_refused(spec: MatchSpec) -> None:
    content = play_here(spec, REFS).replay
    lines = content.splitlines(keepends=True)
    with pytest.raises(ReplayError, match=r"sha256 is .*, but the lines before it have"):
        carried_over(b"".join([lines[0], *lines[2:]]), header_of_spec(spec))
    with pytest.raises(ReplayError, match="cut off: the result is missing"):
        carried_over(content[:-1], header_of_spec(spec))
    with pytest.raises(ReplayError, match="the last line is not a result"):
        carried_over(b"".join(lines[:-1]), header_of_spec(spec))
    with pytest.raises(ReplayError):
        carried_over(b"", header_of_spec(spec))
