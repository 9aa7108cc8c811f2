"""The command that reads MLPerf results."""

import json
from pathlib import Path
from typing import Annotated

import typer

from joulebook.cli.app import app
from joulebook.cli.terminal import err, say
from joulebook.errors import InputError, Problem


@app.command(short_help="Read MLPerf power results of all suites.")
def mlperf(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Results, or trees of results.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    parquet: Annotated[Path | None, typer.Option("--parquet", metavar="FILE", help="Write a Parquet file.")] = None,
    validity: Annotated[bool, typer.Option("--validity/--no-validity", help="Check the rules of a submission.")] = True,
    meter_clock: Annotated[str, typer.Option(metavar="CLOCK", help="Clock of the meters' logs: logged or local.")] = "logged",
):
    """Read MLPerf power results of inference, Tiny and Training from their raw logs: the official figure, the integral beside
    it, and whether the rules were kept. One row for each result; copies of a run are marked.

    Example:  joulebook mlperf inference_results_v5.1/closed/Lenovo --csv
    """
    from joulebook.intake.mlperf import csv_text, find_results, parquet_bytes, records
    from joulebook.intake.mlperf.inference.clocks import METER_CLOCKS

    asked = [name for name, given in (("--json", as_json), ("--csv", as_csv), ("--parquet", parquet is not None)) if given]
    if len(asked) > 1:
        raise InputError(Problem(f"{' and '.join(asked)} exclude each other"))
    if meter_clock not in METER_CLOCKS:
        raise InputError(Problem("no clock", field="--meter-clock", value=meter_clock, allowed=" or ".join(METER_CLOCKS)))
    results, skipped, problems = find_results(paths, validity=validity, meter_clock=meter_clock, digests=False)
    if as_json:
        print(json.dumps(records(results), indent=1, ensure_ascii=False, allow_nan=False))
    elif as_csv:
        print(csv_text(results), end="")
    elif parquet is not None:
        from joulebook.publish.files import write_whole

        write_whole(parquet, parquet_bytes(results))
    else:
        for result in results:
            say(_lines(result))
    for item in skipped:
        err().print(f"skipped {item.folder}: {item.reason}", markup=False)
    if problems:
        raise InputError(problems)


def _lines(item):
    """A result in a few lines."""
    yield item.path + (f", {item.run}" if item.run else "")
    yield f"    {_of_suite(item)}"
    yield f"    {item.energy_mean_x_duration_j:.7g} J (MLCommons), {_of_integral(item)}"
    if item.n_samples is not None:
        gap = "" if item.max_gap_s is None else f", longest gap {item.max_gap_s:g} s"
        yield f"    {item.n_samples} samples, {item.n_nonpositive} invalid{gap}"
    if item.scheduled_per_s is not None and item.completed_per_s is not None:
        energy_j = item.energy_per_completed_sample_j
        each = "" if energy_j is None else f", {energy_j:.6g} J per completed sample"
        yield f"    scheduled {item.scheduled_per_s:.7g}/s, completed {item.completed_per_s:.7g}/s{each}"
    if item.copy_of is not None:
        yield f"    a copy of {item.copy_of}"
    if item.disclosure_share is not None:
        missing = f"; missing: {item.disclosure_missing}" if item.disclosure_missing else ""
        yield f"    {100 * item.disclosure_share:.0f} % of the system's description is filled{missing}"
    yield from (f"    {note}" for note in item.notes)
    yield from _of_rules(item.checks)


def _of_rules(checks):
    """Rules that are broken, not determinable or kept with a warning, a line each; the others by their names."""
    plain = [check.rule for check in checks if check.status == "pass" and not check.warning]
    order = {"fail": 0, "pass": 1, "not determinable": 2}
    told = sorted((check for check in checks if check.rule not in plain), key=lambda check: order[check.status])
    yield from (f"    {check.line()}" for check in told)
    if plain:
        yield f"    pass: {', '.join(plain)}"


def _of_suite(item):
    """The official figure, and what belongs to it."""
    if item.suite == "tiny":
        return f"{item.power_metric:.7g} {item.power_unit}, median of {item.windows} windows, {item.throughput_per_s:.6g} inf./s"
    if item.suite == "training":
        wall = f", {item.wall_energy_j:.7g} J at the wall" if item.boundary == "node_dc" else ""
        mean_j = item.olympic_mean_energy_j
        mean = "" if mean_j is None else f"; olympic mean {mean_j:.7g} J of {item.runs} runs"
        where = f" at {item.boundary}" if item.boundary else ""
        return f"{item.power_metric:.7g} J{where} in {item.time_to_train_s:g} s to train{wall}{mean}"
    metric = "" if item.power_unit == "W" else f", {item.power_metric:.6g} {item.power_unit}"
    per_joule = "" if item.efficiency_per_j is None else f", {item.efficiency_per_j:.6g} per J"
    return f"{item.avg_power_w:.6g} W on average{metric}, {item.duration_s:g} s{per_joule}"


def _of_integral(item):
    """The integral, and by how much it differs."""
    if item.integral_energy_j is None:
        return "no integral"
    apart = "" if item.integral_difference_pct is None else (
        f", {item.integral_difference_j:+.6g} J or {item.integral_difference_pct:+.3f} %")
    covered = "" if item.coverage is None else f", {100 * item.coverage:.2f} % covered"
    return f"{item.integral_energy_j:.7g} J (integral{apart}{covered})"
