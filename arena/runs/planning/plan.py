"""A tournament with everything that is needed to play it: editions, bots, schedule, and its matches as work."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import accumulate
from typing import Any

import msgspec

from arena.config.editions import Edition
from arena.config.tournament_config import Tournament, to_data
from arena.consultation.model_spec import CallBudgets, MatchModels
from arena.errors import unknown_entrant
from arena.finding.exempt_bots import is_exempt
from arena.finding.reference import BotRef
from arena.match.work import Work
from arena.runs.planning.guessable_seed import judge_seed
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, Isolation
from arena.runs.planning.make_spec import MatchConditions, seats_of, spec_of
from arena.storage.run_facts.registration import RegisteredRun
from arena.tournament.measures.custom_measures import with_made
from arena.tournament.measures.measures import Measure
from arena.tournament.records.fixture import Fixture
from arena.tournament.schedule.deals import match_seed
from arena.tournament.schedule.roster import Roster
from arena.tournament.schedule.schedule import Schedule
from arena.tournament.schedule.share import Fixtures, Share, fixtures_of


class Plan(msgspec.Struct, frozen=True):
    """A tournament, ready to play. ``tables`` pairs each edition with its seats, in the schedule's order; ``skipped``
    says for each entrant that was not admitted why its bot cannot be loaded; ``old_names`` are warnings of keys that
    were renamed; ``share`` is the share that is played (None: all); ``idle`` names, by game, the entrants whose bots do
    not play it; ``registration`` is what was registered of it, if anything."""

    tournament: Tournament
    seed: str
    tables: tuple[tuple[Edition, int], ...]
    bots: tuple[BotRef, ...]
    schedule: Schedule
    isolation: Isolation = TRUSTED_ISOLATION
    skipped: dict[str, str] = {}
    old_names: tuple[str, ...] = ()
    share: Share | None = None
    idle: dict[str, tuple[str, ...]] = {}
    registration: RegisteredRun | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names."""
        return tuple(entrant.name for entrant in self.tournament.entrants)

    @property
    def isolation_words(self) -> str:
        """How the bots are isolated, in a few words."""
        return self.isolation.words(self.bots)

    def with_all_isolated(self) -> Plan:
        """The plan with no bot exempt from isolation, as where matches are played by threads."""
        isolation = msgspec.structs.replace(self.isolation, isolate_all=True)
        return msgspec.structs.replace(self, isolation=isolation)

    def with_budgets(self, budgets: CallBudgets) -> Plan:
        """The plan with these budgets for models."""
        tournament = msgspec.structs.replace(self.tournament, consulting=budgets)
        return msgspec.structs.replace(self, tournament=tournament)

    @property
    def all_in_process(self) -> bool:
        """Whether all bots are played in arena's own processes: trusted ones, or bots exempt from isolation."""
        return self.isolation.policy is None or all(is_exempt(bot, self.isolation.demand) for bot in self.bots)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures in the standings."""
        return with_made(self.tournament.measures)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels under which standings are kept, in order."""
        return tuple(edition.label for edition in self.schedule.editions)

    @property
    def sizes(self) -> list[int]:
        """The number of matches of each edition."""
        sizes = [self.schedule.edition_size(edition) for edition in range(len(self.labels))]
        if self.share is None:
            return sizes
        return [
            self.share.count(end) - self.share.count(end - size)
            for end, size in zip(accumulate(sizes), sizes, strict=True)
        ]

    @property
    def fixtures(self) -> Fixtures:
        """The matches to play: those of the share, or the whole schedule."""
        return fixtures_of(self.schedule, self.share)

    @property
    def in_stages(self) -> bool:
        """Whether a block can be begun only when those before it are finished, because it depends on their results."""
        return self.schedule.looks_back or self.tournament.suspend_after is not None

    @property
    def roster(self) -> Roster:
        """The roster: what the record of each match must say."""
        return Roster(self.schedule, self.names, self.seed, self.tournament.deal_sharing, self.share)

    def warn(self) -> Iterator[str]:
        """Warnings, a line each: what makes this run unfit for strangers' bots, and which entrants sit at tables of a
        game that their bots do not play."""
        yield from filter(None, (self.isolation.warn(), judge_seed(self.seed, self.bots, self.isolation)))
        yield from self.warn_of_idle()

    def warn_of_idle(self) -> Iterator[str]:
        """Warnings of entrants that sit at tables of a game that their bots do not play, a line for each game."""
        for game, names in self.idle.items():
            named = ", ".join(names)
            yield f"some entrants do not play the game {game}, so defaults are played for them there: {named}"

    def check_entrants(self, names: Iterable[str]) -> None:
        """Raise UserError for the first of these names that no entrant has."""
        for name in names:
            if name not in self.names:
                raise unknown_entrant(name, self.names)

    def work(self, fixture: Fixture) -> Work:
        """One match as work."""
        tournament = self.tournament
        edition, _ = self.tables[fixture.edition]
        bots = tuple(self.bots[entrant] for entrant in fixture.entrants)
        names = self.names
        spec = spec_of(
            msgspec.structs.replace(edition, label=self.schedule.editions[fixture.edition].label),
            seats_of([names[entrant] for entrant in fixture.entrants], bots),
            id=fixture.id,
            tournament=tournament.name,
            seed=match_seed(self.seed, tournament.deal_sharing, fixture.block, fixture.id),
            block=fixture.block,
            conditions=MatchConditions(tournament.limits, tournament.fault_policy, tournament.strikes),
        )
        demand, replays = self.isolation.demand, tournament.replays
        return Work(spec=spec, bots=bots, replays=replays, demand=demand, models=self.models_of(fixture))

    def models_of(self, fixture: Fixture) -> MatchModels | None:
        """The models that the bots of a match may consult; None where the tournament has none."""
        tournament = self.tournament
        if not tournament.models:
            return None
        allowed = tuple(tournament.entrants[entrant].models for entrant in fixture.entrants)
        return MatchModels(tournament.models, allowed, tournament.consulting)

    def works(self, fixtures: Iterable[Fixture], finished: Container[int] = ()) -> Iterator[Work]:
        """These matches as work, in their order, without those that are ``finished`` (places in the schedule)."""
        return (self.work(fixture) for fixture in fixtures if fixture.index not in finished)

    def resolved_config(self) -> dict[str, Any]:
        """The whole resolved configuration, as plain data that loads as an equal tournament."""
        return to_data(msgspec.structs.replace(self.tournament, seed=self.seed))
