"""One match, played step by step: bots answer as usual, and the seats of agents are asked from outside.

The referee asks players; here the asks of a match are a generator that stops at each ask of an agent until it is given
the action. The asks of a phase are put one after another, and no agent sees what another one answered in that phase.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from arena.coding.coding import Coding, Mask, Observation, coding_of
from arena.config.editions import Edition, load_source, resolve_edition
from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.games.contract import Move, View
from arena.match.match_spec import MatchSpec
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.inprocess import InProcessPlayer
from arena.players.player import Player, TimedAnswer
from arena.players.scripted import ScriptedPlayer
from arena.players.watch import Watch
from arena.replay.lines import Seat
from arena.runs.planning.guessable_seed import check_seed
from arena.runs.planning.make_spec import MatchConditions, spec_of

log = logging.getLogger(__name__)

AGENT_BOT = "agent"
"""The bot of a seat that an agent plays, in a replay's header."""
ENVIRONMENT_CONDITIONS = MatchConditions(strikes=1_000_000_000)
"""An agent that explores is never put out."""


def load_setting(rules: str, variants: Sequence[str]) -> tuple[Edition, Coding]:
    """An edition and its coding. Raises UserError for a game without one."""
    edition = resolve_edition(load_source(rules), tuple(variants), None, ())
    return edition, coding_of(edition.game, edition.rules)


def spec_of_episode(edition: Edition, seats: tuple[Seat, ...], seed: str) -> MatchSpec:
    """The match of an episode."""
    check_seed(seed)
    return spec_of(edition, seats, id="episode", tournament="environment", seed=seed, conditions=ENVIRONMENT_CONDITIONS)


def unlimited_watch() -> Watch:
    """A watch without time limits: bots are trusted, and the same seed gives the same episode on a busy machine."""
    watch = Watch()
    watch.suspended = True
    return watch


def agent_seat(number: int) -> Seat:
    """The seat of the agent with this number, in a replay's header."""
    return Seat(f"{AGENT_BOT}_{number}", AGENT_BOT, "")


class Episode:
    """A match in which the seats without a bot are agents'.

    ``seat`` is the agent that is asked now, None once the match is over; ``mask`` has its legal actions. An agent is
    not asked where only one action is legal.
    """

    def __init__(self, spec: MatchSpec, coding: Coding, bots: Sequence[BotRef | None]) -> None:
        watch = unlimited_watch()
        self._bots = [seat for seat, bot in enumerate(bots) if bot is not None]
        players: list[Player] = [
            ScriptedPlayer({}) if bot is None else InProcessPlayer(bot, watch, log.warning) for bot in bots
        ]
        self.spec, self.coding = spec, coding
        self.referee = Referee(spec, players)
        self.state: Any = self.referee.minutes.state
        self.result: MatchResult | None = None
        self.seat: int | None = None
        self.mask: Mask = coding.mask({})
        self.faults = 0
        self._index = 0
        self._choices: Mapping[int, Move] = {}
        self._steps = self._play()
        next(self._steps)

    def act(self, action: int) -> None:
        """Answer the present ask. An action that is not legal is a fault, and the default is played."""
        move = self._choices.get(action)
        if move is None:
            fault = Fault(FaultKind.GARBLED, f"action {action} is not legal here")
            self.faults += 1
            self._steps.send(TimedAnswer(None, fault, 0.0))
        else:
            move = self.coding.finished(self.state, self._index, move)
            self._steps.send(TimedAnswer(move, None, 0.0))

    def observe(self, seat: int) -> Observation:
        """What a seat sees now, asked or not."""
        return self.coding.observe(self._view(seat))

    def describe_view(self, seat: int) -> str:
        """What a seat sees now, in words."""
        names = [each.entrant for each in self.spec.seats]
        parts = self.referee.minutes.game.tell_view(self._view(seat), self.spec.rules, names)
        return "\n".join(f"{part.name}: {part.text}" for part in parts)

    @property
    def replay(self) -> bytes:
        """The replay of the match. Raises UserError while it is still played."""
        if self.result is None:
            raise UserError("the episode is not over yet: its replay is complete when it is")
        return self.result.replay

    def _view(self, seat: int) -> View:
        view: View = self.state.view(self._index) if seat == self.seat else self.state.look(seat)
        return view

    def _play(self) -> Generator[None, TimedAnswer, None]:
        referee, state, bots = self.referee, self.state, self._bots
        minutes = referee.minutes
        minutes.open()
        for seat in bots:
            referee.start(seat)
        while state.asks:
            asks = state.asks
            answers = referee.collect_answers(state) if bots else (None,) * len(asks)
            for index, answer in enumerate(answers):
                seat = asks[index].seat
                if seat not in bots:
                    choices = self.coding.choices(state, index)
                    if len(choices) == 1:
                        (move,) = choices.values()
                        answer = TimedAnswer(move, None, 0.0)
                    else:
                        self.seat, self._index, self._choices = seat, index, choices
                        self.mask = self.coding.mask(choices)
                        answer = yield
                minutes.decide(index, answer)
            minutes.end_phase()
        self.seat, self.mask = None, self.coding.mask({})
        self.result = referee.result()
        for bot in referee.bots:
            bot.player.close()
        yield


class EpisodeHolder:
    """What the environments share: the present episode, its replay, and how a view is rendered."""

    render_mode: str | None
    _episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The present episode. Raises UserError before the first reset."""
        if self._episode is None:
            raise UserError("call reset() first: there is no episode yet")
        return self._episode

    def replay(self) -> bytes:
        """The replay of the episode, as ``arena verify`` reads it. Raises UserError before its end."""
        return self.episode.replay

    def _render_view(self, seat: int) -> str | None:
        """What a seat sees now, in words: printed in the mode ``human``, returned in the others."""
        text = self.episode.describe_view(seat)
        if self.render_mode != "human":
            return text
        print(text)
        return None
