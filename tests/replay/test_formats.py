"""Older formats are read as the present one, as far as they tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.errors import Mismatch
from arena.match.walk.verify import verify_replay
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.players.scripted import ScriptedPlayer
from arena.replay.formats import FORMAT_1, encode_as_written
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines

EVERY = list(FaultKind)


class Fails(ScriptedPlayer):
    """Fails at every turn, its process gone with it or not."""

    def __init__(self, kind: FaultKind, gone: bool) -> None:
        super().__init__({"turn": [Fault(kind, "so")]})
        self.gone = gone

    def take(self, limit: float) -> TimedAnswer:
        return super().take(limit)._replace(gone=self.gone)


def first_format(replay: bytes) -> bytes:
    """The same match as arena 0.1.0 wrote it."""
    header, lines = read_replay_lines(replay)
    data = json.loads(replay.partition(b"\n")[0]) | {"format": FORMAT_1}
    del data["rules_version"], data["limits"]["match"]
    old = read_replay_lines(json.dumps(data).encode() + b"\n" + replay.partition(b"\n")[2])[0]
    assert old.limits.match is None
    assert (old.rules, old.rules_version, old.seats) == (header.rules, 1, header.seats)
    return encode_as_written(lines, old)


def faults(replay: bytes) -> list[tuple[bool, bool]]:
    return [(line.out, line.gone) for line in read_replay_lines(replay)[1] if isinstance(line, Faulted)]


@pytest.mark.parametrize("kind", [kind for kind in EVERY if kind is not FaultKind.ILLEGAL])
@pytest.mark.parametrize("policy", ["substitute", "forfeit"])
def test_format_1_tells_that_a_process_was_gone_where_nothing_else_put_the_bot_out(
    kind: FaultKind, policy: str, refereed: Any
) -> None:
    for gone in (False, True):
        if not kind.always_gone <= gone <= kind.may_be_gone:
            continue
        new = refereed(Fails(kind, gone), ScriptedPlayer({}), policy=policy, strikes=2).replay
        old = first_format(new)
        assert b"gone" not in old
        assert b"rules_version" not in old
        verify_replay(old)
        told = kind.always_gone or policy == "substitute"
        assert faults(old) == [(out, there and told) for out, there in faults(new)]


def test_the_fields_of_format_2_are_refused_in_a_file_of_format_1(refereed: Any) -> None:
    old = first_format(refereed(Fails(FaultKind.DEAD, True), ScriptedPlayer({})).replay)
    for given, changed in (
        (b'"out":true', b'"out":true,"gone":true'),
        (b'"rules_sha256"', b'"rules_version":1,"rules_sha256"'),
        (b'"bank":0.0', b'"bank":0.0,"match":60.0'),
        (b'"bank":0.0', b'"bank":0.0,"match":null'),
    ):
        assert given in old
        with pytest.raises(Mismatch):
            verify_replay(old.replace(given, changed, 1))
