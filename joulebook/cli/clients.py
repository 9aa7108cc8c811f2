"""Commands that read a client's inputs and execute its topics."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from joulebook.cli.app import app
from joulebook.cli.terminal import RUNS, Clients, Force, Out, Progress, Settings, Topics, err, escape, out, say
from joulebook.errors import InputError
from joulebook.inputs import FILE_UNITS
from joulebook.workbook import Workbook


@app.command(short_help="Say all that is wrong with clients' inputs.")
def check(clients: Clients, topic: Topics = None, settings: Settings = None):
    """Read clients and say everything that is wrong with their inputs, without running anything.

    Example:  joulebook check data/clients/chat-assistant
    """
    from joulebook.publish.branding import accent_words
    from joulebook.publish.run import runs_of

    for client in runs_of(clients, settings or (), topic):
        given = {name for inputs in client.inputs.values() for name, item in inputs.items() if item.given}
        out().print(f"{escape(client.name)}: all right, {len(given)} inputs given for {', '.join(client.topics)}")
        for name, lacking in client.left_out.items():
            out().print(f"    left out: {name}, which {_wants(lacking)}")
        for line in (*_ages(client), *filter(None, (accent_words(client.branding.accent),))):
            out().print(f"    {escape(line)}")
        odd = {name: item.plausible for inputs in client.inputs.values() for name, item in inputs.items() if item.plausible}
        for name, said in odd.items():
            out().print(f"    [yellow]{escape(name)}[/yellow]: {escape(said)}")


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
        unit = "" if row.unit in ("", "1", *FILE_UNITS) else f" [{row.unit}]"
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
    with Progress(len(clients)) as progress, closing(run_batch(clients, folder, how, progress=progress.begin)) as batch:
        for made in batch:
            progress.end()
            runs.append(made)
            _say_run(made, dry)
    if len(clients) > 1 and not dry:
        _show_summary(runs)
    require_all(runs)



def _ages(client):
    """What has expired among a client's inputs, and what that means."""
    for name, item in client.expired.items():
        means = f"used for pricing all the same: {item.used_because}" if item.prices else (
            "shown, not used for pricing: no amount of money that rests on it is told, unless use_expired names it with a reason")
        yield f"expired {item.expires}: {name}, {f'as of {item.as_of}, ' if item.as_of else ''}{means}"
    for name in client.without_effect:
        yield f"use_expired: {name} has not expired, without effect"


def _wants(lacking):
    """What a topic that was left out wants: inputs, or to be named where it rests on none of the client's."""
    return f"needs {', '.join(lacking)}" if lacking else "needs nothing of a client and runs where topics names it"


def _say_run(made, dry):
    """What came of one client's run; its failures are told at the end, all together."""
    for name, lacking in made.left_out.items():
        err().print(f"{escape(made.client)}: {name} left out, it {_wants(lacking)}")
    for name, said in made.warnings.items():
        err().print(f"[yellow]warning[/yellow] {escape(made.client)}, {name} wrote to its error stream:\n{escape(said.strip())}")
    for name, reason in made.reasons.items():
        say([f"{made.client}: {name} {reason}"])
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


