"""Reference notebooks for nbval: every topic on the dictionary's examples and on each example client.

Run with ``python -m joulebook.publish.reference``.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from joulebook.errors import JoulebookError
from joulebook.publish.examples import run_examples
from joulebook.publish.outcome import require_all
from joulebook.publish.outputs import example_clients
from joulebook.publish.run import run_client, runs_of
from joulebook.publish.store import Store
from joulebook.workbook import ROOT

REFERENCE = ROOT / "tests" / "reference"
EXAMPLES = "examples"


def make_reference(target=REFERENCE):
    """Execute all reference notebooks and put them in place of those there are.

    Parameters
    ----------
    target : pathlib.Path
        Folder of reference notebooks; replaced when all are made.

    Returns
    -------
    list of pathlib.Path
        The notebooks.
    """
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder) / "reference"
        for topic, path in run_examples(Path(folder) / EXAMPLES, Store(Path(folder) / "store")).items():
            _keep(path, made / EXAMPLES / f"{topic}.ipynb")
        for client in runs_of(example_clients()):
            run = run_client(client, Path(folder) / "runs")
            require_all([run])
            for path in [*run.folder.glob("*.ipynb"), *run.folder.glob("inputs/*")]:
                _keep(path, made / client.folder.name / path.relative_to(run.folder))
        if target.exists():
            shutil.rmtree(target)
        made.rename(target)
    return sorted(target.glob("*/*.ipynb"))


def _keep(path, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, place)


if __name__ == "__main__":
    try:
        for notebook in make_reference():
            print(notebook.relative_to(ROOT))
    except JoulebookError as error:
        sys.exit(str(error))
