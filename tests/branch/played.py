"""Branches played one after another, and their money."""

from __future__ import annotations

from collections.abc import Sequence

from arena.commands.branch.branches import BranchedMatch, Variant, branch_outcomes
from arena.executors.executor import Executor


def play_branches(
    match: BranchedMatch,
    variants: Sequence[Variant],
    repeats: range,
    executor: Executor,
) -> dict[Variant, list[tuple[int, ...]]]:
    """Money by seat, by repetition in the order of ``repeats``, for each of the variants, which are all different;
    empty where a branch does not count. Variants of one ask have the same chance in each repetition."""
    found: dict[Variant, dict[int, tuple[int, ...]]]
    found = {variant: dict.fromkeys(repeats, ()) for variant in variants}
    for outcome in branch_outcomes(match, variants, repeats, executor):
        found[outcome.variant][outcome.number] = outcome.money
    return {variant: list(by_number.values()) for variant, by_number in found.items()}
