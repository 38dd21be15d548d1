"""A pilot of an edition: some matches of bundled bots, and what they show about its fairness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from arena.config.editions import Edition
from arena.finding.reference import BotRef, find_file
from arena.games.chance import Chance
from arena.games.presenting import SteadyFigure
from arena.match.refereeing.match_result import MatchResult
from arena.runs.bundled_bots import bundled_opponents
from arena.runs.planning.make_spec import seats_of, spec_of
from arena.runs.single_match import ReadyMatch, play_match

MOST_DEVIATION = 3.0
"""How many standard deviations the wins of a seat may be from an even share: honest boards exceed it once in some
hundred pilots of four seats."""
MONEY_CHANGE = 0.25
"""By which part the mean money of a seat may differ from that on the edition's own board."""


@dataclass(frozen=True)
class PilotPlay:
    """What the ``matches`` of a pilot came to: the ``wins`` by seat (ties shared), the mean ``money`` of a seat, the
    sums of the game's ``counts`` over all seats, and how many matches had a fault of a bot (``faulty``)."""

    matches: int
    wins: tuple[float, ...]
    money: float
    counts: Mapping[str, int]
    faulty: int


def play_fairness_pilot(edition: Edition, matches: int, seed: str) -> PilotPlay:
    """Play so many matches of bundled bots in this process. In each four consecutive matches of four seats (as many as
    there are seats) the bots move on by a seat, and the deal is the same."""
    bots = [find_file(name) for name in bundled_opponents(edition.game, edition.seats)]
    played = [_play_pilot_match(edition, bots, number, seed) for number in range(matches)]
    wins = [0.0] * len(bots)
    counts: dict[str, int] = {}
    for each in played:
        firsts = [seat for seat, result in enumerate(each.seats) if result.rank == min(s.rank for s in each.seats)]
        for seat in firsts:
            wins[seat] += 1 / len(firsts)
        for name, by_seat in (each.counts or {}).items():
            counts[name] = counts.get(name, 0) + sum(by_seat)
    money = fsum(seat.money for each in played for seat in each.seats) / (len(bots) * matches)
    faulty = sum(any(seat.faults for seat in each.seats) for each in played)
    return PilotPlay(matches, tuple(wins), money, counts, faulty)


def _play_pilot_match(edition: Edition, bots: Sequence[BotRef], number: int, seed: str) -> MatchResult:
    deal, turn = divmod(number, len(bots))
    seated = (*bots[turn:], *bots[:turn])
    seats = seats_of([f"bot {seat}" for seat in range(len(seated))], seated)
    chosen = Chance(seed).derive("pilot", deal)
    return play_match(
        ReadyMatch(spec_of(edition, seats, id=f"pilot-{number}", tournament="pilot", seed=chosen), seated)
    )


def judge_pilot(play: PilotPlay, usual: PilotPlay, steady: Sequence[SteadyFigure], unit: str) -> list[str]:
    """What is wrong with an edition whose pilot went so, compared with the ``usual`` play of as many matches: in
    sentences, none for a fair one. ``steady`` are the figures of the game that must stay much as they were."""
    even = 1 / len(play.wins)
    spread = sqrt(play.matches * even * (1 - even))
    found = [
        f"seat {seat} won {wins:g} of {play.matches} matches"
        for seat, wins in enumerate(play.wins)
        if abs(wins - play.matches * even) > MOST_DEVIATION * spread
    ]
    if play.faulty:
        found.append(f"bundled bots made faults in {play.faulty} matches")
    if abs(play.money - usual.money) > MONEY_CHANGE * abs(usual.money):
        found.append(f"a seat had {unit[0]}{play.money:.1f}{unit[1:]} at the end, usually {usual.money:.1f}")
    for figure in steady:
        now, before = (_figure_value(figure, each) for each in (play, usual))
        if abs(now - before) > figure.most * abs(before):
            found.append(f"{figure.told}: {now:.2f}, usually {before:.2f}")
    return found


def _figure_value(figure: SteadyFigure, play: PilotPlay) -> float:
    over = sum(play.counts.get(name, 0) for name in figure.per) if figure.per else play.matches
    return play.counts.get(figure.of, 0) / over if over else 0.0


def pilot_sentence(play: PilotPlay, steady: Sequence[SteadyFigure], unit: str) -> str:
    """What a pilot showed, in one line."""
    game_figures = "".join(f"; {figure.told} {_figure_value(figure, play):.2f}" for figure in steady)
    wins = ", ".join(f"{each:g}" for each in play.wins)
    return f"wins by seat {wins} of {play.matches}; {unit[0]}{play.money:.1f}{unit[1:]} a seat{game_figures}"
