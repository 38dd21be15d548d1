"""Information-set Monte Carlo tree search: rollouts grow a tree in which every seat chooses by what it has seen."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf, log, sqrt
from time import monotonic
from typing import Any, NamedTuple, TypeVar, cast

from arena.bot import Bot, Event, Move, View
from arena.games.contract import Ask, Refusal, State
from arena.games.playout import PlayedOut, SeatPolicy, Until, is_reached, money_by_seat
from arena.rollouts.flat_search import ANSWERS, BATCH, move_of
from arena.rollouts.line_search import CUT, WIDTH

A = TypeVar("A")
EXPLORATION = 0.4
"""How much a move is favoured for having been tried rarely, as a multiple of the range of all values seen so far."""
FEWEST = 2
"""How many moves are tried at a node at least, however rarely it was visited."""
CLEAR_VISITS = 4
"""How many visits each move must have before a search may end early, because one is clearly the best."""

SensibleMoves = Callable[[Any, Any], Iterable[Move]]
"""The moves that are worth a try at the ask of a view, under these rules, best guesses first."""
SeatValues = Callable[[PlayedOut], Sequence[float]]
"""What the end of a rollout is worth to each seat, in seat order."""


class _Tried:
    """A move at a node: its ``visits``, how often it was ``available`` to be chosen, the sum of their ``weights``, and
    the weighted sums of the values and of their squares."""

    __slots__ = ("available", "squares", "total", "visits", "weights")

    def __init__(self) -> None:
        self.visits = self.available = 0
        self.weights = self.total = self.squares = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.weights if self.weights else 0.0

    @property
    def square_error(self) -> float:
        """The square of the standard error of the mean."""
        return max(0.0, self.squares / self.weights - self.mean**2) / max(1, self.visits - 1) if self.weights else 0.0


class _Node:
    """The decision of a seat at what an observer has seen: the moves tried there, in the order in which they were."""

    __slots__ = ("listed", "moves", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.moves = dict[Move, _Tried]()
        self.listed: tuple[Move, ...] | None = None
        """All moves worth a try, where they are the same in every imagined match."""


class _Choice(NamedTuple):
    """A move chosen in the tree."""

    seat: int
    node: _Node
    tried: _Tried


class TreeSearch:
    """Searches the answers of ``bot`` by information-set Monte Carlo tree search (ISMCTS).

    Each playout imagines a match, goes down the tree while it knows the decisions, and plays on with ``policies`` from
    there; what its end is worth to every seat, its ``values``, is added to all moves on the way. At a decision in the
    tree a seat chooses among what its policy would play and the ``moves`` worth a try, by upper confidence bounds among
    the moves that are possible in this imagined match. Seats that are asked at the same time choose independently of
    each other (decoupled). As a decision is visited more often, more of its moves are tried, in their order
    (:data:`WIDTH`). Source: P. Cowling, E. Powley, D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE TCIAIG
    4(2), 2012; decoupled: M. Tak, M. Lanctot, M. Winands, Monte Carlo Tree Search Variants for Simultaneous Move Games,
    CIG 2014.

    With ``single`` there is one tree, of what the bot's own seat sees (SO-ISMCTS), else each seat has a tree of what it
    sees itself (MO-ISMCTS): a rival's choice cannot depend on what only the bot's seat has seen.

    At most so many ``playouts`` are made for an answer, fewer once it is clear which move is best, and none after so
    many ``seconds`` (None: however long they take). The move with the most visits is played. Counting playouts alone,
    the search repeats itself.

    A bot may set these attributes: ``exploration``, how much rarely tried moves are favoured, as a multiple of the
    range of all values seen so far (:data:`EXPLORATION`); ``doubt``, by how many standard errors the mean of another
    move than the bot's own must be better for it to be played (0); and the number of ``answers`` after which the bot
    plays on without a search (:data:`ANSWERS`).
    """

    def __init__(
        self,
        bot: Bot,
        policies: SeatPolicy | Sequence[SeatPolicy],
        values: SeatValues,
        moves: SensibleMoves,
        playouts: int,
        *,
        single: bool = False,
        seconds: float | None = None,
    ) -> None:
        self.bot, self.policies, self.values, self.moves = bot, policies, values, moves
        self.playouts, self.single, self.seconds = playouts, single, seconds
        self.exploration, self.doubt, self.answers = EXPLORATION, 0.0, ANSWERS

    def choose(self, view: View, own: A, until: Until) -> A:
        """The answer to the ask of ``view``: the bot's ``own``, or the move that the search prefers.

        ``own`` is whatever a hook may return. Each playout lasts ``until``, in the tree and after it.
        """
        first = move_of(self.bot, view, own)
        if first is None or self.playouts < 2 or not self.answers:
            return own
        listed = tuple(_list_legal(first, self.moves(view, self.bot.rules), partial(self.bot.refusal, view)))
        if len(listed) < 2:
            return own
        self.answers -= 1
        best = _Tree(self, view, listed, until).grow()
        return own if best == first else cast(A, best)


class _Tree:
    """The trees of one answer: of one observer, or of all seats."""

    def __init__(self, search: TreeSearch, view: View, listed: tuple[Move, ...], until: Until) -> None:
        self.search, self.view, self.until = search, view, until
        bot = search.bot
        self.me, self.ask = bot.seat, view.ask(bot.rules)
        policies = search.policies
        self.policies = [policies] * bot.players if isinstance(policies, SeatPolicy) else list(policies)
        self.observers = [self.me] if search.single else list(range(bot.players))
        self.nodes = dict[tuple[Ask, int], _Node]()
        self.histories = dict[tuple[int, Hashable], int]()
        """What an observer has seen since the root, as a number: by its number before a phase, and what it saw then."""
        self.root = _Node()
        self.root.listed = listed
        self.low, self.high = inf, -inf

    def grow(self) -> Move:
        """Make the playouts; return the best move."""
        search, made = self.search, 0
        ends = None if search.seconds is None else monotonic() + search.seconds
        while made < search.playouts:
            size = min(BATCH, search.playouts - made)
            for state, weight in search.bot.imagine(self.view, size):
                self._play(state, size * weight)
                made += 1
                if ends is not None and monotonic() >= ends:
                    return self._best()
            if self._is_settled(search.playouts - made):
                break
        return self._best()

    def _is_settled(self, left: int) -> bool:
        """Whether the search can end: the move with the most visits is clearly the best, or keeps the most visits
        whatever the playouts that are ``left`` bring."""
        moves = self.root.moves
        best = max(moves.values(), key=lambda tried: tried.visits)
        others = [tried for tried in moves.values() if tried is not best]
        if not others:
            return False
        if all(best.visits - tried.visits > left for tried in others):
            return True
        return all(
            tried.visits >= CLEAR_VISITS and best.mean - tried.mean > CUT * sqrt(best.square_error + tried.square_error)
            for tried in others
        )

    def _best(self) -> Move:
        """The move with the most visits, if it is better than the own one, the first, beyond doubt."""
        assert self.root.listed is not None
        own = self.root.listed[0]
        best = max(self.root.moves, key=lambda move: self.root.moves[move].visits, default=own)
        if best == own:
            return own
        mine, other = self.root.moves[own], self.root.moves[best]
        error = sqrt(mine.square_error + other.square_error)
        return best if other.mean - mine.mean > self.search.doubt * error else own

    def _play(self, state: State, weight: float) -> None:
        """One playout in an imagined match."""
        state = state.copy()
        for policy in dict.fromkeys(self.policies):
            policy.renew([] if policy.wants_news else None)
        path, asked = self._descend(state)
        until = max(0, self.until - asked) if isinstance(self.until, int) else self.until
        if not state.asks or until == 0:
            ended = PlayedOut(money_by_seat(state), asked, state)
        else:
            ended = self.search.bot.play_out(state, self.search.policies, until)
        values = self.search.values(ended)
        self.low, self.high = min(self.low, *values), max(self.high, *values)
        for seat, node, tried in path:
            node.visits += 1
            tried.visits += 1
            tried.weights += weight
            tried.total += weight * values[seat]
            tried.squares += weight * values[seat] ** 2

    def _descend(self, state: State) -> tuple[list[_Choice], int]:
        """Play ``state`` on as long as every decision of a phase is in the tree. Return the choices that were made, and
        how many asks were answered."""
        seen = dict.fromkeys(self.observers, 0)
        path, asked = list[_Choice](), 0
        while state.asks and not (asked and is_reached(self.until, state, asked)):
            met = self._meet(state, seen)
            if met is None:
                break
            moves, answered = dict[int, Move](), [list[Hashable]() for _ in self.policies]
            for index, node in met:
                moves[index], tried = self._choose(state, index, node)
                seat = state.asks[index].seat
                answered[seat].append((state.asks[index], moves[index]))
                path.append(_Choice(seat, node, tried))
            log = list[Event]()
            for index, move in moves.items():
                state.apply(index, move, log)
            asked += len(moves)
            for observer in self.observers:
                events = tuple(found for event in log if (found := event.seen_by(observer)) is not None)
                at = (seen[observer], (*answered[observer], events))
                seen[observer] = self.histories.setdefault(at, len(self.histories) + 1)
        return path, asked

    def _meet(self, state: State, seen: dict[int, int]) -> list[tuple[int, _Node]] | None:
        """The node of each pending ask; None where one of them is new, which it is no longer the next time."""
        met, known = list[tuple[int, _Node]](), True
        at_root = not any(seen.values())
        for index in state.pending:
            ask = state.asks[index]
            if at_root and ask == self.ask:
                met.append((index, self.root))
                continue
            key = (ask, seen[self.me if self.search.single else ask.seat])
            node = self.nodes.get(key)
            if node is None:
                node, known = _Node(), at_root  # at the root all seats choose from the first playout on
                self.nodes[key] = node
            met.append((index, node))
        return met if known else None

    def _choose(self, state: State, index: int, node: _Node) -> tuple[Move, _Tried]:
        """The move with the highest upper confidence bound at the node. Of the moves that are possible in this match
        only the first few are considered, more with every visit; a move that was never tried comes first."""
        width, possible = max(FEWEST, int(WIDTH * sqrt(node.visits))), list[tuple[Move, _Tried]]()
        for move in islice(node.listed or self._list(state, index, node), width):
            tried = node.moves.get(move)
            if tried is None:
                tried = node.moves[move] = _Tried()
            tried.available += 1
            possible.append((move, tried))
        spread = self.search.exploration * max(self.high - self.low, 1e-9)

        def bound(option: tuple[Move, _Tried]) -> float:
            tried = option[1]
            return tried.mean + spread * sqrt(log(tried.available) / tried.visits) if tried.visits else inf

        return max(possible, key=bound)

    def _list(self, state: State, index: int, node: _Node) -> Iterable[Move]:
        """The legal moves that are worth a try at an ask, each once: first what the policy of its seat plays."""
        seat = state.asks[index].seat
        own = self.policies[seat].answer(state, index)
        others = self.search.moves(state.view(index), self.search.bot.rules)
        found = _list_legal(own, others, partial(state.refusal, index))
        if seat != self.me:
            return found
        node.listed = tuple(found)
        return node.listed


def _list_legal(own: Move, others: Iterable[Move], refusal: Callable[[Move], Refusal | None]) -> Iterator[Move]:
    """Yield the ``own`` move, then the legal ones among the ``others``, without duplicates."""
    yield own
    listed = {own}
    for move in others:
        if move not in listed and refusal(move) is None:
            listed.add(move)
            yield move
