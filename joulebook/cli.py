"""The command line: a light wrapper on intake and publish."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from joulebook import __version__
from joulebook.errors import InputError, JoulebookError, Problem, RunError
from joulebook.workbook import ROOT, Workbook

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="From measured energy to the cost of a token and a verdict per client.",
)
out, err = Console(highlight=False, soft_wrap=True), Console(stderr=True, highlight=False, soft_wrap=True)

Clients = Annotated[list[Path], typer.Argument(metavar="CLIENT...", help="Client folders, each with a client.yml.")]
Topics = Annotated[list[str] | None, typer.Option("--topic", "-t", metavar="TOPIC", help="Only this topic; may be given again.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="NAME=VALUE", help="An input in place of the client's; may be given again."),
]
Out = Annotated[
    Path, typer.Option("--out", "-o", metavar="DIR", help="Folder of runs; each client's run stands in a folder of its name.")
]
RUNS = Path("runs")


def _version(wanted: bool):
    if wanted:
        out.print(f"joulebook {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
):
    """From measured energy to the cost of a token and a verdict per client."""


@app.command()
def check(clients: Clients, topic: Topics = None, settings: Settings = None):
    """Read clients and say everything that is wrong with their inputs, without running anything.

    [dim]Example:[/dim]  joulebook check data/clients/chat-assistant
    """
    from joulebook.publish.run import runs_of

    for client in runs_of(clients, RUNS, settings or (), topic):
        given = sum(item.given for inputs in client.inputs.values() for item in inputs.values())
        out.print(f"{escape(str(client.folder.name))}: all right, {given} inputs for {', '.join(client.topics)}")


@app.command()
def params(topic: Annotated[str | None, typer.Argument(help="Only the parameters of this topic.")] = None):
    """List the parameters that a client may give: unit, what is allowed, and what they mean.

    [dim]Example:[/dim]  joulebook params cost_per_token
    """
    from rich import box
    from rich.table import Table

    from joulebook import dictionary

    if topic is not None:
        Workbook().notebook(topic)  # an error by name if there is none
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Parameter", style="bold", no_wrap=True)
    for name in ("Allowed", "Unit", "Default", "Meaning"):
        table.add_column(name)
    for row in (dictionary.of_topic(topic) if topic else dictionary.parameters()).values():
        default = "required" if row.required else "" if row.default is None else f"{row.default:g}"
        table.add_row(*(escape(text) for text in (row.name, row.allowed, row.unit, default, f"{row.meaning}")))
    out.print(table)


@app.command()
def run(clients: Clients, topic: Topics = None, settings: Settings = None, folder: Out = RUNS):
    """Execute the topics of clients and write notebooks, inputs and results, a folder for each client.

    [dim]Example:[/dim]  joulebook run data/clients/chat-assistant --set pue=1.5
    """
    from joulebook.publish.run import runs_of

    runs = [_run(client, folder) for client in runs_of(clients, folder, settings or (), topic)]
    for made in runs:
        out.print(f"{escape(made.client)}: {', '.join(made.done) or 'nothing'} done, in {escape(str(made.folder))}")
    _stop_at_failures(runs)


@app.command()
def mlperf(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Results, or trees of results.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
):
    """Read MLPerf inference power results from their raw logs: average power, official metric, energy.

    [dim]Example:[/dim]  joulebook mlperf inference_results_v5.1/closed/Lenovo --csv
    """
    from joulebook.publish import mlperf_table

    if as_json and as_csv:
        raise InputError(Problem("--json and --csv exclude each other"))
    problems = mlperf_table.show(paths, "json" if as_json else "csv" if as_csv else "table", out, err)
    if problems:
        raise InputError(problems)


@app.command()
def book(
    client: Annotated[
        Path | None, typer.Argument(metavar="[CLIENT]", help="A client folder; without one, the public book.")
    ] = None,
    folder: Out = RUNS,
):
    """Build the static book: the public one with the example clients, or a client's own.

    [dim]Example:[/dim]  joulebook book data/clients/chat-assistant
    """
    from joulebook.publish import books

    with _progress("book") as step:
        made = books.client_book(_current(client, folder), step) if client else books.public_book(ROOT / "_build", folder, step)
    out.print(escape(str(made / "index.html")))


@app.command()
def report(clients: Clients, folder: Out = RUNS):
    """Write a PDF for each client from its executed notebooks, which are run first where they are not up to date.

    [dim]Example:[/dim]  joulebook report data/clients/chat-assistant
    """
    from joulebook.publish.reports import client_report

    for client in clients:
        out.print(escape(str(client_report(_current(client, folder)))))


def _current(path, folder):
    """Run folder of a client, executed where it is not up to date; a run folder is taken as it is."""
    from joulebook.publish.run import is_current, runs_of

    if (path / "run.json").exists() and not (path / "client.yml").exists():
        return path
    (client,) = runs_of([path], folder)
    place = folder / client.folder.name
    if not is_current(place, client):
        _stop_at_failures([_run(client, folder)])
    return place


def _run(client, folder):
    from joulebook.publish.run import run_client

    with _progress(client.name) as step:
        made = run_client(client, folder, progress=step)
    for topic, said in made.warnings.items():
        err.print(f"[yellow]warning[/yellow] {escape(client.name)}, {topic} wrote to its error stream:\n{escape(said.strip())}")
    return made


def _stop_at_failures(runs):
    failed = [f"{made.client}: {reason}" for made in runs for reason in made.failed.values()]
    if failed:
        raise RunError("\n".join(failed))


class _progress:
    """A progress line that names what runs; silent where nobody watches."""

    def __init__(self, name):
        self.name = name
        self.status = err.status("") if err.is_terminal else None

    def __enter__(self):
        if self.status:
            self.status.start()
        return lambda topic: self.status and self.status.update(f"{escape(self.name)}: {escape(topic)}")

    def __exit__(self, *_):
        if self.status:
            self.status.stop()


def main():
    """Run the command line: exit 0, 1 where a run failed, 2 where an input is bad; never a traceback."""
    try:
        code = app(standalone_mode=False)
    except JoulebookError as error:
        err.print("[red]error[/red]", style="bold")
        err.print(escape(str(error)))
        code = error.exit_code
    except typer.Abort:
        code = 130
    except KeyboardInterrupt:
        err.print("stopped; nothing half-written is left")
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except typer.Exit as error:
        code = error.exit_code
    except Exception as error:
        code = _unexpected(error)
    sys.exit(code or 0)


def _unexpected(error):
    import click

    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if os.environ.get("JOULEBOOK_DEBUG"):
        raise error
    err.print(
        f"[red]error[/red] {escape(type(error).__name__)}: {escape(str(error))}\n"
        "This is a fault of the program. JOULEBOOK_DEBUG=1 shows where."
    )
    return 1
