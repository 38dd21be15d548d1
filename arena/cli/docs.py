"""``arena docs``."""

from __future__ import annotations

import click

from arena.app.docs import list_pages, page


@click.command(short_help="Print the documentation.")
@click.argument("name", required=False)
def docs(name: str | None) -> None:
    """Print the documentation page NAME, or list the pages.

    \b
    Examples:
      arena docs
      arena docs bots
    """
    if name is not None:
        click.echo(page(name), nl=False)
        return
    for each, title in list_pages():
        click.echo(f"{each:<16}{title}")
