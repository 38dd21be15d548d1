"""The output of ``arena collusion``: tables, and below them their meaning."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.output.terminal import fold_to_terminal, format_table, terminal_width
from arena.cli.print_json import print_json
from arena.commands.collusion.pairs_json import clones_data, gifts_data, proof_data
from arena.tournament.tables.rounded_figures import estimate_text, signed_text

if TYPE_CHECKING:  # numpy is slow to load
    from arena.analysis.suspicious_pairs import GameGifts, RunGifts
    from arena.collusion.clones import CloneDistance
    from arena.collusion.pair_search import PairFinding
    from arena.commands.collusion.clone_search import CloneResult
    from arena.commands.collusion.pair_proof import PairProof
    from arena.tournament.inference.intervals import Estimate

LISTED_PAIRS = 10
"""Number of pairs that are listed by default; pairs that stand out are always listed."""
GIFT_MATRIX_ENTRANTS = 12
"""A matrix is printed for at most this number of entrants."""


def print_gifts(folder: Path, found: RunGifts, as_json: bool, every: bool) -> None:
    """Print who gave whom how much, and which pairs stand out; with ``every``, list all pairs."""
    if as_json:
        print_json(gifts_data(found))
        return
    for game in found.games:
        matrix = _gift_table(game)
        if matrix:
            click.echo(f"{matrix}\n")
        columns_shown: list[str] = []
        if game.findings:
            text, columns_shown, left_out = _pair_table(game, every)
            click.echo(f"{text}\n")
            if listed := _listing_sentence(game, every, left_out):
                click.echo(fold_to_terminal(listed))
        for line in _explanation_lines(folder, game, found, columns_shown):
            click.echo(fold_to_terminal(line))


def _gift_table(game: GameGifts) -> str:
    """A matrix of the money that each entrant gave each other one per match, beyond what is usual; empty if it would be
    too wide."""
    names = game.table.names
    gifts = {(each.giver, each.receiver): each.gift.mean for each in game.findings if not each.mutual}
    cells = [
        [giver, *("" if (mean := gifts.get((giver, receiver))) is None else f"{mean:+.1f}" for receiver in names)]
        for giver in names
    ]
    if not gifts or len(names) > GIFT_MATRIX_ENTRANTS:
        return ""
    text = format_table(cells, [f"giver \\ to ({game.unit})", *names], plain=True)
    if max(map(len, text.splitlines())) <= terminal_width():
        return text
    numbered = [[f"{number} {row[0]}", *row[1:]] for number, row in enumerate(cells, 1)]
    text = format_table(numbered, [f"giver \\ to ({game.unit})", *map(str, range(1, len(names) + 1))], plain=True)
    return text if max(map(len, text.splitlines())) <= terminal_width() else ""


def _listed_findings(game: GameGifts, every: bool) -> list[PairFinding]:
    """The findings to list."""
    standing = sum(each.verdict.value == "stands out" for each in game.findings)
    return game.findings if every else game.findings[: max(standing, LISTED_PAIRS)]


def _pair_table(game: GameGifts, every: bool) -> tuple[str, list[str], list[str]]:
    """A table with a row for each pair, without empty columns; the headers of its columns; and the headers of columns
    dropped because the terminal is too narrow."""
    kinds = [kind.name for kind in game.kinds]
    rows = []
    for each in _listed_findings(game, every):
        arrow = "and" if each.mutual else "to"
        parts = ["" if kind not in each.parts else f"{each.parts[kind]:+.1f}" for kind in kinds]
        chances = [_chance_cell(each.luck), _chance_cell(each.spread)]
        gift, money = _interval_cell(each.gift), _interval_cell(each.money)
        rows.append([f"{each.giver} {arrow} {each.receiver}", gift, *parts, money, *chances, each.verdict.value])
    headers = ["pair", f"gift ({game.unit})", *kinds, "money", "p by\nchance", "p among\nhonest pairs", "verdict"]
    filled = [at for at in range(len(headers)) if any(row[at] for row in rows)]
    parts_at, money_at = list(range(2, 2 + len(kinds))), 2 + len(kinds)
    for left_out in ([], [money_at], parts_at, [*parts_at, money_at]):
        kept = [at for at in filled if at not in left_out]
        cells, heads = [[row[at] for at in kept] for row in rows], [headers[at] for at in kept]
        if _text_width(format_table(cells, heads, plain=True)) <= terminal_width():
            break
    text = format_table(cells, heads, wrap=(0, len(kept) - 1), plain=True)
    return text, [headers[at] for at in kept], [headers[at] for at in filled if at not in kept]


def _text_width(text: str) -> int:
    return max(map(len, text.splitlines()))


def _listing_sentence(game: GameGifts, every: bool, left_out: list[str]) -> str:
    """How many pairs are listed, out of how many and in which order, and which columns are left out."""
    told, all = [], len(game.findings)
    if (listed := len(_listed_findings(game, every))) < all:
        told.append(
            f"{listed} of {all} pairs, one way or both, by verdict and then the largest gifts first; "
            "--all lists the others."
        )
    if left_out:
        told.append(f"Too wide for this terminal: {', '.join(left_out)}; --json has all.")
    return " ".join(told)


def _explanation_lines(folder: Path, game: GameGifts, found: RunGifts, headers: list[str]) -> list[str]:
    """What the numbers of the columns with these ``headers`` mean, and what they do not show."""
    standing = [each for each in game.findings if each.verdict.value == "stands out"]
    gift = (
        f"{game.table.matches} matches in {game.table.blocks} blocks. Gift: what the first gave the second a match, in "
        f'{game.unit}, beyond what it gave everybody and what the second got from everybody ("and": both ways '
        "together)."
    )
    if kinds := "; ".join(f"{kind.name}: {kind.told}" for kind in game.kinds if kind.name in headers):
        gift += f" {kinds}."
    if "money" in headers:
        gift += " Money: how much more than usual the second (or both) had when the two met."
    if any(each.verdict.value == "too few" for each in game.findings) or not game.findings:
        return [gift, _too_few(game)]
    chances = (
        "p by chance, p among honest pairs: the probabilities that such a clear gift appears anywhere in the table, "
        "by chance alone, and among honest pairs that vary as the others here do and may be harder with softer bots. "
        "A pair stands out if both are at most "
        f"{100 * found.level / len(found.games):.2g} %; it is within the spread if only p by chance is."
    )
    lines = [gift, chances]
    if not standing:
        lines.append("No pair stands out. This test does not find gifts smaller than the spread of honest pairs.")
    else:
        first = standing[0]
        again = shlex.join(["arena", "collusion", str(folder), "--test", first.giver, first.receiver])
        lines.append(f"A pair may stand out without colluding on purpose. Play its matches again: {again}")
    return lines


def _too_few(game: GameGifts) -> str:
    """Says which data are too few for a verdict."""
    from arena.collusion.pair_search import LEAST_BLOCKS, LEAST_ENTRANTS  # numpy is slow to load

    counted = (("entrants", len(game.table.names), LEAST_ENTRANTS), ("blocks", game.table.blocks, LEAST_BLOCKS))
    told = [f"{number} {what}, and {least} are needed" for what, number, least in counted if number < least]
    return f"Too few data to judge anybody: {'; '.join(told)}." if told else "Too few data to judge anybody."


def print_proof(folder: Path, found: PairProof, as_json: bool) -> None:
    """Print the pair's gifts as recorded, muted, and with one of the two replaced."""
    if as_json:
        print_json(proof_data(found))
        return
    for game, plays in found.plays.items():
        rows = [
            [
                f"{each.giver} to {each.receiver}",
                each.play.value,
                _interval_cell(each.gift),
                _interval_cell(each.change),
                each.verdict.value if each.verdict is not None else "",
            ]
            for each in plays
        ]
        unit = found.units[game]
        headers = ["pair", "played", f"gift ({unit})", "change", "verdict"]
        click.echo(f"{format_table(rows, headers, wrap=(0, 1), plain=True)}\n")
    one, two = found.pair
    gift = (
        f"{found.matches} matches in {found.blocks} blocks, of {found.common} in which {one} and {two} met. Gift: what "
        "the first gave the second a match above what it gave the others at the same table, at the usual prices of "
        "the run. Change: the difference from the recorded matches, paired by match, with intervals by block."
    )
    ways = (
        f"Muted: the others did not hear what {one} and {two} said. Exchanged: {found.neutral} sat in the place of "
        f"one of them. "
        "Gifts that fall when the two are muted were agreed on in words. Gifts that fall only when one is exchanged "
        "are meant for that bot, or for its way of playing; another neutral bot may show which (--neutral)."
    )
    lines = [gift, ways]
    for line in lines:
        click.echo(fold_to_terminal(line))


