"""Makes the report of a run from its folder, in one pass over its matches and one over its replays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import NamedTuple
from urllib.parse import quote as quoted

import msgspec

from arena.analysis.replay_pass import PassResult, gather_from_replays
from arena.analysis.run_ledger import ledger_from
from arena.analysis.run_ratings import rate_runs
from arena.errors import UserError
from arena.ledger.ledger_fold import DealLedger, GameLedger
from arena.match.work import NO_CLOCK, SeatTiming
from arena.pages.page import render_page
from arena.ratings.rate import RatingOptions, Ratings
from arena.runs.models.model_costs import model_costs
from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.layout import read_records
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Standings, fold_standings
from arena.web.report.figures.asking_time import thinking_of
from arena.web.report.figures.notable_matches import Notable
from arena.web.report.page_choice import MatchChoice, choose_matches
from arena.web.report.report_pass import ReportSums
from arena.web.report.sections.distinction_section import apart_section
from arena.web.report.sections.faults_section import faults_section
from arena.web.report.sections.head import PlayedEntrant, ReportSubject
from arena.web.report.sections.lead_section import lead_section
from arena.web.report.sections.ledger_section import Scope, ledger_section
from arena.web.report.sections.matches_section import matches_section
from arena.web.report.sections.models_section import models_section
from arena.web.report.sections.money_section import money_section
from arena.web.report.sections.pairs_section import MAP_ENTRANTS, crosstable_section, superiority_section
from arena.web.report.sections.report_page import RunReport, report_as_page
from arena.web.report.sections.report_parts import ReportSection
from arena.web.report.sections.seats_section import seats_section
from arena.web.report.sections.standings_section import standings_section
from arena.web.report.sections.time_section import time_section
from arena.web.report.timings import TimingsReader
from arena.web.viewer.write_page import write_match_page

MATCHES_HELD = 12
"""How many pages of matches a report includes by default."""
Tell = Callable[[int], object]


def write_report(
    folder: Path,
    out: Path,
    matches: int = MATCHES_HELD,
    jobs: int = 1,
    tell: Tell = lambda matches: None,
) -> int:
    """Write the report of the run in ``folder`` to the file ``out``; return its size in bytes. Raises as
    :func:`report_page` does, and UserError where no file can be written there."""
    check_place(out, "--out")
    content = report_page(folder, jobs, tell, matches).encode()
    write_whole(out, content)
    return len(content)


class _ReadRun(NamedTuple):
    """The data of a run that its report needs."""

    folder: Path
    store: FolderStore
    facts: Facts
    reading: TimingsReader
    standings: Sequence[Standings]


def report_page(
    folder: Path,
    jobs: int = 1,
    tell: Tell = lambda matches: None,
    matches: int = MATCHES_HELD,
    served: str = "",
) -> str:
    """Return the report of the run in ``folder``, finished or not, as one HTML page that needs no other file. It
    includes the pages of at most ``matches`` matches. ``jobs`` processes read the run; ``tell`` receives the number of
    matches that were read since its last call. The same run gives the same page. ``served`` is the address of the run's
    page on a server (``/run/NAME``), if there is one: then links to events lead to the server's viewer, and no page of
    a match is included.

    Raises UserError for a folder without a run, ReplayError for a damaged replay."""
    store = FolderStore(folder)
    facts, reading = store.facts(), TimingsReader()
    standings = fold_standings(
        reading.count_through(records_in_order(folder)), tuple(facts.entrants), tuple(facts.editions), facts.measures
    )
    gathered = _gather_sums(folder, reading, jobs, tell)
    sums = None if gathered is None else gathered.found
    ledger = None if gathered is None else ledger_from(facts, gathered.found.bargaining, gathered)
    viewer = partial(_viewer_address, served) if served else None
    notable = _with_records(folder, sums, matches)
    chosen = choose_matches(folder, reading.faulty_matches, notable, matches, write_match_page, viewer)
    entrants = list(dict.fromkeys([*facts.entrants, *(row.entrant for each in standings for row in each.rows)]))
    read = _ReadRun(folder, store, facts, reading, standings)
    report = RunReport(
        played=_report_subject(read),
        sections=_report_sections(read, sums, ledger, chosen, entrants),
        editions=[each.edition for each in standings],
        entrants=entrants,
        pages=chosen.pages,
        back=served,
    )
    return render_page(report_as_page(report))


def _viewer_address(served: str, id: str) -> str:
    """The address of a match in the viewer of the server on which the run has the address ``served``."""
    return f"{served}/view/{quoted(id)}"


def _gather_sums(folder: Path, reading: TimingsReader, jobs: int, tell: Tell) -> PassResult[ReportSums] | None:
    """Add up the replays; None where there are none."""
    if reading.without_replay == reading.matches:
        return None
    return gather_from_replays(folder, ReportSums, jobs, tell)


def _with_records(folder: Path, sums: ReportSums | None, most: int) -> list[tuple[Notable, MatchRecord]]:
    """Return the matches with the largest payments and their records: as many as the report may include."""
    wanted = [] if sums is None else sums.largest.in_turn()[:most]
    ids = {each.id for each in wanted}
    found = {record.id: record for record in read_records(folder) if record.id in ids} if ids else {}
    return [(each, found[each.id]) for each in wanted]


def _report_sections(
    read: _ReadRun,
    sums: ReportSums | None,
    ledger: DealLedger | None,
    chosen: MatchChoice,
    entrants: Sequence[str],
) -> list[ReportSection]:
    folder, store, facts, reading, standings = read
    numbers = {name: number for number, name in enumerate(entrants)}
    lacking = _lacking_notes(reading)
    counts = reading.faults.by_entrant()
    faults = sum(sum(of.values()) for of in counts.values())
    ratings, why_not = _rate_entrants(folder)
    limits = facts.settings.get("limits", {})
    ledgers = _ledger_scopes(ledger, standings, reading.games, len(numbers))
    costs = model_costs(store)
    return [
        lead_section(standings, ledgers, numbers),
        standings_section(standings, numbers),
        *([] if costs is None else [models_section(costs, numbers)]),
        apart_section(ledgers, numbers, lacking),
        crosstable_section(standings, numbers),
        superiority_section(ratings, why_not, numbers),
        money_section(standings, None if sums is None else sums.money, reading.games, numbers, lacking),
        *(_game_section(folder, *each, numbers, lacking) for each in ledgers),
        *([] if ledgers else [_no_ledger(lacking)]),
        seats_section(standings),
        time_section(thinking_of(_match_timings(store, reading)), numbers, _optional_number(limits.get("ask"))),
        faults_section(counts, chosen.faults, faults - len(chosen.faults), numbers),
        matches_section(
            chosen.held, str(folder), "" if chosen.held else (lacking or ["This file contains no matches."])[0]
        ),
    ]


def _ledger_scopes(
    ledger: DealLedger | None, standings: Sequence[Standings], games: Mapping[str, str], entrants: int
) -> list[tuple[GameLedger, list[Scope]]]:
    """Return the deal ledger of each game with its scopes. In a run of many entrants the only scope is all editions of
    the game together, because the page would become too large."""
    found = []
    for game, of in ({} if ledger is None else ledger.games).items():
        own = [each for each in standings if each.games == (game,)]
        scopes = [
            Scope(each.edition, _standings_edition(each, games), [row.entrant for row in each.rows]) for each in own
        ]
        if entrants > MAP_ENTRANTS and len(scopes) > 1:
            scopes = [each for each in scopes if not each.edition]
        found.append((of, scopes))
    return found


def _game_section(
    folder: Path, ledger: GameLedger, scopes: Sequence[Scope], numbers: Mapping[str, int], lacking: Sequence[str]
) -> ReportSection:
    """Return the section on the deal ledger of one game."""
    together = len(numbers) > MAP_ENTRANTS and not any(each.edition for each in scopes)
    told = ["With so many entrants, all editions are shown together; the command separates them."]
    command = f"arena ledger {quote(str(folder))} --csv"
    return ledger_section(ledger, scopes, numbers, command, [*lacking, *(told if together else [])])


def _no_ledger(lacking: Sequence[str]) -> ReportSection:
    return ReportSection(id="ledger", title="How bots bargain", missing=lacking or ["Nothing was bargained yet."])


def _standings_edition(standings: Standings, games: Mapping[str, str]) -> str:
    """Return the edition of these standings; "" where they cover all editions of a game."""
    return standings.edition if standings.edition in games else ""


def _match_timings(store: FolderStore, reading: TimingsReader) -> list[tuple[SeatTiming, ...]]:
    """Return the times of measured matches that count, sorted by match id: in an unfinished run the file has them in
    the order in which they finished."""
    void = set(reading.void_ids)
    last = {each.id: each.seats for each in store.timings() if each.clock != NO_CLOCK and each.id not in void}
    return [last[id] for id in sorted(last)]


def _optional_number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _rate_entrants(folder: Path) -> tuple[Ratings | None, str]:
    """Return the ratings, or the reason why there are none."""
    try:
        return rate_runs([folder], RatingOptions()), ""
    except UserError as problem:
        return None, f"No ratings: {problem}."


def _lacking_notes(reading: TimingsReader) -> list[str]:
    """Return sentences on what the report leaves out because replays are missing."""
    if not reading.without_replay:
        return []
    if reading.without_replay == reading.matches:
        return ["No replays were kept, so sections that need them are missing. Play with `replays: all`."]
    return [f"{reading.without_replay:,} of {reading.matches:,} matches have no replay and are not counted here."]


def _report_subject(read: _ReadRun) -> ReportSubject:
    folder, store, facts, reading, standings = read
    manifest, provenance = store.manifest_data(), store.provenance()
    where = quote(str(folder))
    return ReportSubject(
        tournament=facts.tournament,
        seed=facts.seed,
        folder=str(folder),
        state=_state_text(store.state()),
        finished=reading.matches,
        planned=facts.matches,
        voids=reading.voids,
        blocks=max((each.blocks for each in standings), default=0),
        seats=_seats_text(facts.settings),
        editions=facts.editions,
        entrants=[_played_entrant(name, each, provenance.labels.get(name)) for name, each in facts.entrants.items()],
        started=str(manifest.get("started", "")),
        ended=str(manifest.get("ended", "")),
        arena=facts.arena,
        command=facts.command,
        again=[f"arena run {where}/config.resolved.yaml", f"arena verify {where}"],
        root=provenance.root,
        notes=_report_notes(store, facts, reading),
    )


def _state_text(state: RunState) -> str:
    told = {
        RunState.COMPLETE: "A complete run of",
        RunState.STOPPED: "A run that was stopped after",
        RunState.INCOMPLETE: "A run in which some matches could not be played, with",
        RunState.RUNNING: "A run that is being played or was killed, with",
    }
    return told[state]


def _seats_text(settings: Mapping[str, object]) -> str:
    seats = settings.get("seats")
    return f"{' and '.join(map(str, seats))} seats" if isinstance(seats, list) and seats else ""


def _played_entrant(name: str, told: Mapping[str, object], label: object) -> PlayedEntrant:
    options = told.get("options") or {}
    return PlayedEntrant(
        name=name,
        bot=str(told.get("bot", "")),
        sha256=str(told.get("sha256", "")),
        options=msgspec.json.encode(options).decode() if options else "",
        team=str(told.get("team", "")),
        label="" if label is None else str(getattr(label, "label", "")),
    )


def _report_notes(store: FolderStore, facts: Facts, reading: TimingsReader) -> list[str]:
    """Return what a reader must know before reading any figure."""
    notes = []
    if facts.share:
        notes.append(
            f"These are only the matches of share {facts.share}: figures will change when all shares are merged."
        )
    elif store.state() is not RunState.COMPLETE:
        missing = facts.matches - reading.matches
        notes.append(f"Provisional: {missing:,} matches are missing, and figures will change with them.")
    if facts.skipped:
        told = "; ".join(f"{name}: {why}" for name, why in facts.skipped.items())
        notes.append(f"Entrants that were left out: {told}.")
    if suspended := store.manifest_data().get("suspended"):
        notes.append(f"Suspended for their faults: {', '.join(suspended)}.")
    if not reading.matches:
        notes.append("No match is finished yet.")
    return notes
