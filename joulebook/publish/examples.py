"""The topics run on the examples of the dictionary: what the public book shows."""

import json

from joulebook.publish import execute
from joulebook.publish.files import digest, digest_tree, folder_whole, json_text, write_whole
from joulebook.publish.run import CODE, versions
from joulebook.workbook import ROOT, Workbook


def run_examples(folder, workbook=None, progress=lambda topic: None):
    """Execute every topic's notebook as it stands, unless that was done with the same code.

    Parameters
    ----------
    folder : pathlib.Path
        Where the executed notebooks belong; replaced whole.
    workbook : joulebook.workbook.Workbook, optional
        Where notebooks come from.
    progress : callable
        Called with the name of each topic before it runs.

    Returns
    -------
    dict of str to pathlib.Path
        Executed notebook of each topic.

    Raises
    ------
    RunError
        If a notebook fails.
    """
    workbook = workbook or Workbook()
    made_of = {
        "notebooks": {topic: digest(workbook.notebook(topic).read_bytes()) for topic in workbook.topics},
        "code": digest_tree(ROOT, (*CODE, "data/examples/*", "data/mlperf_power/*")),
        "versions": versions(),
    }
    finished = {topic: folder / f"{topic}.ipynb" for topic in workbook.topics}
    if not (_made_of(folder) == made_of and all(path.exists() for path in finished.values())):
        with folder_whole(folder) as part:
            for topic in workbook.topics:
                progress(topic)
                notebook = execute.load(workbook.notebook(topic))
                execute.check_topic(notebook, topic)
                execute.execute(notebook, {}, part, topic, part.parent / "failed")
            write_whole(part / "run.json", json_text({"made_of": made_of}))
    return finished


def _made_of(folder):
    try:
        return json.loads((folder / "run.json").read_text(encoding="utf-8"))["made_of"]
    except (OSError, ValueError, KeyError):
        return None
