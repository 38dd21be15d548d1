"""What a bot that repeats itself depends on besides."""

from __future__ import annotations

from typing import Any

import pytest

from arena.match.feeding.isolated_feeding import ReseededAnswer
from arena.rerun.repeatability import REASKED_MATCHES, RecordedSeatAsks, RepeatTrials
from arena.runs.planning.isolation_level import Isolation
from arena.tournament.standings.provenance import Label


def test_matches_with_faults_are_asked_with_another_seed_however_many_others_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timelines: list[Any] = [object() for _ in range(REASKED_MATCHES + 2)]
    asked = [RecordedSeatAsks(timeline, 0) for timeline in timelines]
    last = asked[-1]

    def answers(
        self: RepeatTrials, entrant: str, of: RecordedSeatAsks, preload: str = "", seed: str | None = None
    ) -> Any:
        return [ReseededAnswer(1, b"another" if of is last and seed else b"the same", "", True)]

    monkeypatch.setattr(RepeatTrials, "_answers", answers)
    trials = RepeatTrials({}, Isolation())
    assert trials.of_seed("mine", asked)[0] is Label.ITSELF
    assert trials.of_seed("mine", asked, faulty=[last])[0] is Label.FROM_SEED
