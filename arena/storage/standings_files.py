"""The standings files of a run, made from its records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from arena.errors import one_line_message
from arena.storage.files.atomic_files import write_whole
from arena.storage.run_facts.facts import Facts
from arena.storage.run_facts.recorded_schedule import roster_of_facts
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.records.suspension import Suspension, suspension_words
from arena.tournament.schedule.schedule import Schedule
from arena.tournament.standings import breakdown, placings, standings_text
from arena.tournament.standings.provenance import Provenance
from arena.tournament.standings.standings import Standings
from arena.tournament.tables.table_text import as_written


def standings_files(
    facts: Facts,
    standings: Sequence[Standings],
    provenance: Provenance,
    suspended: Mapping[str, int],
    schedule: Schedule | None = None,
) -> dict[str, bytes]:
    """The standings files of a run by name. ``suspended`` gives, for each suspended entrant, the first block that it
    does not play. For a knockout, the ``schedule``, which has been given all results, says who went out when."""
    names = tuple(facts.entrants)
    decided = placings.elimination_words(schedule, names) if schedule is not None else []
    absent = [f"Provisional: only the matches of share {facts.share}."] if facts.share else []
    absent += [f"Not admitted: {name}: {one_line_message(why)}" for name, why in facts.skipped.items()]
    absent += [f"Suspended: {told}" for told in suspension_words(suspended, facts.suspend_after)]
    remarks = "".join(f"\n{as_written(each)}\n" for each in [*decided, *absent, *provenance.in_words()])
    data = json.dumps(standings_text.standings_data(standings, provenance), ensure_ascii=False)
    data = msgspec.json.format(data, indent=2) + "\n"  # json.dumps takes long to indent
    markdown = "\n".join(f"## {each.edition}\n\n{standings_text.standings_markdown(each)}" for each in standings)
    texts = {
        "standings.json": data,
        "standings.csv": standings_text.standings_csv(standings, provenance),
        "standings.md": f"# {as_written(facts.tournament)}\n\n{markdown}{remarks}",
        "crosstable.csv": breakdown.crosstable_csv(standings),
        "seats.csv": breakdown.seats_csv(standings),
    }
    if schedule is not None and decided:
        texts["placings.csv"] = placings.placings_csv(schedule.placings(), names)
    return {name: text.encode() for name, text in texts.items()}


def write_standings(
    folder: Path,
    facts: Facts,
    records: Callable[[], Iterable[MatchRecord]],
    standings: Sequence[Standings],
    provenance: Provenance,
) -> None:
    """Write the standings files of the run in ``folder``; every call of ``records`` gives all its matches."""
    suspended = suspension_in(facts, records()).first_blocks(facts.blocks)
    schedule = schedule_in(facts, records())
    for name, content in standings_files(facts, standings, provenance, suspended, schedule).items():
        write_whole(folder / name, content)


def schedule_in(facts: Facts, records: Iterable[MatchRecord]) -> Schedule | None:
    """The schedule of a run whose format depends on results, with its results; None for other formats, where the
    records are not read."""
    if not facts.looks_back:
        return None
    schedule = roster_of_facts(facts, facts.settings, "manifest.json").schedule
    schedule.learn(records)
    return schedule


def suspension_in(facts: Facts, records: Iterable[MatchRecord]) -> Suspension:
    """The suspensions in a run, by its records. The records are not read where the run suspends nobody."""
    suspension = Suspension(facts.suspend_after)
    if facts.suspend_after is not None:
        for record in records:
            suspension.add_record(record)
    return suspension
