"""What a client's own meters give it: their declarations with files found, and where they come from."""

from joulebook.intake.checks import attempt
from joulebook.intake.files import find_file
from joulebook.results import weakest

SOURCE = "meters of the client"


def with_files_found(meters, folder, place, found):
    """Declarations of meters with the paths of their files as they are on disk.

    Parameters
    ----------
    meters : list of dict
        Declarations as the client wrote them; what is no path is left as it is.
    folder : pathlib.Path
        The client's folder.
    place : callable
        Gives the place of a path in the list, as keywords of `joulebook.errors.Problem`.
    found : joulebook.errors.Problems
        Takes what is wrong.

    Returns
    -------
    list of dict
        The declarations; a file that was not found is None.
    """
    def find(path, *keys):
        return attempt(found, find_file, folder, path, **place(*keys)) if isinstance(path, str) else path

    made = []
    for i, meter in enumerate(meters):
        several = meter.get("files")
        files = [find(path, i, "files", j) for j, path in enumerate(several)] if isinstance(several, list) else several
        made.append({**meter, **({"file": find(meter["file"], i, "file")} if "file" in meter else {}),
                     **({"files": files} if "files" in meter else {})})
    return made


def origin(meters):
    """Source and evidence of what meters read: all that they say of it, and the weakest.

    Examples
    --------
    >>> origin([{"source": "wall meter", "evidence": "measured"}, {"evidence": "illustrative"}])
    {'source': 'wall meter', 'evidence': 'illustrative'}
    """
    said = [str(meter["source"]) for meter in meters if meter.get("source")]
    kinds = [meter.get("evidence", "measured") for meter in meters]
    return {"source": "; ".join(dict.fromkeys(said)) or SOURCE, "evidence": weakest(kinds)}
