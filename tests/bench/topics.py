"""The real topics of example clients, executed in a process of its own: ``python -m tests.bench.topics WAY FOLDER WORKERS``.

The ways: ``plain``, a loop over `papermill.execute_notebook`; ``ours``; ``floor``, the same cells in this one process,
which prints their time alone.
"""

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from time import perf_counter


def lay_out(folder, number):
    """Notebooks of example clients as plain papermill takes them: ``<n>/topic.ipynb``, ``parameters.json`` and inputs.

    Parameters
    ----------
    folder : pathlib.Path
        Where they are put.
    number : int
        How many; clients and topics take turns.
    """
    import nbformat

    from joulebook.publish.depends import Surroundings
    from joulebook.publish.outputs import example_clients
    from joulebook.publish.run import ClientRun, runs_of
    from joulebook.workbook import Workbook

    clients, place = runs_of(example_clients()), 0
    while place < number:
        for client in clients:
            with ClientRun(client, folder / "made", Surroundings.of(Workbook())) as making:
                for task in making.tasks[: number - place]:
                    place += 1
                    here = folder / f"{place:03d}"
                    (here / "inputs").mkdir(parents=True)
                    for path in (making._part / "inputs").iterdir():
                        (here / "inputs" / path.name).write_bytes(path.read_bytes())
                    nbformat.write(task.notebook, here / "topic.ipynb")
                    (here / "parameters.json").write_text(json.dumps(task.parameters), encoding="utf-8")


def _given(folder):
    for here in sorted(path.parent for path in folder.glob("*/topic.ipynb")):
        yield here, json.loads((here / "parameters.json").read_text(encoding="utf-8"))


def plain(folder, _):
    """A loop that any user of papermill would write."""
    import papermill

    for here, parameters in _given(folder):
        paths = (here / "topic.ipynb", here / "plain.ipynb")
        papermill.execute_notebook(*map(str, paths), parameters, cwd=str(here), progress_bar=False)


def ours(folder, workers):
    """The same notebooks by the project's own way, without its store."""
    from joulebook.publish.kernels.forks import KERNELS

    KERNELS.start()
    import nbformat

    from joulebook.publish import execute
    from joulebook.publish.workers import Workers

    execute.ready()
    with Workers(workers) as pool:

        def one(here, parameters):
            notebook = nbformat.read(here / "topic.ipynb", 4)
            made, _ = execute.execute(notebook, parameters, here, "topic", here / "failed", turn=pool.turn)
            (here / "ours.ipynb").write_bytes(made)

        for done in [pool.submit(one, *given) for given in _given(folder)]:
            done.result()


def floor(folder, _):
    """The same cells, one after the other in this process, all imports made before; prints the seconds."""
    os.environ.update({"MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1"})
    import nbformat

    from joulebook.publish.kernels.parent import preload

    preload()
    spent = 0.0
    for here, parameters in _given(folder):
        os.chdir(here)
        names = dict(parameters)
        cells = [cell for cell in nbformat.read(here / "topic.ipynb", 4).cells if cell.cell_type == "code"]
        code = [compile(cell.source, "cell", "exec") for cell in cells if "parameters" not in cell.metadata.get("tags", [])]
        start = perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in code:
                exec(cell, names)
        spent += perf_counter() - start
    print(spent)


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
