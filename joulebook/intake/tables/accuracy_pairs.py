"""Published results of the same system at two quality targets, paired."""

import numpy as np

from joulebook.intake.sheet import again

KEY = ("round", "submitter", "system", "scenario")
TEXTS = ("family", *KEY, "division", "hardware", "retrieved")
NUMBERS = ("eff_999_over_99", "perf_99", "perf_999", "power_99", "power_999")
OPTIONAL = (
    "accelerator",
    "eff_99",
    "eff_999",
    "source",
    "location_99",
    "location_999",
    "source_repo",
    "source_path_99",
    "source_path_999",
)
_AGREES = 1e-9


def _accuracy_pairs(sheet):
    sheet.least(1)
    texts = {name: sheet.text(name)[0] for name in TEXTS}
    numbers = {name: sheet.number(name, above=0) for name in NUMBERS}
    table = {**texts, **numbers}
    sheet.rows(again(*(table[name] for name in KEY)), "a pair that is there twice", "system", "each of them once")
    for name in ("family", "division"):
        sheet.rows(table[name] != table[name][:1], f"another {name} than in the first row", name, f"one {name} a file")
    with np.errstate(all="ignore"):  # what is too large or too small agrees with nothing
        computed = (table["perf_999"] / table["power_999"]) / (table["perf_99"] / table["power_99"])
        wrong = np.abs(table["eff_999_over_99"] / computed - 1) > _AGREES
    sheet.rows(
        wrong,
        "not the ratio of perf over power at the two targets",
        "eff_999_over_99",
        "(perf_999 / power_999) / (perf_99 / power_99)",
    )
    return table


TABLES = {"accuracy_pairs_csv": ([((*TEXTS, *NUMBERS), OPTIONAL)], _accuracy_pairs)}
CHECKS = ()
