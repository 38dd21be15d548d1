"""Reports of runs in every state: the same bytes each time, and what is missing is said."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from base64 import b64decode
from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zlib import decompress

import pytest

from arena.analysis import process_map, replay_pass
from arena.drawing.measure import shorten_middle
from arena.errors import UserError
from arena.pages.page import render_template
from arena.printable import printable_text
from arena.storage.run_folder import FolderStore
from arena.tournament.standings.standings import fold_standings
from arena.web.report import report_page
from arena.web.report.sections.report_page import NumberedPart, edition_name, pack_text
from arena.web.report.sections.standings_section import standings_section
from tests.played_run import play_run
from tests.report.played import EVIL, play

SMALL = """
name: small
seed: 5
entrants: [greedy, random-legal, {bot: random-legal, name: second}]
editions: [EDITIONS]
seats: 3
blocks: 3
isolation: none
"""
BOARD = "{rules: eagle-gryphon, changes: {max_turns: 6}}"
CARDS = "{rules: card-game, changes: {rounds: {3: 3}}}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("run"), listed=True)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small(tmp_path_factory.mktemp("mixed"), f"{BOARD}, {CARDS}")


def small(folder: Path, editions: str, more: str = "") -> Path:
    return play_run(folder, SMALL.replace("EDITIONS", editions) + more)


@cache
def page_of(folder: Path, matches: int) -> str:
    """The report of this run with so many matches in it."""
    return report_page(folder, matches=matches)


def text_of(page: str) -> str:
    """The words of a page, without its scripts."""
    body = re.sub(r"<(script|style)[^>]*>.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def data_of(page: str) -> Any:
    """The data of a page."""
    return json.loads(re.search(r'<script type="application/json" id="page-data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes_with_any_number_of_processes(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_map, "PART_MATCHES", 7)
    monkeypatch.setattr(replay_pass, "SERIAL_MATCHES", 1)
    told: list[int] = []
    assert report_page(run, 2, told.append, 2) == page_of(run, 2)
    assert sum(told) == 32


@pytest.mark.slow
def test_a_report_says_what_was_played_and_how_to_repeat_it(run: Path) -> None:
    page = page_of(run, 0)
    told, manifest = text_of(page), json.loads((run / "manifest.json").read_text())
    assert "A complete run of 32 matches, in 4 blocks, 3 seats. Seed 5 ." in told
    assert manifest["root"] in told
    assert f"arena verify {run}" in told
    assert all(each["sha256"] in page for each in manifest["entrants"].values())
    assert data_of(page)["pages"] == []
    assert EVIL in told
    assert EVIL not in page, "names are never markup"
    faults = sum(sum(seat.faults.values()) for record in FolderStore(run).records() for seat in record.seats)
    assert f"{faults}" in told
    assert "event" in told
    assert "arena view" in told


def test_pages_of_matches_are_inside_and_allowed_by_the_policy(run: Path) -> None:
    page = page_of(run, 2)
    held = [decompress(b64decode(each)).decode() for each in data_of(page)["pages"]]
    assert len(held) == 2
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])  # type: ignore[index]
    for each in held:
        inner = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', each)[1])  # type: ignore[index]
        assert all(digest in policy for digest in re.findall(r"'sha256-[^']*'", inner))


def test_where_it_is_served_links_lead_to_the_viewer_of_the_server(run: Path) -> None:
    page = report_page(run, matches=2, served="/run/my%20run")
    assert data_of(page)["pages"] == []
    record = next(each for each in FolderStore(run).records() if f"/view/{quote(each.id)}#event=" in page)
    assert f'<a href="/run/my%20run/view/{quote(record.id)}#event=' in page
    assert '<a href="/run/my%20run">' in page
    assert text_of(page).count("arena view") == 1, "a link needs no command beside it"
    held = page_of(run, 2)
    assert f"arena view {run} {shlex.quote(record.id)} --at" in text_of(held), "a link out of a file cannot be sent on"
    assert "/view/" not in held


def test_it_begins_with_who_is_best_and_why_deals_failed(run: Path, mixed: Path) -> None:
    first = json.loads((run / "standings.json").read_bytes())["all"]["rows"][0]
    lead = text_of(page_of(run, 0).partition('<section id="lead"')[2].partition("</section>")[0])
    assert f"{first['entrant']} is first: it won {100 * first['win_rate']['mean']:.1f}" in lead
    counts = [json.loads(line)["counts"] for line in (run / "matches.jsonl").read_bytes().splitlines()]
    closed, failed = (sum(sum(each[name]) for each in counts) for name in ("closed", "failed"))
    assert f"Of {closed + failed:,} negotiations" in lead
    assert f"The other {failed:,} failed because:" in lead
    other = page_of(mixed, 2).partition('<section id="lead"')[2].partition("</section>")[0]
    parts = re.findall(r'data-edition="([^"]*)">\s*<h2>(Who is best|Why deals failed) ', other)
    best, failures = (
        {edition for edition, title in parts if title == each} for each in ("Who is best", "Why deals failed")
    )
    assert best > failures
    assert len(best) == len(re.findall("is first: it won", other))
    assert not [edition for edition in failures if "card" in edition or edition == "all"]


def test_both_games_stand_apart_and_money_is_not_added_up_over_them(mixed: Path) -> None:
    page = page_of(mixed, 2)
    sections = dict(re.findall(r'<section id="([a-z-]+)".*?(<article.*?)</section>', page, re.DOTALL))
    assert {"ledger-board", "ledger-cards", "money", "standings"} <= set(sections)
    assert 'data-edition="all"' in sections["standings"]
    assert 'data-edition="all"' not in sections["money"]
    assert 'data-edition="all"' not in sections["ledger-cards"]
    assert "money is not rated" in text_of(page).lower()
    assert "Who makes whom a Cousin" in text_of(sections["ledger-cards"])
    assert text_of(page).count("Mean money over rounds") == 1


def test_money_after_the_last_deal_is_that_of_the_standings(mixed: Path) -> None:
    sheets = {
        each["name"]: decompress(b64decode(each["packed"])).decode().splitlines()
        for each in data_of(page_of(mixed, 2))["sheets"]
    }
    found = 0
    for name, lines in sheets.items():
        if name.startswith("money-over-"):
            edition = name.partition("s-")[2].removesuffix(".csv")
            rows = [line.split(",") for line in sheets[f"standings-{edition}.csv"][1:]]
            at = sheets[f"standings-{edition}.csv"][0].split(",").index("mean_money")
            ends = {line.split(",")[0]: line.split(",")[4] for line in lines[1:]}
            assert ends == {row[1]: row[at] for row in rows}
            found += 1
    assert found == 2


def test_what_sets_entrants_apart_is_of_as_many_blocks_as_are_needed(run: Path, mixed: Path) -> None:
    assert "There are too few blocks to compare entrants." in text_of(page_of(mixed, 2))
    assert "What sets each apart" in text_of(page_of(run, 0))


def test_without_replays_it_says_what_is_missing(tmp_path: Path) -> None:
    told = text_of(report_page(small(tmp_path, BOARD, "replays: none\n")))
    assert told.count("No replays were kept") >= 3
    assert "Win rate by seat" in told


def test_an_unfinished_run_is_provisional(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "run"))
    lines = (copy / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (copy / "matches.jsonl").write_bytes(b"".join(lines[:11]) + lines[11][:40])
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "state": "stopped"}))
    told = text_of(report_page(copy, matches=0))
    assert "A run that was stopped after 11 of 32 matches" in told
    assert "Provisional: 21 matches are missing" in told
    (copy / "matches.jsonl").write_bytes(b"")
    told = text_of(report_page(copy))
    assert "No match is finished yet." in told
    assert "No ratings" in told


def test_a_folder_without_a_run_is_told(arena: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no run"):
        report_page(tmp_path)
    ran = arena("report", tmp_path)
    assert (ran.code, "holds no run" in ran.err) == (2, True)


def test_the_command_writes_the_page_beside_the_run_or_where_it_is_told(
    arena: Callable[..., Any], mixed: Path, tmp_path: Path
) -> None:
    ran = arena("report", mixed, "--matches", "1", "-j", "1", "-q")
    assert ran.code == 0, ran.err
    assert ran.err.startswith(f"report  {mixed}/report.html (")
    assert (mixed / "report.html").read_text() == report_page(mixed, matches=1)
    ran = arena("report", mixed, "--out", tmp_path / "no" / "where.html")
    assert (ran.code, "there is no folder" in ran.err) == (2, True)
    ran = arena("report", mixed, "--out", "-")
    assert (ran.code, ran.err) == (2, "arena: --out: expected the name of a file, got -\n")


def test_standings_can_be_shown_alone(run: Path) -> None:
    facts = FolderStore(run).facts()
    standings = fold_standings(FolderStore(run).records(), facts.entrants, facts.editions)
    section = standings_section(standings, {name: number for number, name in enumerate(facts.entrants)})
    parts = [NumberedPart(f"{section.id}-{place}", each, None) for place, each in enumerate(section.parts, 1)]
    shown = {"section": section, "parts": parts, "open": True, "printable": printable_text, "shortened": shorten_middle}
    shown["edition_name"] = edition_name
    html = render_template("report_section", shown)
    assert html.count("<article") == 3
    assert EVIL in text_of(html)
    assert EVIL not in html
    assert "CSV" not in html


def test_packing_is_undone() -> None:
    assert decompress(b64decode(pack_text("a – b"))).decode() == "a – b"
