"""Board spaces (B1.4) and what each needs (B4.2): required families, and choices out of groups of families.

A family counts once, so a set of families fills at most as many needs as can be assigned different families of the set.
:func:`filled_needs` has that number for all 64 sets, and all code that asks about needs looks it up there. Groups may
share families; it is then left open for which group such a family counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import Annotated

import msgspec
from msgspec import Meta

from arena.games.board.cards import FAMILIES, Family, families_in, mask_of

Positive = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class RulesRecord(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base of the records inside the rules."""


class Choice(RulesRecord, frozen=True):
    """A choice group of a space (B4.2): exactly ``choose`` different families out of ``families``."""

    choose: Positive
    families: tuple[Family, ...] = msgspec.field(name="from")


class Space(RulesRecord, frozen=True, omit_defaults=True):
    """A board space (B1.4, B4.2): ``required`` families, choice groups, and the ``dividends`` it pays.

    Read the groups from :attr:`groups`. In the data, a single group is given as ``choose`` (how many) and ``optional``
    (out of which families); two or more are in ``choices``, and ``choose`` and ``optional`` are then empty. A space
    made with one group in ``choices`` converts it into the short form, so that the same board is always the same data.
    """

    dividends: Positive
    required: tuple[Family, ...] = ()
    choose: Count = 0
    optional: tuple[Family, ...] = msgspec.field(default=(), name="from")
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        if len(self.choices) == 1 and not self.choose and not self.optional:
            (only,) = self.choices
            msgspec.structs.force_setattr(self, "choose", only.choose)
            msgspec.structs.force_setattr(self, "optional", only.families)
            msgspec.structs.force_setattr(self, "choices", ())

    @property
    def groups(self) -> tuple[Choice, ...]:
        """Every choice group of the space, in the order of the rules file; empty if it has none."""
        return self.choices or ((Choice(self.choose, self.optional),) if self.optional else ())

    @property
    def needs(self) -> int:
        """How many investors the space needs."""
        return len(self.required) + self.choose + sum(choice.choose for choice in self.choices)

    @property
    def families(self) -> tuple[Family, ...]:
        """Every family that may take part, each once: the required ones, then group by group."""
        chosen = (family for group in self.groups for family in group.families)
        return tuple(dict.fromkeys((*self.required, *chosen)))


@lru_cache(maxsize=1024)
def filled_needs(space: Space) -> bytes:
    """How many needs of ``space`` a set of families fills at most (B4.2), indexed by the mask of the set.

    The set suffices if this number is ``space.needs``; it fills the space exactly if it also has no more families than
    that.
    """
    full = {0}
    for choose, families in [(1, (family,)) for family in space.required] + [
        (group.choose, group.families) for group in space.groups
    ]:
        chosen = [mask_of(each) for each in combinations(families, choose)]
        full = {mask | more for mask in full for more in chosen if not mask & more}
    return bytes(max((set_ & each).bit_count() for each in full or {0}) for set_ in range(1 << len(FAMILIES)))


@lru_cache(maxsize=1024)
def wanted_mask(space: Space) -> int:
    """The mask of all families that may take part (B4.2)."""
    return mask_of(space.families)


@lru_cache(maxsize=1024)
def refuse_space(space: Space) -> tuple[tuple[str, str], ...]:
    """What is wrong with ``space``: pairs of the key in the space ("" for all of it) and a sentence; may be empty."""
    found = []
    if space.choices and (space.choose or space.optional):
        found.append(
            ("choices", "choose and from cannot be used with choices; write them as one of the choices (B4.2)")
        )
    listed = [("", space.choose, space.optional)] if space.choose or space.optional else []
    listed += [(f"choices[{place}]", each.choose, each.families) for place, each in enumerate(space.choices)]
    if len(set(space.required)) < len(space.required):
        found.append(("", "a family occurs twice (B4.2)"))
    for key, choose, families in listed:
        if len(set(families)) < len(families):
            found.append((key, "a family occurs twice (B4.2)"))
        if set(families) & set(space.required):
            found.append((key, "a family is both required and optional (B4.2)"))
        if choose > len(set(families)):
            found.append((f"{key}.choose".lstrip("."), f"{choose} of only {len(set(families))} families"))
    if not space.needs:
        found.append(("", "needs nobody"))
    if not found and filled_needs(space)[-1] < space.needs:
        found.append(("choices", "the six families are too few for all these choices (B4.2)"))
    return tuple(found)


def misfit_reason(space: Space, mask: int) -> str:
    """Why exactly the families of ``mask`` do not fill ``space``: which choice group lacks what (B4.2)."""
    required = mask_of(space.required)
    if required & ~mask:
        return f"{', '.join(families_in(required & ~mask))} required and not named"
    if strangers := mask & ~wanted_mask(space):
        return f"{', '.join(families_in(strangers))} not needed here"
    places = [place for place, group in enumerate(space.groups) for _ in range(group.choose)]
    chosen = families_in(mask & ~required)
    held = _match_families(space.groups, places, chosen)
    said = []
    for place, group in enumerate(space.groups):
        named = sum(1 for each, family in zip(places, held, strict=True) if each == place and family is not None)
        if named < group.choose:
            said.append(f"{group.choose} of {'/'.join(group.families)} needed, {named} named")
    if too_many := [family for family in chosen if family not in held]:
        said.append(f"no need left for {', '.join(too_many)}")
    return "; ".join(said)


def _match_families(groups: tuple[Choice, ...], places: list[int], chosen: Iterable[Family]) -> list[Family | None]:
    """Assign families to as many places as possible (augmenting paths); a place is the index of its group."""
    held: list[Family | None] = [None] * len(places)

    def give(family: Family, tried: set[int]) -> bool:
        for index, place in enumerate(places):
            if index in tried or family not in groups[place].families:
                continue
            tried.add(index)
            holder = held[index]
            if holder is None or give(holder, tried):
                held[index] = family
                return True
        return False

    for family in chosen:
        give(family, set())
    return held
