"""What a run says as a workbook, as CSV files or as JSON, for whoever calculates on."""

from joulebook.publish.export.content import Export
from joulebook.publish.export.write import FORMATS, export_run

__all__ = ["FORMATS", "Export", "export_run"]
