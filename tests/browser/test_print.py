"""A page printed: what is written and shown, whole; nothing that only a screen has."""

import io

import pytest
from pypdf import PdfReader

from tests.browser.chromium import FEW_ROWS, opened

SIDE_PX = 718  # A4 less margins of 10 mm, at 96 px per inch
LYING_PX = 964  # US letter, which is shorter, on its side, less the same
PAGES = ("book/index.html", "notebooks/cost_per_token.html", "notebooks/verdict.html", "notebooks/published_results.html",
         "book/inputs.html", "book/glossary.html", "book/chapters/idle_energy.html")
ONLY_ON_SCREEN = (".bd-header, .bd-header-article, .bd-sidebar-primary, .bd-sidebar-secondary, .prev-next-footer, .bd-footer, "
                  "#pst-back-to-top, button, .filterable form, .bd-article details.hide, .scroll-hint, .headerlink")
WRITTEN = ".bd-article :is(table, img, pre, mjx-container svg, .answer, p)"
CUT = """([written, side, lying]) => [...document.querySelectorAll(written)].filter((one) => {
  const box = one.getBoundingClientRect();
  if (!box.width || !one.checkVisibility()) return false;
  let inside = one.matches("svg") ? one.parentElement : one;
  for (; inside && !inside.matches(".bd-article"); inside = inside.parentElement)
    if (getComputedStyle(inside).overflowX !== "visible" && inside.scrollWidth > inside.clientWidth + 1) return true;
  return box.right > (one.closest(".filterable") ? lying : side) + 1;
}).map((one) => `${Math.round(one.getBoundingClientRect().right)} ${one.outerHTML.slice(0, 110)}`).slice(0, 6)"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("page", PAGES)
def test_a_printed_page_is_clean_and_whole(chromium, public, page, dark):
    with opened(chromium, width=SIDE_PX, dark=dark) as made:
        made.go(public / page)
        made.page.evaluate(FEW_ROWS)
        made.page.emulate_media(media="print", color_scheme="dark" if dark else "light")
        left = [one for one in made.page.locator(ONLY_ON_SCREEN).all() if one.is_visible()]
        assert not [one.evaluate("(one) => one.outerHTML.slice(0, 90)") for one in left[:5]]
        assert not made.page.evaluate(CUT, [WRITTEN, SIDE_PX, LYING_PX])
        # ink on paper, whatever the screen has
        ground = made.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert ground in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
        if dark:
            return  # the same paper
        margin = dict.fromkeys(("top", "right", "bottom", "left"), "10mm")
        made_pdf = PdfReader(io.BytesIO(made.page.pdf(format="A4", margin=margin)))
        sheets = [(round(float(one.mediabox.width)), round(float(one.mediabox.height))) for one in made_pdf.pages]
        assert any(wide > high for wide, high in sheets) == bool(made.page.locator(".filterable").count())
        assert sheets[0][0] < sheets[0][1]
        title = made.page.locator(".bd-article h1").first.inner_text().replace("#", "").strip()
        text = " ".join(" ".join(sheet.extract_text() for sheet in made_pdf.pages).split())
        assert title in text
        for word in ("Show the calculation", "Toggle", "Back to top", "Ctrl", "scrolls", "Skip to main"):
            assert word not in text, word
