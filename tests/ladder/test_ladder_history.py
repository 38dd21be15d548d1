"""``arena ladder history``: whose ratings, over which time, drawn how, and what happened."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from arena.ladder.database.bot_versions.version_history import rating_history
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladders import find_ladder
from arena.ladder.presenting.svg_chart import history_svg
from arena.ladder.presenting.text_chart import CHART_ROWS, history_text
from arena.ladder.rating.rating_history import (
    HistoryAxis,
    HistoryLine,
    HistoryMoment,
    HistoryPoint,
    SeasonHistory,
    range_of,
)
from arena.ratings.rate import Basis
from tests.ladder.invented import invent, play_round, submit

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of five rounds, in the last of which a newer greedy played; nobody changes it."""
    place = invent(tmp_path_factory.mktemp("ladder") / "league", rounds=4, tables=12)
    database = open_database(place.database, place.folder, write=True)
    submit(database, "greedy", 2, day=5)
    play_round(place, database, 5, 12)
    database.execute(
        "INSERT INTO changes (at, ladder, what, why) VALUES ('2026-03-05T05:00:00+00:00', 1, 'refused', 'it crashed')"
    )
    database.close()
    return place.folder


def read(folder: Path, *names: str) -> SeasonHistory:
    """The history in this folder."""
    database = open_database(folder / "ladder.sqlite", folder)
    try:
        return rating_history(database, find_ladder(database), names)
    finally:
        database.close()


def test_a_point_for_each_round_that_is_closed_with_the_matches_played_by_then(played: Path) -> None:
    line = read(played).lines[0]
    assert [point.when.round for point in line.points] == [1, 2, 3, 4, 5]
    assert [point.when.matches for point in line.points] == [48, 96, 144, 192, 240]
    assert [point.matches for point in line.points] == sorted(point.matches for point in line.points)
    assert all(
        point.low < point.value < point.high for point in line.points if point.low and point.value and point.high
    )


def test_those_who_stand_highest_are_shown_where_none_is_named(played: Path) -> None:
    found = read(played)
    assert [line.points[-1].place for line in found.lines] == [1, 2, 3, 4, 5, 6, 7]
    assert "greedy:1" not in [line.version for line in found.lines], "it plays no more"


def test_a_bot_stands_for_all_its_versions(played: Path) -> None:
    found = read(played, "greedy", "anchor:1")
    assert [line.version for line in found.lines] == ["greedy:1", "greedy:2", "anchor:1"]
    assert [point.when.round for point in found.lines[0].points] == [1, 2, 3, 4]
    assert [point.when.round for point in found.lines[1].points] == [5]
    assert {event.version for event in found.events} == {"", "greedy:1", "greedy:2", "anchor:1"}


def test_what_happened_is_told_with_refused_submissions_for_the_operator(arena: Any, played: Path) -> None:
    told = arena("ladder", "history", played).out
    assert "  2026-03-01 04:00 UTC  season 1 began\n" in told
    assert "  2026-03-05 04:00 UTC  greedy:2 submitted\n" in told
    assert "  2026-03-05 05:00 UTC  refused: it crashed\n" in told


