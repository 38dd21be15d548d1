"""The output of ``arena talk``: a table, and below it what its numbers mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from arena.cli.output.terminal import fold_to_terminal, format_table
from arena.cli.print_json import print_json
from arena.commands.talk.results import TalkWorth
from arena.commands.talk.twin_effect import TwinEffect
from arena.tournament.tables.rounded_figures import estimate_data, signed_text


def print_talk(found: Sequence[TalkWorth], as_json: bool) -> None:
    """Print what the words of each entrant are worth."""
    if as_json:
        print_json({"entrants": [_worth_data(each) for each in found]})
        return
    spoken = [each for each in found if each.muted is not None and each.null is not None]
    for unit in dict.fromkeys(each.unit for each in spoken):
        rows = [row for each in spoken if each.unit == unit for row in _table_rows(each)]
        headers = ["entrant", "said\na match", "played", f"its money\n({unit})", f"others'\n({unit})"]
        text = format_table(rows, [*headers, "matches\ndiffering", "its words"], wrap=(0,), plain=True)
        click.echo(f"{text}\n")
    for line in _sentences(found):
        click.echo(fold_to_terminal(line))


def _table_rows(each: TalkWorth) -> Iterator[list[str]]:
    assert each.muted is not None
    assert each.null is not None
    yield [each.entrant, f"{each.sayings / each.matches:.1f}", "muted", *_effect_cells(each.muted), each.verdict.value]
    yield ["", "", "null", *_effect_cells(each.null), ""]


def _effect_cells(effect: TwinEffect) -> list[str]:
    return [signed_text(effect.own), signed_text(effect.others), f"{effect.differing} of {effect.matches}"]


def _sentences(found: Sequence[TalkWorth]) -> Iterator[str]:
    """What the numbers mean, and who says nothing or does not repeat itself."""
    silent = list(dict.fromkeys(each.entrant for each in found if each.muted is None))
    spoken = [each for each in found if each.muted is not None]
    if not spoken:
        matches = max(each.matches for each in found)
        who = "Nobody says anything" if len(silent) > 1 else f"{silent[0]} says nothing"
        yield f"{who} in {matches} matches, so there are no words to take away."
        return
    yield (
        f"Money: as recorded, less in the same matches played again, a match; {spoken[0].blocks} blocks, intervals by "
        "block. Muted: the others did not hear the entrant. Null: nothing was changed."
    )
    if silent:
        yield f"Without words, so not played again: {', '.join(silent)}."
    voids = sum(effect.voids for each in spoken for effect in (each.muted, each.null) if effect is not None)
    if voids:
        yield f"{voids} matches played again became void and are left out."
    yield _null_sentence(spoken)


def _null_sentence(spoken: Sequence[TalkWorth]) -> str:
    """What the null variants say of the noise."""
    first: dict[str, int] = {}
    for each in spoken:
        if each.null is not None and each.null.differing:
            for name, number in each.null.first.items():
                first[name] = max(number, first.get(name, 0))
    if not any(each.null is not None and each.null.differing for each in spoken):
        return "Every null match was played as recorded: every difference when muted is due to the words."
    named = ", ".join(f"{name} ({number} matches)" for name, number in first.items()) or "an unknown bot"
    return (
        "Some null matches differ from the recorded ones, so some bot does not repeat itself; first to differ: "
        f"{named}. Only a muted difference clearly larger than that of the null is due to words."
    )


def _worth_data(each: TalkWorth) -> dict[str, Any]:
    return {
        "entrant": each.entrant,
        "game": each.game,
        "unit": each.unit,
        "matches": each.matches,
        "blocks": each.blocks,
        "sayings": each.sayings,
        "verdict": each.verdict.value,
        "muted": _effect_data(each.muted),
        "null": _effect_data(each.null),
    }


def _effect_data(effect: TwinEffect | None) -> dict[str, Any] | None:
    if effect is None:
        return None
    return {
        "own": estimate_data(effect.own),
        "others": estimate_data(effect.others),
        "matches": effect.matches,
        "differing": effect.differing,
        "first_to_differ": dict(effect.first),
        "voids": effect.voids,
    }
