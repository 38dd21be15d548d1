"""Hands the values of several options to a command as one record."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any


def gathered(**records: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that hands values of options to a command as records, one for each keyword. The keyword is the name
    of the command's parameter; the record takes the options named like its fields. Put it below all options."""
    fields = {name: tuple(signature(record).parameters) for name, record in records.items()}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*arguments: Any, **values: Any) -> None:
            given = {name: [values.pop(field) for field in fields[name]] for name in records}
            made = {name: record(*given[name]) for name, record in records.items()}
            command(*arguments, **made, **values)

        return run

    return decorate
