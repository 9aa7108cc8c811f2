"""Results that a newer generation or their age has overtaken, and what they may still be used for (method, section 10)."""

import numpy as np

from joulebook.days import age_months, months_later
from joulebook.method.study import gives
from joulebook.results import LABELS

SUPERSEDED = "not for purchase guidance; still valid for a deployment that runs this version"
EXPIRED = "shown, never used for pricing"


def superseded_by(record):
    """What supersedes each result: the newest software of the same hardware and labels, or model of the same hardware and task.

    Parameters
    ----------
    record : pandas.DataFrame
        Columns hardware, software, model, task, released and the labels that are stated.

    Returns
    -------
    list of str
        Name by row, empty where nothing newer is on record.
    """
    rows = record.to_dict("records")
    stated = [label for label in LABELS if label in record]

    def newer(row, other):
        if other["hardware"] != row["hardware"] or other["released"] <= row["released"]:
            return ""
        if other["software"] != row["software"] and all(other[label] == row[label] for label in stated):
            return other["software"]
        if row["task"] and other["task"] == row["task"] and other["model"] != row["model"]:
            return other["model"]
        return ""

    found = [[(other["released"], newer(row, other)) for other in rows if newer(row, other)] for row in rows]
    return [max(names)[1] if names else "" for names in found]


@gives(
    "results_on_record",
    "results_superseded",
    "results_expired",
    "results_for_pricing",
    "results_for_purchase",
    "record_states",
)
def states(generations, valid_months, prepared):
    """State of every result on record on the day that the client's file was prepared.

    Parameters
    ----------
    generations : pandas.DataFrame
        All rows of the record; rows of one hardware, software, day and labels are one result.
    valid_months : int
        Months after which a result is expired.
    prepared : str
        ISO date that ages count from.

    Returns
    -------
    dict
        The results named in `gives`.
    """
    stated = [label for label in LABELS if label in generations]
    record = generations.drop_duplicates(["hardware", "software", "model", "date", *stated]).reset_index(drop=True)
    newer = superseded_by(record)
    expired = np.array([months_later(day, valid_months) < prepared for day in record["date"]], bool)
    superseded = np.array([bool(name) for name in newer], bool)
    state = list(zip(superseded.tolist(), expired.tolist(), strict=True))
    counted = {
        "results_on_record": len(record),
        "results_superseded": superseded.sum(),
        "results_expired": expired.sum(),
        "results_for_pricing": (~expired).sum(),
        "results_for_purchase": (~superseded).sum(),
    }
    return {
        **{name: float(count) for name, count in counted.items()},
        "record_states": {
            "hardware | ": record["hardware"].tolist(),
            "software | ": record["software"].tolist(),
            "workload | ": record["workload"].tolist(),
            "date | ": record["date"].tolist(),
            "age | months": np.array([age_months(day, prepared) for day in record["date"]], float),
            "state | ": [_named(("superseded", "expired"), holds) or "current" for holds in state],
            "newer_on_record | ": newer,
            "for_pricing | ": ["no" if late else "yes" for late in expired],
            "for_purchase | ": ["no" if old else "yes" for old in superseded],
            **({"source | ": record["source"].tolist()} if any(record["source"]) else {}),
        },
        "notes": {
            "results_superseded": SUPERSEDED,
            "results_expired": f"{EXPIRED}; counted from {prepared}",
        },
    }


def _named(words, holds):
    return ", ".join(word for word, held in zip(words, holds, strict=True) if held)
