"""MLPerf power results: MLCommons' figure from the raw logs, and the integral beside it.

`tree` finds results in folders, `logs` reads the files that rounds have in common, `inference` makes results of them.
"""

from joulebook.intake.mlperf.inference.results import COLUMNS, MlperfResult, as_rows, csv_text, find_results
from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from joulebook.intake.mlperf.tree import Skipped

__all__ = ["COLUMNS", "MlperfResult", "Skipped", "as_rows", "csv_text", "find_results", "parse_detail_log", "parse_power_log"]
