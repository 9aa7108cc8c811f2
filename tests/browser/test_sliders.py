"""Sliders moved by a reader's keys. Expected values: the method's functions with the inputs that are shown."""

import numpy as np
import pytest

from tests.browser.chromium import opened
from tests.show.sliders.test_sliders import of_method, study

TOLERANCE = 0.005  # what the page promises
MOVES = {
    "cost_per_token": {"utilization": -20, "electricity_price_per_kwh": 9, "pue": 11},
    "idle_amortization": {"utilization": -13, "idle_power_w": 7, "throughput_per_s": 5},
    "verdict": {"utilization": -9, "performance_per_watt_times": 6, "electricity_price_per_kwh": 15},
}


def read(words):
    return float(words.replace("\u2212", "-").replace(",", "").strip())


def pressed(box, name, steps):
    slider = box.locator(f"input[data-input={name}]")
    slider.focus()
    for _ in range(abs(steps)):
        slider.press("ArrowRight" if steps > 0 else "ArrowLeft")
    return slider


@pytest.mark.parametrize("topic", MOVES)
def test_number_and_picture_move_as_the_method_says(chromium, public, topic):
    with opened(chromium) as made:
        made.go(public / "notebooks" / f"{topic}.html")
        box = made.page.locator("[data-explorer]")
        results, picture = box.locator("[data-result]:not(.outcomes)"), box.locator(".picture svg")
        assert box.is_visible()
        before, drawn = results.all_inner_texts(), picture.evaluate("(one) => one.outerHTML")
        for name, steps in MOVES[topic].items():
            slider = pressed(box, name, steps)
            assert slider.get_attribute("aria-valuetext") == box.locator(f"output[for={slider.get_attribute('id')}]").inner_text()
        after = results.all_inner_texts()
        assert after[0] != before[0]  # the main number; others do not rest on all inputs
        assert picture.evaluate("(one) => one.outerHTML") != drawn

        at = {one.get_attribute("data-input"): np.array([float(one.get_attribute("data-value"))])
              for one in box.locator("input").all()}
        own = of_method(topic, study(topic), at)
        size = (own["annual_cost"] + own["annual_benefit"]) if topic == "verdict" else 0
        for one, words in zip(results.all(), after, strict=True):
            name = one.get_attribute("data-result")
            expected, off = np.broadcast_to(own[name], 1).item(), abs(read(words) - np.broadcast_to(own[name], 1).item())
            allowed = TOLERANCE * max(abs(expected), np.max(size) if "over_hurdle" in name else 0)
            assert off <= allowed, f"{name}: {words}, the method has {expected}"

        if topic == "verdict":
            told = box.locator(".outcomes > [data-outcome]:visible")
            assert told.count() == 1
            assert told.get_attribute("data-outcome") == ("reached" if own["net_benefit_over_hurdle"] >= 0 else "missed")

        box.locator("button").click()  # back to the example
        assert results.all_inner_texts() == before
        assert not made.went_out
        assert not made.said


@pytest.mark.parametrize("topic", MOVES)
def test_without_scripts_there_are_no_sliders_and_all_else(chromium, public, topic):
    with opened(chromium, scripts=False) as made:
        made.page.goto((public / "notebooks" / f"{topic}.html").as_uri())
        assert not made.page.locator("[data-explorer]").is_visible()
        assert made.page.locator(".bd-article table").first.is_visible()
