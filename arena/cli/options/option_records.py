"""Hands the values of several options to a command as one record."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any


def gathered(**records: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that hands values of options to a command as records, one for each keyword. The keyword is the name
    of the command's parameter; the record takes the options named like its fields. A field with a default may have no
    option. Put it below all options."""
    fields = {name: signature(record).parameters.values() for name, record in records.items()}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*arguments: Any, **values: Any) -> None:
            made = {}
            for name, record in records.items():
                taken = [each.name for each in fields[name] if each.name in values or each.default is Parameter.empty]
                made[name] = record(**{field: values.pop(field) for field in taken})
            command(*arguments, **made, **values)

        return run

    return decorate
