"""The isolation of a run's bots: the wanted level, what this system supports, and what is reported about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from arena.config.tournament_config import isolation_word
from arena.errors import UserError
from arena.finding.exempt_bots import is_exempt
from arena.finding.reference import BotRef, bundled_bots
from arena.sandbox.demand import Demand
from arena.sandbox.policy import Amounts, Layer, SandboxPolicy, beyond_usual
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
from arena.system.platform_support import isolation_refusal, missing_features


class Isolation(msgspec.Struct, frozen=True):
    """The isolation of bots: the ``policy`` of their processes, None if they are trusted, and its level. Bundled bots
    are exempt (:mod:`arena.finding.exempt_bots`), unless ``isolate_all``."""

    policy: SandboxPolicy | None = None
    isolate_all: bool = False

    @property
    def level(self) -> Level:
        """The isolation level."""
        return Level.NONE if self.policy is None else level_of(self.policy.layers)

    @property
    def demand(self) -> Demand:
        """The level and amounts that every machine that plays the matches must meet. Who is not trusted has a process
        at least, so where there are none only exempt bots can be played."""
        if self.policy is None:
            return Demand()
        amounts = {name: getattr(self.policy, name) for name in Amounts.__struct_fields__}
        level = Level.PROCESS if self.level is Level.NONE else self.level
        return Demand(level=level, isolate_all=self.isolate_all, **amounts)

    def describe(self, bots: Mapping[str, BotRef]) -> dict[str, Any]:
        """The isolation as an entry of the manifest of a run with these bots, by entrant. The entrants that are
        ``exempt`` from it are played in arena's own processes."""
        policy = self.policy
        if policy is None:
            return {"level": Level.NONE.value}
        amounts = {name: getattr(policy, name) for name in Amounts.__struct_fields__}
        exempt = [name for name, bot in bots.items() if is_exempt(bot, self.demand)]
        layers = [layer.value for layer in policy.layers]
        return {"level": self.level.value, "layers": layers, **amounts, "exempt": exempt}

    def words(self, bots: Iterable[BotRef]) -> str:
        """The level, and whether any of these bots are exempt, for a line that says how they are played."""
        exempt = self.policy is not None and any(is_exempt(bot, self.demand) for bot in bots)
        return f"isolation {self.level}" + (EXEMPT_WORDS if exempt else "")

    def warn(self) -> str:
        """A one-line warning of what this system lacks for strangers' bots; empty if nothing is lacking or required."""
        levels = list(Level)
        if self.policy is None or levels.index(self.level) >= levels.index(UNTRUSTED_LEVEL):
            return ""
        missing = ", ".join(layer.value for layer in Layer if layer not in self.policy.layers)
        unsafe = f"isolation {self.level} is not safe against strangers' bots"
        return f"{unsafe}: {missing} not working here (arena doctor)"


TRUSTED_ISOLATION = Isolation()
EXEMPT_WORDS = " (bundled bots in arena's own process)"
"""What follows the level where bundled bots are exempt from isolation."""


def strictest_isolation(limits: SandboxPolicy | None = None, at_least: Level = Level.NONE) -> Isolation:
    """The strongest isolation that this system supports, with the amounts of ``limits``. Raises UserError if its level
    is below ``at_least``."""
    if at_least is not Level.NONE and (refusal := isolation_refusal()):
        raise UserError(refusal)
    found = Isolation(policy_here(limits or SandboxPolicy()))
    levels = list(Level)
    if levels.index(found.level) < levels.index(at_least):
        lacking = "; ".join(f"{each.layer}: {each.found}" for each in probe_layers() if not each.holds)
        raise UserError(f"this system reaches only level {found.level}, not {at_least} ({lacking}); see: arena doctor")
    return found


def choose_isolation(
    trust: bool, require: Level = Level.NONE, limits: SandboxPolicy | None = None, isolate_all: bool = False
) -> Isolation:
    """The isolation of bots, trusted or not; with ``isolate_all`` no bot is exempt. Raises UserError if its level is
    below ``require``."""
    if isolation_word(trust, isolate_all) != "none":
        return msgspec.structs.replace(strictest_isolation(limits, require), isolate_all=isolate_all)
    if require is not Level.NONE:
        raise UserError(f"level {require} is required, but trusted bots have level none; choose one of the two")
    return TRUSTED_ISOLATION


class BotPermissions(msgspec.Struct, frozen=True):
    """What the user of a command permits for the bots of a folder, whose configuration somebody else may have written:
    to ``trust`` them, which level to ``require`` (None: the one in the configuration), and whether they may have
    ``wider`` limits than the usual sandbox; and whether to isolate bundled bots too (``isolate_all``). The folder
    decides none of this, but may ask to isolate all."""

    trust: bool = False
    require: Level | None = None
    wider: bool = False
    isolate_all: bool = False

    def choose(self, sandbox: Amounts, require: Level, isolate_all: bool = False) -> Isolation:
        """The isolation for bots of a folder that asks for these amounts, requires a level, and may ask to isolate all.
        Raises UserError where it asks for more than is usual without permission, or this system reaches less."""
        if self.trust:
            return choose_isolation(True, self.require or Level.NONE, isolate_all=self.isolate_all)
        self.check(sandbox)
        level = require if self.require is None else self.require
        limits = SandboxPolicy(**msgspec.structs.asdict(sandbox))
        return choose_isolation(False, level, limits, isolate_all or self.isolate_all)

    def check(self, sandbox: Amounts) -> None:
        """Raise UserError where a folder asks for more than the usual amounts, and the user has not permitted it."""
        if not (self.trust or self.wider) and (more := beyond_usual(sandbox)):
            raise UserError(
                f"the configuration in the folder gives bots more than the defaults: {', '.join(more)}; to allow it, "
                f"add --wider-sandbox"
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
    policy = msgspec.structs.replace(isolation.policy, preload=preload)
    return msgspec.structs.replace(isolation, policy=policy)


class Diagnosis(msgspec.Struct):
    """The result of ``arena doctor``: the layers, the level they reach, which layers each level needs in addition to
    the level before, and the ways in which ``memory`` is limited; the bundled bots, which are ``exempt`` from
    isolation, unless all are isolated; and what the system is ``missing``, with what follows from that."""

    layers: tuple[LayerProbe, ...]
    level: Level
    needs: dict[Level, tuple[Layer, ...]]
    memory: tuple[ProbedMemory, ...]
    untrusted: Level = UNTRUSTED_LEVEL
    exempt: tuple[str, ...] = ()
    missing: dict[str, str] = {}


def diagnose_layers() -> Diagnosis:
    """Try every layer, and every way to limit memory."""
    found = probe_layers()
    level = level_of(each.layer for each in found if each.holds)
    exempt, missing = tuple(bundled_bots()), missing_features()
    return Diagnosis(found, level, LEVEL_LAYERS, probe_memory(), exempt=exempt, missing=missing)
