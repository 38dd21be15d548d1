"""The output of ``arena meta``: tables and sentences."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.cli.output.terminal import fold_to_terminal
from arena.commands.meta.results import invasion_table, mixture_table, outlook_table, payoff_looks, payoff_unit
from arena.metagame.meta_findings import MetaFindings
from arena.metagame.population import population_text
from arena.storage.run_folder import FolderStore
from arena.tournament.formats.make_format import Formats
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.schedule.deals import Deals
from arena.tournament.schedule.seat_orders import SeatOrders
from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.tournament.tables.rounded_figures import estimate_text
from arena.tournament.tables.table_text import text_table

MOST_SHOWN = 40
"""The most mixtures that are shown; of invasions the same number of rows."""
SHOWN_CYCLES, SHOWN_MISSING, SHOWN_POPULATIONS = 10, 5, 10
SURE_SHARE = 0.95
"""From this share of resamples on a cycle counts as shown."""


def meta_text(found: MetaFindings, populations: Sequence[Mapping[str, float]]) -> str:
    """All that is found of one edition."""
    parts = [fold_to_terminal(_head_words(found)), *_mixture_parts(found)]
    for shares in (None, *populations):
        parts += _outlook_parts(found, shares)
    if found.graph.invasions:
        parts += ["One bot among copies of another, and what it earns more than these among themselves:"]
        parts += [text_table(invasion_table(found))]
    parts += [fold_to_terminal(line) for line in (*_cycle_lines(found), _best_sentence(found))]
    parts += _regret_parts(found)
    return "\n\n".join(parts)


def missing_command(folder: Path, games: Sequence[MetaFindings]) -> str:
    """The command that plays every mixture of the bots of the run in this folder."""
    facts = FolderStore(folder).facts()
    seats = sorted({each.game.cells.seats for each in games})
    given = [f"format={Formats.MIXTURES}", f"seats={seats}".replace(" ", ""), f"deals={Deals.DUPLICATE}"]
    given += [f"{key}={empty}" for key, empty in _EMPTY_KEYS.items() if facts.settings.get(key)]
    if facts.settings.get("seat_orders") == SeatOrders.LISTED:
        given.append(f"seat_orders={SeatOrders.ROTATIONS}")
    words = ["arena", "run", str(folder / "config.resolved.yaml")]
    words += [word for each in given for word in ("--set", each)]
    return shlex.join([*words, "--out", f"{folder}-mixtures"])


_EMPTY_KEYS = {"tables": "null", "challengers": "[]", "rounds": "null", "fixtures": "[]"}
"""Keys of other formats, with the value that leaves them out."""


def _head_words(found: MetaFindings) -> str:
    game = found.game
    played = int((game.matches > 0).sum())
    text = (
        f"{found.edition}: {len(game.bots)} bots at tables of {game.cells.seats}; {played} of {len(game.matches)} "
        f"mixtures in {int(game.matches.sum())} matches in {game.blocks} blocks; payoff: {payoff_unit(found)}. ± is "
        f"half of a 95 % interval clustered by block."
    )
    if copies := [" = ".join(names) for names in found.entrants if len(names) > 1]:
        text += f" Copies of one bot: {'; '.join(copies)}."
    if game.blocks < LEAST_CLUSTERS:
        text += f" With fewer than {LEAST_CLUSTERS} blocks there are no intervals."
    if not found.missing:
        return text
    shown = ", ".join(found.missing[:SHOWN_MISSING])
    more = len(found.missing) - SHOWN_MISSING
    text += f" Not played, but needed: {shown}{f' and {more} more' if more > 0 else ''}."
    if 2 <= len(found.members) < len(game.bots):
        text += f" Only of {', '.join(game.bots[each] for each in found.members)} was every mixture played."
    return text


def _mixture_parts(found: MetaFindings) -> list[str]:
    played = int((found.game.matches > 0).sum())
    if played > MOST_SHOWN:
        return [fold_to_terminal(f"What each bot earns in each of the {played} mixtures: with --out FOLDER or --json.")]
    return ["What each bot earns in each mixture:", text_table(mixture_table(found))]


def _outlook_parts(found: MetaFindings, shares: Mapping[str, float] | None) -> list[str]:
    """What bots can expect from a population, and its regret."""
    outlook = found.population(shares)
    table = outlook_table(found, outlook)
    who = population_text(found.game.bots, outlook.shares)
    if not table.rows:
        return [fold_to_terminal(f"Others drawn from a population of {who}: mixtures that it needs were not played.")]
    looks = payoff_looks(found)
    head = f"At a table whose other seats are drawn from a population ({who}):"
    parts = [fold_to_terminal(head), text_table(table)]
    if outlook.best is not None:
        column = ResultColumn("payoff", **looks)
        regret = estimate_text(outlook.regret, decimals=looks["decimals"], share=looks["share"])
        best = found.game.bots[outlook.best]
        parts.append(
            fold_to_terminal(
                f"A member earns {column.text(outlook.average)} on average, the best reply is {best}: regret {regret}."
            )
        )
    return parts


def _cycle_lines(found: MetaFindings) -> list[str]:
    cycles = found.graph.cycles
    names = found.game.bots
    if not cycles:
        return ["No cycles: no bots displace each other in a circle."] if found.graph.invasions else []
    lines = []
    for each in cycles[:SHOWN_CYCLES]:
        circle = [names[bot] for bot in (*each.bots, each.bots[0])]
        sure = "A cycle" if each.share >= SURE_SHARE else "Perhaps a cycle"
        lines.append(f"{sure}: {' displaces '.join(circle)}, in {100 * each.share:.1f} % of resamples.")
    if (more := len(cycles) - SHOWN_CYCLES) > 0:
        lines.append(f"{more} more cycles hold in fewer resamples: --json has them.")
    return lines


def _best_sentence(found: MetaFindings) -> str:
    replies, names = found.best_replies, found.game.bots
    if not replies.opponents:
        return "Whether one bot is best against everybody cannot be told: no opponents have met all bots."
    counts = sorted(zip(replies.best, names, strict=True), key=lambda each: (-each[0], each[1]))
    often = ", ".join(f"{name} {count}" for count, name in counts if count)
    text = f"Best reply to the {replies.opponents} sets of opponents that met all bots: {often}. "
    if replies.chances is None:
        return text + f"With fewer than {LEAST_CLUSTERS} blocks nothing is shown."
    may_be = [names[bot] for bot in replies.may_be_best]
    if not may_be:
        return text + f"Nobody is best against everybody (p at most {max(replies.chances):.3f} for each bot)."
    if len(may_be) == 1:
        return text + f"Only {may_be[0]} can be best against everybody: the test excludes all others."
    return text + f"Whether one bot is best against everybody is undecided: {', '.join(may_be)} may be."


def _regret_parts(found: MetaFindings) -> list[str]:
    if not found.least_regret:
        return []
    looks = payoff_looks(found)
    columns = (
        ResultColumn("population", "population", left=True),
        ResultColumn("average", "a member earns", **looks),
        ResultColumn("regret", "regret", share=looks["share"]),
        ResultColumn("bound", "true regret at most", share=looks["share"]),
    )
    shown = found.least_regret[:SHOWN_POPULATIONS]
    names = found.game.bots
    rows = [(population_text(names, each.shares), each.average, each.regret, each.bound) for each in shown]
    parts = ["Populations of least regret, in which no other bot earns more:", text_table(ResultTable(columns, rows))]
    if (more := len(found.least_regret) - len(shown)) > 0:
        parts.append(f"{more} more: --json has them.")
    return parts
