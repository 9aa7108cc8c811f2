"""The folder that a book is built from."""

import json
import shutil

from joulebook.publish.book.dress import dress
from joulebook.publish.book.reading import for_reading
from joulebook.workbook import ROOT, read_yaml


def stage_book(stage, notebooks, toc, title, workbook, banners, branding=None):
    stage.mkdir()
    shutil.copytree(workbook.root / "book", stage / "book")
    (stage / "data").mkdir()
    for name in ("parameters.csv", "results.csv"):
        shutil.copyfile(workbook.root / "data" / name, stage / "data" / name)
    shutil.copytree(workbook.root / "data" / "published", stage / "data" / "published")
    for name, notebook in notebooks.items():
        path = stage / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        shown = for_reading(notebook, name, banners.get(name))
        path.write_text(json.dumps(shown, ensure_ascii=False), encoding="utf-8")  # in lines, as nbformat has it, takes ten times
    config = read_yaml(workbook.root / "_config.yml")
    config["execute"] = {"execute_notebooks": "off"}
    config["sphinx"]["local_extensions"] = dict.fromkeys(config["sphinx"].get("local_extensions", {}), str(ROOT))
    if title is not None:
        config["title"] = str(title)
    if branding:
        dress(stage / "book" / "_static", config, branding)
    _write_yaml(config, stage / "_config.yml")
    _write_yaml(toc, stage / "_toc.yml")


def _write_yaml(data, path):
    """Write YAML as jupyter-book reads it: version 1.1, in which ``no`` and ``22:30`` are no texts unless quoted."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 1)
    yaml.allow_unicode = False
    yaml.default_flow_style = False
    with path.open("w", encoding="utf-8") as file:
        yaml.dump(data, file)
