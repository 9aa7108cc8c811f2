"""Settings that tests share."""

import sys

import pytest

from joulebook.workbook import ROOT

SHARED = ROOT.parent / "shared"


def pytest_itemcollected(item):
    """Rule for nbval: what a notebook says on its error stream (progress, warnings) is no result."""
    parent = getattr(item, "parent", None)
    compared = getattr(parent, "skip_compare", None)
    if compared is not None and "stderr" not in compared:
        parent.skip_compare = (*compared, "stderr")


@pytest.fixture
def joulebook(capfd, monkeypatch):
    """The command line: call with words, get exit code, output and error stream."""
    from joulebook import cli

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["joulebook", *map(str, words)])
        monkeypatch.setenv("COLUMNS", "200")
        capfd.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        return stopped.value.code, *capfd.readouterr()

    return call
