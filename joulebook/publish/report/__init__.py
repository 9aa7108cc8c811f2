"""The client's PDF: what a run collected, put into words for the template, checked, and set by typst."""

from joulebook.publish.report.characters import keep_units, visible
from joulebook.publish.report.content import report_data
from joulebook.publish.report.days import age
from joulebook.publish.report.write import report_name, write_report

__all__ = ["age", "keep_units", "report_data", "report_name", "visible", "write_report"]
