"""A client's files inside its run: how their copies are named, laid down and found again."""

import shutil
from pathlib import PurePosixPath

from joulebook.inputs import paths_of
from joulebook.publish.files import digest_file

FOLDER = "inputs"
SUFFIXES = (".csv", ".tsv", ".parquet", ".xlsx", ".json", ".jsonl", ".txt", ".log")


def copy_names(name, value):
    """Names of the copies of a parameter's files: the client's own file names stay at home.

    Parameters
    ----------
    name : str
        The parameter.
    value : str or list of dict
        Its value.

    Returns
    -------
    list of str
        As many as `joulebook.inputs.paths_of` gives.

    Examples
    --------
    >>> copy_names("tariff_csv", "Acme rates.csv"), copy_names("meters", [{"file": "a.parquet"}, {"file": "b.txt"}])
    (['tariff_csv.csv'], ['meters-1.parquet', 'meters-2.txt'])
    """
    suffixes = [PurePosixPath(path).suffix.lower() for path in paths_of(value)]
    suffixes = [suffix if suffix in SUFFIXES else ".txt" for suffix in suffixes]
    if name.endswith("_csv"):
        return [f"{name}.csv" for _ in suffixes]
    return [f"{name}{suffixes[0]}"] if isinstance(value, str) else [f"{name}-{i}{suffix}" for i, suffix in enumerate(suffixes, 1)]


def lay_down(files, inputs, run):
    """Copy a client's files into its run.

    Parameters
    ----------
    files : dict of str to dict of str to list of pathlib.Path
        Files of each parameter that has some, by topic and name.
    inputs : dict of str to dict of str to Input
        Inputs by topic and name.
    run : pathlib.Path
        The run's folder.

    Returns
    -------
    dict of (str, str) to list of str
        Paths of the copies in the run, by topic and parameter.
    """
    folder, paths, kept = run / FOLDER, {}, {}
    folder.mkdir()
    for topic, of in files.items():
        for name, sources in of.items():
            placed = []
            for source, copy in zip(sources, copy_names(name, inputs[topic][name].value), strict=True):
                place = folder / copy
                if place.name in kept and digest_file(source) != kept[place.name]:
                    place = folder / f"{topic}-{copy}"  # two topics, two files of one parameter
                if place.name not in kept:
                    shutil.copyfile(source, place)
                    kept[place.name] = digest_file(place)
                placed.append(f"{FOLDER}/{place.name}")
            paths[topic, name] = placed
    return paths


def copies_of(there, topic, name, value):
    """Names of the copies of a parameter's files in a run, None for one that is missing.

    Parameters
    ----------
    there : collection of str
        Names in the run's folder of copies.
    topic, name : str
        Topic and parameter.
    value : str or list of dict
        Value of the parameter as the client gave it.
    """
    return [next((held for held in (f"{topic}-{copy}", copy) if held in there), None) for copy in copy_names(name, value)]
