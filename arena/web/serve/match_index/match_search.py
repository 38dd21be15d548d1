"""The search of a run's matches: the search that an address asks for, and the matches that it finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec
import numpy
from numpy.typing import NDArray

from arena.errors import cut_text, nearest_hint
from arena.penalties import FaultKind
from arena.tournament.records.match_record import MatchRecord
from arena.web.serve.match_index.index_columns import FAULT_BITS, PUT_OUT, IndexChunk, IndexColumns

PAGE_MATCHES = 50
"""How many matches one page lists."""
VOID_RESULT = "void"
"""The result that stands for matches that do not count, in place of a termination."""
MOST_BLOCK = 1 << 62
MOST_PAGE, MOST_DIGITS_READ = 10**9, 20
"""The greatest page number, and how many digits of a number are read."""
Mask = NDArray[numpy.bool_]


class FaultFilter(StrEnum):
    """Searches for faults other than those for one kind."""

    ANY = "any"
    PUT_OUT = "put-out"


class MatchOrder(StrEnum):
    """Which matches come first."""

    LAST = "last"
    FIRST = "first"


class MatchSearch(msgspec.Struct, frozen=True):
    """A search: for matches in which ``bot`` sat, and ``other`` too, which ``winner`` won, alone or with others, of
    this ``edition`` and ``block``, with a ``fault`` (of ``bot``, where one is named), with this ``result`` (a
    termination or :data:`VOID_RESULT`), of a ladder's ``round``. A bot without a version means all its versions. Empty
    fields do not restrict the search. ``page`` counts from 1."""

    bot: str = ""
    other: str = ""
    winner: str = ""
    edition: str = ""
    fault: str = ""
    result: str = ""
    block: str = ""
    round: str = ""
    order: str = ""
    page: int = 1

    @property
    def query_fields(self) -> dict[str, str]:
        """The fields of the search that are not empty, except the page."""
        told = {name: getattr(self, name) for name in self.__struct_fields__ if name != "page"}
        return {name: value for name, value in told.items() if value}


class SearchSource(Protocol):
    """A source of matches to search: ``columns`` has a row for each match, and ``records`` reads a match by the number
    of its row."""

    @property
    def columns(self) -> IndexColumns:
        """The matches that have been read."""

    def records(self, numbers: Sequence[int]) -> list[MatchRecord]:
        """The matches of these numbers."""


class SearchResult(msgspec.Struct):
    """The page's matches with their ``numbers``, the ``total`` found; ``problem`` says why none can be found."""

    matches: list[MatchRecord]
    total: int
    problem: str = ""
    numbers: list[int] = []

    @property
    def pages(self) -> int:
        """The number of pages."""
        return max(1, -(-self.total // PAGE_MATCHES))


def read_search(told: Mapping[str, str]) -> MatchSearch:
    """Return the search that an address asks for. Unknown keys are ignored."""
    fields = {
        name: told[name].strip()[:200] for name in MatchSearch.__struct_fields__ if name in told and name != "page"
    }
    page = told.get("page", "")
    number = min(int(page[:MOST_DIGITS_READ]), MOST_PAGE) if page.isascii() and page.isdigit() else 1
    return MatchSearch(**fields, page=max(1, number))


def problem_of(search: MatchSearch, bots: Sequence[str], editions: Sequence[str], results: Sequence[str]) -> str:
    """Say why no match can be found if the search names something that does not exist; empty otherwise."""
    for name in filter(None, (search.bot, search.other, search.winner)):
        if not bots_by_name(name, bots):
            return f"nobody called {cut_text(name)!r} has played{nearest_hint(name, bots)}"
    if search.edition and search.edition not in editions:
        return f"no edition {cut_text(search.edition)!r} was played{nearest_hint(search.edition, editions)}"
    kinds = [*FaultKind, *FaultFilter]
    if search.fault and search.fault not in kinds:
        return f"no kind of fault {cut_text(search.fault)!r}; there are {', '.join(kinds)}"
    if search.result and search.result not in (*results, VOID_RESULT):
        return f"no match ended with {cut_text(search.result)!r}{nearest_hint(search.result, results)}"
    if search.block and not (search.block.isascii() and search.block.isdigit() and int(search.block) < MOST_BLOCK):
        return f"block {cut_text(search.block)!r}: expected a number from 0"
    return ""


def bots_by_name(name: str, bots: Sequence[str]) -> list[int]:
    """Return the indices of the bot of this name, or of all its versions, such as ``haggler:3``."""
    own = [at for at, bot in enumerate(bots) if bot == name]
    return own or [at for at, bot in enumerate(bots) if bot.rpartition(":")[0] == name]


def search_matches(source: SearchSource, search: MatchSearch, span: tuple[int, int] | None = None) -> SearchResult:
    """Return the matches of the requested page; with a ``span`` only those with numbers from its first up to but
    without its second."""
    columns = source.columns
    names = list(columns.entrants), list(columns.editions), list(columns.terminations)
    if problem := problem_of(search, *names):
        return SearchResult([], 0, problem)
    chunks = list(columns.chunks())
    if search.order != MatchOrder.FIRST:
        chunks = chunks[::-1]
    first, total, starts = PAGE_MATCHES * (search.page - 1), 0, list[int]()
    for chunk in chunks:
        mask = _search_mask(chunk, columns, search)
        if span is not None:
            mask &= (chunk.start >= span[0]) & (chunk.start < span[1])
        rows = numpy.flatnonzero(mask)
        if search.order != MatchOrder.FIRST:
            rows = rows[::-1]
        skipped = max(0, first - total)
        if total < first + PAGE_MATCHES:
            starts += chunk.start[rows[skipped : skipped + PAGE_MATCHES - len(starts)]].tolist()
        total += len(rows)
    return SearchResult(source.records(starts), total, numbers=starts)


def find_one(source: SearchSource, id: str) -> MatchRecord | None:
    """The match with this id, the last one if there are several, as where it was played again."""
    number = hash(id)
    for chunk in reversed(list(source.columns.chunks())):
        for start in reversed(chunk.start[chunk.id == number].tolist()):
            (record,) = source.records([start])
            if record.id == id:
                return record
    return None


def _search_mask(chunk: IndexChunk, columns: IndexColumns, search: MatchSearch) -> Mask:
    """Return which matches of the chunk the search finds."""
    found = numpy.ones(chunk.matches, dtype=numpy.bool_)
    for condition in _search_conditions(chunk, columns, search):
        found &= condition
    return found


def _search_conditions(chunk: IndexChunk, columns: IndexColumns, search: MatchSearch) -> Iterator[Mask]:
    if search.edition:
        yield chunk.edition == columns.editions[search.edition]
    if search.block:
        yield chunk.block == int(search.block)
    if search.result:
        yield chunk.void if search.result == VOID_RESULT else chunk.termination == columns.terminations[search.result]
    sat = [_bot_seats(chunk, columns, name) for name in (search.bot, search.other) if name]
    for each in sat:
        yield numpy.any(each, axis=1)
    if search.winner:
        yield (_bot_seats(chunk, columns, search.winner) & (chunk.ranks == 1)).any(axis=1)
    if search.fault:
        faulted = (chunk.faults & _fault_bits(search.fault)) != 0
        yield (faulted & sat[0] if search.bot else faulted).any(axis=1)


def _bot_seats(chunk: IndexChunk, columns: IndexColumns, name: str) -> Mask:
    """In which seats of which matches the bot sat."""
    numbers = bots_by_name(name, list(columns.entrants))
    return chunk.entrants == numbers[0] if len(numbers) == 1 else numpy.isin(chunk.entrants, numbers)


def _fault_bits(fault: str) -> int:
    match fault:
        case FaultFilter.ANY:
            return (PUT_OUT << 1) - 1
        case FaultFilter.PUT_OUT:
            return PUT_OUT
    return FAULT_BITS[FaultKind(fault)]
