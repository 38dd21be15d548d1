"""Read YAML into plain data with line numbers, and refuse what people write by mistake.

Refused with file, line and column: syntax errors, empty files, several documents, duplicate keys, unquoted
``yes``/``no``/``on``/``off``, numbers with leading zeros, NaN and infinities, keys that are neither text nor whole
numbers, tags, merge keys, aliases that contain themselves or expand to too much data. Dates stay text.
"""

from __future__ import annotations

import math
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from arena.config.documents import dialect
from arena.config.documents.document import Document, SourceLocation, child_path, item_path
from arena.errors import ConfigError, UnsafeFile, nearest_hint
from arena.foreign_files import read_argument, read_foreign_file

LARGEST_YAML = 16 << 20  # bytes
MAX_VALUES = 100_000  # after aliases are written out
MAX_DEPTH = 50
MOST_BITS = 512  # of a whole number: any digest may be a seed

# PyYAML's message -> what the user can do about it. The first fragment found in the message counts.
_PLAIN_WORDS = (
    ("character '\\t'", "a tab; indent with spaces"),
    ("cannot start any token", "text cannot begin with this character; put it in quotes"),
    ("mapping values are not allowed", "one ':' too many; quote text that contains one, or check the indentation"),
    ("expected <block end>", "the indentation does not fit the lines above"),
    ("could not find expected ':'", "expected 'key: value', found no ':' after the key"),
    ("expected ',' or ']'", "a list opened with '[' is not closed with ']', or lacks a comma"),
    ("expected ',' or '}'", "a mapping opened with '{' is not closed with '}', or lacks a comma"),
    ("unexpected end of stream", "a text opened with a quote is not closed"),
    ("second occurrence", "an anchor (&name) for the second time"),
    ("undefined alias", "an alias (*name) without an anchor (&name) before it; put text with '*' in quotes"),
    (dialect.TOO_MANY, f"more than {MAX_VALUES:,} values; move long parts into files of their own"),
    ("found another document", "a second document begins ('---'); expected one in a file"),
)  # fmt: skip


def read_yaml(path: str | os.PathLike[str], kept: bool = False) -> Document:
    """The document in the file at ``path``, which a user has named, or which a run has ``kept`` in its folder. Raises
    ConfigError if it is missing, too large, not UTF-8 or not valid YAML."""
    file = os.fspath(path)
    try:
        raw = read_foreign_file(path, LARGEST_YAML) if kept else read_argument(path, LARGEST_YAML, "a YAML file")
    except UnsafeFile as problem:
        raise ConfigError(problem.reason, file=file) from None
    except FileNotFoundError:
        raise ConfigError(f"no such file{_neighbour_hint(Path(path))}", file=file) from None
    except IsADirectoryError:
        raise ConfigError("expected a YAML file, got a folder", file=file) from None
    except (OSError, ValueError) as problem:
        raise ConfigError(f"cannot be read: {getattr(problem, 'strerror', None) or problem}", file=file) from None
    try:
        return parse_yaml(raw.decode("utf-8-sig"), file)
    except UnicodeDecodeError as problem:
        before = raw[: problem.start]
        line, column = before.count(b"\n") + 1, problem.start - before.rfind(b"\n")
        message = f"expected UTF-8 text, got the byte 0x{raw[problem.start]:02x}"
        raise ConfigError(message, file=file, line=line, column=column) from None


@lru_cache(maxsize=32)  # cached: editions share parents, and documents are read-only
def parse_yaml(text: str, file: str, *, null: bool = False) -> Document:
    """The document in ``text``; ``file`` is its name in errors. With ``null=False`` a document that is only null is
    refused."""
    try:
        root = yaml.compose(text, Loader=dialect.YamlReader)
    except yaml.YAMLError as problem:
        raise _syntax_error(problem, text, file) from None
    except RecursionError:
        raise ConfigError("nested too deeply", file=file) from None
    if root is None or (root.tag == dialect.NULL and not null):
        raise ConfigError("the file is empty; expected 'key: value' lines", file=file)
    builder = _Builder(file)
    builder.document.values[""] = builder.place(root)
    return builder.document.with_data(builder.build(root, "", ()))


