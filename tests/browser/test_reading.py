"""What a reader does: searches, filters, folds, copies, changes the theme, scrolls by keyboard, reads without scripts."""

import pytest

from tests.browser.chromium import NARROW, opened

TOPIC = "notebooks/published_results.html"  # has a table with a form, figures, code and mathematics
LONG = "notebooks/cost_per_token.html"
BACKGROUND = "() => getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def at(chromium, public):
    """Open a page of the public book; what is opened is closed with the test."""
    contexts = []

    def go(path, anchor="", **more):
        context = opened(chromium, **more)
        made = context.__enter__()
        contexts.append(context)
        made.go(public / path, anchor)
        return made

    yield go
    for context in contexts:
        context.__exit__(None, None, None)


def quiet(made):
    assert not made.went_out
    assert not made.said


def test_search_finds_a_word_from_disk(at, public):
    made = at("search.html", "?q=idle")
    results = made.page.locator("#search-results li a")
    results.first.wait_for()
    assert results.count() > 3
    found = {link.get_attribute("href").split("?")[0].split("#")[0] for link in results.all()}
    assert "notebooks/idle_amortization.html" in found  # the topic whose title has the word
    assert not [path for path in found if not (public / path).is_file()]
    told = [(link.get_attribute("href"), link.inner_text()) for link in results.all()]
    assert all("chat-assistant" in text for to, text in told if to.startswith("clients/chat-assistant/"))
    quiet(made)


def test_search_says_that_a_word_is_nowhere(at):
    made = at("search.html", "?q=zzyzxq")
    made.page.locator("#search-results p").first.wait_for()
    assert made.page.locator("#search-results li").count() == 0
    assert "did not match any documents" in made.page.locator("#search-results").inner_text()


def test_search_opens_by_key_on_any_page(at):
    made = at(LONG)
    made.page.keyboard.press("Control+k")
    field = made.page.locator("#pst-search-dialog input[type=search]")
    assert field.is_visible()
    made.page.keyboard.type("idle")
    made.page.keyboard.press("Enter")
    made.page.wait_for_url("**/search.html?q=idle*")
    made.page.locator("#search-results li a").first.wait_for()
    quiet(made)


def test_a_form_leaves_the_rows_that_have_its_words(at):
    made = at(TOPIC)
    box = made.page.locator(".filterable").first
    count, rows = box.locator(".count"), box.locator("tbody tr:visible")
    whole = rows.count()
    assert count.inner_text() == f"{whole} of {whole} rows"
    box.locator("input").fill("bert-99.9 offline")
    texts = [" ".join(text.split()).lower() for text in rows.all_inner_texts()]
    assert 0 < len(texts) < whole
    assert all("bert-99.9" in text and "offline" in text for text in texts)
    assert count.inner_text() == f"{len(texts)} of {whole} rows"
    choice = box.locator("select").first
    wanted = choice.locator("option").nth(1).get_attribute("value")
    box.locator("input").fill("")
    choice.select_option(wanted)
    column = int(choice.get_attribute("data-column"))
    assert set(box.locator(f"tbody tr:visible > :nth-child({column + 1})").all_inner_texts()) == {wanted}
    box.locator("button[type=reset]").click()
    made.page.wait_for_function("([box, rows]) => box.textContent === `${rows} of ${rows} rows`",
                                arg=[count.element_handle(), whole])
    assert rows.count() == whole
    quiet(made)


def test_the_theme_changes_and_figures_follow(at):
    made = at(LONG)
    page, seen = made.page, {}
    for _ in range(3):  # light, dark, and what the system has
        page.locator(".theme-switch-button:visible").first.click()
        page.wait_for_timeout(50)
        theme = page.evaluate("() => document.documentElement.dataset.theme")
        seen[theme] = (page.evaluate(BACKGROUND), page.locator(".bd-article figure img").first.evaluate(
            "(one) => [getComputedStyle(one).filter, getComputedStyle(one).backgroundColor]"))
    assert set(seen) == {"light", "dark"}
    (light, figure), (dark, turned) = seen["light"], seen["dark"]
    assert light != dark
    assert figure[0] == "none"
    assert "invert" in turned[0]
    assert turned[1] == "rgba(0, 0, 0, 0)"  # no card behind it
    quiet(made)


@pytest.mark.parametrize("dark", [False, True])
def test_a_page_begins_as_the_system_has_it(at, dark):
    made = at(LONG, dark=dark)
    assert made.page.evaluate("() => document.documentElement.dataset.theme") == ("dark" if dark else "light")


