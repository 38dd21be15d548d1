"""Lays out the output of ``arena show``: line numbers in front, sentences that fit the terminal, seats, money and
faults in their colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

import click
from msgspec import UNSET

from arena.cli.output.terminal import format_table, on_terminal, terminal_width
from arena.recorded.ask_detail import AnswerKind, AskDetail
from arena.recorded.deal_stories import DealStories
from arena.recorded.story import Story, StoryLine
from arena.replay.replay_sentences import SentenceKind

SEAT_COLORS = (33, 208, 36, 175, 141, 142)
"""A colour for each seat, from the 256 of terminals: close to the blue, orange, bluish green and reddish purple of
Okabe and Ito, which colour-blind people can distinguish, and readable on black and on white. The seat's number stands
next to it."""
FAULT_COLOR = "red"
LEAST_COLUMNS = 24
"""A sentence gets at least this number of columns, however narrow the terminal is."""
LISTED_ANSWERS = 12
"""At most this number of legal answers is listed."""
LABEL_COLUMNS = 14
"""Width of the labels in front of what a seat saw."""
HARD_SPACE = "\N{NO-BREAK SPACE}"


def story_text(story: Story) -> str:
    """The story as lines of text, each with its line number in the file, its ask, and a sentence."""
    paint = StoryColors(story.entrants)
    return "".join([*_heading_lines(story.lines), *_number_lines(story.lines, paint)])


def _heading_lines(lines: Sequence[StoryLine]) -> list[str]:
    if not lines:
        return []
    return [click.style(" line   ask" if lines[0].seen is UNSET else " seen   ask", dim=True) + "\n"]


def _number_lines(lines: Iterable[StoryLine], paint: StoryColors) -> Iterable[str]:
    before: dict[bool, int | None] = {}  # of what bots printed, and of what the file has
    for each in lines:
        printed = each.kind is SentenceKind.PRINTED
        ask = "" if each.ask is None or each.ask == before.get(printed) else str(each.ask)
        before[printed] = before.get(printed) if each.ask is None else each.ask
        blank, line = "\n" if each.apart else "", "" if printed else each.number
        yield f"{blank}{line:>5} {ask:>5}  {paint.sentence(each.text, each.kind, 13)}\n"


def deals_text(found: DealStories) -> str:
    """A table with a row for each deal, or on a terminal too narrow for the table, a sentence for each. Amounts are
    never broken."""
    if not found.told:
        return "there was no deal\n"
    paint = StoryColors(found.entrants)
    for between in (HARD_SPACE, " "):  # names stay with their seats and amounts where the terminal has room for it
        rows = [[re.sub(r" (?=\(|-?\$)", between, cell) for cell in row] for row in found.told]
        cells = [found.headers, *rows]
        heading, *lines = format_table(cells, wrap=found.wide, look="plain", plain=True, whole=True).splitlines()
        if max(len(line.rstrip()) for line in [heading, *lines]) <= terminal_width():
            break
    else:
        if on_terminal():
            return "".join(
                f"{paint.sentence(_in_words(found.headers, row), SentenceKind.EVENT, 0)}\n" for row in found.told
            )
    told = [click.style(heading, dim=True), *map(paint.color_text, lines)]
    return "".join(f"{line.rstrip()}\n" for line in told).replace(HARD_SPACE, " ")


def _in_words(headers: Sequence[str], cells: Sequence[str]) -> str:
    """A row as a sentence."""
    return "; ".join(f"{header} {cell}" for header, cell in zip(headers, cells, strict=True)) + "."


class StoryColors:
    """Colours text by its seats; ``names`` are the bots by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        seats = "|".join(f"{re.escape(name)}[ {HARD_SPACE}]\\({seat}\\)" for seat, name in enumerate(names))
        self.seats = re.compile(rf"(?<!\w)(?:{seats})")
        self.marks = re.compile(rf"(?<!\w)(?:{seats})|-?\$\d+M?\b")

    def sentence(self, text: str, kind: SentenceKind, indent: int) -> str:
        """A sentence in colours, folded to the terminal; the lines after the first are indented by ``indent``
        columns."""
        return self.color_text(self.fold_text(text, indent), kind)

    def fold_text(self, text: str, indent: int) -> str:
        """The text folded to the terminal, or unchanged without a terminal. A name stays on one line with its seat."""
        if not on_terminal():
            return text
        own = len(text) - len(text.lstrip(" "))
        hard = self.seats.sub(lambda found: found[0].replace(" ", HARD_SPACE), text)
        width = max(terminal_width() - indent, LEAST_COLUMNS)
        lines = wrap(hard, width, subsequent_indent=" " * (own + 2), break_on_hyphens=False) or [""]
        return f"\n{' ' * indent}".join(lines).replace(HARD_SPACE, " ")

    def color_text(self, text: str, kind: SentenceKind = SentenceKind.EVENT) -> str:
        """The text with its seats, money and faults in their colours."""
        if kind is SentenceKind.FAULT:
            return click.style(text, fg=FAULT_COLOR)
        if kind in (SentenceKind.NOTE, SentenceKind.PRINTED):
            return click.style(text, dim=True)
        return self.marks.sub(self._mark, text)

    def _mark(self, found: re.Match[str]) -> str:
        if found[0].lstrip("-").startswith("$"):
            return click.style(found[0], bold=True)
        return click.style(found[0], fg=SEAT_COLORS[self._seat(found[0]) % len(SEAT_COLORS)])

    def _seat(self, named: str) -> int:
        return int(named.rpartition("(")[2].rstrip(")"))


