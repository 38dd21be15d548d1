"""The isolation of a run's bots: the wanted level, what this system supports, and what is reported about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from arena.errors import UserError
from arena.sandbox.demand import Demand
from arena.sandbox.policy import Amounts, Layer, Policy, beyond_usual
from arena.sandbox.probe import (
    LEVEL_LAYERS,
    UNTRUSTED_LEVEL,
    LayerProbe,
    Level,
    ProbedMemory,
    level_of,
    policy_here,
    probe_layers,
    probe_memory,
)


class Isolation(msgspec.Struct, frozen=True):
    """The isolation of bots: the ``policy`` of their processes, None if they are trusted, and its level."""

    policy: Policy | None = None

    @property
    def level(self) -> Level:
        """The isolation level."""
        return Level.NONE if self.policy is None else level_of(self.policy.layers)

    @property
    def demand(self) -> Demand:
        """The level and amounts that every machine that plays the matches must meet."""
        if self.policy is None:
            return Demand()
        return Demand(level=self.level, **{name: getattr(self.policy, name) for name in Amounts.__struct_fields__})

    def describe(self) -> dict[str, Any]:
        """The isolation as an entry of the manifest."""
        policy = self.policy
        if policy is None:
            return {"level": Level.NONE.value}
        amounts = {name: getattr(policy, name) for name in Amounts.__struct_fields__}
        return {"level": self.level.value, "layers": [layer.value for layer in policy.layers], **amounts}

    def warn(self) -> str:
        """A one-line warning of what this system lacks for strangers' bots; empty if nothing is lacking or required."""
        levels = list(Level)
        if self.policy is None or levels.index(self.level) >= levels.index(UNTRUSTED_LEVEL):
            return ""
        missing = ", ".join(layer.value for layer in Layer if layer not in self.policy.layers)
        return f"isolation {self.level} does not hold strangers: no {missing} here (arena doctor)"


TRUSTED_ISOLATION = Isolation()


def strictest_isolation(limits: Policy | None = None, at_least: Level = Level.NONE) -> Isolation:
    """The strongest isolation that this system supports, with the amounts of ``limits``. Raises UserError if its level
    is below ``at_least``."""
    found = Isolation(policy_here(limits or Policy()))
    levels = list(Level)
    if levels.index(found.level) < levels.index(at_least):
        lacking = "; ".join(f"{each.layer}: {each.found}" for each in probe_layers() if not each.holds)
        raise UserError(f"this system reaches only level {found.level}, not {at_least} ({lacking}); see: arena doctor")
    return found


def choose_isolation(trust: bool, require: Level = Level.NONE, limits: Policy | None = None) -> Isolation:
    """The isolation of bots, trusted or not. Raises UserError if its level is below ``require``."""
    if not trust:
        return strictest_isolation(limits, require)
    if require is not Level.NONE:
        raise UserError(
            f"level {require} is required, but trusted bots are played at level none; choose one of the two"
        )
    return TRUSTED_ISOLATION


class BotPermissions(msgspec.Struct, frozen=True):
    """What the user of a command permits for the bots of a folder, whose configuration somebody else may have written:
    to ``trust`` them, which level to ``require`` (None: the one in the configuration), and whether they may have
    ``wider`` limits than the usual sandbox. The folder decides none of this."""

    trust: bool = False
    require: Level | None = None
    wider: bool = False

    def choose(self, sandbox: Amounts, require: Level) -> Isolation:
        """The isolation for bots of a folder that asks for these amounts and requires a level. Raises UserError where
        it asks for more than is usual without permission, or this system reaches less."""
        if self.trust:
            return choose_isolation(True, self.require or Level.NONE)
        self.check(sandbox)
        return choose_isolation(
            False, require if self.require is None else self.require, Policy(**msgspec.structs.asdict(sandbox))
        )

    def check(self, sandbox: Amounts) -> None:
        """Raise UserError where a folder asks for more than the usual amounts, and the user has not permitted it."""
        if not (self.trust or self.wider) and (more := beyond_usual(sandbox)):
            raise UserError(
                f"the configuration in the folder gives bots more than is usual: {', '.join(more)}; "
                "if you let it, add --wider-sandbox"
            )


NO_WORD = BotPermissions()
"""The default permissions: bots are isolated, in the usual sandbox at most."""


def for_strangers(require: Level) -> bool:
    """Whether the required level is one for bots that nobody has read."""
    levels = list(Level)
    return levels.index(require) >= levels.index(UNTRUSTED_LEVEL)


def for_games(isolation: Isolation, names: Iterable[str]) -> Isolation:
    """The same isolation, but games from outside arena are imported before bots are locked in, because bots cannot read
    the files of these games."""
    foreign = [name for name in dict.fromkeys(names) if "." in name]
    if isolation.policy is None or not foreign:
        return isolation
    preload = (*isolation.policy.preload, *foreign)
    return Isolation(msgspec.structs.replace(isolation.policy, preload=preload))


class Diagnosis(msgspec.Struct):
    """The result of ``arena doctor``: the layers, the level they reach, which layers each level needs in addition to
    the level before, and the ways in which ``memory`` is limited."""

    layers: tuple[LayerProbe, ...]
    level: Level
    needs: dict[Level, tuple[Layer, ...]]
    memory: tuple[ProbedMemory, ...]
    untrusted: Level = UNTRUSTED_LEVEL


def diagnose_layers() -> Diagnosis:
    """Try every layer, and every way to limit memory."""
    found = probe_layers()
    return Diagnosis(found, level_of(each.layer for each in found if each.holds), LEVEL_LAYERS, probe_memory())
