"""Parts from outside arena, each named ``module:Name`` where a file names it: executors, pairing policies, measures.

A run's or ladder's folder that a stranger has written must not make arena import a module. So a part that such a folder
names is used only if its module is already imported, or if an installed distribution declares the part as an entry
point. :func:`import_plugin` imports what the user of arena has named: on the command line, or in a tournament or ladder
file of their own.
"""

from __future__ import annotations

import importlib
import re
import site
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from typing import Generic, TypeVar, cast

from arena.errors import UserError, cut_text, nearest_hint

T = TypeVar("T")

FORM = "module:Name"
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*")


@dataclass(frozen=True)
class PluginKind(Generic[T]):
    """A kind of part: its ``noun`` in messages, the ``group`` of entry points that declare such parts, and ``lacks``,
    which says why an object is no such part ("" if it is one)."""

    noun: str
    group: str
    lacks: Callable[[object], str]

    def load(self, name: str, recorded: bool = True) -> T:
        """The part called ``name``. A ``recorded`` name, from a folder that anybody may have written, makes arena
        import no module, unless an installed distribution declares the part.

        Raises UserError where there is no such part, or it is something else.
        """
        module = check_name(name, self.noun).partition(":")[0]
        if recorded and module not in sys.modules and name not in declared_parts(self.group):
            told = f"there is no {self.noun} {cut_text(name)!r} here; if you trust it, add: --plugin {cut_text(name)}"
            raise UserError(told)
        part = import_plugin(name)
        if lacking := self.lacks(part):
            raise UserError(f"{name} is no {self.noun}: {lacking}")
        return cast(T, part)


def is_plugin(name: str) -> bool:
    """Whether the name is that of a part from outside arena, rather than one of arena's own."""
    return ":" in name


def check_name(name: str, noun: str, known: Iterable[str] = ()) -> str:
    """The name, if it is one of the ``known`` or has the form of a part from outside. Raises UserError."""
    own = [str(each) for each in known]
    if name in own or _NAME.fullmatch(name):
        return name
    expected = f"expected {', '.join(own)} or {FORM}" if own else f"expected {FORM} for the {noun}"
    raise UserError(f"{expected}, got {cut_text(name)!r}{nearest_hint(name, own)}")


def import_plugin(name: str) -> object:
    """Import the object that ``module:Name`` names, for names given by the user. Raises UserError where there is
    none."""
    module, _, attribute = check_name(name, "part").partition(":")
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise UserError(f"{name}: there is no module {error.name!r} to import; is it installed?") from None
        raise UserError(f"{name}: the module cannot be imported: {error}") from None
    except Exception as error:
        raise UserError(f"{name}: the module cannot be imported: {type(error).__name__}: {error}") from None
    if attribute not in vars(found):
        public = [each for each in vars(found) if not each.startswith("_")]
        raise UserError(f"{name}: the module {module} has no {attribute!r}{nearest_hint(attribute, public)}")
    return cast(object, vars(found)[attribute])


@cache
def declared_parts(group: str) -> frozenset[str]:
    """What installed distributions declare in a group of entry points: modules, or ``module:Name``. They count as
    chosen by whoever installed them. Distributions elsewhere, such as in the current folder, declare nothing: a
    stranger may have put them there."""
    folders = {*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])}
    searched = [path for path in sys.path if path in folders]
    return frozenset(
        point.value for each in distributions(path=searched) for point in each.entry_points if point.group == group
    )