def ask_text(found: AskDetail) -> str:
    """One ask: what its seat saw, what had happened, what was legal, what it answered, what came of it."""
    paint = StoryColors(found.entrants)
    parts = [
        *asked_parts(found, paint),
        section_title("It answers"),
        *answer_parts(found, paint),
        *_printed_lines(found, paint),
        section_title("Events of this phase"),
        *(_number_lines(found.came, paint) if found.came else ["  nothing\n"]),
    ]
    return "".join(parts)


def asked_parts(found: AskDetail, paint: StoryColors) -> Iterator[str]:
    """The parts of one ask before its answer."""
    who = f"{found.entrants[found.seat]} ({found.seat})"
    if found.seen is not UNSET:
        where = f"seen {found.seen}"
    else:
        where = "no line of the file" if found.line is None else f"#{found.line}"
    heading = f"Ask {found.ask} of {found.asks}: {who} is asked: {found.hook} ({where})."
    yield paint.sentence(heading, SentenceKind.EVENT, 0) + "\n"
    yield section_title("It sees")
    for saw in found.saw:
        yield paint.sentence(f"  {saw.name:<{LABEL_COLUMNS}}{saw.text}", SentenceKind.EVENT, LABEL_COLUMNS) + "\n"
    yield section_title(f"Since its ask {found.previous}" if found.previous else "Since the match began")
    yield from _number_lines(found.before, paint) if found.before else ["  no event that it could see\n"]
    yield section_title(_legal_heading(found))
    for each in found.options[:LISTED_ANSWERS]:
        yield paint.sentence(f"  {each}", SentenceKind.EVENT, 2) + "\n"
    if len(found.options) > LISTED_ANSWERS:
        yield f"  … and {len(found.options) - LISTED_ANSWERS} more (--json has all)\n"


def answer_parts(found: AskDetail, paint: StoryColors) -> Iterator[str]:
    """The lines of the answer."""
    for text, kind in _answer_sentences(found):
        yield paint.sentence(f"  {text}", kind, 2) + "\n"


def _printed_lines(found: AskDetail, paint: StoryColors) -> Iterable[str]:
    if found.printed:
        yield section_title("It printed")
    for each in found.printed:
        yield paint.sentence(f"  {each}", SentenceKind.PRINTED, 2) + "\n"


def section_title(title: str) -> str:
    """The title of what follows."""
    return "\n" + click.style(title, bold=True) + "\n"


def _legal_heading(found: AskDetail) -> str:
    selection = found.answer is AnswerKind.MOVE and found.move not in found.legal
    return f"Legal answers ({len(found.options)}{' that are listed, among others' if selection else ''})"


def _answer_sentences(found: AskDetail) -> Iterable[tuple[str, SentenceKind]]:
    match found.answer:
        case AnswerKind.NOTHING:
            yield f"{found.played}, or nothing at all, which has the same effect", SentenceKind.EVENT
        case AnswerKind.OUT:
            yield f"nothing, because it is out; its default: {found.played}", SentenceKind.EVENT
        case AnswerKind.FAULT:
            if found.replied:
                yield f"{found.replied} (refused)", SentenceKind.EVENT
            yield found.fault, SentenceKind.FAULT
            yield f"instead: {found.played}", SentenceKind.EVENT
        case AnswerKind.MOVE:
            yield found.played, SentenceKind.EVENT
    if found.say:
        yield f'and says: "{found.say}"', SentenceKind.SAID
    if found.note:
        yield f"and notes: {found.note}", SentenceKind.NOTE
