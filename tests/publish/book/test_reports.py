"""A client's report is set once for each state of what it is made of."""

import pytest

from joulebook.publish.book.reports import kept_report
from joulebook.workbook import Workbook


def test_a_report_is_set_again_only_where_its_run_differs(tmp_path):
    run, folder, made = tmp_path / "acme", tmp_path / "reports", []
    run.mkdir()
    (run / "run.json").write_text("{}")

    def make(of):
        made.append(of)
        (of / "acme.pdf").write_text(f"report {len(made)}")
        return of / "acme.pdf"

    def kept():
        return kept_report(run, folder, Workbook(), make).read_text()

    assert [kept(), kept()] == ["report 1", "report 1"]
    (run / "run.json").write_text('{"client": "Acme"}')
    assert [kept(), kept()] == ["report 2", "report 2"]
    (folder / "acme.pdf").unlink()
    assert kept() == "report 3"


def test_a_report_that_failed_leaves_none_that_passes_for_it(tmp_path):
    run, folder = tmp_path / "acme", tmp_path / "reports"
    run.mkdir()
    (run / "run.json").write_text("{}")
    (run / "acme.pdf").write_text("report")
    kept_report(run, folder, Workbook(), lambda of: of / "acme.pdf")
    (run / "run.json").write_text('{"client": "Acme"}')
    with pytest.raises(ZeroDivisionError):
        kept_report(run, folder, Workbook(), lambda of: 1 / 0)
    (run / "run.json").write_text("{}")
    assert not (folder / "acme.key").exists()
