"""What came of a client's run."""

from dataclasses import dataclass, field
from pathlib import Path

from joulebook.errors import InputError, JoulebookError, RunError


@dataclass
class Run:
    """What came of a client's run.

    Parameters
    ----------
    folder : pathlib.Path
        The finished folder.
    client : str
        Name of the client, that of its folder where it could not be read.
    done : tuple of str
        Topics that finished, whether executed or not.
    executed : tuple of str
        Those of them that were executed.
    failed : dict of str to str
        Reason of each topic that did not finish.
    warnings : dict of str to str
        What a topic wrote to its error stream.
    left_out : dict of str to list of str
        Topics that were not meant, with the inputs that they lack.
    reasons : dict of str to str
        Why each topic is executed or not.
    error : joulebook.errors.JoulebookError or None
        Why there is no run at all.
    """

    folder: Path
    client: str
    done: tuple = ()
    executed: tuple = ()
    failed: dict = field(default_factory=dict)
    warnings: dict = field(default_factory=dict)
    left_out: dict = field(default_factory=dict)
    reasons: dict = field(default_factory=dict)
    error: JoulebookError | None = None


def require_all(runs):
    """Raise what failed in runs.

    Raises
    ------
    InputError
        If inputs of clients are wrong and nothing else failed: every problem of each.
    RunError
        Naming client and topic of each failure.
    """
    errors = [run.error for run in runs if run.error is not None]
    failed = [f"{run.client}: {reason}" for run in runs for reason in run.failed.values()]
    if errors and not failed and all(isinstance(error, InputError) for error in errors):
        raise InputError([problem for error in errors for problem in error.problems])
    failed += [str(error) for error in errors]
    if failed:
        raise RunError("\n".join(failed))
