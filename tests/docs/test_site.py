"""``arena docs --html DIR``: all pages as a static site, in which every link and every anchor is there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from arena.commands.docs import samples, site
from arena.commands.docs.page_groups import PAGE_GROUPS, START_PAGE
from arena.commands.docs.samples import SAMPLE_PAGES
from arena.commands.docs.sections import sections_of
from arena.commands.docs.topics import SCHEMA_TOPICS, list_pages, topic_text
from arena.pages.page_file import PageFile

from .pages import PAGES, TEXT

VOID = {"meta", "br", "hr", "img", "link", "input"}
SAMPLES = {each.address for each in SAMPLE_PAGES}


class Read(HTMLParser):
    """A page's links, anchors, addresses of what it loads, headings with their ids, and whether its tags fit."""

    def __init__(self, text: str, searches: bool = False) -> None:
        super().__init__()
        self.searches = searches
        self.links: list[str] = []
        self.links_of_turn: list[str] = []
        self.ids: list[str] = []
        self.loads: list[str] = []
        self.headings: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()
        assert self.tags == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [each for name, each in attrs if name == "href" and each is not None and tag == "a"]
        if given.get("rel") in ("prev", "next"):
            self.links_of_turn.append(str(given["href"]))
        self.ids += [each for name, each in attrs if name == "id" and each is not None]
        self.loads += [each for name, each in attrs if each and name == "src"]
        self.loads += [each for name, each in attrs if each and name == "href" and tag != "a"]
        if tag in ("h1", "h2", "h3", "h4") and given.get("id"):
            self.headings.append((tag, str(given["id"])))
        assert tag != "script" or self.searches, "only the search runs anything"
        if tag not in VOID:
            self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.tags.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return site.site_files()


@pytest.fixture(scope="module")
def read(files: dict[str, bytes]) -> dict[str, Read]:
    return {name: Read(text.decode(), name == "search.html") for name, text in files.items() if name.endswith(".html")}


@pytest.mark.slow
def test_every_page_is_there_and_the_schemas_as_files_too(files: dict[str, bytes]) -> None:
    pages = {f"{each.name}.html" for each in list_pages()}
    assert pages | {"index.html"} | {f"{name}.json" for name in SCHEMA_TOPICS} <= set(files)
    for name in SCHEMA_TOPICS:
        assert json.loads(files[f"{name}.json"]) == json.loads(topic_text(name))


def test_every_link_leads_to_a_page_and_every_anchor_is_there(files: dict[str, bytes], read: dict[str, Read]) -> None:
    checked = 0
    for name, one in read.items():
        assert len(set(one.ids)) == len(one.ids), name
        for link in one.links:
            if link.startswith(("http://", "https://")):
                continue
            target, _, anchor = link.partition("#")
            if target in SAMPLES:
                continue
            assert (target or name) in files, f"{name}: {link}"
            if anchor:
                assert anchor in read[target or name].ids, f"{name}: {link}"
            checked += 1
    assert checked > 300


def test_anchors_are_the_slugs_of_the_sections(read: dict[str, Read]) -> None:
    for name in PAGES:
        anchors = [anchor for tag, anchor in read[f"{name}.html"].headings if tag != "h1"]
        assert anchors == [each.slug for each in sections_of(TEXT[name])]


def test_a_command_that_names_a_page_or_a_section_is_a_link_to_it() -> None:
    text = "See `arena docs bots`, `arena docs bots faults` and `arena docs rules B4.5`; not `arena docs nothing`."
    linked = Read(site.render_markdown(text).html)
    assert linked.links == ["bots.html", "bots.html#faults", "rules.html#b45-ticks"]


def test_html_in_a_page_is_shown_and_not_obeyed() -> None:
    html = site.render_markdown("A <script>alert(1)</script> and `<b>`.\n").html
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_the_front_page_says_where_to_start_and_each_page_leads_to_the_next(read: dict[str, Read]) -> None:
    order = ["index", *(name for group in PAGE_GROUPS for name in group.pages)]
    assert order[1] == START_PAGE
    assert f"{START_PAGE}.html" in read["index.html"].links
    for at, name in enumerate(order):
        assert read[f"{name}.html"].links_of_turn == [
            f"{order[place]}.html" for place in (at - 1, at + 1) if 0 <= place < len(order)
        ], name


def test_every_page_says_what_its_readers_can_do_and_lists_all_pages_in_their_groups(read: dict[str, Read]) -> None:
    for page in list_pages():
        said = "".join(read[f"{page.name}.html"].said)
        if page.name in PAGES:
            assert page.aim.replace("`", "") in said, page.name
        assert all(f"\n{group.title}\n" in said for group in PAGE_GROUPS), page.name


def test_the_search_has_the_words_of_all_pages_and_its_addresses_are_there(
    files: dict[str, bytes], read: dict[str, Read]
) -> None:
    (data,) = re.findall(rb'<script type="application/json" id="page-data">(.*?)</script>', files["search.html"])
    sections = json.loads(data)
    assert {each["address"].partition(".html")[0] for each in sections} == set(PAGES)
    for each in sections:
        target, _, anchor = each["address"].partition("#")
        assert not anchor or anchor in read[target].ids, each["address"]
    (ticks,) = [each for each in sections if each["title"] == "B4.5 Ticks"]
    assert "initiative order" in ticks["text"]


