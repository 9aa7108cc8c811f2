"""The books are built once, before pages are collected; each worker has one browser."""

import os

import pytest

from tests.browser import books
from tests.browser.chromium import AXE, browser, executable


def pytest_configure(config):
    """Build what the pages of the tests are read from."""
    if hasattr(config, "workerinput"):  # the first process has done it
        return
    executable()
    if not AXE.exists():
        raise pytest.UsageError(f"axe-core is missing: npm ci --prefix {AXE.parents[2].relative_to(books.ROOT)}")
    if not os.environ.get("JOULEBOOK_BROWSER_BUILT"):
        books.build()


def pytest_generate_tests(metafunc):
    """A test that takes a page runs once for every page of both books."""
    if "path" in metafunc.fixturenames:
        pages = [(name, path) for name, folder in books.built().items() for path in sorted(folder.rglob("*.html"))
                 if path != folder / "index.html"]  # it leads to the first page
        ids = [f"{name}/{path.relative_to(books.built()[name]).as_posix()}" for name, path in pages]
        metafunc.parametrize("path", [path for _, path in pages], ids=ids)


@pytest.fixture(scope="session")
def chromium():
    with browser() as started:
        yield started


@pytest.fixture(scope="session")
def public():
    """Folder of the public book."""
    return books.built()["public"]
