"""What a seat was asked, kept from one refeeding to the next."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from arena.commands.refeed.ask_cache import KEPT_FOR, FolderAskCache, users_shelf
from arena.config.editions import load_edition
from arena.errors import Mismatch, UserError
from arena.finding.reference import BotRef, find_file, refer_file
from arena.games import load_game
from arena.match.feeding.refeeding_loop import RefeedLoop
from arena.match.walk.record_walk import RecordWalk
from arena.match.walk.recorded_asks import CachedSeatAsks
from arena.match.walk.seat_asks import SeatAsks
from arena.match.walk.timeline import Timeline
from arena.players.inprocess import InProcessPlayer
from arena.players.watch import Watch
from tests.conftest import play as play_spec
from tests.conftest import spec_of

BAD = """
def start(self, start): self.n = 0
def turn(self, view):
    self.n += 1
    if self.n == 2: return Yes()
    if self.n == 3: 1 / 0
    return Reply(self.play_on(view), say=f"turn {self.n}", note="mine")
"""


class Shelf(dict[str, bytes]):
    """In memory."""

    def store_asks(self, key: str, content: bytes) -> None:
        self[key] = content


def hooks_of(rules: str) -> frozenset[str]:
    return frozenset(load_game(load_edition(rules).game).hooks)


def refs_of(*bots: str | Path) -> list[BotRef]:
    return [refer_file(str(bot), None) if isinstance(bot, Path) else find_file(bot) for bot in bots]


@pytest.mark.parametrize(
    ("rules", "changes"), [("eagle-gryphon", {"max_turns": 20}), ("card-game", {"rounds": {3: 2}})]
)
def test_what_is_kept_is_what_was_found_out(rules: str, changes: dict[str, Any], write_bot: Any) -> None:
    bots = (
        refs_of("fair", write_bot(BAD, "bad"), "random-legal") if rules == "eagle-gryphon" else refs_of(*["fair"] * 3)
    )
    replay = play_spec(spec_of(bots, edition=load_edition(rules, changes=changes)), bots).replay
    shelf = Shelf()
    for seat in range(3):
        every = hooks_of(rules)
        for hooks in (every, frozenset(sorted(every)[:2]), frozenset[str]()):
            found = list(SeatAsks(Timeline(replay), seat).asks(hooks))
            assert list(CachedSeatAsks(Timeline(replay), seat, shelf).asks(hooks)) == found
            before = dict(shelf)
            assert list(CachedSeatAsks(Timeline(replay), seat, shelf).asks(hooks)) == found
            assert shelf == before
            assert any(each.recorded.move is not None for each in found)
    assert len(shelf) == 9


def test_a_bot_answers_the_same_whether_its_asks_are_kept_or_not(contest: Any) -> None:
    replay = contest("dealmaker", "greedy", "fair").replay
    shelf = Shelf()

    def answers(**more: Any) -> list[Any]:
        watch = Watch()
        refeeding = RefeedLoop(Timeline(replay), 0, InProcessPlayer(find_file("greedy"), watch), **more)
        return [(each.number, each.same, each.answered.move) for each in refeeding.asks()]

    assert answers() == answers(shelf=shelf) == answers(shelf=shelf)
    assert not all(same for _, same, _ in answers())


def test_a_seat_whose_bot_could_not_be_started_was_asked_nothing(contest: Any, write_bot: Any) -> None:
    replay = contest("fair", write_bot("def start(self, start): 1 / 0"), "fair").replay
    assert [CachedSeatAsks(Timeline(replay), seat, Shelf()).was_missing for seat in range(3)] == [False, True, False]


def test_what_is_damaged_is_made_again_and_a_wrong_replay_is_refused_as_ever(contest: Any) -> None:
    replay = contest("fair", "fair", "fair").replay
    shelf, hooks = Shelf(), hooks_of("eagle-gryphon")
    found = list(CachedSeatAsks(Timeline(replay), 0, shelf).asks(hooks))
    (key,) = shelf
    whole = shelf[key]
    for damaged in (b"", whole[:-3], b"nonsense", whole[:40] + b"x" + whole[41:]):
        shelf[key] = damaged
        assert list(CachedSeatAsks(Timeline(replay), 0, shelf).asks(hooks)) == found
        assert shelf[key] == whole
    list(CachedSeatAsks(Timeline(replay), 1, shelf).asks(hooks))
    (other,) = set(shelf) - {key}
    shelf[key] = shelf.pop(other)
    assert list(CachedSeatAsks(Timeline(replay), 0, shelf).asks(hooks)) == found, "not those of the other seat"
    changed = replay.replace(b'"turn":2', b'"turn":3', 1)
    with pytest.raises(Mismatch):
        list(CachedSeatAsks(Timeline(changed), 0, shelf).asks(hooks))
    assert list(shelf) == [key]
    body, _, last = replay[:-1].rpartition(b"\n")
    for ending in (last.replace(b'"asks":', b'"asks":1'), last + b"\n" + last):
        with pytest.raises(Mismatch):
            list(SeatAsks(Timeline(body + b"\n" + ending + b"\n"), 0).asks(hooks))
    with pytest.raises(UserError, match="expected a seat from 0 to 2, got 3"):
        CachedSeatAsks(Timeline(replay), 3, shelf)


def test_a_folder_keeps_what_is_used_and_forgets_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = FolderAskCache(tmp_path / "a" / "b")
    assert shelf.get("abcd") is None
    shelf.store_asks("abcd", b"one")
    assert shelf.get("abcd") == b"one"
    at = (tmp_path / "a" / "b" / "ab" / "abcd").stat().st_mtime
    shelf.forget_unused(at + KEPT_FOR - 1)
    assert shelf.get("abcd") == b"one"
    shelf.forget_unused(at + 2 * KEPT_FOR)
    assert shelf.get("abcd") is None
    (tmp_path / "file").touch()
    unwritable = FolderAskCache(tmp_path / "file" / "below")
    unwritable.store_asks("abcd", b"one")
    assert unwritable.get("abcd") is None
    monkeypatch.setenv("ARENA_CACHE", "")
    assert users_shelf() is None
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    found = users_shelf()
    assert found is not None
    assert found.folder == tmp_path / "asks"
    monkeypatch.delenv("ARENA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    found = users_shelf()
    assert found is not None
    assert found.folder == tmp_path / "x" / "arena" / "asks"


def test_many_look_at_one_timeline_and_the_match_is_walked_once(contest: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    replay, walks = contest("dealmaker", "greedy", "fair").replay, []
    monkeypatch.setattr(
        "arena.match.walk.timeline.RecordWalk", lambda *a, **b: walks.append(RecordWalk(*a, **b)) or walks[-1]
    )
    hooks, timeline = hooks_of("eagle-gryphon"), Timeline(replay)
    number = next(each.number for each in islice(SeatAsks(timeline, 1).asks(hooks), 20, None))
    looked, alone = timeline.ask(number), Timeline(replay).ask(number)
    assert looked is not None
    assert alone is not None
    assert looked._replace(phase=alone.phase) == alone
    for seat in range(3):
        for kept in (True, False):
            asked = list(SeatAsks(Timeline(replay, kept=kept), seat).asks(hooks))
            assert list(SeatAsks(timeline, seat).asks(hooks)) == asked
    walks.clear()
    timeline.finish()
    assert len(list(timeline.asks_of(0))) == timeline.seats.count(0) > 10
    assert walks == []


def test_a_timeline_whose_walk_broke_off_is_walked_anew(contest: Any) -> None:
    replay = contest("dealmaker", "greedy", "fair").replay
    lines = replay.splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if at > 100 and b'"event":"answer"' in line)
    damaged = Timeline(b"".join([*lines[:at], *lines[at + 1 :]]))
    said = []
    for _ in range(2):
        with pytest.raises(Mismatch) as caught:
            damaged.finish()
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert "expected" in said[0]
