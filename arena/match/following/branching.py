"""A branch of a recorded match: at one ask another answer is given, or another bot takes over, and all play on.

All bots are created anew and get their recorded asks again up to there, so that their memory is right. From that ask
on, chance can use another seed, which branches to be compared have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.games.chance import Chance
from arena.games.contract import State
from arena.match.feeding.fed_bot import is_same
from arena.match.following.branch import Branch, BranchAnswer, BranchReport, BranchResult, UnrepeatedSeat
from arena.match.following.record_follower import RecordFollower
from arena.match.match_spec import MatchSpec
from arena.match.pulse import LifeSignDeadline
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee
from arena.match.walk.timeline import whole_timeline
from arena.players.player import Player, TimedAnswer
from arena.replay.lines import move_decoder


def referee_of(
    spec: MatchSpec,
    players: Sequence[Player],
    pulse: LifeSignDeadline | None = None,
    muted: tuple[int, ...] = (),
    branch: Branch | None = None,
) -> Referee:
    """The referee that plays this match: from its start, or a ``branch`` of a recorded one."""
    return Referee(spec, players, pulse, muted) if branch is None else Branching(spec, players, branch, pulse)


class Branching(RecordFollower):
    """Plays a branch."""

    def __init__(
        self, spec: MatchSpec, players: Sequence[Player], branch: Branch, pulse: LifeSignDeadline | None = None
    ) -> None:
        """Raises Mismatch and ReplayError as :func:`arena.match.walk.timeline.whole_timeline`."""
        self.branch, self.told = branch, BranchReport()
        self._seat: int | None = None
        """The seat of the branch's ask; None before that ask."""
        super().__init__(spec, players, whole_timeline(branch.replay), pulse)

    def phase(self, state: State) -> None:
        """Play the phase as recorded; in the phase of the branch's ask, switch to the branch's chance."""
        here = self.following and self.minutes.asks < self.branch.ask <= self.minutes.asks + len(state.asks)
        if here and self.branch.chance:
            state.draw_anew(Chance(self.branch.chance))
        super().phase(state)
        if here:
            self.following = False

    def result(self) -> MatchResult:
        """Close the replay and tell the bots the end."""
        return BranchResult(**msgspec.structs.asdict(super().result()), told=self.told)

    def compare(
        self, state: State, index: int, recorded: TimedAnswer | None, answered: TimedAnswer | None
    ) -> TimedAnswer | None:
        """Return the answer to play: at the branch's ask the branch's, at others the recorded one, for the other seats
        of the phase do not know of the branch yet. A bot that takes over also answers its seat's other asks of the
        phase."""
        number, ask = self.minutes.asks + 1, state.asks[index]
        here = number == self.branch.ask
        if here:
            self._seat = ask.seat
        if here and answered is not None and answered.fault is None:
            move = b"" if answered.move is None else msgspec.json.encode(answered.move)
            self.told = msgspec.structs.replace(self.told, answered=move, said=answered.say)
        if self.branch.answer is BranchAnswer.OWN and ask.seat == self._seat:
            return answered  # to what else its seat is asked in this phase, too
        if not here or self.branch.answer is BranchAnswer.RECORDED:
            self._note(state, index, recorded, answered)
            return recorded
        given = move_decoder(self.spec.game, ask.hook).decode(self.branch.move)
        return TimedAnswer(given, None, 0.0, self.branch.say)

    def _note(self, state: State, index: int, recorded: TimedAnswer | None, answered: TimedAnswer | None) -> None:
        """Note the seat if its bot did not repeat itself. Faults are compared without their words, which may differ."""
        if recorded is None or answered is None or (recorded.fault is not None and answered.fault is not None):
            return
        number, (seat, hook, _) = self.minutes.asks + 1, state.asks[index]
        if is_same(self.hooks[hook], recorded, answered, lambda move: state.refusal(index, move) is None):
            return
        if all(each.seat != seat for each in self.told.unrepeated):
            unrepeated = (*self.told.unrepeated, UnrepeatedSeat(seat, number))
            self.told = msgspec.structs.replace(self.told, unrepeated=unrepeated)
