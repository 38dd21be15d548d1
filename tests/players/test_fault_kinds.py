"""What kinds of faults mean stands in one table, which all that knows of kinds reads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import arena
from arena.commands.docs.schema import protocol_schema
from arena.commands.refeed.sentences import CODE_SENTENCES
from arena.match.feeding.answer_difference import FAULT_CODES, Likeness
from arena.penalties import FaultKind
from arena.protocol.reading import Garbled, read_answer, read_hello


def test_over_the_wire_a_bot_claims_the_claimable_faults_and_no_others() -> None:
    for kind in FaultKind:
        line = b'{"type":"fault","id":0,"kind":"%s"}' % kind.value.encode()
        for read in (read_hello, lambda line: read_answer(line, 0, None)):
            if kind.can_be_reported:
                read(line)
            else:
                with pytest.raises(Garbled, match=f"Invalid enum value '{kind}' - at `\\$.kind`"):
                    read(line)


def test_the_schema_of_the_wire_has_the_claimable_faults() -> None:
    schema = json.loads(protocol_schema())["$defs"]
    (kinds,) = (
        each["properties"]["kind"]["enum"]
        for each in schema.values()
        if {"evidence", "kind"} <= each.get("properties", {}).keys()
    )
    assert set(kinds) == {kind.value for kind in FaultKind if kind.can_be_reported}


def test_what_a_bot_claims_has_not_ended_its_process_for_certain() -> None:
    assert not any(kind.can_be_reported and kind.always_gone for kind in FaultKind)
    assert all(kind.may_be_gone and kind.ends_match for kind in FaultKind if kind.always_gone)


def test_every_kind_says_in_words_what_it_is() -> None:
    for kind in FaultKind:
        assert kind.traits.meaning.endswith(".")
        assert "{bot}" in kind.traits.happening


def test_every_kind_but_those_of_a_whole_match_is_a_likeness_and_is_told() -> None:
    assert {likeness.value for likeness in FAULT_CODES} == {
        kind.value for kind in FaultKind if not kind.traits.of_match
    }
    assert all(likeness.is_fault == (likeness in FAULT_CODES) for likeness in Likeness)
    assert CODE_SENTENCES.keys() == set(Likeness)


def _lists_kinds(text: str) -> bool:
    """Whether four kinds, quoted or as members, stand within some lines of each other."""
    named = [
        (found.start(), (found[1] or found[2]).lower())
        for found in re.finditer(r"[\"'`]([a-z]+)[\"'`]|FaultKind\.([A-Z]+)", text)
        if (found[1] or found[2]).lower() in {*FaultKind}
    ]
    return any(len({kind for at, kind in named if 0 <= at - begin < 400}) >= 4 for begin, _ in named)


def test_no_other_file_lists_kinds_of_faults() -> None:
    root = Path(arena.__file__).parent
    sources = [path for path in root.rglob("*") if path.suffix in (".py", ".js", ".html", ".css", ".md")]
    assert len(sources) > 500
    assert _lists_kinds("`late`, `dead`, 'broken', FaultKind.ILLEGAL")
    listing = {path.relative_to(root).as_posix() for path in sources if _lists_kinds(path.read_text(encoding="utf-8"))}
    finding_or_showing_some = {"isolation/worker/isolated_player.py", "docs/isolation.md"}
    assert listing == {"docs/bots.md", *finding_or_showing_some}
