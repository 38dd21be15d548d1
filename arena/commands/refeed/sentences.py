"""The results of asks put to a bot again, in words."""

from __future__ import annotations

import msgspec

from arena.commands.refeed.refeed import RefeedResult
from arena.commands.refeed.results import AnswerData, Place
from arena.match.feeding.answer_difference import FAULT_CODES, ILLEGAL, Likeness
from arena.penalties import FaultKind
from arena.printable import printable_text
from arena.tournament.tables.rounded_figures import estimate_text

CODE_SENTENCES = {
    Likeness.SAME: "{bot} answers as {entrant} did",
    Likeness.WORDS: "{bot} answers as {entrant} did, with other words",
    Likeness.SLOW: "{bot} answers as {entrant} did, and is slow",
    Likeness.CHANGED: "{bot} answers differently from {entrant}",
    Likeness.MENDED: "{bot} answers where {entrant} had a fault",
    **{Likeness(kind): FaultKind(kind).traits.happening for kind in FAULT_CODES},
}
"""What a code means, as the end of a sentence."""


def place_text(place: Place) -> str:
    """The place of an ask in its match: ``#412, ask 47, accept``."""
    event = "" if place.event is None else f"#{place.event}, "
    return f"{event}ask {place.ask}, {place.hook}" if place.ask else "at the start"


def finding_text(refed: RefeedResult, place: Place) -> str:
    """The difference at a place, as the end of a sentence."""
    seconds = "" if place.seconds is None else f" ({place.seconds:g} s)"
    rule = f" ({place.now.rule}: {place.now.evidence})" if place.code is ILLEGAL else ""
    again = f", as {refed.entrant} did" if place.now.fault and place.now.fault == place.then.fault else ""
    sentence = CODE_SENTENCES[place.code].format(bot=refed.bot, entrant=refed.entrant)
    return f"{sentence}{again}{seconds}{rule} [{place.code}]"


def refeed_headline(refed: RefeedResult) -> str:
    """A headline such as: mine differs from v7 at 14 of 3,120 asks in 9 of 60 matches."""
    counted = refed.counted
    many = f"{counted.matches:,} match" if counted.matches == 1 else f"{counted.matches:,} matches"
    asks = f"{counted.asks:,} asks"
    if not counted.count_different:
        but = "" if refed.same else ", except as listed below"
        return f"{refed.bot} answers as {refed.entrant} did at all {asks} of {many}{but}"
    share = counted.share
    told = f": {estimate_text(share, 2, share=True)}" if share.mean is not None else ""
    within = f"{counted.differing:,} of {many}" if counted.matches > 1 else many
    return f"{refed.bot} differs from {refed.entrant} at {counted.count_different:,} of {asks} in {within}{told}"


def difference_line(refed: RefeedResult, place: Place) -> str:
    """A place in one line, with the recorded answer and the one given now."""
    then, now = answer_text(place.then), answer_text(place.now)
    return f"{place.match}: {place_text(place)}: {finding_text(refed, place)}; then {then}, now {now}"


def answer_text(given: AnswerData) -> str:
    """An answer as JSON, with its words; or its fault."""
    if given.fault:
        return printable_text(f"{given.fault}: {given.evidence}")
    move = "nothing" if given.move is None else printable_text(msgspec.json.encode(given.move).decode())
    return f"{move} saying {given.say!a}" if given.say else move
