"""Tries every law of the modules beside this one on every case. The laws of a case are one test, which plays its
matches once and tells of each law that is broken."""

from __future__ import annotations

import pytest

from . import (
    test_board_laws,
    test_card_laws,
    test_card_log,
    test_chance_laws,
    test_drawn_anew,
    test_fold_laws,
    test_imagined,
    test_laws,
    test_ledger_laws,
)
from .cases import CASES, Case
from .try_laws import hold

LAWS = (
    test_laws.law,
    test_board_laws.law,
    test_card_laws.law,
    test_card_log.law,
    test_fold_laws.law,
    test_fold_laws.refusing_law,
    test_ledger_laws.law,
    test_imagined.law,
    test_drawn_anew.law,
    test_drawn_anew.ending_law,
    test_chance_laws.law,
    test_chance_laws.card_law,
    test_chance_laws.roll_law,
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_laws_hold(case: Case) -> None:
    hold(LAWS, case)
