"""Results as a table."""

import csv
import json

from joulebook.intake.mlperf import COLUMNS, as_rows, csv_text
from tests.intake.mlperf.made import one, run


def test_rows_are_plain_and_csv_runs_no_formula(tmp_path):
    run(tmp_path / "v4.1" / "closed" / "=HYPERLINK(1)" / "-5" / "bert-99" / "Offline", result_samples_per_second=900.0)
    result = one(tmp_path)
    (plain,) = json.loads(json.dumps(as_rows([result])))
    assert list(plain)[:len(COLUMNS)] == list(COLUMNS)
    assert all(name.startswith("rule") or name in ("failed_rules", "validity_report") for name in list(plain)[len(COLUMNS):])
    assert (plain["submitter"], plain["system"], plain["perf"], plain["notes"]) == ("=HYPERLINK(1)", "-5", 900.0, "")
    (line,) = csv.DictReader(csv_text([result]).splitlines())
    assert (line["submitter"], line["system"], line["perf"], line["result_query_count"]) == ("'=HYPERLINK(1)", "'-5", "900.0", "")
    assert float(line["avg_power_w"]) == result.avg_power_w
