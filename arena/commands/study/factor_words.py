"""The results of a factorial study in words, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from arena.commands.study.factor_study import StudyBlocks
from arena.config.study_yaml import FactorStudy
from arena.study.factor_design import Effect, FactorDesign
from arena.study.factor_effects import FactorEffect
from arena.tournament.inference.paired import PairedMeasure
from arena.tournament.tables.result_table import ResultColumn, ResultTable, estimate_column, rows_data


def effect_name(study: FactorStudy, effect: Effect) -> str:
    """The effect as it is written in tables: ``greed: 0.7 − 0.3``, or ``greed × last-call``."""
    factors = list(study.factors.items())
    if len(effect) == 1:
        ((number, level),) = effect
        name, factor = factors[number]
        return f"{name}: {factor.names[level]} − {factor.names[0]}"
    told = []
    for number, level in effect:
        name, factor = factors[number]
        told.append(name if len(factor.names) == 2 else f"{name} {factor.names[level]}")
    return " × ".join(told)


def effects_table(study: FactorStudy, effects: list[FactorEffect]) -> ResultTable:
    """A row for each effect. Money has the unit of the game."""
    share = study.measure is not PairedMeasure.MONEY
    rows = [
        [
            effect_name(study, each.effect),
            each.estimate,
            round(each.p, 6),
            round(each.adjusted, 6),
            each.blocks,
            ", ".join(effect_name(study, alias) for alias in each.aliases),
        ]
        for each in effects
    ]
    columns = [
        ResultColumn("effect", "effect", left=True),
        estimate_column("difference", "difference", share=share, signed=True),
        ResultColumn("p", "p", decimals=4),
        ResultColumn("holm", "after Holm", decimals=4),
        ResultColumn("deals_needed", "deals needed" if study.find is not None else ""),
        ResultColumn("aliases", "aliases" if any(each.aliases for each in effects) else "", left=True),
    ]
    return ResultTable(tuple(columns), rows)


def cells_table(study: FactorStudy, design: FactorDesign) -> ResultTable:
    """The levels of all factors in each cell."""
    columns = [ResultColumn("cell", "cell"), *(ResultColumn(name, name, left=True) for name in study.factors)]
    factors = list(study.factors.values())
    rows = [
        [number, *(factor.names[level] for factor, level in zip(factors, cell, strict=True))]
        for number, cell in enumerate(design.cells, 1)
    ]
    return ResultTable(tuple(columns), rows)


def design_sentence(study: FactorStudy, design: FactorDesign) -> str:
    """What the design is, and what it cannot tell apart."""
    full, size = prod(design.levels), len(design.cells)
    if design.resolution is None:
        return f"{study.name}: a full design of {size} cells, all on the same deals."
    told = f"{study.name}: {size} of {full} cells, resolution {design.resolution}, all on the same deals. "
    pairs = [f"{effect_name(study, effect)} = {', '.join(effect_name(study, each) for each in aliases)}"
             for effect, aliases in design.effects() if aliases]  # fmt: skip
    alike = f"It cannot tell apart: {'; '.join(pairs)}." if pairs else "No effect of one or two factors is an alias."
    return told + alike


def results_sentences(study: FactorStudy, found: StudyBlocks, effects: list[FactorEffect]) -> Iterator[str]:
    """What stands below the table."""
    yield (
        f"{found.matches} matches in {len(found.means)} deals. "
        f"An effect is the change of {study.measure} by the level, "
        "averaged over the levels of all other factors. An interaction (×) is half the amount by which one factor "
        "changes the effect of the other. ± is half the width of a 95 % confidence interval over deals. An effect is "
        f"significant among all {len(effects)} if its p after Holm is below 0.05."
    )
    if found.left_out:
        yield f"{found.left_out} deals are left out: not all cells have a match there that counts."
    needed = [each.blocks for each in effects if each.blocks is not None]
    if study.find is not None and needed:
        size = f"{study.find * 100:g} points" if study.measure is not PairedMeasure.MONEY else f"{study.find:g}"
        yield (
            f"To find a true effect of {size} with a power of {study.power:.0%} it takes {max(needed)} deals, with an "
            "assurance of 80 %: continue with --blocks."
        )


def study_data(
    study: FactorStudy, design: FactorDesign, found: StudyBlocks, effects: list[FactorEffect], seed: str
) -> dict[str, Any]:
    """Everything, for JSON."""
    return {
        "name": study.name,
        "seed": seed,
        "measure": study.measure,
        "resolution": design.resolution,
        "cells": rows_data(cells_table(study, design)),
        "matches": found.matches,
        "deals": len(found.means),
        "left_out": found.left_out,
        "effects": rows_data(effects_table(study, effects)),
    }
