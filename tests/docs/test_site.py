"""``arena docs --html DIR``: all pages as a static site, in which every link and every anchor is there."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from arena.commands.docs import site
from arena.commands.docs.sections import sections_of
from arena.commands.docs.topics import SCHEMA_TOPICS, list_pages, topic_text

from .pages import PAGES, TEXT

VOID = {"meta", "br", "hr", "img", "link"}


class Read(HTMLParser):
    """A page's links, anchors, addresses of what it loads, headings with their ids, and whether its tags fit."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
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
        self.ids += [each for name, each in attrs if name == "id" and each is not None]
        self.loads += [each for name, each in attrs if each and name == "src"]
        self.loads += [each for name, each in attrs if each and name == "href" and tag != "a"]
        if tag in ("h1", "h2", "h3", "h4") and given.get("id"):
            self.headings.append((tag, str(given["id"])))
        assert tag != "script"
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
    return {name: Read(content.decode()) for name, content in files.items() if name.endswith(".html")}


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


def test_nothing_comes_from_the_network_and_no_page_runs_anything(read: dict[str, Read]) -> None:
    for name, one in read.items():
        assert not any("//" in each for each in one.loads), name


def test_the_words_of_a_page_are_all_there(read: dict[str, Read]) -> None:
    said = " ".join("".join(read["glossary.html"].said).split())
    assert "a seat that has a token from the Boss, which is a share of the deal (C4.1)" in said


def test_the_first_page_begins_as_the_readme_and_lists_all_pages(read: dict[str, Read]) -> None:
    said = " ".join("".join(read["index.html"].said).split())
    assert "arena plays negotiation bots against each other." in said
    assert {f"{name}.html" for name in PAGES} <= set(read["index.html"].links)


def test_without_a_readme_there_is_a_first_page_all_the_same() -> None:
    made = site.site_front_page("", list_pages())
    assert made.startswith("# arena\n\n## Pages\n")
    assert "(bots.html)" in made


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
    arena: Any, tmp_path: Path, files: dict[str, bytes]
) -> None:
    for _ in range(2):
        ran = arena("docs", "--html", "out/site")
        assert ran == (0, f"wrote {len(files)} files; begin with out/site/index.html\n", "")
        assert {path.name: path.read_bytes() for path in (tmp_path / "out" / "site").iterdir()} == files


def test_a_folder_with_other_files_is_refused_and_left_as_it_is(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    refused = "arena: --html mine: it holds other files; choose an empty folder, or one for the site alone\n"
    assert arena("docs", "--html", "mine") == (2, "", refused)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["index.html"]
    (tmp_path / "file").write_text("x")
    ran = arena("docs", "--html", "file/site")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)


def test_markdown_is_loaded_by_no_other_command() -> None:
    code = "import sys, arena.cli.main; sys.exit('markdown_it' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0
