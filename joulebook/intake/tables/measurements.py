"""Measurements that could be made before a decision, each with its uncertainty and its cost."""

from joulebook.dictionary import of_topic
from joulebook.errors import near
from joulebook.intake.sheet import again
from joulebook.intake.tables.ranged import optional_text

_TOPIC = "sensitivity"


def _measurements(sheet):
    sheet.least(1)
    names, _ = sheet.text("measurement", "no name", "a name for the measurement")
    inputs, _ = sheet.text("input", "no input", "the input that is measured")
    twice = again(names, inputs) & (inputs != "")
    sheet.rows(twice, "an input that this measurement measures twice", "input", "each input once in a measurement")
    return {
        "measurement": names,
        "input": inputs,
        "standard_uncertainty": sheet.number("standard_uncertainty", low=0),
        "cost": sheet.number("cost", low=0),
        "source": optional_text(sheet, "source"),
    }


def _check_inputs(inputs, tables, place, unclear, found):
    """Each input is a number of the topic that may have a range."""
    if "measurements_csv" not in tables:
        return
    rows = {name: row for name, row in of_topic(_TOPIC).items() if row.kind == "number"}
    for name in dict.fromkeys(tables["measurements_csv"]["input"]):
        if name not in rows:
            found.add(
                f"{_TOPIC} has no such number to measure",
                **place("measurements_csv"),
                value=name,
                allowed="the name of an input that is a number",
                near=near(name, rows),
            )
        elif name not in inputs and name not in unclear:
            what = "a measurement of an input that is not given"
            found.add(what, **place("measurements_csv"), value=name, allowed=f"a value of {name}")


TABLES = {
    "measurements_csv": ([(("measurement", "input", "standard_uncertainty", "cost"), ("source",))], _measurements),
}
CHECKS = (_check_inputs,)
