"""Operating points of one machine, and what must hold between them and the targets that they are chosen by."""

from joulebook.intake.sheet import again

NUMBERS = ("batch", "quality_pct", "latency_p99_s", "throughput_per_s", "average_power_w")
OPTIONAL = ("latency_ttft_p99_s", "latency_tpot_p99_s", "memory_gb", "power_limit_w", "clock_mhz", "worst_class_quality_pct")
RANGES = {
    "throughput_per_s": ("throughput_low_per_s", "throughput_high_per_s"),
    "average_power_w": ("average_power_low_w", "average_power_high_w"),
}
_ENDS = tuple(end for ends in RANGES.values() for end in ends)
_QUALITIES = ("quality_pct", "worst_class_quality_pct")


def _operating_points(sheet):
    sheet.least(1)
    names, _ = sheet.text("name", "no name", "a name for the point")
    precision, _ = sheet.text("precision", "no precision", "a precision, such as fp8")
    sheet.rows(again(names) & (names != ""), "a name that is there twice", "name", "each point once")
    numbers = {}
    for column in (*NUMBERS, *(name for name in (*OPTIONAL, *_ENDS) if sheet.has(name))):
        if column in _QUALITIES:
            numbers[column] = sheet.number(column, low=0)  # of a reference's, it may lie above 100 %
        else:
            numbers[column] = sheet.number(column, above=0, whole=column == "batch")
    for column, (low, high) in RANGES.items():
        _check_range(sheet, numbers, column, low, high)
    return {"name": names, "precision": precision, **numbers}


def _check_range(sheet, numbers, column, low, high):
    there = [end for end in (low, high) if sheet.has(end)]
    if len(there) == 1:
        absent = high if there == [low] else low
        sheet.note(f"half a range: {absent} is missing", there[0], allowed=f"{low} and {high}, or neither")
    if len(there) == 2:
        order = f"{low} <= {column} <= {high}"
        sheet.rows(numbers[low] > numbers[column], f"above {column}", low, order)
        sheet.rows(numbers[high] < numbers[column], f"below {column}", high, order)


def _check_targets(inputs, tables, place, unclear, found):
    if "operating_points_csv" not in tables:
        return
    points = tables["operating_points_csv"]
    if "memory_limit_gb" in inputs and "memory_gb" not in points:
        found.add(
            "a limit of memory, but the operating points do not state theirs",
            **place("memory_limit_gb"),
            value=inputs["memory_limit_gb"].value,
            allowed="a column memory_gb in operating_points_csv, or no limit",
        )
    if "quality_is" in inputs and inputs["quality_is"].value == "absolute":
        for column in _QUALITIES:
            if column in points and (points[column] > 100).any():
                found.add(
                    f"an absolute quality above 100 % in column {column}",
                    **place("operating_points_csv"),
                    value=float(points[column].max()),
                    allowed="at most 100, or quality_is: of_reference",
                )


TABLES = {"operating_points_csv": ([(("name", "precision", *NUMBERS), (*OPTIONAL, *_ENDS))], _operating_points)}
CHECKS = (_check_targets,)
