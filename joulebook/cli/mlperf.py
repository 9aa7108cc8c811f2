"""The command that reads MLPerf results."""

import json
from pathlib import Path
from typing import Annotated

import typer

from joulebook.cli.app import app
from joulebook.cli.terminal import err, escape, out
from joulebook.errors import InputError, Problem


@app.command(short_help="Read MLPerf inference power results.")
def mlperf(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Results, or trees of results.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
):
    """Read MLPerf inference power results from their raw logs: average power, official metric, energy.

    Example:  joulebook mlperf inference_results_v5.1/closed/Lenovo --csv
    """
    from joulebook.intake.mlperf import as_rows, csv_text, find_results

    if as_json and as_csv:
        raise InputError(Problem("--json and --csv exclude each other"))
    results, skipped, problems = find_results(paths)
    if as_json:
        print(json.dumps(as_rows(results), indent=1, ensure_ascii=False, allow_nan=False))
    elif as_csv:
        print(csv_text(results), end="")
    else:
        _show_results(results)
    for item in skipped:
        err().print(f"skipped {escape(str(item.folder))}: {escape(item.reason)}")
    if problems:
        raise InputError(problems)



def _show_results(results):
    for item in results:
        out().print(f"[bold]{escape(item.path)}[/bold]")
        metric = "" if item.power_unit == "W" else f", {item.power_metric:.6g} {item.power_unit}"
        per_joule = "" if item.efficiency_per_j is None else f", {item.efficiency_per_j:.6g} per J"
        out().print(
            f"    {item.avg_power_w:.6g} W on average{metric}, {item.duration_s:g} s{per_joule}\n"
            f"    {item.energy_mean_x_duration_j:.7g} J (mean), {_or_dash(item.integral_energy_j)} J (integral)\n"
            f"    {item.n_samples} samples, {item.n_nonpositive} invalid, longest gap {item.max_gap_s:g} s"
        )
        for note in item.notes:
            out().print(f"    [dim]{escape(note)}[/dim]")


def _or_dash(value):
    return "—" if value is None else f"{value:.7g}"


