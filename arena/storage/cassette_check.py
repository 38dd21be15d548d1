"""Whether every call of a model that a replay names is in the run's cassettes, as it was."""

from __future__ import annotations

from pathlib import Path

from arena.consultation.call_record import read_cassette
from arena.errors import ReplayError
from arena.foreign_files import DECODE_ERRORS
from arena.match.walk.verifier import CALL_BEGINNING
from arena.players.consult_desk import CallDigest
from arena.replay.lines import ModelCall, call_decoder
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, KeptReplays


def calls_in(content: bytes) -> list[ModelCall]:
    """The calls of models that a replay names. Raises ReplayError for a line that cannot be read."""
    decode, found = call_decoder().decode, []
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.startswith(CALL_BEGINNING):
            try:
                found.append(decode(line))
            except DECODE_ERRORS as problem:
                raise ReplayError(f"line {number}: {problem}") from None
    return found


def cassette_problems(folder: Path, id: str, content: bytes) -> list[str]:
    """What is wrong with the cassette of the match whose replay this is, in words; the run is in ``folder``."""
    if CALL_BEGINNING not in content:
        return []
    try:
        named = {
            (call.ask, call.seat, CallDigest(call.request, call.occurrence, call.answer)) for call in calls_in(content)
        }
        kept = KeptReplays(folder, CASSETTES_FOLDER).get(id)
        if kept is None:
            return [f": no cassette has its {len(named)} calls of models"]
        cassette = read_cassette(kept, id)
    except ReplayError as problem:
        return [f": its cassette: {problem}"]
    there = {(call.ask, call.seat, call.digest) for call in cassette.calls}
    found = []
    if cassette.id != id:
        found.append(f": its cassette is that of {cassette.id}")
    if lacking := sorted(named - there):
        ask, seat, _ = lacking[0]
        more = f", and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        found.append(f": the cassette lacks a call that the replay names, or has another: ask {ask}, seat {seat}{more}")
    if beyond := sorted(there - named):
        ask, seat, _ = beyond[0]
        found.append(
            f": the cassette has {len(beyond)} calls that the replay does not name, the first at ask {ask}, seat {seat}"
        )
    return found
