"""One match in which seats ask language models through a function: what does not depend on verifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from arena.bot import Consult
from arena.config.botspec import BotSpec, parse_bot
from arena.config.editions import load_source, resolve_edition
from arena.consultation.backend import Completion
from arena.consultation.match_desk import CassetteMode, LiveCalls, MatchDesk
from arena.consultation.model_spec import CallBudget, CallBudgets, MatchModels, ModelSpec
from arena.consultation.spending import RunAllowance
from arena.errors import UserError
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee
from arena.players.inprocess import InProcessPlayer
from arena.players.watch import Watch
from arena.runs.planning.load_bots import load_here, refer_to_bot
from arena.runs.planning.make_spec import seats_of, spec_of
from arena.runs.single_match import check_players, entrant_names

TALKER = "talker"
"""The bundled bot that sits for an agent: it asks a model while it bargains, and plays by rules otherwise."""
Answer = Callable[[int, Consult], Completion]
"""Answers a question of the agent with this number. It is called in a thread and blocks until there is an answer."""


class TableSetup(NamedTuple):
    """What is played: the edition by ``rules`` and ``variants``; how many ``agents`` sit with which ``bots``; what the
    seats of agents are played by (``talker``, with its options, as on the command line); and at most so many ``calls``
    of each agent."""

    rules: str
    variants: Sequence[str]
    agents: int
    bots: Sequence[str]
    talker: str
    calls: int


class Table:
    """A table at which matches are played one after another. Raises UserError for a wrong name or number of seats."""

    def __init__(self, setup: TableSetup) -> None:
        self.setup = setup
        self.edition = resolve_edition(load_source(setup.rules), tuple(setup.variants), None, ())
        self.players = setup.agents + len(setup.bots)
        check_players(self.edition, self.players)
        talker = parse_bot(setup.talker)
        if talker.target != TALKER:
            raise UserError(f"talker: expected {TALKER} with options, such as {TALKER}?language=nl, got {setup.talker}")
        self._specs: list[BotSpec] = [talker] * setup.agents + [parse_bot(bot) for bot in setup.bots]
        self._refs = [refer_to_bot(spec) for spec in self._specs]
        load_here(self._refs)

    def seat_of(self, agent: int, deal: int) -> int:
        """The seat of an agent: in each deal the next one, so that all agents sit in all seats."""
        return (agent + deal) % self.players

    def play(self, deal: int, seed: str, answer: Answer) -> MatchResult:
        """Play a deal. Raises whatever ``answer`` raises, where that is nobody's fault, as MatchSuspended."""
        setup, players = self.setup, range(self.players)
        places = [(seat - deal) % self.players for seat in players]
        refs, names = [self._refs[place] for place in places], entrant_names([self._specs[place] for place in places])
        spec = spec_of(self.edition, seats_of(names, refs), id=f"deal-{deal}", tournament="verifiers", seed=seed)
        allowed = tuple((f"agent{place}",) if place < setup.agents else () for place in places)
        specs = {f"agent{place}": ModelSpec(url="http://localhost", model="agent") for place in range(setup.agents)}
        budgets = CallBudgets(match=CallBudget(calls=setup.calls))
        with ThreadPoolExecutor(1) as threads:
            live = LiveCalls(_Answers(answer), threads, RunAllowance(budgets))
            models = MatchModels(specs, allowed, budgets)
            desk = MatchDesk(models, names, mode=CassetteMode.PASSTHROUGH, live=live)
            watch = Watch()
            watch.suspended = True  # an agent may think as long as verifiers lets it
            seated = [InProcessPlayer(ref, watch) for ref in refs]
            for player in seated:
                player.desk = desk
            return Referee(spec, seated).play()


class _Answers:
    """Implements :class:`arena.consultation.backend.ModelBackend` by a function; no address is used."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def complete(self, name: str, model: ModelSpec, consult: Consult) -> Completion:
        """The answer of the agent that is called ``name``."""
        return self._answer(int(name.removeprefix("agent")), consult)

    def close(self) -> None:
        """Do nothing: there is no connection."""
