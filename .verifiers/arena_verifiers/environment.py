"""The environment: one deal is an episode, each agent's seat one trace, rewarded with its rank."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import verifiers.v1 as vf
from pydantic import Field

from arena.bot import ChatMessage, Consult
from arena.consultation.backend import Completion, ModelUnreachable
from arena.consultation.call_record import UNPAID_FINISH
from arena.consultation.endpoint.chat_wire import schema_request
from arena.match.refereeing.match_result import MatchResult
from arena_verifiers.table import Table, TableSetup

MOST_AGENTS = 6
AGENT = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
"""An agent without tools, whose program runs on this machine: it runs no code of the model."""


class ArenaTask(vf.Task):
    """A deal: ``idx`` is its number, ``name`` the seed of its match."""


class ArenaTasks(vf.Taskset[ArenaTask, vf.TasksetConfig]):
    """Deals without end."""

    INFINITE = True

    def load(self) -> Iterator[ArenaTask]:
        for deal in count():
            yield ArenaTask(vf.TaskData(idx=deal, name=f"deal-{deal}", prompt=None))


class ArenaConfig(vf.EnvConfig):
    """The table. ``agents`` of ``agent0`` to ``agent5`` play, each a model of its own or that of the run."""

    agent0: vf.AgentConfig = AGENT
    agent1: vf.AgentConfig = AGENT
    agent2: vf.AgentConfig = AGENT
    agent3: vf.AgentConfig = AGENT
    agent4: vf.AgentConfig = AGENT
    agent5: vf.AgentConfig = AGENT
    agents: int = Field(2, ge=1, le=MOST_AGENTS)
    """How many agents sit at the table."""
    bots: tuple[str, ...] = ("dealmaker", "greedy")
    """The others at the table, named as on arena's command line."""
    rules: str = "eagle-gryphon"
    """The edition: `card-game`, or a rules file."""
    variants: tuple[str, ...] = ()
    talker: str = "talker"
    """The bot that puts an agent's questions, with its options: `talker?language=nl&plays=hoarder`."""
    calls: int = Field(60, ge=1)
    """How many answers an agent gives in a match at most; after them its seat plays by rules."""
    replays: Path | None = None
    """A folder for the replays (None: they are not kept), for `arena view` and `arena verify`."""


class ArenaEnv(vf.Env[ArenaConfig]):
    """Agents bargain; what they need not decide, rules do."""

    def __init__(self, config: ArenaConfig) -> None:
        super().__init__(config)
        setup = TableSetup(config.rules, config.variants, config.agents, config.bots, config.talker, config.calls)
        self.table = Table(setup)

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Play the deal, and reward each trace."""
        deal, loop = task.data.idx or 0, asyncio.get_running_loop()
        async with AsyncExitStack() as stack:
            talks = [
                await stack.enter_async_context(getattr(agents, f"agent{number}").interaction(_seat_task(deal)))
                for number in range(self.config.agents)
            ]

            def answer(number: int, consult: Consult) -> Completion:
                return asyncio.run_coroutine_threadsafe(_take_turn(talks[number], consult), loop).result()

            result = await asyncio.to_thread(self.table.play, deal, task.data.name or "", answer)
        self._reward([talk.trace for talk in talks], deal, result)

    def _reward(self, traces: Sequence[vf.Trace], deal: int, result: MatchResult) -> None:
        for number, trace in enumerate(traces):
            seat = self.table.seat_of(number, deal)
            own = result.seats[seat]
            trace.record_reward("rank", (self.table.players - own.rank) / (self.table.players - 1))
            trace.record_metric("money", own.money)
            trace.record_metric("faults", sum(own.faults.values()))
            trace.info["arena"] = {"deal": deal, "seat": seat, "players": self.table.players}
        if (folder := self.config.replays) is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"deal-{deal}-{result.sha256[:8]}.jsonl").write_bytes(result.replay)


def _seat_task(deal: int) -> vf.Task:
    """What an agent is told before it is asked: nothing, its first question says all."""
    return vf.Task(vf.TaskData(idx=deal, prompt=None))


async def _take_turn(talk: vf.Interaction, consult: Consult) -> Completion:
    """An agent's answer to a question. Once its run is over, rules play on for it."""
    first = talk.trace.num_turns == 0
    try:
        segment = await talk.turn(_message(consult, first))
    except Exception as problem:
        raise ModelUnreachable(f"{type(problem).__name__}: {problem}", lasting=True) from problem
    if segment.terminated:
        return Completion("the agent's run is over", UNPAID_FINISH, (0, 0), 0.0)
    return Completion(segment.last_reply, "stop", (0, 0), 0.0)


def _message(consult: Consult, first: bool) -> str:
    """What is new for an agent, which remembers all that it was told before: the last message, and the form of the
    answer; the first time also who it is and what the game is."""
    parts: list[ChatMessage] = [*consult.messages[:1], consult.messages[-1]] if first else [consult.messages[-1]]
    form = [] if consult.schema is None else [schema_request(consult.schema)]
    return "\n\n".join([*(part.content for part in parts), *form])
