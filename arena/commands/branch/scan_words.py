"""What a scan has found: the dearest decisions in words and figures, as JSON and as CSV."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from arena.commands.branch.alternatives import ScannedDecision
from arena.commands.branch.decision import Decision, decision_at
from arena.commands.branch.inference.dearest import CostVerdict, cost_verdict
from arena.commands.branch.inference.decision_worth import VariantWorth, variant_worth
from arena.commands.branch.scan import AnswerGain, ScanPlan, ScanResult
from arena.printable import printable_text
from arena.replay.lines import move_decoder
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.result_table import estimate_column, keyed_table, table_csv
from arena.tournament.tables.rounded_figures import estimate_data, json_number

TOPIC_PARTS = ("asked about", "closing named", "to be stopped")
"""The names of those parts of a view that say what an ask is about."""


VERDICT_RANKS = {CostVerdict.CLEAR: 0, CostVerdict.ALIKE: 0, CostVerdict.UNCLEAR: 1, CostVerdict.NOTHING: 2}
"""The order of decisions by verdict."""


class DearestDecision(NamedTuple):
    """A ``decision`` that the last round measured: its candidate (``seen``), its effect (``gain``), the ``better``
    answer in words and as ``typed`` after ``arena branch --move``, and how that answer compares with the recorded one
    (``worth``). ``unasked``: the bot lacks the hook, and a default was played."""

    decision: Decision
    seen: ScannedDecision
    gain: AnswerGain
    better: str
    typed: str
    worth: VariantWorth
    unasked: bool

    @property
    def cost(self) -> Estimate:
        """The estimated cost of the decision for its seat, in the game's unit."""
        return self.worth.differences[self.decision.seat]

    @property
    def cost_verdict(self) -> CostVerdict:
        """The verdict on the cost."""
        return cost_verdict(self.cost)

    @property
    def ask_text(self) -> str:
        """What the ask was about, in words; empty where nothing has to be said."""
        decision, match = self.decision, self.decision.match
        parts = decision.game.tell_view(decision.found.view, match.spec.rules, match.entrants)
        return printable_text("; ".join(part.text for part in parts if part.name in TOPIC_PARTS))


def dearest_of(planned: ScanPlan, scanned: ScanResult) -> list[DearestDecision]:
    """The decisions of the last round: first those with a clear cost, then the uncertain ones, then those that seem to
    have cost nothing; within each group the dearest first."""
    seen = {each.decided.number: each for each in planned.chosen}
    found = [_dearest_decision(planned, seen[gain.other.ask], gain) for gain in scanned.gains]
    return sorted(
        found, key=lambda each: (VERDICT_RANKS[each.cost_verdict], -(each.cost.mean or 0.0), each.decision.number)
    )


def _dearest_decision(planned: ScanPlan, seen: ScannedDecision, gain: AnswerGain) -> DearestDecision:
    decision = decision_at(planned.match, gain.other.ask)
    move = move_decoder(planned.match.spec.game, decision.hook).decode(gain.other.move)
    found = variant_worth(gain.then, gain.now, planned.wanted.seat)
    unasked = decision.hook not in planned.hooks
    return DearestDecision(decision, seen, gain, decision.move_text(move), decision.typed_move(move), found, unasked)


def scan_data(
    planned: ScanPlan, scanned: ScanResult, found: list[DearestDecision], commands: list[str]
) -> dict[str, Any]:
    """The whole result for JSON; the words in commands and files are stable, sentences are not."""
    match, wanted, entrants = planned.match, planned.wanted, planned.match.entrants
    rounds = [planned.rounds.first, planned.rounds.second, planned.rounds.last]
    told = [(each, _decision_data(each, command)) for each, command in zip(found, commands, strict=True)]
    return {
        "file": str(match.path),
        "game": match.spec.game,
        "sha256": match.digest,
        "seat": wanted.seat,
        "entrants": entrants,
        "asks": planned.asked,
        "decisions": planned.choice,
        "looked_at": len(planned.chosen),
        "others": len(planned.compared_answers),
        "few": wanted.few,
        "opinion": wanted.opinion or None,
        "repeats": [len(each) for each in rounds],
        "played": scanned.played,
        "planned": planned.branches,
        "complete": not scanned.stopped,
        "dearest": [data for each, data in told if each.cost_verdict is not CostVerdict.NOTHING],
        "nothing": [data for each, data in told if each.cost_verdict is CostVerdict.NOTHING],
        "unrepeated": [
            {"seat": seat, "entrant": entrants[seat], "ask": ask} for seat, ask in sorted(scanned.unrepeated.items())
        ],
        "lost": {scanned.why_lost: scanned.lost} if scanned.lost else {},
    }


def _decision_data(found: DearestDecision, command: str) -> dict[str, Any]:
    decision, candidate = found.decision, found.seen.candidate
    return {
        "line": decision.line,
        "ask": decision.number,
        "hook": decision.hook,
        "legal": candidate.legal,
        "why": candidate.first_reason.value,
        "unsure": json_number(candidate.unsure),
        "about": found.ask_text,
        "unasked": found.unasked,
        "answered": decision.answered,
        "better": found.better,
        "move": found.typed,
        "json": msgspec.json.decode(found.gain.other.move),
        "cost": {**estimate_data(found.cost), "alike": found.cost.alike},
        "told": found.cost_verdict.value,
        "clear": found.cost_verdict is CostVerdict.CLEAR,
        "matchpoints": estimate_data(found.worth.matchpoints),
        "pairs": found.worth.pairs,
        "command": command,
    }


SCAN_COLUMNS = (
    *("line", "ask", "hook", "legal", "why", "unsure", "answered", "better", "move"),
    *(estimate_column("cost"), "told", estimate_column("matchpoints"), "pairs"),
)


def scan_csv(found: list[DearestDecision]) -> str:
    """All decisions of the last round as CSV, a line each, the dearest first."""
    rows = []
    for each in found:
        decision, candidate = each.decision, each.seen.candidate
        asked = (
            decision.line,
            decision.number,
            decision.hook,
            candidate.legal,
            candidate.first_reason.value,
            candidate.unsure,
        )
        figures = (each.cost, each.cost_verdict.value, each.worth.matchpoints, each.worth.pairs)
        rows.append((*asked, decision.answered, each.better, each.typed, *figures))
    return table_csv(keyed_table(SCAN_COLUMNS, rows))
