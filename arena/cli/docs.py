"""``arena docs``."""

from __future__ import annotations

import click
import msgspec

from arena.app.docs import list_pages, page
from arena.cli.commands import Command


@click.command(cls=Command, short_help="Print the documentation.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the page, or the list, as JSON.")
def docs(name: str | None, as_json: bool) -> None:
    """Print the documentation page NAME, or list the pages.

    As JSON the list has `name` and `title` of each page; a page has also `text`.

    \b
    Examples:
      arena docs
      arena docs bots
    """
    pages = list_pages()
    if name is not None:
        text = page(name)
        (title,) = (each.title for each in pages if each.name == name)
        shown = msgspec.json.encode({"name": name, "title": title, "text": text})
        click.echo(msgspec.json.format(shown) if as_json else text, nl=as_json)
        return
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(pages)))
        return
    for each in pages:
        click.echo(f"{each.name:<16}{each.title}")
