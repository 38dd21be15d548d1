"""``arena docs``."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.command_classes import ArenaCommand
from arena.cli.output.terminal import pager_option
from arena.cli.output.terminal import show_paged as show_text
from arena.cli.print_json import print_json
from arena.commands.docs.page_groups import START_PAGE
from arena.commands.docs.sections import find_section, section_text, sections_of
from arena.commands.docs.topics import follow_old_page, list_pages, topic_text
from arena.errors import UserError


@click.command(cls=ArenaCommand)
@click.argument("name", metavar="[PAGE]", required=False)
@click.argument("section", metavar="[SECTION]", required=False)
@click.option("--sections", "listed", is_flag=True, help="List the sections of the page.")
@click.option(
    "--html",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write all pages as a small web site into this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the page, the section, or the list, as JSON.")
@pager_option
def docs(name: str | None, section: str | None, listed: bool, folder: Path | None, as_json: bool, pager: bool) -> None:
    """Print a page of the documentation, or one section of it. Without PAGE, list all pages in reading order.

    Name a SECTION by its title or by its address: how-bots-are-named for "How bots are named". Name a rule by its
    number. --html writes the pages as a web site: open index.html in a browser, or put the folder on any web server.

    \b
    Examples:
      arena docs
      arena docs bots
      arena docs bots faults
      arena docs rules B4.5
      arena docs bots --sections
      arena docs --html site
    """
    if folder is not None:
        if name is not None or listed or as_json:
            raise UserError("--html writes all pages; leave out the page, --sections and --json")
        _write_site(folder)
        return
    if name is None:
        if listed:
            raise UserError("--sections lists the sections of a page; name it, as in: arena docs bots --sections")
        _list_pages(as_json)
        return
    name, section = follow_old_page(name, section)
    text = topic_text(name)
    if listed:
        if section is not None:
            raise UserError("--sections lists the sections of a page; leave out the section")
        _list_sections(text, as_json)
        return
    (page,) = (each for each in list_pages() if each.name == name)
    shown = {"name": name, "title": page.title, "group": page.group, "aim": page.aim}
    if section is not None:
        found = find_section(name, text, section)
        text = section_text(text, found)
        shown |= {"section": found.slug, "title": found.title}
    if as_json:
        print_json({**shown, "text": text})
    else:
        show_text(text, False, pager)


def _list_pages(as_json: bool) -> None:
    pages = list_pages()
    if as_json:
        print_json(pages)
        return
    width = max(len(each.name) for each in pages) + 2
    click.echo(f"Start here: arena docs {START_PAGE}")
    group = ""
    for each in pages:
        if each.group != group:
            group = each.group
            click.echo(f"\n{group}")
        click.echo(f"  {each.name:<{width}}{each.aim}")


def _list_sections(text: str, as_json: bool) -> None:
    sections = sections_of(text)
    if as_json:
        print_json([{"slug": each.slug, "title": each.title, "level": each.level} for each in sections])
        return
    width = max((len(each.slug) for each in sections), default=0) + 2
    for each in sections:
        click.echo(f"{each.slug:<{width}}{'  ' * (each.level - 2)}{each.title}")


def _write_site(folder: Path) -> None:
    from arena.commands.docs.site import write_site  # renders Markdown: no other command needs what that does

    written = write_site(folder)
    click.echo(f"wrote {len(written)} files; open first: {folder / 'index.html'}")
