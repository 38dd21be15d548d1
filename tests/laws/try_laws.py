"""Tries all laws of a module on a case in one test."""

from __future__ import annotations

from collections.abc import Callable

from .cases import Case

Law = Callable[[Case], None]


class Laws:
    """Collects the laws of a module; used as their decorator."""

    def __init__(self) -> None:
        self.laws: list[Law] = []

    def __call__(self, law: Law) -> Law:
        self.laws.append(law)
        return law

    def hold(self, case: Case) -> None:
        """Try all of them. Raises an ExceptionGroup of the errors of all broken laws."""
        broken = []
        for law in self.laws:
            try:
                law(case)
            except Exception as error:
                error.add_note(f"{law.__name__}, {case}")
                broken.append(error)
        if broken:
            raise ExceptionGroup(f"{len(broken)} of {len(self.laws)} laws do not hold of {case}", broken)
