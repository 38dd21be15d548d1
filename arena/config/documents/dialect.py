"""The YAML that arena reads and writes: YAML 1.2's plain scalars, without those that are easily misread.

One table says what an unquoted word means. The reader interprets words by it, and the writer quotes text that the table
would take for something else. Differences from YAML 1.1, PyYAML's default: ``1e3`` is a number; ``2026-11-20`` and
``12:30`` are text; ``yes``, ``no``, ``on``, ``off``, numbers with leading zeros and the merge key ``<<`` are marked, so
that the reader can refuse them.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

TAG_PREFIX = "tag:yaml.org,2002:"
NULL, BOOL, INT, FLOAT, TEXT = (TAG_PREFIX + name for name in ("null", "bool", "int", "float", "str"))
TOO_MANY = "too many values"
SEQUENCE, MAPPING = TAG_PREFIX + "seq", TAG_PREFIX + "map"
YES_NO, LEADING_ZERO, MERGE = "!yes-no", "!leading-zero", "!merge"

_FIRST_OF_NUMBER = list("-+.0123456789")
_RESOLVER_WORDS: list[tuple[str, str, list[str]]] = [
    (NULL, r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    (BOOL, r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    (YES_NO, r"yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF", list("yYnNoO")),
    (LEADING_ZERO, r"[-+]?0[0-9_]+", list("-+0")),
    (INT, r"[-+]?(?:0|[1-9][0-9_]*)|0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+", _FIRST_OF_NUMBER),
    (FLOAT, r"[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", _FIRST_OF_NUMBER),
    (FLOAT, r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", list("-+.")),
    (MERGE, r"<<", ["<"]),
]


MOST_NODES = 200_000
"""The maximum number of nodes of a document, including keys; larger documents are refused."""


class YamlReader(yaml.SafeLoader):
    """Composes nodes with tags from the table, but constructs no Python objects."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's name; its own table is left out
    _nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """See PyYAML. Raises MarkedYAMLError for too many nodes."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise yaml.MarkedYAMLError(problem=TOO_MANY, problem_mark=self.get_mark())
        return super().compose_node(parent, index)


class YamlWriter(yaml.SafeDumper):
    """Quotes text that the table would take for something else; never writes anchors."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as above

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def text(self, data: str) -> yaml.ScalarNode:
        """Text with line breaks or unprintable characters goes in double quotes: PyYAML folds some of them."""
        return self.represent_scalar(TEXT, data, style=None if data.isprintable() else '"')


YamlWriter.add_representer(str, YamlWriter.text)
for _tag, _pattern, _first in _RESOLVER_WORDS:
    _whole = re.compile(rf"(?:{_pattern})\Z")
    YamlReader.add_implicit_resolver(_tag, _whole, _first)
    YamlWriter.add_implicit_resolver(_tag, _whole, _first)


def dump_yaml(data: Any) -> str:
    """``data`` (mappings, lists, text, numbers, booleans, None) as YAML, the same text for the same data.

    Keys keep their order. :func:`arena.config.documents.yamlfile.parse_yaml` gives equal data back, except that tuples
    become lists; NaN and infinities are written, and refused when read.
    """
    text: str = yaml.dump(
        data, Dumper=YamlWriter, sort_keys=False, allow_unicode=True, width=100, default_flow_style=False
    )
    return text
