"""Editions: rules files that name a parent and their differences, resolved into a game's typed rules.

A rules file holds the keys of its game's rules and, beside them, ``parent`` (a bundled name, or a file next to it),
``abstract: true`` (only a parent, cannot be played), ``variants`` (named differences that users may choose).
Differences merge as RFC 7396 says: mappings key by key, null removes, everything else replaces.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from arena.config.documents.document import Document, child_path
from arena.config.documents.expected_types import describe_value
from arena.config.documents.patch import merge_patch, set_key
from arena.config.documents.typed_yaml import convert_document
from arena.config.documents.yamlfile import read_yaml
from arena.errors import ConfigError, UserError, cut_text, nearest_hint
from arena.games import import_game, load_game
from arena.games.canonical_rules import canonical_rules, rules_digest
from arena.games.contract import Game
from arena.resources import bundled_folder

MOST_PARENTS = 16
"""The maximum length of a chain of parents."""
NAME_LENGTH, LABEL_LENGTH = 60, 200
"""The maximum length of an edition's name, and of the name with its variants: both name folders."""


class Edition(msgspec.Struct, frozen=True):
    """A resolved edition.

    ``label`` is the rules' name with ``+variant`` for each variant chosen; ``rules`` are the game's typed
    rules; ``data`` the same as plain data in the canonical form (:mod:`arena.games.canonical_rules`); ``digest`` its
    SHA-256 (hex).
    """

    label: str
    game: str
    rules: Any
    data: dict[str, Any]
    digest: str

    @property
    def every_key(self) -> dict[str, Any]:
        """The rules as plain data with all their keys, including those that the canonical form leaves out."""
        plain: dict[str, Any] = msgspec.to_builtins(self.rules, order="deterministic", str_keys=True)
        return plain

    @property
    def file_data(self) -> dict[str, Any]:
        """The rules as plain data for a rules file of their own."""
        plain: dict[str, Any] = msgspec.to_builtins(self.rules)
        return plain

    @property
    def seats(self) -> range:
        """The numbers of players that the edition allows."""
        return load_game(self.game).seats(self.rules)


class EditionSource(msgspec.Struct, frozen=True):
    """An edition's file merged with its parents, before variants and changes are applied."""

    document: Document
    chain: tuple[str, ...]

    @property
    def variants(self) -> dict[str, dict[str, Any]]:
        """The variants this edition offers, by name."""
        found: dict[str, dict[str, Any]] = self.document.data.get("variants") or {}
        return found

    @property
    def abstract(self) -> bool:
        """Whether this file is only a parent and cannot be played."""
        return bool(self.document.data.get("abstract"))


def bundled_rules() -> dict[str, Path]:
    """The rules files bundled with arena, by name."""
    return {path.stem: path for path in sorted(bundled_folder("configs/rules").glob("*.yaml"))}


def find_rules(name: str, near: Path | None = None) -> Path:
    """The path of the rules file ``name``: a path if it ends in .yaml or .yml, else a bundled name. ``near`` is the
    folder in which relative paths and parents are looked up first. Raises UserError, which suggests the nearest
    name."""
    if name.endswith((".yaml", ".yml")):
        beside = near / name if near is not None else Path(name)
        return beside if os.path.isfile(beside) else Path(name)
    if near is not None and os.path.isfile(near / f"{name}.yaml"):
        return near / f"{name}.yaml"
    known = bundled_rules()
    if name in known:
        return known[name]
    playable = [each for each in known if not load_source(each).abstract]
    offered = f"there are {', '.join(playable)}, or a .yaml file"
    raise UserError(f"no rules called {cut_text(name)!r}{nearest_hint(name, known)}; {offered}")


def load_source(name: str) -> EditionSource:
    """The rules file ``name`` merged with its parents. Raises ConfigError or UserError."""
    path = find_rules(name)
    documents = [read_yaml(path)]
    seen = [os.path.realpath(path)]
    while isinstance(documents[-1].data, dict) and (parent := documents[-1].data.get("parent")) is not None:
        if not isinstance(parent, str):
            raise documents[-1].error("parent", f"expected the name of rules or a file, got {parent!r}")
        try:
            path = find_rules(parent, Path(documents[-1].file).parent)
            document = read_yaml(path)
        except UserError as problem:
            raise documents[-1].error("parent", str(problem)) from None
        if os.path.realpath(path) in seen:
            raise documents[-1].error("parent", f"{parent} is a parent of itself")
        if len(documents) > MOST_PARENTS:
            raise documents[-1].error(
                "parent", f"more than {MOST_PARENTS} parents, one above the other; merge some of them"
            )
        seen.append(os.path.realpath(path))
        documents.append(document)
    return EditionSource(_merge_documents(documents), tuple(document.file for document in documents))


