"""The command line: a light wrapper on intake and publish."""

import json
import os
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from joulebook import __version__
from joulebook.errors import InputError, JoulebookError, Problem, RunError
from joulebook.workbook import ROOT, Workbook

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # rich would take longer to say what there is than most commands take to do it
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="From measured energy to the cost of a token and a verdict per client.",
)

Clients = Annotated[list[Path], typer.Argument(metavar="CLIENT...", help="Client folders, each with a client.yml.")]
Topics = Annotated[list[str] | None, typer.Option("--topic", "-t", metavar="TOPIC", help="Only this topic; may be given again.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="NAME=VALUE", help="An input in place of the client's; may be given again."),
]
Out = Annotated[
    Path, typer.Option("--out", "-o", metavar="DIR", help="Folder of runs; each client's run stands in a folder of its name.")
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Execute what did not change, too.")]
RUNS = Path("runs")
STOPPED = 130


@cache
def out(stderr=False):
    """The terminal: what a client wrote is printed as it is, without names of pictures or colours of our own."""
    from rich.console import Console  # late: it is not quick to import

    return Console(stderr=stderr, highlight=False, soft_wrap=True, emoji=False)


def err():
    """The terminal's error stream."""
    return out(stderr=True)


def escape(text):
    """Text whose brackets are no markup."""
    from rich.markup import escape

    return escape(text)


def _version(wanted: bool):
    if wanted:
        out().print(f"joulebook {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
):
    """From measured energy to the cost of a token and a verdict per client."""


@app.command(short_help="Say all that is wrong with clients' inputs.")
def check(clients: Clients, topic: Topics = None, settings: Settings = None):
    """Read clients and say everything that is wrong with their inputs, without running anything.

    Example:  joulebook check data/clients/chat-assistant
    """
    from joulebook.publish.run import runs_of

    for client in runs_of(clients, settings or (), topic):
        given = {name for inputs in client.inputs.values() for name, item in inputs.items() if item.given}
        out().print(f"{escape(client.name)}: all right, {len(given)} inputs given for {', '.join(client.topics)}")
        for name, lacking in client.left_out.items():
            out().print(f"    left out: {name}, which needs {', '.join(lacking)}")


@app.command(short_help="Write a client folder to begin with.")
def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make; one that is there must be empty.")],
    topic: Topics = None,
):
    """Write a commented client folder to begin with: every parameter with its example, marked illustrative.

    Example:  joulebook new ~/clients/acme --topic cost_per_token
    """
    from joulebook.publish.new import new_client

    made = new_client(folder, topic)
    out().print(f"{escape(str(made / 'client.yml'))}: all right as it is; put your own values in place of the examples")


@app.command(short_help="List what a client may give.")
def params(topic: Annotated[str | None, typer.Argument(help="Only the parameters of this topic.")] = None):
    """List the parameters that a client may give: unit, what is allowed, and what they mean.

    Example:  joulebook params cost_per_token
    """
    from joulebook import dictionary

    if topic is not None:
        Workbook().notebook(topic)  # an error by name if there is none
    for row in (dictionary.of_topic(topic) if topic else dictionary.parameters()).values():
        needed = "required" if topic or row.required == row.topics else f"required by {', '.join(row.required)}"
        default = "optional" if row.default is None else f"default {row.default}".removesuffix(".0")
        default = needed if row.required else default
        unit = "" if row.unit in ("", "1", "csv") else f" [{row.unit}]"
        out().print(
            f"[bold]{row.name}[/bold]{escape(unit)}  [dim]{escape(row.allowed)}; {default}[/dim]\n    {escape(row.meaning)}"
        )


@app.command(short_help="Execute what changed of clients' topics.")
def run(
    clients: Clients,
    topic: Topics = None,
    settings: Settings = None,
    folder: Out = RUNS,
    workers: Annotated[
        int | None, typer.Option("--workers", "-j", min=1, metavar="N", help="Topics executed at once; a core each.")
    ] = None,
    force: Force = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say of each topic why it is executed or not.")] = False,
    dry: Annotated[bool, typer.Option("--dry-run", "-n", help="Say what would be executed and why; execute nothing.")] = False,
    timeout_s: Annotated[
        float | None, typer.Option("--timeout", min=1, metavar="SECONDS", help="Longest time of a cell; 600 s.")
    ] = None,
):
    """Execute the topics of clients and write notebooks, inputs and results, a folder for each client.

    A topic is executed only where something that it depends on has changed. A client that fails stops no other, and
    a run that was stopped goes on where it was.

    Example:  joulebook run data/clients/* --set pue=1.5 --explain
    """
    from joulebook.publish.batch import Settings as How
    from joulebook.publish.batch import run_batch
    from joulebook.publish.outcome import require_all

    how = How(tuple(settings or ()), tuple(topic) if topic else None, workers, force, explain or dry, dry, timeout_s)
    runs = []
    with _Progress(len(clients)) as progress, closing(run_batch(clients, folder, how, progress=progress.begin)) as batch:
        for made in batch:
            progress.end()
            runs.append(made)
            _say_run(made, dry)
    if len(clients) > 1 and not dry:
        _show_summary(runs)
    require_all(runs)


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


@app.command(short_help="Build the public book, or a client's own.")
def book(
    client: Annotated[
        Path | None, typer.Argument(metavar="[CLIENT]", help="A client folder, or a run; without one, the public book.")
    ] = None,
    settings: Settings = None,
    folder: Out = RUNS,
    force: Force = False,
):
    """Build the static book: the public one with the example clients, or a client's own.

    Example:  joulebook book data/clients/chat-assistant
    """
    from joulebook.publish import outputs

    with _Progress(None) as progress:
        if client is None and settings:
            raise InputError(Problem("--set needs a client", file="--set", allowed="joulebook book CLIENT --set NAME=VALUE"))
        if client is None:
            made = outputs.public_book(ROOT / "_build", folder, progress.of("book"), force)
        else:
            run = outputs.current_run(client, folder, settings or (), progress.of(client.name), force)
            made = outputs.client_book(run, progress.of(client.name))
    out().print(escape(str(made / "index.html")))


@app.command(short_help="Write a PDF for each client.")
def report(clients: Clients, settings: Settings = None, folder: Out = RUNS, force: Force = False):
    """Write a PDF for each client from its executed notebooks, which are run first where they are not up to date.

    A run folder in place of a client is taken as it is.

    Example:  joulebook report data/clients/chat-assistant
    """
    from joulebook.publish import outputs

    failed = []
    for client in clients:
        try:
            with _Progress(None) as progress:
                run = outputs.current_run(client, folder, settings or (), progress.of(client.name), force)
                made = outputs.client_report(run)
        except JoulebookError as error:  # the others get theirs
            failed.append(error)
            continue
        out().print(escape(str(made)))
    if all(isinstance(error, InputError) for error in failed) and failed:
        raise InputError([problem for error in failed for problem in error.problems])
    if failed:
        raise RunError("\n".join(map(str, failed)))


@app.command(short_help="Execute an archived run again and compare.")
def verify(
    folder: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="A run folder; nothing in it is changed.")],
):
    """Execute an archived run again from its own inputs, and say what differs and why: inputs, code, versions.

    Exit code 0 where the results are those that were archived, 1 where they differ or the folder was changed.

    Example:  joulebook verify runs/chat-assistant
    """
    from joulebook.publish.verify import verification_lines, verify_run

    with _Progress(None) as progress:
        made = verify_run(folder, progress=progress.of(folder.name))
    _say(verification_lines(made))
    raise typer.Exit(made.exit_code)


