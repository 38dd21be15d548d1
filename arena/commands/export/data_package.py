"""A run as a package for an archive: its tables as Parquet, what every column means, how to cite it, and scripts that
compute the standings anew.

``datapackage.json`` follows Data Package 1.0 of Frictionless Data, with the unit of a column as ``unit``;
``CITATION.cff`` follows the Citation File Format 1.2.0.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from arena import __version__
from arena.storage.files.atomic_files import write_whole
from arena.storage.layout import MATCHES_FILE
from arena.storage.root_digest import root_of
from arena.storage.run_facts.facts import Facts
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import MATCHES_TABLE, Column, ColumnKind, Table
from arena.tournament.measures.measures import order_measures
from arena.tournament.standings.standings import Standings, fold_standings
from arena.tournament.standings.standings_text import standings_csv

FIELD_TYPES = {
    ColumnKind.WHOLE: "integer",
    ColumnKind.NUMBER: "number",
    ColumnKind.TRUTH: "boolean",
    ColumnKind.TEXT: "string",
    ColumnKind.WHOLES: "array",
    ColumnKind.TEXTS: "array",
    ColumnKind.TIME: "datetime",
    ColumnKind.DATA: "string",
}
SCRIPTS = {"standings.py": "standings.py.txt", "standings.R": "standings.R"}
"""The scripts of a package, and the files of arena from which they are copied."""
NOBODY_NAMED = "anonymous"


def write_package_files(
    folder: Path, out: Path, tables: Mapping[str, Table], written: Mapping[str, str], authors: Sequence[str]
) -> dict[str, str]:
    """Write what a package has besides the ``tables`` of the run in ``folder``, whose files are ``written`` already;
    return the paths of all files by name."""
    facts = FolderStore(folder).facts()
    root = root_of(folder / MATCHES_FILE).digest
    every = fold_standings(records_in_order(folder), tuple(facts.entrants), tuple(facts.editions), facts.measures)
    below = files("arena.commands.export") / "package_files"
    contents = {name: (below / source).read_bytes() for name, source in SCRIPTS.items()}
    contents["standings.csv"] = standings_csv(every).encode()
    contents["CITATION.cff"] = citation(facts, root, authors).encode()
    resources = [_table_resource(table, tables, Path(written[name])) for name, table in tables.items()]
    resources += [_file_resource(name, content) for name, content in contents.items()]
    package = {
        "profile": "data-package",
        "name": _plain_name(facts.tournament),
        "title": f"{facts.tournament}: matches of negotiation bots",
        "description": "The matches of a tournament of bots that negotiate. More: `arena docs tables`.",
        "contributors": [{"title": name, "role": "author"} for name in authors],
        "arena": {
            **run_facts(facts, root),
            "standings": {each.edition: _counting_rule(each, every, facts) for each in every},
        },
        "resources": resources,
    }
    contents["datapackage.json"] = (json.dumps(package, indent=2, ensure_ascii=False) + "\n").encode()
    for name, content in contents.items():
        write_whole(out / name, content)
    return {**written, **{name: str(out / name) for name in contents}}


def run_facts(facts: Facts, root: str) -> dict[str, Any]:
    """What is needed to name the run, and to play it again."""
    return {
        "version": facts.arena,
        "tournament": facts.tournament,
        "seed": facts.seed,
        "config_sha256": facts.config_sha256,
        "root_digest": root,
        "editions": facts.editions,
        "entrants": {
            name: {"sha256": each.get("sha256"), "options": each.get("options", {})}
            for name, each in facts.entrants.items()
        },
    }


def _counting_rule(standings: Standings, every: Sequence[Standings], facts: Facts) -> dict[str, Any]:
    """Which editions these standings count, and by which measures they are ordered; true: less is better."""
    editions = [standings.edition]
    if standings.edition not in facts.editions:  # those of a game, or of all together
        games = set(standings.games)
        editions = [each.edition for each in every if each.edition in facts.editions and games.issuperset(each.games)]
    order = [(each.name, each.less_is_better) for each in order_measures(standings.measures, standings.games)]
    return {"editions": editions, "one_game": len(standings.games) < 2, "order": order}


def _table_resource(table: Table, tables: Mapping[str, Table], path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    return {
        "name": table.name,
        "path": path.name,
        "profile": "data-resource",
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        **_size_and_digest(content),
        "schema": table_schema(table, tables),
    }


def _file_resource(name: str, content: bytes) -> dict[str, Any]:
    return {"name": _plain_name(name), "path": name, **_size_and_digest(content)}


def _size_and_digest(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "hash": f"sha256:{sha256(content).hexdigest()}"}


def table_schema(table: Table, tables: Mapping[str, Table]) -> dict[str, Any]:
    """The Table Schema of a table: its fields, its primary key, if its rows have one, and the keys of other ``tables``
    that it holds."""
    schema: dict[str, Any] = {"fields": [_field(each) for each in table.columns]}
    if len(key := _primary_key(table)) > 1 or table == MATCHES_TABLE:
        schema["primaryKey"] = key
    if table != MATCHES_TABLE:
        schema["foreignKeys"] = [_reference(["match"], MATCHES_TABLE)]
        for column in table.columns:
            target = _referred_table(column, table, tables)
            if target is not None:
                schema["foreignKeys"].append(_reference(["match", column.name], target))
    return schema


def _field(column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {"name": column.name, "type": FIELD_TYPES[column.kind]}
    if column.meaning.text:
        field["description"] = column.meaning.text
    if column.meaning.unit:
        field["unit"] = column.meaning.unit
    return field | {"constraints": {"required": not column.empty}}


def _primary_key(table: Table) -> list[str]:
    return [column.name for column in table.columns if column.meaning.key]


def _referred_table(column: Column, table: Table, tables: Mapping[str, Table]) -> Table | None:
    """The table in which the number in this column is the key of a row; None where it is that of no row, or not of one
    table alone."""
    of = column.meaning.of
    found = [each for each in tables.values() if of and of in (each.source or each.name) and _of_one_game(each, table)]
    return found[0] if len(found) == 1 and len(_primary_key(found[0])) == 2 else None


def _of_one_game(one: Table, other: Table) -> bool:
    return not one.games or one.games == other.games


def _reference(fields: Sequence[str], table: Table) -> dict[str, Any]:
    return {"fields": fields, "reference": {"resource": table.name, "fields": _primary_key(table)}}


def _plain_name(text: str) -> str:
    """The text in small letters, digits, '.', '-' and '_', as names in a data package are written."""
    return "".join(each if each.isascii() and (each.isalnum() or each in ".-_") else "-" for each in text.lower())


def citation(facts: Facts, root: str, authors: Sequence[str]) -> str:
    """The citation file of the package: the data, and as its references arena and the game."""
    data = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them, and arena, with which they were made.",
        "type": "dataset",
        "title": f"{facts.tournament}: matches of negotiation bots",
        "authors": [{"name": name} for name in authors or (NOBODY_NAMED,)],
        "identifiers": [{"type": "other", "value": f"sha256:{root}", "description": "root digest of all matches"}],
        "references": [
            {
                "type": "software",
                "title": "arena: tournaments of negotiation bots in I'm the Boss!",
                "authors": [{"name": "The arena founders"}],
                "version": facts.arena or __version__,
            },
            {
                "type": "generic",
                "title": "Kohle, Kies & Knete (I'm the Boss!)",
                "authors": [{"family-names": "Sackson", "given-names": "Sid"}],
                "publisher": {"name": "Schmidt Spiele"},
                "year": 1994,
            },
        ],
    }
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
