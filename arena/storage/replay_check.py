"""Compares a replay of a run with its record, and with the manifest and the configuration."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.bot import Limits
from arena.errors import ReplayError
from arena.match.match_counts import counts_in
from arena.match.walk.verify import VerifyResult
from arena.penalties import FaultPolicy
from arena.replay.formats import limits_in
from arena.replay.lines import Header
from arena.replay.read import read_header
from arena.storage.record_check import counts_difference, match_difference, result_difference, result_in
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.settings import differences_line, setting_differences
from arena.tournament.records.match_record import MatchRecord


class RunFacts(NamedTuple):
    """What the replays of the run in ``folder`` are compared with: the manifest's facts and the configuration's
    settings."""

    folder: Path
    facts: Facts
    fault_policy: FaultPolicy
    strikes: int
    limits: Limits


def replay_problems(run: RunFacts, record: MatchRecord, content: bytes, verified: VerifyResult | None) -> list[str]:
    """In what the replay of a record of the run differs from the record and from the run; ``verified`` is what its
    verification gave, None where it failed."""
    found, its = list[str](), f": its replay {record.replay}"
    result = result_in(content)
    try:
        header = verified.header if verified else read_header(content.partition(b"\n")[0])
    except ReplayError:
        return found  # verification says what is wrong with it
    if result is None:
        return found
    if other := result_difference(record, result):
        found.append(f"{its} has another result: {other}")
    with suppress(ReplayError):  # verification says what is wrong with it
        if other := counts_difference(record, verified.counts if verified else counts_in(content)):
            found.append(f"{its} has other counts: {other}")
    if other := match_difference(record, header):
        found.append(f"{its} is of another match: {other}")
    if facts := header_differences(header, run.facts, run.fault_policy, run.strikes, run.limits):
        found.append(f"{its} is not of this run: {differences_line(facts, 'in the run', 'in the replay')}")
    return found


def header_differences(
    header: Header, facts: Facts, fault_policy: FaultPolicy, strikes: int, limits: Limits
) -> dict[str, tuple[str, str]]:
    """The fields in which a header differs from these facts and from the configuration's settings, among those on which
    nothing in the match depends: both values by field."""
    expected = {
        "format": facts.replay_format,
        "arena": facts.arena,
        "tournament": facts.tournament,
        "chance": facts.chance,
        "fault_policy": fault_policy,
        "strikes": strikes,
        "limits": msgspec.to_builtins(limits_in(facts.replay_format, limits)),
        "rules_sha256": facts.editions.get(header.edition, ""),
        "seats": [_manifest_bot(facts, seat.entrant) for seat in header.seats],
    }
    there = msgspec.to_builtins(msgspec.structs.replace(header, rules={}))
    there["seats"] = [{"bot": seat.bot, "sha256": seat.sha256, "options": dict(seat.options)} for seat in header.seats]
    return setting_differences(expected, {key: there[key] for key in expected})


def _manifest_bot(facts: Facts, entrant: str) -> dict[str, Any]:
    """The manifest's entry for an entrant's bot."""
    each = facts.entrants.get(entrant, {})
    return {name: each.get(name) for name in ("bot", "sha256", "options")}
