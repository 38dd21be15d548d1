"""Chooses the matches whose pages the report includes, and finds the faults and largest payments in their replays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Protocol

import msgspec

from arena.games import load_game
from arena.pages.html_table import EventPlace
from arena.recorded.replay_names import kept_replay
from arena.replay.lines import Faulted
from arena.replay.read import game_of, read_replay_lines, split_replay
from arena.storage.packs.replay_packs import replays_of
from arena.tournament.records.match_record import MatchRecord
from arena.web.report.figures.money_over_deals import money_by_deal
from arena.web.report.figures.notable_matches import Notable
from arena.web.report.sections.faults_section import FaultEvent
from arena.web.report.sections.matches_section import HeldMatch
from arena.web.viewer.game_page import game_page
from arena.web.viewer.moment import Jump

LISTED_FAULTS, MATCH_FAULTS, FAULTY_MATCHES = 150, 12, 40
"""The most faults that are listed: in all, of one match, and the most matches with listed faults."""


Viewer = Callable[[str], str]
"""Returns the address of a match in the viewer of a server, from the match's id."""


class PageMaker(Protocol):
    """Makes the page of a match from its replay; ``called`` is the replay's name on a command line."""

    def __call__(self, content: bytes, *, called: Sequence[str]) -> str: ...


@dataclass(slots=True)
class MatchChoice:
    """The choice: the matches ``held`` with their ``pages`` (none where a server shows them), and the listed
    ``faults``."""

    held: list[HeldMatch] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    faults: list[FaultEvent] = field(default_factory=list)


def choose_matches(
    folder: Path,
    faulty: Sequence[MatchRecord],
    notable: Sequence[tuple[Notable, MatchRecord]],
    most: int,
    page_of: PageMaker,
    viewer: Viewer | None = None,
) -> MatchChoice:
    """Choose at most ``most`` matches of the run in ``folder``, those with faults first; ``page_of`` makes the page of
    a replay. With a ``viewer``, all links lead there, and no pages are made. Raises ReplayError for a damaged
    replay."""
    chosen = MatchChoice()
    for at, record in enumerate(faulty[: max(FAULTY_MATCHES, most)]):
        content = _match_replay(folder, record)
        page = len(chosen.held) if len(chosen.held) < most else None
        found = list(_fault_events(folder, record, content, page, viewer))
        room = LISTED_FAULTS - len(chosen.faults)
        if at < FAULTY_MATCHES:
            chosen.faults += found[: min(MATCH_FAULTS, room)]
        if page is not None and found:
            chosen.pages += [page_of(content, called=(str(folder), record.id))] if viewer is None else []
            chosen.held.append(HeldMatch(record, _faults_told(found), found[0].place))
    held = {each.record.id for each in chosen.held}
    for largest, record in notable:
        if len(chosen.held) >= most:
            break
        if record.id in held:
            continue
        content = _match_replay(folder, record)
        place = _event_place(folder, record, _end_of(content, largest.deal), len(chosen.held), viewer)
        chosen.pages += [page_of(content, called=(str(folder), record.id))] if viewer is None else []
        chosen.held.append(HeldMatch(record, _payment_told(largest, record), place))
    return chosen


def _match_replay(folder: Path, record: MatchRecord) -> bytes:
    return kept_replay(replays_of(folder.absolute()).get, folder, record)


def _event_place(folder: Path, record: MatchRecord, event: int, page: int | None, viewer: Viewer | None) -> EventPlace:
    command = f"arena view {quote(str(folder))} {quote(record.id)} --at {event}"
    if viewer is None:
        return EventPlace(record.id, event, page, command)
    return EventPlace(record.id, event, None, command, f"{viewer(record.id)}#event={event}")


def _fault_events(
    folder: Path, record: MatchRecord, content: bytes, page: int | None, viewer: Viewer | None
) -> Iterator[FaultEvent]:
    """The faults of a match, in the order of the replay."""
    for number, line in enumerate(split_replay(content), 1):
        if not line.startswith(b'{"event":"fault"'):
            continue
        fault = msgspec.json.decode(line, type=Faulted)
        yield FaultEvent(
            place=_event_place(folder, record, number, page, viewer),
            edition=record.edition,
            entrant=record.seats[fault.seat].entrant,
            kind=fault.kind.value,
            hook=fault.hook,
            rule=fault.rule,
            evidence=fault.evidence,
        )


def _end_of(content: bytes, deal: int) -> int:
    """Return the line that ended the deal of this number (from 1); the first line if the game marks no ends."""
    header, lines = read_replay_lines(content)
    jumps = game_page(game_of(header)).jumps
    for place in () if jumps is None else jumps(list(enumerate(lines, 1))):
        if place.jump is Jump.DEAL and place.number == deal:
            return place.n
    return 1


def _faults_told(found: Sequence[FaultEvent]) -> str:
    by = dict.fromkeys(f"{each.entrant}: {each.kind}" for each in found)
    return f"{len(found)} {'fault' if len(found) == 1 else 'faults'} ({', '.join(by)})"


def _payment_told(largest: Notable, record: MatchRecord) -> str:
    unit = load_game(record.game).unit
    amount = f"{unit[:1]}{largest.amount}{unit[1:]}"
    by_deal = money_by_deal(record.game)
    assert by_deal is not None
    return f"{largest.payer} pays {largest.payee} {amount} in {by_deal.deal} {largest.deal}"