def test_the_chart_fits_the_terminal_and_names_every_line_at_its_end(
    arena: Any, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in (60, 80, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        ran = arena("ladder", "history", played)
        assert (ran.code, ran.err) == (0, "")
        assert max(map(len, ran.out.splitlines())) <= columns
        chart = ran.out.split("\n\n")[1].splitlines()
        assert len(chart) == CHART_ROWS + 2
        for name in ("haggler:1", "twin:1", "hoarder:1", "fair:1", "anchor:1", "timid:1", "greedy:2"):
            assert sum(line.endswith(f" {name}") for line in chart) == 1
        assert chart[-1].split() == ["48", "240", "matches"]
    assert "\x1b" not in ran.out, "it is no terminal"


def test_colours_are_there_when_they_are_asked_for(arena: Any, played: Path) -> None:
    plain = arena("ladder", "history", played).out
    coloured = arena("ladder", "history", played, "--color").out
    assert "\x1b[38;5;" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_a_line_that_rises_is_drawn_from_the_bottom_to_the_top() -> None:
    moments = [
        HistoryMoment(number, 10 * number, f"2026-03-0{number}T00:00:00+00:00", float(number)) for number in (1, 2)
    ]
    points = tuple(
        HistoryPoint(when, 1, 1, value, None, None, 1, 1) for when, value in zip(moments, (0.0, 100.0), strict=True)
    )
    told = history_text(
        SeasonHistory("x", 1, Basis.ORDER, "", "$M", 2, (HistoryLine("a:1", "a", "mira", points),), ()), 60
    )
    rows = [line for line in told.split("\n\n")[1].splitlines() if "│" in line or "┤" in line]
    assert rows[0].startswith("100 ┤")
    assert rows[0].endswith(" a:1")
    assert rows[-1].startswith("  0 ┤")
    columns = [min(at for at, letter in enumerate(line) if "\u2800" < letter <= "\u28ff") for line in rows]
    assert columns == sorted(columns, reverse=True), "further up is further right"


def test_a_version_without_any_rating_has_no_line_beside_one_that_has() -> None:
    when = HistoryMoment(1, 10, "2026-03-01T00:00:00+00:00", 1.0)
    points = (HistoryPoint(when, 1, 1, 50.0, None, None, 1, 1),)
    lines = (HistoryLine("a:1", "a", "mira", points), HistoryLine("b:1", "b", "mira", ()))
    chart, table = history_text(SeasonHistory("x", 1, Basis.ORDER, "", "$M", 1, lines, ()), 60).split("\n\n")[1:3]
    assert " a:1" in chart
    assert " b:1" not in chart
    assert re.search(r"b:1 +[-–] +[-–] +[-–]", table)


def test_dates_are_on_the_axis_where_they_are_wanted(arena: Any, played: Path) -> None:
    chart = arena("ladder", "history", played, "haggler", "--by", "date").out.split("\n\n")[1]
    assert chart.splitlines()[-1].split() == ["2026-03-01", "2026-03-05"]


@pytest.mark.parametrize("axis", list(HistoryAxis))
def test_the_picture_has_a_line_a_band_and_a_name_for_each_and_words_for_readers(
    played: Path, axis: HistoryAxis
) -> None:
    found = read(played)
    text = history_svg(found, axis)
    assert text == history_svg(read(played), axis)
    root = ElementTree.fromstring(text)
    assert root.findtext(f"{SVG}title") == "nightly, season 1: points relative to anchor:1"
    about = root.findtext(f"{SVG}desc") or ""
    names = [line.version for line in found.lines]
    assert all(f"{name}: from " in about for name in names)
    texts = [each.text or "" for each in root.iter(f"{SVG}text")]
    assert all(any(text.startswith(f"{name} ") for text in texts) for name in names)
    lines = [each for each in root.iter(f"{SVG}polyline") if "thin" not in (each.get("class") or "")]
    assert len(lines) == len(names)
    bands = [each for each in root.iter(f"{SVG}polygon") if (each.get("class") or "").startswith("b")]
    assert len(bands) == len(names) - 2, "the anchor has no interval, and the newest version one point"
    for each in [*lines, *bands]:
        for point in (each.get("points") or "").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= 960
            assert 0 <= y <= 540


def test_names_of_strangers_stay_text_in_the_picture(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "copy")
    database = open_database(tmp_path / "copy" / "ladder.sqlite", tmp_path, write=True)
    database.execute("UPDATE bots SET name = '</text><script>alert(1)</script>' WHERE name = 'twin'")
    database.close()
    text = history_svg(read(tmp_path / "copy"))
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    ElementTree.fromstring(text)


def test_a_ladder_where_nothing_is_closed_has_a_history_too(arena: Any, tmp_path: Path) -> None:
    place = invent(tmp_path / "new", rounds=0)
    ran = arena("ladder", "history", place.folder, "--svg", tmp_path / "h.svg")
    assert (ran.code, ran.err) == (0, f"picture {tmp_path / 'h.svg'}\n")
    assert "No round is closed yet." in ran.out
    assert "no round is closed yet" in (tmp_path / "h.svg").read_text()


def test_json_has_every_point_and_event(arena: Any, played: Path) -> None:
    data = json.loads(arena("ladder", "history", played, "greedy", "--json").out)
    assert [each["version"] for each in data["versions"]] == ["greedy:1", "greedy:2"]
    assert len(data["versions"][0]["points"]) == 4
    assert set(data["versions"][0]["points"][0]) == {
        *("round", "season_matches", "closed", "place", "tier", "value", "low", "high", "matches", "blocks"),
    }
    assert [each["what"] for each in data["events"]] == ["season 1 began", "submitted", "submitted"]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("greedi",), "no version or bot 'greedi' (did you mean 'greedy'?) in this ladder; there are anchor,"),
        (("greedy:3",), "no version 'greedy:3' in this ladder; greedy has 1, 2\n"),
    ],
)
def test_mistakes_are_told_in_a_line(arena: Any, played: Path, names: tuple[str, ...], told: str) -> None:
    ran = arena("ladder", "history", played, *names)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"arena: {told}")


def test_a_version_that_has_not_played_has_no_history(played: Path, arena: Any, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "copy")
    database = open_database(tmp_path / "copy" / "ladder.sqlite", tmp_path, write=True)
    submit(database, "fresh", 1)
    database.close()
    ran = arena("ladder", "history", tmp_path / "copy", "fresh")
    assert (ran.code, ran.out) == (2, "")
    assert "fresh has no rating in season 1: none of its rounds is closed" in ran.err


def test_scales_have_round_numbers_and_hold_every_value() -> None:
    for values in ([-3.2, 181.0], [0.0], [0.12, 0.13], [-1e5, 2e5], [5.0, 5.0]):
        found = range_of(values)
        assert found.low <= min(values) <= max(values) <= found.high
        assert 2 <= len(found.ticks) <= 8
        assert found.ticks == tuple(sorted(found.ticks))
    assert range_of([-3.2, 181.0]).ticks == (-50, 0, 50, 100, 150, 200)
