"""The system's Chromium with the network cut, and what a page did while it was open."""

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
WIDE, NARROW = 1280, 390
# Long tables have hundreds of rows alike, which would take minutes.
FEW_ROWS = """() => document.querySelectorAll(".filterable tbody tr:nth-child(n + 12)").forEach((row) => row.remove())"""
_READY = """async () => {
  await document.fonts.ready;
  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def executable():
    """Path of the browser; no other is ever fetched.

    Raises
    ------
    RuntimeError
        If there is none; says how to get one.
    """
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise RuntimeError(f"the browser tests need one of {', '.join(NAMES)}: apt-get install chromium")
    return found


@contextmanager
def browser():
    """A browser without a window."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu", "--disable-quic"])
        try:
            yield started
        finally:
            started.close()


@dataclass
class Opened:
    """A page, and what it did that a page from disk should not.

    Parameters
    ----------
    page : playwright.sync_api.Page
        The page.
    went_out : list of str
        Addresses that it asked for and that are no files.
    said : list of str
        Errors and warnings of its console, exceptions of its scripts, and dialogs that it opened.
    """

    page: object
    went_out: list = field(default_factory=list)
    said: list = field(default_factory=list)

    def go(self, path, anchor=""):
        """Load a file and wait until fonts and mathematics are there."""
        self.went_out.clear()
        self.said.clear()
        self.page.goto(path.as_uri() + anchor)
        self.page.evaluate(_READY)


@contextmanager
def opened(started, width=WIDE, dark=False, scripts=True, **more):
    """A page of a context of its own, offline."""
    context = started.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light",
                                  offline=True, java_script_enabled=scripts, reduced_motion="reduce", **more)
    made = Opened(context.new_page())

    def routed(route):
        if route.request.url.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            made.went_out.append(route.request.url)
            route.abort()

    context.route("**/*", routed)
    made.page.on("console", lambda message: made.said.append(f"{message.type}: {message.text}")
                 if message.type in ("error", "warning") else None)
    made.page.on("pageerror", lambda error: made.said.append(f"exception: {error}"))
    made.page.on("dialog", lambda dialog: (made.said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    try:
        yield made
    finally:
        context.close()


def findings(page, only=None):
    """What axe-core finds serious or critical on a page as it is shown now.

    Parameters
    ----------
    page : playwright.sync_api.Page
        The page.
    only : list of str, optional
        Rules to check; all without it.

    Returns
    -------
    list of str
        Rule, what it says, and the elements.
    """
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")
    found = page.evaluate(
        """async (only) => (await axe.run(document, {resultTypes: ["violations"], preload: false,
             ...(only ? {runOnly: {type: "rule", values: only}} : {})})).violations""", only)
    return [f"{one['id']} ({one['impact']}): {one['help']}: {node['target']} {node['html'][:140]} "
            f"{node.get('failureSummary', '')[-160:]}"
            for one in found if one["impact"] in ("serious", "critical") for node in one["nodes"][:4]]
