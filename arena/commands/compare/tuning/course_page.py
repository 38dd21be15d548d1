"""The course of a tuning as a page: where the search stood after each step, and what each round gained."""

from __future__ import annotations

from collections.abc import Sequence

from arena.commands.compare.tuning.tuning_question import bot_words, tuned_entrant
from arena.commands.compare.tuning.tuning_run import TuningRun
from arena.commands.compare.tuning.words import rounds_table
from arena.pages.html_table import grid_of
from arena.pages.page import HtmlPage, render_page
from arena.printable import printable_text
from arena.tournament.inference.intervals import Estimate
from arena.web.report.charts.line_chart import Curve, line_chart

RELOAD_SECONDS = 5
"""A page of a tuning that goes on is loaded again after so many seconds."""


def course_page(run: TuningRun, running: bool) -> str:
    """The page in HTML. While the tuning is ``running`` it loads itself again now and then."""
    course, name = run.course, tuned_entrant(run.plan).name
    page = HtmlPage(
        title=printable_text(f"Tuning {name}"),
        template="tuning",
        styles=("shadows", "ladder", "report_chart"),
        values={
            "name": name,
            "ranges": ", ".join(f"{each.name} in {each}" for each in run.space.ranges),
            "told": f"{run.matches:,} matches on {course.deals:,} deals, {len(course.rounds)} rounds",
            "reload": RELOAD_SECONDS if running else 0,
            "best": bot_words(run.plan, course.best),
            "places": line_chart(
                "Where the search stands", _place_curves(run), "deals", "place in the range (0 low, 100 high)"
            ),
            "gains": line_chart(
                f"What rounds propose, against {name}", _gain_curve(run), "round", "more opponents beaten (%)"
            ),
            "rounds": grid_of(rounds_table(run)),
        },
    )
    return render_page(page)


def _place_curves(run: TuningRun) -> Sequence[Curve]:
    points = [(point.deals, run.space.places_of(point.values)) for point in run.course.points]
    return [
        Curve(
            each.name,
            number,
            [(deals, Estimate(100 * places[number], None, None, 0)) for deals, places in points],
        )
        for number, each in enumerate(run.space.ranges)
    ]


def _gain_curve(run: TuningRun) -> Sequence[Curve]:
    points = [(each.number, _in_percent(each.total)) for each in run.course.rounds if each.total.mean is not None]
    return [Curve("proposed", 0, points)] if points else []


def _in_percent(found: Estimate) -> Estimate:
    mean, low, high = (None if each is None else 100 * each for each in (found.mean, found.low, found.high))
    return Estimate(mean, low, high, found.clusters)
