"""Plays the match of a replay again with its bots, and compares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from arena.executors.executor import Executor
from arena.match.match_spec import spec_from
from arena.recorded.find_bots import find_replay_bots
from arena.recorded.recorded_models import recorded_models
from arena.recorded.replay_files import load_replay
from arena.recorded.replay_names import read_named
from arena.replay.formats import encode_as_written
from arena.replay.play_difference import PlayDifference, first_parting
from arena.replay.read import read_replay_lines, rules_of
from arena.runs.planning.isolation_level import Isolation, for_games
from arena.runs.planning.load_bots import check_loading
from arena.runs.single_match import ReadyMatch, play_apart
from arena.storage.layout import MANIFEST_FILE
from arena.storage.packs.replay_packs import id_in
from arena.storage.run_folder import FolderStore


def rerun_replay(
    path: Path, given: Mapping[str, str], isolation: Isolation, executor: Executor, begin: Callable[[], object]
) -> PlayDifference | None:
    """Play the match again with its bots from its seed. Returns None if it is identical, else its first difference.
    ``begin`` is called before the first bot is loaded. Raises ReplayError or BotError if the match cannot be played."""
    content = read_named(path)
    header, lines = load_replay(path)
    bots = find_replay_bots(path, header, given)
    isolation = for_games(isolation, [header.game])
    begin()
    check_loading([bot for seat, bot in zip(header.seats, bots, strict=True) if seat.entrant in given], isolation)
    recorded = recorded_models(path, header)
    spec = spec_from(header, rules_of(header))
    ready = ReadyMatch(spec, bots, isolation, recorded.models, recorded.cassette)
    replay = play_apart(ready, executor).replay
    again = read_replay_lines(replay)[1]
    return None if encode_as_written(again, header) == content else first_parting(lines, again)


def code_of_run(path: Path) -> Mapping[str, str]:
    """The digests of the code that played the run of the match at ``path``; empty if unknown."""
    found = id_in(path)
    if found is None or not (found[0] / MANIFEST_FILE).is_file():
        return {}
    return FolderStore(found[0]).facts().code
