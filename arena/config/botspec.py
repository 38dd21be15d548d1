"""How a bot is named: ``greedy``, ``path/to/file.py``, ``file.py:Class``, ``path/to/folder/``,
``package.module:Class`` or ``cmd:program arguments``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from arena.config.documents.typed_yaml import fits_in_64_bits
from arena.config.documents.yamlfile import parse_yaml
from arena.errors import BotError, ConfigError

Scalar = str | int | float | bool

_FILE_SPEC = re.compile(r"(?P<target>.+?\.py|[^:]*/[^:]*)(?::(?P<cls>.*))?", re.DOTALL)
_MODULE_SPEC = re.compile(r"(?P<target>[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<cls>.*)", re.DOTALL)
_BUNDLED_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*")
_EXPECTED_SPEC = (
    "expected a bundled name, a file (bots/mine.py or bots/mine.py:Class), a folder (bots/mine/), "
    'package.module:Class or cmd:"./bot --flag"'
)
COMMAND_PREFIX = "cmd:"


class BotSpec(msgspec.Struct, frozen=True):
    """A bot as it was named, before it is looked for.

    ``target`` is a file's or folder's path, a module's dotted name, a bundled bot's name or a whole command; ``cls``
    the class in it, None when the file or module must be searched for it; ``options`` are those given after a question
    mark.
    """

    kind: Literal["file", "module", "bundled", "command"]
    target: str
    cls: str | None = None
    options: dict[str, Scalar] = {}

    @property
    def default_name(self) -> str:
        """The default name of an entrant: the class, else the file's stem or bundled name; for a command its first word
        that is not a bare program name."""
        if self.kind == "command":
            files = [word for word in self.words if "/" in word or "." in word] or self.words
            return files[0].rpartition("/")[2].partition(".")[0] or self.words[0]
        return self.cls or self.target.rstrip("/").rpartition("/")[2].removesuffix(".py")

    @property
    def text(self) -> str:
        """The specification as text, without options."""
        if self.kind == "command":
            return COMMAND_PREFIX + self.target
        return f"{self.target}:{self.cls}" if self.cls else self.target

    @property
    def words(self) -> tuple[str, ...]:
        """A command's words."""
        return tuple(shlex.split(self.target))


def of_command(words: Sequence[str], options: dict[str, Scalar] | None = None) -> BotSpec:
    """The specification of a command given as words."""
    return BotSpec("command", shlex.join(words), None, options or {})


def parse_bot(text: str) -> BotSpec:
    """The specification in ``text``; options may follow, as in ``greedy?greed=0.4&patience=3``, with YAML scalars as
    values. Raises BotError for an invalid one; does not check whether the bot exists."""
    name, mark, options = text.partition("?")
    given = parse_options(options.split("&"), f"bot {text!r}", " after '?' or '&'") if mark else {}
    if name.startswith(COMMAND_PREFIX):
        return of_command(_command_words(name.removeprefix(COMMAND_PREFIX), text), given)
    if found := _FILE_SPEC.fullmatch(name):
        return BotSpec("file", found["target"], _class_name(found["cls"], text), given)
    if found := _MODULE_SPEC.fullmatch(name):
        return BotSpec("module", found["target"], _class_name(found["cls"], text), given)
    if _BUNDLED_NAME.fullmatch(name):
        return BotSpec("bundled", name, None, given)
    raise BotError(f"bot {text!r}: {_EXPECTED_SPEC}")


def _command_words(command: str, text: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise BotError(f"bot {text!r}: {problem}") from None
    if len(words) == 1 and " " in words[0]:  # quotes that reached us, as in cmd:"./bot --flag" within YAML
        words = shlex.split(words[0])
    if not words:
        raise BotError(f'bot {text!r}: expected a command after cmd:, such as cmd:"./bot --flag"')
    return words


def _class_name(name: str | None, text: str) -> str | None:
    if name is None or name.isidentifier():
        return name
    raise BotError(f"bot {text!r}: expected the name of a class after ':', got {name!r}")


def parse_options(pairs: Iterable[str], where: str, after: str = "") -> dict[str, Scalar]:
    """The options of a bot in ``key=value`` pairs, with YAML scalars as values. Raises BotError; its message begins
    with ``where`` the pairs stand, and has ``after`` behind "expected option=value"."""
    options: dict[str, Scalar] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise BotError(f"{where}: expected option=value{after}, got {pair!r}")
        if key in options:
            raise BotError(f"{where}: the option {key} occurs twice")
        options[key] = _option_value(key, value, where)
    return options


def _option_value(key: str, value: str, where: str) -> Scalar:
    try:
        found = parse_yaml(value, key).data
    except ConfigError as problem:
        message = "expected a value" if not value.strip() else problem.message
        raise BotError(f"{where}: option {key}: {message}") from None
    if isinstance(found, int) and not fits_in_64_bits(found):
        raise BotError(f"{where}: option {key}: expected a whole number of at most 64 bits; put text in quotes")
    if isinstance(found, str | int | float | bool):
        return found
    raise BotError(f"{where}: option {key}: expected text, a number, true or false, got {value}")
