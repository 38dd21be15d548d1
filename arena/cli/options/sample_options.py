"""The options for the size of the sample that is played again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from arena.rerun.sample import LEAST_SAMPLE, read_wanted

Function = TypeVar("Function", bound=Callable[..., Any])


def sample_options(who: str) -> Callable[[Function], Function]:
    """Add the options ``sample``, the size of the sample, and ``each``, its least number of matches of every host and
    every ``who`` (a word such as entrant)."""
    size = click.option(
        "--sample",
        default="5%",
        show_default=True,
        callback=lambda _, __, value: read_wanted(value),
        metavar="SIZE",
        help="How many matches to draw: a share such as 5%, or a number.",
    )
    least = click.option(
        "--each",
        type=click.IntRange(0),
        default=LEAST_SAMPLE,
        show_default=True,
        metavar="N",
        help=f"Minimum of matches for every {who} and every host; missing ones are added to the sample.",
    )
    return lambda command: size(least(command))