class _Builder:
    """Converts composed nodes to plain data and records their places."""

    def __init__(self, file: str) -> None:
        self.document = Document(file, None)
        self.count = 0

    def place(self, node: yaml.Node) -> SourceLocation:
        return SourceLocation(self.document.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def refuse(self, node: yaml.Node, path: str, message: str) -> ConfigError:
        _, line, column = self.place(node)
        return ConfigError(message, file=self.document.file, line=line, column=column, key=path)

    def build(self, node: yaml.Node, path: str, inside: tuple[int, ...]) -> Any:
        """Plain data for ``node`` at ``path``; ``inside`` has the ids of the nodes that contain it."""
        self.count += 1
        if id(node) in inside:
            raise self.refuse(node, path, "an alias (*) stands inside its own anchor (&)")
        if self.count > MAX_VALUES:
            raise self.refuse(node, path, f"more than {MAX_VALUES:,} values once aliases are written out")
        if len(inside) > MAX_DEPTH:
            raise self.refuse(node, "", f"nested more than {MAX_DEPTH} levels deep")
        inside = (*inside, id(node))
        match node:
            case yaml.MappingNode(tag=dialect.MAPPING):
                return self.mapping(node, path, inside)
            case yaml.SequenceNode(tag=dialect.SEQUENCE):
                return self.sequence(node, path, inside)
            case yaml.ScalarNode():
                return self.scalar(node, path)
        raise self.refuse(node, path, f"the tag {_short_tag(node.tag)} is not understood; write plain YAML")

    def sequence(self, node: yaml.SequenceNode, path: str, inside: tuple[int, ...]) -> list[Any]:
        found = []
        for index, entry in enumerate(node.value):
            below = item_path(path, index)
            self.document.values[below] = self.place(entry)
            found.append(self.build(entry, below, inside))
        return found

    def mapping(self, node: yaml.MappingNode, path: str, inside: tuple[int, ...]) -> dict[str | int, Any]:
        found: dict[str | int, Any] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self.key(key_node, path)
            below, where = child_path(path, key), self.place(key_node)
            if str(key) in lines:
                raise self.refuse(key_node, below, f"the key occurs twice, in lines {lines[str(key)]} and {where.line}")
            lines[str(key)] = where.line
            block = isinstance(value_node, yaml.CollectionNode) and not value_node.flow_style
            self.document.keys[below] = where
            self.document.values[below] = where if block else self.place(value_node)
            found[key] = self.build(value_node, below, inside)
        return found

    def key(self, node: yaml.Node, path: str) -> str | int:
        if node.tag == dialect.MERGE:
            raise self.refuse(node, path, "merge keys (<<) are not understood; write the keys out")
        key = self.scalar(node, path) if isinstance(node, yaml.ScalarNode) else node
        if isinstance(key, bool) or not isinstance(key, str | int):
            got = node.value if isinstance(node, yaml.ScalarNode) else "a list or mapping"
            raise self.refuse(node, path, f"expected a key of text or a whole number, got {got or 'nothing'}")
        return key

    def scalar(self, node: yaml.ScalarNode, path: str) -> Any:
        text: str = node.value
        match node.tag:
            case dialect.TEXT | dialect.MERGE:
                if any("\ud800" <= letter <= "\udfff" for letter in text):
                    raise self.refuse(node, path, f"{text!r} has an incomplete character (a surrogate)")
                return text
            case dialect.NULL:
                return None
            case dialect.BOOL if text.lower() in ("true", "false"):
                return text.lower() == "true"
            case dialect.INT | dialect.FLOAT:
                return self.number(node, path)
            case dialect.YES_NO:
                instead = "true" if text.lower() in ("yes", "on") else "false"
                raise self.refuse(node, path, f'{text} is ambiguous; write {instead}, or quote it: "{text}"')
            case dialect.LEADING_ZERO:
                message = f'a number with leading zeros is ambiguous; drop them, or quote it: "{text}"'
                raise self.refuse(node, path, message)
        raise self.refuse(node, path, f"the tag {_short_tag(node.tag)} is not understood; write plain YAML")

    def number(self, node: yaml.ScalarNode, path: str) -> int | float:
        text = node.value.replace("_", "")
        try:
            value = int(text, 0) if node.tag == dialect.INT else float(re.sub(r"\.(?=inf|nan)", "", text.lower()))
        except ValueError:
            raise self.refuse(node, path, f"expected a number, got {node.value[:40]!r}") from None
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            message = f"expected a number of at most {MOST_BITS} bits, got one of {value.bit_length():,}; quote text"
            raise self.refuse(node, path, message)
        if not math.isfinite(value):
            raise self.refuse(node, path, f"expected a finite number, got {node.value}; put text in quotes")
        return value


def _short_tag(tag: str) -> str:
    return tag.replace(dialect.TAG_PREFIX, "!!")


def _syntax_error(problem: yaml.YAMLError, text: str, file: str) -> ConfigError:
    """PyYAML's error in plain words, at its place in the file."""
    if isinstance(problem, yaml.reader.ReaderError):
        before = text[: problem.position]
        line, column = before.count("\n") + 1, problem.position - before.rfind("\n")
        code = problem.character if isinstance(problem.character, int) else ord(problem.character)
        return ConfigError(f"the character U+{code:04X} is not allowed", file=file, line=line, column=column)
    if not isinstance(problem, yaml.MarkedYAMLError) or problem.problem_mark is None:
        return ConfigError(f"cannot be read as YAML: {problem}", file=file)
    said = problem.problem or problem.context or "not understood"
    message = next((plain for fragment, plain in _PLAIN_WORDS if fragment in said), f"not YAML: {said}")
    mark, opened = problem.problem_mark, problem.context_mark
    if opened is not None and "opened with" in message and opened.line != mark.line:
        message += f" (it begins in line {opened.line + 1})"
    return ConfigError(message, file=file, line=mark.line + 1, column=mark.column + 1)


def _neighbour_hint(path: Path) -> str:
    """A hint that names the file with the most similar name in the same folder."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return ""
    return nearest_hint(path.name, names)
