"""Whole matches as they were played once: a change of the rules, of chance or of the format cannot go unseen."""

from pathlib import Path

import pytest

from arena.replay.read import read_lines
from arena.replay.verify import verify

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_replay_still_verifies(path: Path) -> None:
    verify(path.read_bytes())


def test_every_edition_has_a_golden_replay() -> None:
    editions = {read_lines(path.read_bytes())[0].edition.partition("+")[0] for path in FILES}
    assert editions == {"eagle-gryphon", "face2face-2003", "outline", "schmidt-1994", "card-game"}


def test_together_they_show_every_kind_of_event_and_move() -> None:
    seen = {type(line).__name__ for path in FILES for line in read_lines(path.read_bytes())[1]}
    rare = {"Fizzled", "Stopped", "Travelled", "Recruited", "NewBoss", "AgreementFell", "Reshuffled", "EndRolled"}
    rare |= {"XOpened", "Requested", "CousinMade", "Shifted", "Dropped", "Settled"}  # the card game's
    assert rare <= seen
