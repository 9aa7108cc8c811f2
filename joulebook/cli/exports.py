"""The command that gives a run's inputs and results to whoever calculates on."""

from pathlib import Path
from typing import Annotated

import typer

from joulebook.cli.app import app
from joulebook.cli.terminal import RUNS, Force, Out, Progress, Settings, escape, out
from joulebook.errors import InputError, JoulebookError, Problem, RunError


@app.command(short_help="Write inputs and results as xlsx, CSV or JSON.")
def export(
    clients: Annotated[
        list[Path] | None,
        typer.Argument(metavar="CLIENT...", help="Client folders, or run folders, which are taken as they are."),
    ] = None,
    xlsx: Annotated[bool, typer.Option("--xlsx", help="One workbook, a sheet for each table.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="A folder of CSV files, in UTF-8.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One file, as --schema describes it.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of --json, and export nothing.")] = False,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help="Folder for what is exported; each client's run without it.")
    ] = None,
    settings: Settings = None,
    folder: Out = RUNS,
    force: Force = False,
):
    """Write inputs, results, tables, the assumption register and provenance of clients, run first where not up to date.

    Text is text: what a spreadsheet would take for a formula is marked as text. Numbers have all their digits, and their
    unit beside them.

    Example:  joulebook export data/clients/chat-assistant --xlsx --to ~/for-finance
    """
    if schema:
        from joulebook.publish.export.content import schema as json_schema
        from joulebook.publish.files import json_text

        print(json_text(json_schema()), end="")
        return
    formats = [name for name, asked in (("xlsx", xlsx), ("csv", csv), ("json", json)) if asked]
    _require(clients, formats, to, folder)
    failed = []
    for client in clients:
        try:
            made = _export(client, formats, to, settings, folder, force)
        except JoulebookError as error:  # the others get theirs
            failed.append(error)
            continue
        for path in made:
            out().print(escape(str(path)))
    if all(isinstance(error, InputError) for error in failed) and failed:
        raise InputError([problem for error in failed for problem in error.problems])
    if failed:
        raise RunError("\n".join(map(str, failed)))


def _require(clients, formats, to, folder):
    """Refuse what cannot be done before anything is executed."""
    found = []
    if not clients:
        found.append(Problem("no client is named", allowed="joulebook export CLIENT..., folders with a client.yml or a run.json"))
    if not formats:
        found.append(Problem("no format is chosen", allowed="one or more of --xlsx, --csv and --json"))
    if folder.suffix.lower() in (".xlsx", ".csv", ".json"):
        found.append(Problem("no folder of runs", field="--out", value=str(folder), allowed="--to DIR says where exports go"))
    if to is not None and clients:
        names = [client.resolve().name for client in clients]
        found += [Problem("two folders of one name would be exported to one place", file=str(client), field="--to",
                          allowed="one of them at a time")
                  for at, client in enumerate(clients) if names[at] in names[:at]]
    if found:
        raise InputError(found)


def _export(client, formats, to, settings, folder, force):
    from joulebook.publish.export import export_run
    from joulebook.publish.outputs import current_run

    with Progress(None) as progress:
        run = current_run(client, folder, settings or (), progress.of(client.name), force)
        return export_run(run, formats, to)
