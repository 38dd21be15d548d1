"""What the language models of a run have cost."""

from __future__ import annotations

from collections.abc import Mapping

from arena.pages.html_table import grid_of
from arena.tournament.tables.result_table import ResultTable
from arena.web.report.sections.report_parts import Meaning, ReportPart, ReportSection, Sheet


def models_section(costs: ResultTable, numbers: Mapping[str, int]) -> ReportSection:
    """Return the section on the costs of models, a row for each entrant and model that it used."""
    part = ReportPart(
        title="All editions",
        meanings=[
            Meaning("calls", "Calls of the model, in void matches too."),
            Meaning(
                "estimated",
                "Those of them that count as the most that they may have taken: the endpoint said no number of tokens, "
                "or the attempt failed after it was sent.",
            ),
            Meaning("tokens asked, answered", "Tokens of the requests, and of the answers."),
            Meaning("dollars", "What they cost at the prices in the file; unknown where a price is."),
            Meaning("won a dollar", "What the entrant won in all its matches for a dollar of all its models."),
        ],
        grid=grid_of(costs, numbers),
        sheet=Sheet("models", costs),
    )
    return ReportSection(id="models", title="What language models cost", parts=[part])