def print_clones(folder: Path, found: CloneResult, as_json: bool, every: bool) -> None:
    """Print which bots answer alike."""
    if as_json:
        print_json(clones_data(found))
        return
    listed = found.pairs if every else found.pairs[: max(LISTED_PAIRS, sum(each.answers_alike for each in found.pairs))]
    rows = [
        [
            f"{each.one} and {each.two}",
            each.asks,
            each.other,
            # an interval by block would hold nearly everything where no block differs
            estimate_text(each.share, 1, share=True) if each.other else "0.0 %",
            _hook_shares(each),
        ]
        for each in listed
    ]
    click.echo(f"{format_table(rows, ['pair', 'asks', 'other', 'share', 'by hook'], wrap=(0, 4), plain=True)}\n")
    for each in found.pairs:
        if each.answers_alike:
            click.echo(
                fold_to_terminal(f"{each.one} and {each.two}: the same answer in {each.asks:,} of {each.asks:,} asks.")
            )
    unsteady = [f"{each.one} ({estimate_text(each.share, 1, share=True)})" for each in found.itself if each.other]
    if unsteady:
        named = ", ".join(unsteady)
        click.echo(fold_to_terminal(f"These bots answer their own asks differently when re-asked: {named}."))
    click.echo(
        fold_to_terminal(
            f"Other: asks of one bot, from {found.matches} of its matches, that the other answers with another "
            "move; words do not count. Bots that give the same answers here may still differ in other matches; "
            "--matches compares more."
        )
    )


def _hook_shares(each: CloneDistance) -> str:
    return ", ".join(f"{hook} {other / asks:.0%}" for hook, (asks, other) in each.hooks.items() if asks)


def _interval_cell(each: Estimate | None) -> str:
    return "" if each is None else signed_text(each)


def _chance_cell(chance: float | None) -> str:
    if chance is None:
        return ""
    return "<0.1 %" if chance < 0.001 else f"{100 * chance:.1f} %"
