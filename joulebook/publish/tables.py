"""Results that are tables of their own, as files beside a run's records."""

from joulebook.publish.files import write_whole
from joulebook.publish.register import register_csv, register_of
from joulebook.spreadsheets import csv_text

FILES = {"timeline": "timeline.csv"}  # name of the result and of its file
REGISTER = "register.csv"


def write_tables(collected, folder):
    """Write the tables of a run that have a file of their own, and the register of its inputs.

    Parameters
    ----------
    collected : dict of str to joulebook.publish.collect.Collected
        Topics.
    folder : pathlib.Path
        The run's folder.
    """
    if collected:
        write_whole(folder / REGISTER, register_csv(register_of(content.registered for content in collected.values())))
    for content in collected.values():
        for name, file in FILES.items():
            table = content.known.results.get(name)
            if table is not None and table["rows"]:
                write_whole(folder / file, csv_text([head for head, *_ in table["columns"]], table["rows"]))
