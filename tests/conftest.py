"""Settings that tests share."""

import os
import sys

import pytest
from hypothesis import settings

from joulebook.workbook import ROOT

from .nbval_rules import pytest_configure, pytest_itemcollected, pytest_runtest_setup  # noqa: F401

SHARED = ROOT.parent / "shared"

settings.register_profile("joulebook", deadline=None)  # how fast something is depends on what else the machine does
settings.load_profile("joulebook")


@pytest.fixture(scope="session", autouse=True)
def _store(tmp_path_factory):
    """A store that all tests of a run share: topics whose key is the same are executed once."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JOULEBOOK_STORE", str(shared / "store"))
        yield


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
