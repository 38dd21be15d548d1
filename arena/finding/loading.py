"""From a bot's name to its class: exactly one obvious entry point, or an error that lists what was found."""

from __future__ import annotations

import importlib
import inspect
import itertools
import marshal
import os
import sys
from functools import lru_cache
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from arena.bot import Bot
from arena.errors import BotError, nearest_hint
from arena.finding.mistakes import check_class
from arena.finding.reference import BotRef


def make_bot(ref: BotRef, game: str = "") -> Bot:
    """A fresh instance of the bot, with its options, to play ``game``, if known.

    The file is executed anew each time, so that no match and no seat sees another's globals. Raises BotError for
    everything that keeps it from being a bot; the bot's own exceptions are passed on.
    """
    cls = _class_in_module(ref) if ref.module else _class_in_file(ref)
    _check_options(cls, ref)
    check_class(cls, ref.name, game)
    return cls(**ref.options)


def _class_in_module(ref: BotRef) -> type[Bot]:
    return _named_class(importlib.import_module(ref.module), ref)


_numbers = itertools.count(1)


def _class_in_file(ref: BotRef) -> type[Bot]:
    """Execute the bot's file, and return its class. If the file lies in a package (a folder with an ``__init__.py``),
    it is imported as a part of that."""
    folder, file = os.path.split(ref.path)
    stem = os.path.splitext(file)[0]
    package = "/" in ref.file and os.path.isfile(os.path.join(folder, "__init__.py"))
    name = f"arena_bot_{next(_numbers)}_{os.path.basename(folder) if package else stem}"
    _forget_neighbours()
    sys.path.insert(0, folder)  # it may import what lies beside it while it is executed
    try:
        module = _execute_module(name, os.path.join(folder, "__init__.py"), ref, folder) if package else None
        if module is None or stem != "__init__":
            module = _execute_module(f"{name}.{stem}" if package else name, ref.path, ref)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
        imported = list(takewhile(lambda each: each != name, reversed(sys.modules)))
        _neighbours.update(each for each in imported if _lies_in(folder, each))
        for each in (name, *(each for each in imported if each.startswith(f"{name}."))):
            sys.modules.pop(each, None)
    return _named_class(module, ref) if ref.cls else _only_class(module, ref)


def _execute_module(name: str, path: str, ref: BotRef, package: str = "") -> ModuleType:
    """Execute the code in the file at ``path`` as a module; ``package`` is its folder if it is a package."""
    code = _adopted.get(path) or _code_of(path, ref)
    module = ModuleType(name)
    module.__file__ = path
    module.__package__ = name if package else name.rpartition(".")[0]
    if package:
        module.__path__ = [package]
    sys.modules[name] = module  # dataclasses, enums and typing look their module up while it is executed
    exec(code, module.__dict__)
    return module


def _code_of(path: str, ref: BotRef) -> CodeType:
    return (_compile_bundled if ref.bundled else _compile_file)(path, ref.sha256)


@lru_cache(maxsize=256)
def _compile_file(path: str, digest: str) -> CodeType:
    """The compiled code of a file of the bot with this digest."""
    return compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)


@lru_cache(maxsize=256)
def _compile_bundled(path: str, digest: str) -> CodeType:
    """The compiled code of a bundled bot's file. Raises BotError unless the very bytes that are compiled have this
    digest."""
    content = Path(path).read_bytes()
    if sha256(content).hexdigest() != digest:
        raise BotError(f"{path} has changed since arena first read it; start again")
    return compile(content, path, "exec", dont_inherit=True)


def compile_bot(ref: BotRef) -> bytes:
    """The compiled code of the bot's file, for :func:`adopt_code`, without executing it. Raises what compiling
    raises."""
    return marshal.dumps(_code_of(ref.path, ref))


_adopted: dict[str, CodeType] = {}


def adopt_code(ref: BotRef, code: bytes) -> None:
    """Make :func:`make_bot` use this code for the bot's file. Only for a process that is already sandboxed, because
    forged code can do anything."""
    _adopted[ref.path] = marshal.loads(code)


_neighbours: set[str] = set()
"""The imported modules from the folder of the bot that was loaded last."""


def _forget_neighbours() -> None:
    """Make each bot import the modules beside it anew, instead of modules of the same name from another bot's
    folder."""
    for name in _neighbours:
        sys.modules.pop(name, None)
    _neighbours.clear()


def _lies_in(folder: str, name: str) -> bool:
    """Whether the module, or the package it belongs to, lies directly in ``folder``."""
    file = getattr(sys.modules.get(name.partition(".")[0]), "__file__", None)
    return isinstance(file, str) and folder in (os.path.dirname(file), os.path.dirname(os.path.dirname(file)))


def _bot_classes(module: ModuleType) -> dict[str, type[Bot]]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    }


def _only_class(module: ModuleType, ref: BotRef) -> type[Bot]:
    """The one public Bot subclass that the file defines."""
    found = {name: cls for name, cls in _bot_classes(module).items() if not name.startswith("_")}
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise BotError(
            f"{ref.file} defines {len(found)} bots: {', '.join(found)}. Say which, as in {ref.file}:{next(iter(found))}"
        )
    own = [n for n, v in vars(module).items() if isinstance(v, type) and v.__module__ == module.__name__]
    others = f"; its classes are {', '.join(own)}" if own else "; it defines no class"
    raise BotError(f"{ref.file} defines no bot: no class derives from arena.bot.Bot{others}")


def _named_class(module: ModuleType, ref: BotRef) -> type[Bot]:
    where = ref.file or ref.module
    value = getattr(module, ref.cls, None)
    if value is None:
        raise BotError(f"{where} defines no {ref.cls!r}{nearest_hint(ref.cls, _bot_classes(module))}")
    if not (isinstance(value, type) and issubclass(value, Bot)):
        raise BotError(f"{ref.cls} in {where} is not a bot: it does not derive from arena.bot.Bot")
    return value


def _check_options(cls: type[Bot], ref: BotRef) -> None:
    """Raise BotError where the options do not fit the keyword parameters of the constructor."""
    known = {} if cls.__init__ is object.__init__ else _parameter_names(cls.__init__)
    if known is None:
        return
    for option in ref.options:
        if option not in known:
            takes = f"; it takes {', '.join(known)}" if known else "; it takes none"
            raise BotError(f"bot {ref.name} has no option {option!r}{nearest_hint(option, known)}{takes}")
    missing = [name for name, needed in known.items() if needed and name not in ref.options]
    if missing:
        raise BotError(f"bot {ref.name} needs the option {missing[0]!r}, as in {ref.name}?{missing[0]}=…")


def _parameter_names(function: Any) -> dict[str, bool] | None:
    """The parameters of a method without the first, each with whether it is required; None where it accepts any."""
    code = getattr(function, "__code__", None)
    if type(code) is not CodeType or hasattr(function, "__wrapped__"):
        parameters = list(inspect.signature(function).parameters.values())[1:]
        if any(each.kind is each.VAR_KEYWORD for each in parameters):
            return None
        return {each.name: each.default is each.empty for each in parameters if each.kind is not each.VAR_POSITIONAL}
    # a plain function, read without the machinery of inspect, which is dear in a process's first moments
    if code.co_flags & inspect.CO_VARKEYWORDS:
        return None
    positional = code.co_varnames[1 : code.co_argcount]
    only_named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    needed = len(positional) - len(function.__defaults__ or ())
    known = {name: place < needed for place, name in enumerate(positional)}
    return known | {name: name not in (function.__kwdefaults__ or {}) for name in only_named}
