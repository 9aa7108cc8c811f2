"""Files of load generators: throughput, latencies and per-request times of a run."""

from joulebook.intake.load.result import CLOCKS, Load

__all__ = ["CLOCKS", "Load", "read_load"]


def read_load(path, shown=None):
    """Read the file of a load generator; what it is, its content says.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    shown : str, optional
        How the user named it.

    Returns
    -------
    Load
        Requests where the file has them, totals as stated and as counted, clock, what is missing and what was left out.

    Raises
    ------
    InputError
        If it is none of the known files, or anything in it cannot be used.
    """
    from joulebook.intake.load.known import read  # late: the readers build on this package

    return read(path, shown or path.name)
