"""The CSV files of file parameters, as checked tables: a module a family of files.

Each module has `TABLES`, by parameter the sets of columns that a file may have (required, optional) and the function
that reads its sheet into arrays by column, and `CHECKS`, functions of what must hold between tables and inputs. A file that is
no CSV of ours, such as a load generator's, has its own reader: `FILES`, by parameter.
"""

from joulebook.errors import Problems
from joulebook.intake.sheet import table_of
from joulebook.intake.tables import (
    accuracy_pairs,
    bills,
    carbon,
    figures,
    generations,
    ladder,
    load_file,
    measurements,
    operating_points,
    phases,
    portfolio,
    published,
    tenants,
    tokens,
)
from joulebook.intake.text import read_text

_MODULES = (
    accuracy_pairs,
    bills,
    carbon,
    figures,
    generations,
    ladder,
    measurements,
    operating_points,
    phases,
    portfolio,
    published,
    tenants,
    tokens,
)
_TABLES = {name: table for module in _MODULES for name, table in module.TABLES.items()}
_FILES = {**load_file.FILES}


def read_table(name, path, shown=None):
    """Read and check the file of a file parameter.

    Parameters
    ----------
    name : str
        The parameter, such as ``load_curve_csv``.
    path : pathlib.Path
        The file: UTF-8, commas between cells, a first row with the names of the columns; or what its own reader takes.
    shown : str, optional
        How the user named the file.

    Returns
    -------
    pandas.DataFrame
        Numbers as float64, stamps in UTC (those of a tariff without offset as written), `ok` as bool.
        Tariff periods as `day` (0 is Monday), `begin_min`, `end_min` (minutes of that day) and
        `price_per_kwh`, cut at midnight and sorted by time.

    Raises
    ------
    InputError
        With file, row, column, value and what is allowed; at most 20 problems, the rest counted.
    """
    shown = shown or path.name
    if name in _FILES:
        return _FILES[name](path, shown)
    return table_of(read_text(path, shown), shown, *_TABLES[name])


def check_tables(inputs, tables, place=None, unclear=()):
    """Check tables against the inputs beside them, and against each other.

    Parameters
    ----------
    inputs : dict of str to Input
        Inputs of the topic.
    tables : dict of str to pandas.DataFrame
        What `read_table` gave, by parameter.
    place : callable, optional
        Gives the place of a parameter, as keywords of `Problem`.
    unclear : collection of str, optional
        Parameters that were given but refused, so that they are not in `inputs`.

    Raises
    ------
    InputError
        If the ends of the load curve are not idle and active power, the clock of a tariff is not
        stated, or the tariff has no price for part of the load profile.
    """
    found = Problems()
    place = place or (lambda name: {"field": name})
    for module in _MODULES:
        for check in module.CHECKS:
            check(inputs, tables, place, unclear, found)
    found.stop()
