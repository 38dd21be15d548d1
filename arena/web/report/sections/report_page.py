"""The report as an HTML page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import compress

from arena.drawing.measure import shorten_middle
from arena.pages.page import HtmlPage
from arena.printable import printable_text
from arena.tournament.schedule.schedule import ALL_EDITIONS
from arena.web.report.sections.head import ReportSubject
from arena.web.report.sections.pairs_section import MAP_ENTRANTS
from arena.web.report.sections.report_parts import ReportPart, ReportSection, Sheet

REPORT_STYLES = ("report", "report_chart")
REPORT_SCRIPTS = (
    *("report_address", "report", "report_folds", "report_wide"),
    *("report_files", "report_heat", "report_pairs"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """A report: its head, its ``sections``, the ``editions`` whose figures can be shown, the last first, the names of
    the ``entrants`` by number, and the ``pages`` of matches that it includes. In a served report, ``back`` is the
    address of the run."""

    played: ReportSubject
    sections: Sequence[ReportSection]
    editions: Sequence[str]
    entrants: Sequence[str]
    pages: Sequence[str]
    back: str = ""


def report_as_page(report: RunReport) -> HtmlPage:
    """Return the page. Files and pages of matches are compressed (zlib, base64); browsers unpack them on demand."""
    sections, sheets = _number_parts(report.sections)
    data: dict[str, Any] = {
        "entrants": list(report.entrants),
        "most": MAP_ENTRANTS,
        "sheets": [{"name": file_name(sheet.name), "packed": pack_text(sheet.text())} for sheet in sheets],
        "pages": [pack_text(page) for page in report.pages],
    }
    return HtmlPage(
        title=f"{printable_text(report.played.tournament)}: report",
        template="report",
        values={
            "played": report.played,
            "sections": sections,
            "editions": list(report.editions),
            "entrants": list(enumerate(report.entrants)),
            "back": report.back,
            "printable": printable_text,
            "edition_name": edition_name,
            "shortened": shorten_middle,
        },
        styles=REPORT_STYLES,
        scripts=REPORT_SCRIPTS,
        data=data,
        holds=report.pages,
    )


def edition_name(label: str) -> str:
    """What a reader calls the standings with this label."""
    return "all editions" if label == ALL_EDITIONS else label


@dataclass(frozen=True, slots=True)
class NumberedPart:
    """A part with its ``id`` and the number of its sheet, if it has one."""

    id: str
    part: ReportPart
    sheet: int | None


def _number_parts(
    sections: Sequence[ReportSection],
) -> tuple[list[tuple[ReportSection, list[NumberedPart]]], list[Sheet]]:
    """Number the parts of the sections, and return their sheets; parts with the same sheet share its number."""
    sheets: list[Sheet] = []
    found = []
    for section in sections:
        shown = []
        for place, each in enumerate(section.parts, 1):
            if each.sheet is not None and not (sheets and sheets[-1] is each.sheet):
                sheets.append(each.sheet)
            shown.append(NumberedPart(f"{section.id}-{place}", each, None if each.sheet is None else len(sheets) - 1))
        found.append((section, shown))
    return found, sheets


def pack_text(text: str) -> str:
    """Compress the text (UTF-8) by zlib (RFC 1950), and encode it in base64."""
    return b64encode(compress(text.encode(), 9)).decode()


def file_name(name: str) -> str:
    """Turn a name into a valid file name on every system."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name) + ".csv"