def test_an_old_name_of_a_page_is_a_page_that_leads_to_the_new_one(read: dict[str, Read]) -> None:
    assert "first-bot.html" in read["agents.html"].links
    assert "ladders.html#entering-a-bot" in read["ladder-entries.html"].links


def test_nothing_comes_from_the_network_and_only_the_search_runs_anything(read: dict[str, Read]) -> None:
    for name, one in read.items():
        assert not any("//" in each for each in one.loads), name


def test_the_words_of_a_page_are_all_there(read: dict[str, Read]) -> None:
    said = " ".join("".join(read["glossary.html"].said).split())
    assert "a seat that has a token from the Boss; the token is a share of the deal (C4.1)" in said


def test_the_first_page_begins_as_the_readme_and_lists_all_pages(read: dict[str, Read]) -> None:
    said = " ".join("".join(read["index.html"].said).split())
    assert "arena plays bots against each other in a game of negotiation." in said
    assert {f"{name}.html" for name in PAGES} <= set(read["index.html"].links)


def test_without_a_readme_there_is_a_first_page_all_the_same() -> None:
    page, shown = site.site_front_page("", list_pages())
    assert page.body.startswith('<h1 id="arena">arena</h1>\n<h2 id="start-here">')
    assert 'href="bots.html"' in page.body
    assert shown == frozenset()


def test_pictures_that_lie_beside_the_pages_go_along_and_others_are_told(monkeypatch: Any, tmp_path: Path) -> None:
    (tmp_path / "deal.svg").write_text("<svg/>")
    monkeypatch.setattr(site, "docs_folder", lambda: tmp_path)
    shown = site.render_markdown("![a deal](arena/docs/deal.svg) ![gone](x/none.png) ![far](https://example.org/a.png)")
    assert shown.files == {"deal.svg"}
    assert 'src="deal.svg"' in shown.html
    assert "gone" in shown.html
    assert "none.png" not in shown.html


@pytest.mark.slow
def test_the_site_is_written_and_written_again_with_the_same_bytes(
    arena: Any, tmp_path: Path, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "sample_files", lru_cache(site.sample_files))  # played once, and shorter
    monkeypatch.setattr(site, "site_files", lambda: files)
    monkeypatch.setattr(samples, "LADDER_ROUNDS", 1)
    fewer = tuple(key.replace("round_tables=12", "round_tables=3") for key in samples.LADDER_KEYS)
    assert fewer != samples.LADDER_KEYS
    monkeypatch.setattr(samples, "LADDER_KEYS", (*fewer, "changes={max_turns: 6}"))
    four = "entrants=[dealmaker, greedy, fair, hard]"
    shorter = ("blocks=1", four, "editions=[{rules: eagle-gryphon, changes: {max_turns: 6}}]")
    monkeypatch.setattr(samples, "RUN_KEYS", shorter)
    assert site.render_markdown(TEXT["bots"]) == site.render_markdown(TEXT["bots"])
    folder = tmp_path / "out" / "site"
    for _ in range(2):
        ran = arena("docs", "--html", "out/site")
        written = [path for path in folder.rglob("*") if path.is_file()]
        assert ran == (0, f"wrote {len(written)} files; open first: out/site/index.html\n", "")
        names = {path.relative_to(folder).as_posix(): path for path in written}
        played = {name for name in names if name.startswith("sample-")}  # these hold times and a drawn seed
        assert {name: path.read_bytes() for name, path in names.items() if name not in played} == files
        assert played >= SAMPLES
        for name in SAMPLES:
            assert "dealmaker" in names[name].read_text(encoding="utf-8")
        assert sum(names[name].stat().st_size for name in played) < 2_000_000


def test_a_folder_with_other_files_is_refused_and_left_as_it_is(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    refused = "arena: --html mine: it holds other files; choose an empty folder, or one used only for the site\n"
    assert arena("docs", "--html", "mine") == (2, "", refused)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["index.html"]
    (tmp_path / "file").write_text("x")
    ran = arena("docs", "--html", "file/site")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)


def test_markdown_is_loaded_by_no_other_command() -> None:
    code = "import sys, arena.cli.main; sys.exit('markdown_it' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0


def test_on_a_narrow_screen_the_content_stands_before_the_list_of_pages(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        if name.endswith(".html"):
            assert content.index(b"<main>") < content.index(b'<nav id="pages"'), name


def test_what_scrolls_sideways_on_a_narrow_screen_has_a_shadow_that_says_so(files: dict[str, bytes]) -> None:
    shadows = PageFile("arena.pages", "styles/shadows.css").read().encode()
    for name, content in files.items():
        if name.endswith(".html"):
            assert shadows in content, name
            assert not re.search(rb"<(table|pre)>", content), name
