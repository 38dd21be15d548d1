"""Options that had other names before: replaces old names on a command line by new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from arena import old_names


def replace_old_options(
    command: str, words: Iterable[str], params: Sequence[click.Parameter]
) -> tuple[list[str], list[str]]:
    """Replace old names of options in the ``words`` after a ``command``; returns the new words, and a warning for each
    old name. ``params`` are the command's parameters: values of options and all words after ``--`` stay as they are."""
    old = {each.old: each for each in old_names.OLD_OPTIONS if command in each.commands}
    used: dict[str, str] = {}
    return list(_replace_names(words, old, _taking_values(params), used)), [
        old_names.old_name_warning(*each) for each in used.items()
    ]


def _replace_names(
    words: Iterable[str], old: dict[str, old_names.OldOption], takes: dict[str, int], used: dict[str, str]
) -> Iterator[str]:
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        mark = ""
        if (option := old.get(name)) is not None:
            used[name] = option.new_words
            yield from option.replaced(value) if equals else option.new
            name, mark = (option.new or ("",))[-1], option.mark
        else:
            yield word
        if word == "--":
            yield from rest
        elif not equals:
            yield from (f"{mark}{value}" for _, value in zip(range(takes.get(name, 0)), rest, strict=False))


def _taking_values(params: Sequence[click.Parameter]) -> dict[str, int]:
    """How many words each option takes as its value, by every name of the option."""
    options = (param for param in params if isinstance(param, click.Option) and not param.is_flag and not param.count)
    return {name: option.nargs for option in options for name in option.opts}