@app.command(short_help="Set two runs side by side.")
def compare(
    first: Annotated[Path, typer.Argument(metavar="RUN_A", help="A run folder.")],
    second: Annotated[Path, typer.Argument(metavar="RUN_B", help="Another one, of the same client or of another.")],
    vary: Annotated[str | None, typer.Option("--vary", metavar="LABEL", help="The one label that may differ.")] = None,
    topic: Topics = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Set two runs side by side: which results moved, by how much, beyond their uncertainty or not.

    Refused where labels differ or are not stated, but for the one that --vary names.

    Example:  joulebook compare runs/chat-assistant runs-with-new-tariff/chat-assistant
    """
    from joulebook.publish.compare import compare_runs, comparison_lines

    made = compare_runs(first, second, vary, topic)
    if as_json:
        print(json.dumps(made, indent=1, ensure_ascii=False, allow_nan=False))
    else:
        _say(comparison_lines(made))


@app.command(short_help="Say how large the store is, or clear it.")
def store(
    folder: Out = RUNS,
    clear: Annotated[bool, typer.Option("--clear", help="Remove all that it holds, with the clients' words.")] = False,
):
    """Say where executed notebooks are kept, so that what did not change need not run again, and how large that is.

    It stands in the folder of runs; the environment variable JOULEBOOK_STORE moves it, JOULEBOOK_STORE_MB bounds it.

    Example:  joulebook store --clear
    """
    from joulebook.publish.store import MB, Store

    kept = Store.of_runs(folder)
    if clear:
        out().print(f"{kept.clear()} executed notebooks removed from {escape(str(kept.folder))}")
        return
    sizes = [size for _, size, _ in kept.entries()]
    out().print(f"{escape(str(kept.folder))}: {len(sizes)} executed notebooks, {sum(sizes) / MB:.1f} of {kept.bound_mb:g} MB")


def _say_run(made, dry):
    """What came of one client's run; its failures are told at the end, all together."""
    for name, lacking in made.left_out.items():
        err().print(f"{escape(made.client)}: {name} left out, it needs {', '.join(lacking)}")
    for name, said in made.warnings.items():
        err().print(f"[yellow]warning[/yellow] {escape(made.client)}, {name} wrote to its error stream:\n{escape(said.strip())}")
    for name, reason in made.reasons.items():
        _say([f"{made.client}: {name} {reason}"])
    if made.error is not None or dry:
        return
    reused = [name for name in made.done if name not in made.executed]
    words = [f"{', '.join(names)} {what}" for names, what in ((made.executed, "done"), (reused, "unchanged")) if names]
    out().print(f"{escape(made.client)}: {', '.join(words) or 'nothing done'}, in {escape(str(made.folder))}")


def _show_summary(runs):
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name, justify in (("client", "left"), ("executed", "right"), ("unchanged", "right"), ("failed", "right")):
        table.add_column(name, justify=justify)
    for made in sorted(runs, key=lambda made: made.folder.name):
        failed = "inputs" if isinstance(made.error, InputError) else "all" if made.error else str(len(made.failed))
        table.add_row(escape(made.client), str(len(made.executed)), str(len(made.done) - len(made.executed)), failed)
    out().print(table)


def _say(lines):
    """Print lines as they are: text of a client is no markup and holds no names of pictures."""
    for line in lines:
        out().print(line, markup=False, emoji=False)


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


class _Progress:
    """A progress bar that names what runs; silent where nobody watches."""

    def __init__(self, total):
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = [
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
        ]
        self.bar = Progress(*columns, console=err(), transient=True, disable=not err().is_terminal)
        self.task = self.bar.add_task("", total=total)
        self.started = 0

    def __enter__(self):
        self.bar.start()
        return self

    def __exit__(self, *_):
        self.bar.stop()

    def begin(self, name, what):
        """Say that something of something begins."""
        self.bar.update(self.task, description=f"{name}: {what}")

    def end(self):
        """Say that one of all is finished."""
        self.bar.advance(self.task)

    def of(self, name):
        """A function to be called with each step of something before it runs."""

        def step(what):
            self.bar.update(self.task, description=f"{name}: {what}", completed=self.started)
            self.started += 1

        return step


def main():
    """Run the command line: exit 0, 1 where a run failed, 2 where an input is bad; never a traceback."""
    try:
        code = app(standalone_mode=False)
    except JoulebookError as error:
        err().print("[red]error[/red]", style="bold")
        err().print(escape(str(error)))
        code = error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        code = STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:  # such as a full disk
        err().print(f"[red]error[/red] {escape(str(error.filename or 'a file'))}: {escape(error.strerror or str(error))}")
        code = 1
    except typer.Exit as error:
        code = error.exit_code
    except typer.exceptions.TyperException as error:  # wrong words on the command line
        error.show()
        code = error.exit_code
    except Exception as error:
        code = _unexpected(error)
    if code == STOPPED:  # typer turns an interrupt into its code
        err().print("stopped; nothing half-written is left")
    sys.exit(code or 0)


def _unexpected(error):
    if os.environ.get("JOULEBOOK_DEBUG"):
        raise error
    err().print(
        f"[red]error[/red] {escape(type(error).__name__)}: {escape(str(error))}\n"
        "This is a fault of the program. JOULEBOOK_DEBUG=1 shows where."
    )
    return 1
