"""Every page as a reader meets it: from disk, with the network cut, wide and narrow, light and dark."""

import pytest

from tests.browser.chromium import FEW_ROWS, NARROW, WIDE, findings, opened

COLOURS = ["color-contrast", "link-in-text-block"]  # all that another theme changes
MATHEMATICS = "() => [document.querySelectorAll('.math').length, document.querySelectorAll('.math mjx-container > svg').length]"
# Elements that are seen, stick out of the window, and are not inside something that scrolls or is cut off by itself.
STICKING_OUT = """() => {
  const out = [];
  for (const one of document.querySelectorAll("main *, header *")) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height || box.right <= innerWidth + 1 || !one.checkVisibility({ visibilityProperty: true })) continue;
    let inside = one.parentElement;
    while (inside && getComputedStyle(inside).overflowX === "visible") inside = inside.parentElement;
    if (!inside || inside === document.body || inside === document.documentElement) out.push(one.outerHTML.slice(0, 120));
  }
  return out.slice(0, 5);
}"""
SIZED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def window(chromium):
    with opened(chromium) as made:
        yield made


def sized(page, width, theme):
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("(theme) => { document.documentElement.dataset.mode = document.documentElement.dataset.theme = theme; }", theme)
    page.evaluate(SIZED)


def test_a_page_is_whole_offline_and_open_to_all(window, path):
    window.page.set_viewport_size({"width": WIDE, "height": 900})
    window.go(path)
    page, found = window.page, []
    found += [f"asked for {address}" for address in window.went_out] + window.said
    written, set_as_mathematics = page.evaluate(MATHEMATICS)
    if written != set_as_mathematics:
        found.append(f"{written} formulas, {set_as_mathematics} shown")
    if page.locator("mjx-merror, [data-mjx-error], .math-error").count():
        found.append("a formula that cannot be read")
    page.evaluate(FEW_ROWS)
    for width in (WIDE, NARROW):
        for theme, rules in (("light", None), ("dark", COLOURS)):
            sized(page, width, theme)
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{width} px: scrolls sideways, {wide} px wide")
            found += [f"{width} px: sticks out: {one}" for one in page.evaluate(STICKING_OUT)]
            found += [f"{width} px, {theme}: {one}" for one in findings(page, rules)]
    found += [f"asked for {address}" for address in window.went_out]
    assert not found, "\n".join(dict.fromkeys(found))
