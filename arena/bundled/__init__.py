"""The classes of the bundled bots, by name, for bots that build on them: ``from arena.bundled import Dealmaker``.

``Dealmaker`` is the class in the file of the bot ``dealmaker``, ``RandomLegal`` that of ``random-legal``. They are
imported when they are first named, in a bot's own process too. They can be derived from, called with their options, and
make the policies of rollouts (:class:`arena.rollouts.Policy`).
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from arena.bot import Bot
from arena.errors import nearest_hint
from arena.resources import bundled_folder


@cache
def bundled_classes() -> dict[str, Path]:
    """The file of each bundled bot, by the name of its class."""
    files = sorted(bundled_folder("bots").glob("*.py"))
    return {path.stem.title().replace("_", ""): path for path in files if not path.stem.startswith("_")}


def is_bundled(cls: type[Bot]) -> bool:
    """Whether this very class is one of those that are imported from here."""
    return cls.__module__.startswith(f"{__name__}.")


def __getattr__(name: str) -> type[Bot]:
    """The class ``name``. Raises AttributeError, naming the nearest, where no bundled bot has such a class."""
    path = bundled_classes().get(name)
    if path is None:
        raise AttributeError(
            f"no bundled bot has the class {name!r}{nearest_hint(name, bundled_classes())}; "
            f"there are {', '.join(bundled_classes())}"
        )
    module = f"{__name__}.{path.stem}"
    if module not in sys.modules:
        spec = spec_from_file_location(module, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[module] = made = module_from_spec(spec)
        try:
            spec.loader.exec_module(made)
        except BaseException:
            del sys.modules[module]
            raise
    found: type[Bot] = getattr(sys.modules[module], name)
    return found


def __dir__() -> list[str]:
    return [*bundled_classes(), "bundled_classes", "is_bundled"]
