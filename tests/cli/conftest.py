"""What tests of several commands need."""

from __future__ import annotations

import pytest

from arena.app import check


@pytest.fixture
def few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of one edition cut short, in place of all of them."""
    works = check._works
    monkeypatch.setattr(check, "_works", lambda *given: list(works(*given))[:3])
