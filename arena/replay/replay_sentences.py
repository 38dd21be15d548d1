"""A line of a replay in sentences: for a spectator who sees everything, or as one seat knew it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from arena.games import load_game
from arena.games.contract import Event
from arena.penalties import SeatEnd
from arena.printable import printable_text
from arena.replay.lines import Answered, Faulted, Header, ModelCall, Result


class SentenceKind(StrEnum):
    """What a sentence is about."""

    MATCH = "match"
    EVENT = "event"
    SAID = "said"
    NOTE = "note"
    FAULT = "fault"
    RESULT = "result"
    PRINTED = "printed"


class Sentence(NamedTuple):
    """A sentence of some ``kind``. ``apart``: it begins something new. ``words`` are the words of a bot, said or
    noted."""

    kind: SentenceKind
    text: str
    apart: bool = False
    words: str = ""


class Sentences:
    """Puts the lines of a match, which must come in order, into sentences, with the entrants' ``names`` by seat."""

    def __init__(self, header: Header, rules: Any, names: Sequence[str]) -> None:
        game = load_game(header.game)
        self.header, self.names, self.unit = header, names, game.unit
        self._say = game.tell(rules, names)

    def line_sentences(self, line: Event, seat: int | None) -> Iterator[Sentence]:
        """The sentences for a line; with ``seat`` as that seat knew it, and none where it knew nothing of it. The same
        line may be passed again for another seat. Raises ValueError, LookupError or AssertionError for a line that
        cannot be put into words, such as one of a seat that the match does not have."""
        for kind, text, words in self._told(line, seat):
            plain = text.removeprefix("\n")
            yield Sentence(kind, printable_text(plain), plain != text, printable_text(words))

    def _told(self, line: Event, seat: int | None) -> Iterator[tuple[SentenceKind, str, str]]:
        names = self.names
        match line:
            case Header():
                bots = ", ".join(f"{name} ({number})" for number, name in enumerate(names))
                seed = f", seed {line.seed}" if seat is None else ""
                yield SentenceKind.MATCH, f"{line.edition}{seed}: {bots}.", ""
            case Answered():
                if line.say:
                    yield SentenceKind.SAID, f'  {names[line.seat]} ({line.seat}) says: "{line.say}"', line.say
                if line.note and seat in (None, line.seat):
                    yield SentenceKind.NOTE, f"  ({names[line.seat]} ({line.seat}) notes: {line.note})", line.note
            case ModelCall():
                return
            case Faulted():
                if seat in (None, line.seat):
                    yield SentenceKind.FAULT, f"  {fault_told(line, names)}", ""
            case Result():
                yield SentenceKind.RESULT, f"\nThe match is over: {line.termination}.", ""
                for each in sorted(line.seats, key=lambda result: result.rank):
                    ended = "" if each.ended is SeatEnd.PLAYED else f" ({each.ended})"
                    yield (
                        SentenceKind.RESULT,
                        f"{each.rank}. {each.entrant} {amount_told(each.money, self.unit)}{ended}",
                        "",
                    )
            case _:
                seen = line if seat is None else line.seen_by(seat)
                if seen is not None and (text := self._say(seen)):
                    yield SentenceKind.EVENT, text, ""


def amount_told(amount: float, unit: str) -> str:
    """An amount in a game's ``unit`` as text: 12 in ``$M`` is $12M."""
    return f"{unit[0]}{amount:g}{unit[1:]}" if isinstance(amount, float) else f"{unit[0]}{amount}{unit[1:]}"


def fault_told(line: Faulted, names: Sequence[str]) -> str:
    """A fault as a sentence."""
    out = ", and is out" if line.out else ""
    rule = f" [{line.rule}]" if line.rule else ""
    return f"{names[line.seat]} ({line.seat}) {line.hook}: {line.kind}{rule}: {line.evidence}{out}."
