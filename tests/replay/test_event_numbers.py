"""The number of an event is its line of the file: ``#412`` of a recorded match means the same in every command, and in
every later arena."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match.walk.asks_of_lines import asks_of_lines
from arena.match.walk.timeline import Timeline
from arena.recorded.ask_detail import find_ask
from arena.recorded.match_lines import LineRange, match_lines
from arena.recorded.story import Story, story_source, tell_story
from arena.replay.read import read_replay_lines
from arena.web.viewer.match_data import match_data
from arena.web.viewer.moment import Jump

GOLDEN = Path(__file__).parents[1] / "golden"
PATHS = {path.relative_to(GOLDEN).as_posix(): path for path in sorted(GOLDEN.rglob("*.jsonl"))}
FROZEN = Path(__file__).with_name("event_numbers.json")
"""Of each recorded match the SHA-256 of its file, and that of :func:`numbers`. A match that is recorded anew gets a new
line here (``python -m tests.replay.test_event_numbers`` writes them all); a line whose file is the same as before must
never change."""


def is_latest(name: str) -> bool:
    """Whether a match was recorded by this program, not by a version that was released."""
    return "/" not in name


class Numbered(msgspec.Struct):
    """Of a line that ``arena show --jsonl`` prints, what is compared."""

    line: int
    ask: int | None
    event: dict[str, Any]


@cache
def printed(name: str) -> list[Numbered]:
    """What ``arena show --jsonl`` prints of a recorded match."""
    return [msgspec.json.decode(line, type=Numbered) for line in match_lines(PATHS[name], LineRange())]


@cache
def told(name: str) -> Story:
    """What ``arena show`` prints of a recorded match."""
    return tell_story(PATHS[name], 1, None, None)


def numbers(name: str) -> Iterator[str]:
    """Of each line of a recorded match its number, its kind, the ask that it tells of, and of which kinds its sentences
    are."""
    kinds: dict[int, list[str]] = {}
    for each in told(name).lines:
        kinds.setdefault(each.line, []).append(each.kind)
    content = PATHS[name].read_bytes()
    lines = read_replay_lines(content)[1]
    asks = asks_of_lines(Timeline(content), lines)
    for at, line in enumerate(lines, 1):
        event = line.__struct_config__.tag
        yield f"{at} {event} {asks.get(at)} {' '.join(kinds.get(at, []))}\n"


def of(name: str) -> list[str]:
    """The two digests of a recorded match."""
    return [sha256(data).hexdigest() for data in (PATHS[name].read_bytes(), "".join(numbers(name)).encode())]


def test_all_recorded_matches_are_frozen() -> None:
    assert set(json.loads(FROZEN.read_text())) == set(PATHS)


def test_a_number_means_what_it_always_meant() -> None:
    frozen: dict[str, Any] = json.loads(FROZEN.read_text())
    for name in (*filter(is_latest, PATHS), *[name for name in PATHS if not is_latest(name)][::5]):
        file, digest = of(name)
        assert file == frozen[name][0], f'recorded anew; its line: "{name}": {json.dumps([file, digest])}'
        assert digest == frozen[name][1], f"an event of {name} has another number, kind or ask than it had"


@pytest.mark.parametrize("name", [*PATHS][::24])
def test_every_way_to_look_at_a_match_numbers_its_events_by_the_lines_of_the_file(name: str) -> None:
    content = PATHS[name].read_bytes()
    raw = [json.loads(line) for line in content.splitlines()]
    assert [str(line.__struct_config__.tag) for line in read_replay_lines(content)[1]] == [
        line["event"] for line in raw
    ]
    assert [(each.line, each.event) for each in printed(name)] == list(enumerate(raw, 1))
    asks = {each.line: each.ask for each in printed(name)}
    assert all(asks[at] == line["ask"] for at, line in enumerate(raw, 1) if "ask" in line)
    sentences = {each.line: each.ask for each in told(name).lines}
    assert sentences == {line: asks[line] for line in sentences}
    data = match_data(content)
    assert all(raw[frame.n - 1]["event"] == frame.kind and frame.ask == asks[frame.n] for frame in data.course.frames)
    ends = [raw[place.n - 1]["event"] for place in data.places if place.jump is Jump.DEAL]
    assert set(ends) <= {"closed", "failed", "settled"}
    found = story_source(PATHS[name], None)
    for at, line in list(enumerate(raw, 1))[5::400]:
        if line.get("ask"):
            assert find_ask(PATHS[name], found, line["ask"]).at == at


if __name__ == "__main__":
    FROZEN.write_text(json.dumps({name: of(name) for name in PATHS}, indent=2) + "\n")
