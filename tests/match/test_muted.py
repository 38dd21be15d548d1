"""Nobody else hears what muted seats say; the replay has it all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef, refer_file
from arena.isolation.worker.fork_server import ForkServers
from arena.match.isolated_match import UNLOCKED_POLICY, BotHost, play_isolated
from arena.match.refereeing.match_result import MatchResult
from arena.match.runner import Runner, play_here
from arena.match.walk.verify import verify_replay
from arena.match.work import Work
from arena.replay.lines import Answered
from arena.replay.read import read_replay_lines
from tests.conftest import spec_of

TALKER = """
heard = ()
def turn(self, view):
    from arena.bot import Said
    self.heard += tuple(each.seat for each in view.news if isinstance(each, Said))
    return Reply(self.play_on(view), say=f"I am {view.seat}", note="heard " + " ".join(map(str, self.heard)))
"""
Muted = tuple[int, ...]


def here(bots: tuple[BotRef, ...], muted: Muted) -> MatchResult:
    return play_here(spec_of(list(bots)), bots, muted=muted)


def isolated(bots: tuple[BotRef, ...], muted: Muted) -> MatchResult:
    with ForkServers() as servers, BotCopies() as depot:
        placed = tuple(map(depot.place, bots))
        return play_isolated(
            spec_of(list(bots)), placed, BotHost(servers.server_for(UNLOCKED_POLICY)), lambda printed: None, muted=muted
        )


def heard(replay: bytes) -> dict[int, set[str]]:
    """By seat whom it has heard, by its own last note."""
    found: dict[int, set[str]] = {}
    for line in read_replay_lines(replay)[1]:
        if isinstance(line, Answered) and line.note.startswith("heard"):
            found[line.seat] = set(line.note.split()[1:])
    return found


@pytest.fixture
def talkers(write_bot: Any) -> tuple[BotRef, ...]:
    return (refer_file(str(write_bot(TALKER)), None),) * 3


@pytest.mark.parametrize("play", [here, isolated])
def test_who_is_muted_is_heard_by_itself_alone(
    talkers: tuple[BotRef, ...], play: Callable[[tuple[BotRef, ...], Muted], MatchResult]
) -> None:
    assert heard(play(talkers, ()).replay) == {key: {"0", "1", "2"} for key in range(3)}
    muted = play(talkers, (0, 1)).replay
    assert heard(muted) == {0: {"0", "2"}, 1: {"1", "2"}, 2: {"2"}}
    assert b'"say":"I am 0"' in muted
    verify_replay(muted)


def test_a_piece_of_work_says_who_is_muted(talkers: tuple[BotRef, ...], tmp_path: Path) -> None:
    done = Runner().play(Work(spec=spec_of(list(talkers)), bots=talkers, muted=(2,)))
    assert done.replay is not None
    assert heard(done.replay)[0] == {"0", "1"}
