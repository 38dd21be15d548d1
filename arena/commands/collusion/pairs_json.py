"""What ``arena collusion --json`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.tournament.tables.rounded_figures import estimate_data, json_number

if TYPE_CHECKING:  # numpy is slow to load
    from arena.analysis.suspicious_pairs import RunGifts
    from arena.collusion.clones import CloneDistance
    from arena.collusion.pair_search import PairFinding
    from arena.collusion.proof_test import ProofEffect
    from arena.commands.collusion.clone_search import CloneResult
    from arena.commands.collusion.pair_proof import PairProof
    from arena.tournament.inference.intervals import Estimate


def _estimate_data(each: Estimate | None) -> dict[str, Any] | None:
    return None if each is None else estimate_data(each)


def gifts_data(found: RunGifts) -> dict[str, Any]:
    """The gifts of all pairs, by game, as plain data."""
    games = {
        game.game: {
            "unit": game.unit,
            "matches": game.table.matches,
            "blocks": game.table.blocks,
            "entrants": list(game.table.names),
            "kinds": {kind.name: kind.told for kind in game.kinds},
            "pairs": [_finding_data(each) for each in game.findings],
        }
        for game in found.games
    }
    return {"error": found.level, "voids": found.voids, "without_replay": found.without_replay, "games": games}


def _finding_data(each: PairFinding) -> dict[str, Any]:
    return {
        "giver": each.giver,
        "receiver": each.receiver,
        "mutual": each.mutual,
        "matches": each.matches,
        "gift": _estimate_data(each.gift),
        "parts": {kind: json_number(part) for kind, part in each.parts.items()},
        "money": _estimate_data(each.money),
        "luck": json_number(each.luck),
        "spread": json_number(each.spread),
        "verdict": each.verdict.value,
    }


def proof_data(found: PairProof) -> dict[str, Any]:
    """A pair's gifts in each way of playing, by game, as plain data."""
    return {
        "pair": list(found.pair),
        "neutral": found.neutral,
        "matches": found.matches,
        "blocks": found.blocks,
        "common_matches": found.common,
        "games": {
            game: {"unit": found.units[game], "plays": [_play_data(each) for each in plays]}
            for game, plays in found.plays.items()
        },
    }


def _play_data(each: ProofEffect) -> dict[str, Any]:
    return {
        "giver": each.giver,
        "receiver": each.receiver,
        "played": each.play.value,
        "gift": _estimate_data(each.gift),
        "change": _estimate_data(each.change),
        "verdict": None if each.verdict is None else each.verdict.value,
    }


def clones_data(found: CloneResult) -> dict[str, Any]:
    """The distances between the answers of bots, as plain data."""
    return {
        "matches": found.matches,
        "pairs": [_distance_data(each) for each in found.pairs],
        "itself": [_distance_data(each) for each in found.itself],
    }


def _distance_data(each: CloneDistance) -> dict[str, Any]:
    return {
        "one": each.one,
        "two": each.two,
        "asks": each.asks,
        "other": each.other,
        "share": _estimate_data(each.share),
        "hooks": {hook: {"asks": asks, "other": other} for hook, (asks, other) in each.hooks.items()},
    }
