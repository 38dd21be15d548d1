"""Matches that the commands of a page play, recorded: a test of the page plays one in 32 of them and all that are
not recorded, such as those of a bot that was changed. The results of the others come from ``tests/docs/matches``.

What is played must go as it is recorded, or else the rules or what bots compute with has changed. Then, and where other
matches are recorded than the page plays, remove the file of the recording and run the test: it plays all matches, and
writes the file anew.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.executors.executor import UnplayedMatch
from arena.executors.retry import Attempt
from arena.finding.reference import BotRef
from arena.match.match_spec import MatchSpec
from arena.match.work import Work, WorkResult, unmeasured_timing
from arena.replay.frame import pack_replay, unpack_replay
from tests.conftest import SerialHere

FOLDER = Path(__file__).parent / "matches"
PLAYED = 32
"""Of so many matches one is played."""


class RecordedMatches:
    """The recording called ``name``: the results of matches, by :func:`key_of`."""

    def __init__(self, name: str) -> None:
        self.path = FOLDER / f"{name}.zst"
        self.anew = not self.path.exists()
        lines = [] if self.anew else unpack_replay(self.path.read_bytes()).splitlines()
        self.known: dict[str, bytes] = {line[:12].decode(): line[13:] for line in lines}
        self.met: dict[str, bytes] = {}
        """The results of the matches that the commands have played or looked up, by key."""

    def end(self) -> None:
        """Check that the commands have played exactly the recorded matches, with the recorded results."""
        if self.anew:
            FOLDER.mkdir(exist_ok=True)
            self.path.write_bytes(pack_replay(b"".join(b"%s %s\n" % (key.encode(), self.met[key]) for key in self.met)))
            return
        said = f"if the page is right, remove {self.path} and run the test once more"
        others = [line.decode() for key, line in self.met.items() if line != self.known.get(key, line)]
        assert not others, f"{len(others)} matches did not go as recorded; {said}; the first: {others[0]}"
        assert self.met.keys() == self.known.keys(), f"other matches are recorded; {said}"

    def executor(self, *_: object) -> SerialHere:
        """Plays in this process what is played at all."""
        return _Recorded(self)


class _Recorded(SerialHere):
    def __init__(self, recorded: RecordedMatches) -> None:
        super().__init__()
        self._recorded = recorded

    def _play(self, attempt: Attempt) -> WorkResult | UnplayedMatch | None:
        recorded, key = self._recorded, key_of(attempt.work)
        if int(key, 16) % PLAYED and key in recorded.known:
            recorded.met[key] = recorded.known[key]
            return msgspec.json.decode(recorded.known[key], type=WorkResult)
        result = super()._play(attempt)
        if isinstance(result, WorkResult):
            recorded.met[key] = msgspec.json.encode(bare(result))
        return result


def bare(result: WorkResult) -> WorkResult:
    """The result without what differs from one machine, or one version of a bot's comments, to another."""
    id = result.record.id
    record, twin = replace(result.record, sha256=""), result.twin and bare(result.twin)
    return replace(result, record=record, twin=twin, timing=unmeasured_timing(id), packed=None)


def key_of(work: Work) -> str:
    """What decides which match it is: deal, rules, and which bots sit where, in it and in its twin."""
    both = [work, *([work.twin] if work.twin else [])]
    return sha256(msgspec.json.encode([_key_of(each.spec, each.bots) for each in both])).hexdigest()[:12]


def _key_of(spec: MatchSpec, bots: tuple[BotRef, ...]) -> list[object]:
    seats = [(seat.entrant, seat.options, bot.sha256) for seat, bot in zip(spec.seats, bots, strict=True)]
    return [spec.id, spec.seed, spec.rules_sha256, seats]