def _merge_documents(documents: list[Document]) -> Document:
    """The first document merged over its parents; each value's place is in the file that wrote it."""
    for document in documents:
        if not isinstance(document.data, dict):
            raise document.error("", "expected a mapping of rules")
    data: Any = documents[-1].data
    name = documents[0].data.get("name", Path(documents[0].file).stem)
    values, keys = dict(documents[-1].values), dict(documents[-1].keys)
    for document in reversed(documents[:-1]):
        own = {key: value for key, value in document.data.items() if key != "parent"}
        inherited = {key: value for key, value in data.items() if key != "abstract"}
        data = merge_patch(inherited, own)
        values |= document.values
        keys |= document.keys
    document = Document(documents[0].file, {**data, "name": name}, values, keys)
    _check_own_keys(document)
    return document


def _check_own_keys(document: Document) -> None:
    """Check the keys of a rules file that do not belong to the game's rules."""
    name, abstract, variants = (document.data.get(key) for key in ("name", "abstract", "variants"))
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise document.error("name", f"expected letters, digits, '.', '_' and '-', got {describe_value(name)}")
    if len(name) > NAME_LENGTH:
        raise document.error("name", f"expected a name of at most {NAME_LENGTH} characters, got {len(name)}")
    if not isinstance(abstract, bool | None):
        raise document.error("abstract", f"expected true or false, got {describe_value(abstract)}")
    if not isinstance(variants, dict | None):
        raise document.error("variants", f"expected a mapping of names to differences, got {describe_value(variants)}")
    for variant, difference in (variants or {}).items():
        place = child_path("variants", variant)
        if not isinstance(variant, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", variant):
            message = f"expected a name of letters, digits, '.', '_' and '-', got {describe_value(variant)}"
            raise document.error(place, message, of_key=True)
        if len(variant) > NAME_LENGTH:
            message = f"expected a name of at most {NAME_LENGTH} characters, got {len(variant)}"
            raise document.error(place, message, of_key=True)
        if not isinstance(difference, dict):
            raise document.error(place, f"expected a mapping of differences, got {describe_value(difference)}")


def load_edition(
    name: str, variants: Iterable[str] = (), changes: Mapping[str, Any] | None = None, recorded: bool = False
) -> Edition:
    """The edition ``name`` with ``variants`` and single ``changes`` (a merge patch) applied, checked. A ``recorded``
    edition, from the folder of a run, makes arena import no game.

    Raises ConfigError with file, line and key for a mistake in a file, UserError for a wrong variant.
    """
    source = load_source(name)
    return resolve_edition(source, variants, changes, recorded=recorded)


def resolve_edition(
    source: EditionSource,
    variants: Iterable[str] = (),
    changes: Mapping[str, Any] | None = None,
    settings: Iterable[str] = (),
    recorded: bool = False,
) -> Edition:
    """The edition of ``source`` with variants, a merge patch and ``key=value`` settings applied, in this order."""
    document = source.document
    base = document.data.get("name", Path(document.file).stem)
    if source.abstract:
        raise document.error("abstract", f"{base} is abstract: it can only be a parent; choose another edition")
    label = str(base)
    for variant in variants:
        if variant not in source.variants:
            offered = f"; it offers {', '.join(source.variants)}" if source.variants else "; it offers none"
            raise UserError(f"{base} has no variant {variant!r}{nearest_hint(variant, source.variants)}{offered}")
        label += f"+{variant}"
        document = document.with_data(merge_patch(document.data, source.variants[variant]))
    if changes:
        document = document.with_data(merge_patch(document.data, dict(changes)))
        label += f"+{_changes_name(changes)}"
    for setting in settings:
        before = document.data
        document = set_key(document, setting, "--rule")
        if document.data != before:
            plain = re.fullmatch(r"[\w=]{1,60}", setting)
            label += f"+{setting}" if plain else f"+{_changes_name(setting)}"
    if len(label) > LABEL_LENGTH:
        raise UserError(
            f"{label[:40]}… has a label of {len(label)} characters, which is too long for names of folders (at most "
            f"{LABEL_LENGTH}); write a rules file with these changes and a 'name' of its own"
        )
    return _typed_edition(document, label, recorded)


def _changes_name(changes: Any) -> str:
    """A short name for single changes: their hash."""
    plain = msgspec.to_builtins(changes, str_keys=True)
    return "set-" + sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()[:8]


def _typed_edition(document: Document, label: str, recorded: bool) -> Edition:
    data = {key: value for key, value in document.data.items() if key not in ("parent", "abstract", "variants")}
    document = document.with_data(merge_patch({}, data))  # null removes a key at any depth
    game = _document_game(document, recorded)
    rules = convert_document(document, game.rules_type)
    for problem in game.check_rules(rules):
        key, _, message = problem.partition(": ")
        error = document.error(key, message) if message else document.error("", problem)
        if error.file != document.file and error.file.endswith((".yaml", ".yml")):  # not a parent's mistake
            error = ConfigError(message or problem, file=document.file, key=key if message else "")
        raise error
    canonical = canonical_rules(rules)
    return Edition(label, game.name, rules, canonical, rules_digest(canonical))


def _document_game(document: Document, recorded: bool) -> Game:
    name = document.data.get("game")
    if not isinstance(name, str):
        raise document.error("game", "expected the name of a game")
    try:
        return load_game(name) if recorded else import_game(name)
    except UserError as problem:
        raise document.error("game", str(problem)) from None