def test_code_is_folded_and_opens(at):
    made = at(LONG)
    folded = made.page.locator(".bd-article .cell details.hide")
    assert folded.count() > 1
    assert not [one for one in folded.all() if one.evaluate("(one) => one.open")]
    first = folded.first
    assert not first.locator("pre").first.is_visible()
    assert first.locator("summary").inner_text().strip().startswith("Show the calculation")
    first.locator("summary").focus()
    made.page.keyboard.press("Enter")
    assert first.locator("pre").first.is_visible()
    quiet(made)


def test_parameters_are_always_open(at):
    made = at(LONG)
    assert made.page.locator(".bd-article .parameters pre").first.is_visible()
    assert made.page.locator(".bd-article details .parameters").count() == 0


def test_a_command_is_copied_whole(at):
    made = at(LONG)
    block = made.page.locator(".rerun div.highlight:has(button.copybtn)").first
    command = block.locator("pre").inner_text().strip()
    assert "notebooks/cost_per_token.md" in command or command.startswith("joulebook ")
    block.locator("button.copybtn").click()
    made.page.evaluate("() => { document.body.append(Object.assign(document.createElement('textarea'), {id: 'pasted'})); }")
    made.page.locator("#pasted").focus()
    made.page.keyboard.press("Control+v")
    assert made.page.locator("#pasted").input_value().strip() == command


def test_what_scrolls_is_reached_and_moved_by_keyboard(at):
    made = at(LONG, width=NARROW)
    # each that scrolls sideways, and can be seen
    boxes = made.page.evaluate_handle("""() => [...document.querySelectorAll(".bd-article *")].filter((one) => {
      const style = getComputedStyle(one);
      return ["auto", "scroll"].includes(style.overflowX) && one.scrollWidth > one.clientWidth + 1 && one.checkVisibility();
    })""")
    unreachable = boxes.evaluate("""(all) => all.filter((one) => one.tabIndex < 0
      && !one.querySelector("a[href], button, input")).map((one) => one.outerHTML.slice(0, 100))""")
    assert boxes.evaluate("(all) => all.length") > 0
    assert not unreachable
    first = made.page.locator(".bd-article .scrolls:visible").first
    first.focus()
    made.page.keyboard.press("ArrowRight")
    made.page.wait_for_function("(one) => one.scrollLeft > 0", arg=first.element_handle())
    assert first.evaluate("(one) => getComputedStyle(one).outlineStyle") != "none"  # where the reader is can be seen


def test_the_first_key_leads_past_the_menus(at):
    made = at(LONG)
    made.page.keyboard.press("Tab")
    assert made.page.evaluate("() => document.activeElement.innerText").strip() == "Skip to main content"


def test_nothing_moves_where_a_reader_wants_no_motion(at):
    made = at(LONG)
    made.page.locator(".theme-switch-button:visible").first.click()
    made.page.locator(".bd-article details.hide summary").first.click()
    moving = made.page.evaluate("""() => document.getAnimations().filter((one) => one.playState === "running")
      .map((one) => String(one.effect?.target?.className))""")
    assert not moving
    assert made.page.evaluate("() => getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.mark.parametrize("page_of", [LONG, "notebooks/verdict.html", "book/inputs.html", "book/index.html", TOPIC])
def test_a_page_is_complete_without_scripts(chromium, public, page_of):
    with opened(chromium, scripts=False) as made:
        page = made.page
        page.goto((public / page_of).as_uri())
        assert page.locator(".bd-article h1").first.is_visible()
        shown = page.locator(".bd-article :is(table, .answer, figure)").all()
        hidden = [one.inner_text()[:60] for one in shown if not one.is_visible()]
        assert not hidden
        pictures = page.locator(".bd-article figure img").all()
        assert not [one.get_attribute("src") for one in pictures if not one.bounding_box() or one.bounding_box()["height"] < 40]
        assert not page.locator(".pst-js-only:visible, .filterable form:visible").count()  # nothing that would do nothing
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280
        quiet(made)


@pytest.mark.parametrize("page_of", [LONG, "notebooks/accuracy_cost.html", "notebooks/verdict.html"])
def test_no_letter_of_a_formula_is_cut_off_on_a_phone(at, page_of):
    made = at(page_of, width=NARROW)
    cut = made.page.evaluate("""() => [...document.querySelectorAll(".bd-article span.math")].filter((one) =>
      one.checkVisibility() && one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === "hidden")
      .map((one) => one.textContent)""")
    assert not cut
    assert made.page.locator(".bd-article span.math mjx-container").count() > 3
