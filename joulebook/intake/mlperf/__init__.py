"""MLPerf power results: MLCommons' figure from the raw logs, the integral beside it, and whether the rules were kept.

`tree` finds results in folders and `places` reads what these are called; `logs` reads the files that rounds have in common;
`inference`, `tiny` and `training` make results of them; `validity` checks the rules; `table` makes one table of all.
"""

from joulebook.intake.mlperf.logs.detail_log import parse_detail_log
from joulebook.intake.mlperf.logs.power_log import parse_power_log
from joulebook.intake.mlperf.reading import find_results
from joulebook.intake.mlperf.result import MlperfResult
from joulebook.intake.mlperf.table import COLUMNS, as_rows, csv_text, parquet_bytes, records
from joulebook.intake.mlperf.tree import Skipped

__all__ = ["COLUMNS", "MlperfResult", "Skipped", "as_rows", "csv_text", "find_results", "parquet_bytes", "parse_detail_log",
           "parse_power_log", "records"]
