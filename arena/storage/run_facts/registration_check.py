"""In what a run deviates from its registration, and whether a result was registered or is exploratory."""

from __future__ import annotations

from collections.abc import Iterator

from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.registration import RegisteredRun, SeedSecret, StoppingRule
from arena.storage.run_facts.settings import LENGTH_KEYS, setting_differences
from arena.tournament.inference.paired import PairedMeasure

EXPLORATORY = "Exploratory: nothing was registered before the first match (arena docs registering)."
"""What the output says about the results of a run without a registration."""
SHORT_DIGEST = 16
"""How many digits of a registration's digest stand in a sentence; the manifest has all."""


def find_deviations(facts: Facts, state: RunState) -> list[str]:
    """In what a run deviates from its registration, a sentence each; empty without a registration."""
    return [] if facts.registration is None else list(_deviations(facts, state, facts.registration))


def _deviations(facts: Facts, state: RunState, registered: RegisteredRun) -> Iterator[str]:
    written = registered.registration
    if registered.sha256 != written.digest():
        yield f"the registration was changed: its digest is {written.digest()}, not {registered.sha256}"
    if SeedSecret(facts.seed, registered.salt).commitment() != written.seed_commitment:
        yield "the seed is not the one that the registration commits to"
    if facts.arena != written.arena:
        yield f"arena {written.arena} was registered, the run began with {facts.arena}"
    if facts.blocks != written.stopping.blocks:
        yield f"{written.stopping.blocks} blocks were registered, the run has {facts.blocks}"
    if state is not RunState.COMPLETE:
        yield f"the run is not complete ({state})"
    yield from _changed_bots(facts, written.entrants)
    for label in sorted({*written.editions, *facts.editions}):
        if written.editions.get(label) != facts.editions.get(label):
            yield f"the rules of {label} are not those registered"
    for key, (then, now) in setting_differences(written.settings, registrable_settings(facts)).items():
        yield f"{key}: {then} was registered, the run has {now}"


def _changed_bots(facts: Facts, registered: dict[str, dict[str, object]]) -> Iterator[str]:
    for name, then in registered.items():
        now = facts.entrants.get(name)
        if now is None:
            yield f"{name} was registered and does not play"
        elif now.get("sha256") != then["sha256"]:
            yield f"the bot of {name} is not the one registered"
        elif now.get("options") != then["options"]:
            yield f"the options of {name} are not those registered"
    for name in facts.entrants:
        if name not in registered:
            yield f"{name} plays and was not registered"


def registrable_settings(facts: Facts) -> dict[str, object]:
    """The settings of a run that its registration must have, but for its length, which the stopping rule has."""
    return {key: value for key, value in facts.settings.items() if key not in LENGTH_KEYS}


def registered_sentence(facts: Facts, state: RunState) -> str:
    """What the standings of a run say of its registration; empty where it has none."""
    if facts.registration is None:
        return ""
    written = facts.registration.registration
    new, old = written.contrast
    told = f"Registered before the first match ({facts.registration.sha256[:SHORT_DIGEST]}): whether {new} is better "
    told += f"than {old}, by {written.measure}. Everything else is exploratory."
    return told + deviations_sentence(find_deviations(facts, state))


def deviations_sentence(deviations: list[str]) -> str:
    """A sentence with the deviations, to be put behind another; empty without any."""
    return f" The run deviates from the registration: {'; '.join(deviations)}." if deviations else ""


def standing_of_test(
    facts: Facts, state: RunState, contrast: tuple[str, str], measure: PairedMeasure, margin: float, rule: StoppingRule
) -> str:
    """Whether a test of a run was registered, in a sentence that begins with this word, or with *Exploratory*."""
    if facts.registration is None:
        return EXPLORATORY
    written = facts.registration.registration
    asked = {"contrast": contrast, "measure": measure, "margin": margin}
    asked |= {"alpha": rule.alpha, "beta": rule.beta, "null": rule.null}
    then = {"contrast": written.contrast, "measure": written.measure, "margin": written.margin}
    then |= {name: getattr(written.stopping, name) for name in ("alpha", "beta", "null")}
    if others := [name for name, value in asked.items() if value != then[name]]:
        return f"Exploratory: another {' and '.join(others)} was registered before the first match."
    told = f"Registered before the first match ({facts.registration.sha256[:SHORT_DIGEST]})."
    return told + deviations_sentence(find_deviations(facts, state))
