"""The command line: a light wrapper on intake and publish, a module a family of commands."""

import os
import sys
from typing import Annotated

import typer

from joulebook.cli import clients, exports, meter, mlperf, publications, serving  # noqa: F401 - their commands, in the order of the help
from joulebook.cli.app import app
from joulebook.cli.terminal import err, escape, out
from joulebook.errors import JoulebookError

STOPPED = 130


def _version(wanted: bool):
    if wanted:
        from joulebook.publish import toolchain

        named, other = toolchain.check()
        out().print(escape("\n".join(named)))
        for line in other:
            err().print(f"[yellow]note[/yellow] {escape(line)}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print versions.")] = False,
):
    """From measured energy to the cost of a token and a verdict per client."""


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
