"""Tries all laws on a case in one test."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from .cases import CASES, Case

Law = Callable[[Case], None]


class Laws:
    """Collects laws of some cases; used as their decorator."""

    def __init__(self, cases: Collection[Case] = CASES) -> None:
        self.cases = cases
        self.laws: list[Law] = []

    def __call__(self, law: Law) -> Law:
        self.laws.append(law)
        return law


def hold(laws: Iterable[Laws], case: Case) -> None:
    """Try those of this case. Raises an ExceptionGroup of the errors of all broken laws."""
    tried = [law for each in laws if case in each.cases for law in each.laws]
    broken = []
    for law in tried:
        try:
            law(case)
        except Exception as error:
            error.add_note(f"{law.__module__}.{law.__name__}, {case}")
            broken.append(error)
    if broken:
        raise ExceptionGroup(f"{len(broken)} of {len(tried)} laws do not hold of {case}", broken)
