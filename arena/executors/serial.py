"""The executor for tests and debugging: one match after another in this process."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator

from arena.errors import ArenaError
from arena.executors.executor import Look, UnplayedMatch, no_look
from arena.executors.interrupt import defer_stop
from arena.executors.retry import Attempt, GiveUpMatch, RetryMatch, StopPlaying, decide_retry
from arena.executors.run_attempt import run_attempt
from arena.finding.depot import BotCopies
from arena.match.runner import Runner, needs_processes
from arena.match.work import Work, WorkResult, place_work


class Serial:
    """Implements :class:`arena.executors.executor.Executor` without workers. A trusted bot that crashes the process
    ends everything."""

    jobs = 1

    def __init__(self) -> None:
        self._waiting: deque[Attempt] = deque()
        self._runner = Runner()
        self._depot = BotCopies()

    @property
    def room(self) -> int:
        """Room for one match at a time."""
        return max(0, 1 - len(self._waiting))

    def submit(self, work: Work) -> None:
        """Accept a piece of work."""
        self._waiting.append(Attempt(place_work(work, self._depot), apart=needs_processes(work)))

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        """Each result, in the order of submission."""
        with defer_stop() as interrupted:
            while self._waiting:
                interrupted.stop()
                look()
                if not self._waiting:
                    return
                result = self._play(self._waiting.popleft())
                if result is not None:
                    yield result

    def wind_up(self) -> None:
        """Begin no more matches."""
        self._waiting.clear()

    def _play(self, attempt: Attempt) -> WorkResult | UnplayedMatch | None:
        """The result, or None where the match must be played again."""
        played = run_attempt(self._runner, attempt)
        if isinstance(played, WorkResult):
            return played
        match decide_retry(played, attempt):
            case RetryMatch(again):
                self._waiting.appendleft(again)
                return None
            case GiveUpMatch(reason, suspended):
                return UnplayedMatch(attempt.work.spec.id, reason, suspended)
            case StopPlaying(reason):
                raise ArenaError(reason)

    def close(self) -> None:
        """Forget work that was not played, end the fork servers of isolated bots, and remove the copies of bots."""
        self._waiting.clear()
        self._runner.close()
        self._depot.close()
