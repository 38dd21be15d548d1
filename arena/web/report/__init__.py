"""The report of a tournament: one page in HTML that needs no other, for a file or for a server."""

from arena.web.report.write_report import MATCHES_HELD, report_page, write_report

__all__ = ["MATCHES_HELD", "report_page", "write_report"]
