"""The output of ``arena refeed``: the ask at which a bot was stopped, or counts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

import click
import msgspec

from arena.cli.output.match_layout import StoryColors, answer_parts, asked_parts, section_title
from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.commands.refeed.refeed import RefeedResult
from arena.commands.refeed.results import HookCount, Place, RefeedCounts, RefeedFinding
from arena.commands.refeed.sentences import finding_text, place_text, refeed_headline
from arena.match.feeding.answer_difference import ILLEGAL, Likeness
from arena.printable import printable_text
from arena.replay.replay_sentences import SentenceKind
from arena.tournament.tables.rounded_figures import estimate_data

PRINTED_LINES = 20
"""Greatest number of lines shown of what a bot printed; they are the last ones."""


def found_text(refed: RefeedResult, found: RefeedFinding, commands: Sequence[Sequence[str]]) -> str:
    """The ask at which the bot was stopped: what the seat saw, the recorded answer, the new answer, and how to
    continue."""
    return "".join(_found_parts(refed, found, commands))


def _found_parts(refed: RefeedResult, found: RefeedFinding, commands: Sequence[Sequence[str]]) -> Iterator[str]:
    place, one = found.place, found.one
    paint = StoryColors(found.entrants)
    yield fold_to_terminal(f"{place.match}: {place_text(place)}: {finding_text(refed, place)}.") + "\n"
    for line in _finding_remarks(refed, found):
        yield fold_to_terminal(line) + "\n"
    if one is not None:
        yield "\n"
        yield from asked_parts(one, paint)
        yield section_title("It answered in the match")
        yield from answer_parts(one, paint)
    yield section_title(f"{refed.bot} answers now")
    for text, kind in _answers_now(found):
        yield paint.sentence(f"  {text}", kind, 2) + "\n"
    if found.printed:
        lines = found.printed.splitlines()
        yield section_title(f"{refed.bot} printed there")
        yield from ["  […]\n"] * (len(lines) > PRINTED_LINES)
        yield "".join(f"  {line}\n" for line in lines[-PRINTED_LINES:])
    if commands:
        yield section_title("To go on")
        yield from (f"  {shlex.join(words)}\n" for words in commands)


def _finding_remarks(refed: RefeedResult, found: RefeedFinding) -> Iterator[str]:
    if refed.wanted not in (None, found.place.ask):
        yield f"Ask {refed.wanted} was not reached."
    if found.earlier_places:
        first = found.earlier[0]
        asks = "1 ask" if found.earlier_places == 1 else f"{found.earlier_places} asks"
        yield f"Before it {asks} differed; first {place_text(first)}: {finding_text(refed, first)}."


def _answers_now(found: RefeedFinding) -> Iterator[tuple[str, SentenceKind]]:
    now = found.place.now
    if found.told and now.fault:
        yield f"{found.told} (refused)", SentenceKind.EVENT
    elif found.told:
        yield found.told, SentenceKind.EVENT
    if now.say:
        yield f'and says: "{printable_text(now.say)}"', SentenceKind.SAID
    if now.fault:
        rule = f" [{now.rule}]" if now.rule else ""
        yield printable_text(f"{now.fault}{rule}: {now.evidence}"), SentenceKind.FAULT


def counted_text(refed: RefeedResult) -> str:
    """The number of asks for each kind of answer, by hook; and the first places with a difference."""
    counted = refed.counted
    parts = [fold_to_terminal(refeed_headline(refed)) + "\n"]
    if counted.asks:
        parts.append(f"\n{_hook_table(counted)}\n")
    if counted.places:
        parts.append(f"\n{_place_table(counted.places)}\n")
    notes = list(_refeed_notes(refed))
    return "".join([*parts, *(["\n"] if notes else []), *(f"{fold_to_terminal(line)}\n" for line in notes)])


def _hook_table(counted: RefeedCounts) -> str:
    rows = [_hook_row(hook, count) for hook, count in sorted(counted.hooks.items())]
    total = HookCount()
    for count in counted.hooks.values():
        total.merge(count)
    headers = ["hook", "asks", "differ", "changed", "mended", "illegal", "faults", "words", "slow"]
    return format_table([*rows, _hook_row("all", total)], headers)


def _hook_row(hook: str, count: HookCount) -> list[object]:
    codes = (Likeness.CHANGED, Likeness.MENDED, ILLEGAL)
    ways = [count.count_asks(code) for code in codes]
    return [hook, count.asks, count.other, *ways, count.faults, count.count_asks(Likeness.WORDS), count.slow]


def _place_table(places: Sequence[Place]) -> str:
    rows = [
        [each.code, each.match, "" if each.event is None else f"#{each.event}", each.ask, each.hook] for each in places
    ]
    return format_table(rows, ["found", "first places", "event", "ask", "hook"], wrap=[1], plain=True)


def _refeed_notes(refed: RefeedResult) -> Iterator[str]:
    counted = refed.counted
    if counted.ended:
        matches = "1 match" if counted.ended == 1 else f"{counted.ended} matches"
        yield f"In {matches} the bot's process ended, or the bot was late too often, before the last ask."
    if counted.not_put:
        yield (
            f"{refed.bot} does not define the hook for {counted.not_put:,} of the {counted.asks:,} asks: the default "
            "was compared."
        )
    if left := left_out(counted):
        yield f"Left out: {left}."
    if counted.share.low is not None:
        yield "The interval is a 95 % interval clustered by block. Different words alone do not count."


def left_out(counted: RefeedCounts) -> str:
    """A sentence on the matches that were left out."""
    told = [
        f"{counted.voids} void" if counted.voids else "",
        f"{counted.without_replay} without replay" if counted.without_replay else "",
    ]
    return ", ".join(filter(None, told))


def refeed_data(refed: RefeedResult, every: bool, commands: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The whole result, for JSON."""
    counted = refed.counted
    known: dict[str, Any] = {
        "same": refed.same,
        "bot": refed.bot,
        "bot_sha256": refed.sha256,
        "entrant": refed.entrant,
        "matches": counted.matches,
        "asks": counted.asks,
        "not_put": counted.not_put,
        "voids": counted.voids,
        "without_replay": counted.without_replay,
        "stopped": bool(refed.stopped),
    }
    if not every:
        found = None if counted.found is None else msgspec.to_builtins(counted.found, str_keys=True)
        return {**known, "found": found, "commands": [shlex.join(words) for words in commands]}
    hooks = [
        {
            "hook": hook,
            "asks": count.asks,
            "not_put": count.not_put,
            "other": count.other,
            "slow": count.slow,
            "codes": _code_counts(count.codes),
        }
        for hook, count in sorted(counted.hooks.items())
    ]
    return {
        **known,
        "other": counted.count_different,
        "share": estimate_data(counted.share),
        "matches_differing": counted.differing,
        "matches_ended": counted.ended,
        "slow": counted.count_slow,
        "codes": _code_counts(counted.codes),
        "hooks": hooks,
        "places": [msgspec.to_builtins(place) for place in counted.places],
    }


def _code_counts(codes: dict[Likeness, int]) -> dict[str, int]:
    return {what.value: codes[what] for what in Likeness if what in codes}


def print_refeed_json(found: dict[str, Any]) -> None:
    """Print the result as JSON."""
    click.echo(msgspec.json.format(msgspec.json.encode(found)))
