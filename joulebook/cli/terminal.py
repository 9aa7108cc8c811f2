"""What all commands print to and take: the terminal, a progress bar, arguments and options."""

from functools import cache
from pathlib import Path
from typing import Annotated

import typer

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


def say(lines):
    """Print lines as they are: text of a client is no markup and holds no names of pictures."""
    for line in lines:
        out().print(line, markup=False, emoji=False)


class Progress:
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
