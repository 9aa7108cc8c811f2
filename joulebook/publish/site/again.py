"""Building on what was built before: the pages come out as from clean, and only those are made again that have to be.

Sphinx reads again what is newer, and writes that and what lists it. It does not see that a page repeats a number of another,
or shows another's new title in its side bar, and of the search index it forgets a part. Here sources are told apart by their
content; what pages see of one another is compared with what they saw before; and the search index is kept as it was fed.
"""

import ast
import pickle
from contextlib import suppress
from pathlib import Path

from docutils import nodes
from myst_nb.ext.glue.utils import PendingGlueReference
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ExtensionError

from joulebook.publish.files import digest, digest_file

LAST = 900  # after all extensions that number pages, figures and citations
SEARCH = "search.pickle"
_FED = ("_titles", "_filenames", "_mapping", "_title_mapping", "_all_titles", "_index_entries")  # of sphinx.search.IndexBuilder
_SHARED = ("titles", "longtitles", "tocs", "toc_secnumbers", "toc_fignumbers", "toctree_includes", "images", "dlfiles")
_NOT_SHARED = ("c", "cpp")  # domains that hold graphs, and of which no page of a book has anything


def connect(app):
    """Register with Sphinx."""
    app.add_builder(Pages, override=True)
    app.connect("env-get-outdated", _changed)
    app.connect("env-before-read-docs", _forget_glued)
    app.connect("doctree-read", _note_glued)
    app.connect("env-get-updated", _concerned, priority=LAST)
    app.connect("build-finished", _drop_stale)


class Pages(StandaloneHTMLBuilder):
    """Pages whose search index is that of a build from clean."""

    def load_indexer(self, docnames):
        """Take up what pages that are not written again were indexed with."""
        path, stay = Path(self.doctreedir) / SEARCH, set(self.env.all_docs) - set(docnames)
        if not stay:
            return
        if not path.exists():
            super().load_indexer(docnames)
            return
        vars(self.indexer).update(pickle.loads(path.read_bytes()))
        self.indexer.prune(stay)
        self.indexer._index_entries = {name: found for name, found in self.indexer._index_entries.items() if name in stay}
        for name in ("_mapping", "_title_mapping"):
            setattr(self.indexer, name, {word: pages for word, pages in getattr(self.indexer, name).items() if pages})

    def dump_search_index(self):
        """Keep the index beside the pages' doctrees, and write it."""
        self.indexer.prune(self.env.all_docs)
        self.indexer._index_entries = dict(sorted(self.indexer._index_entries.items()))
        (Path(self.doctreedir) / SEARCH).write_bytes(pickle.dumps({name: getattr(self.indexer, name) for name in _FED}))
        super().dump_search_index()


def _changed(app, env, added, changed, removed):
    """Pages whose sources have other bytes: a clock that was set back hides them from Sphinx."""
    before = getattr(env, "joulebook_sources", {})
    return [name for name, made in _sources(env).items() if name in before and before[name] != made]


def _sources(env):
    """Digests of what each page was read from: its source, and the data that it names."""
    made, root = {}, Path(env.srcdir)
    for name in sorted(env.found_docs):
        paths = [Path(env.doc2path(name)), *(root / path for path in sorted(env.dependencies.get(name, ())))]
        made[name] = [digest_file(path) if path.is_file() else None for path in paths]
    return made


def _forget_glued(app, env, docnames):
    """Drop what pages glued before: a value that is gone would be found still."""
    env.joulebook_read = set(docnames)
    folder = Path(env.mystnb_config.output_folder)
    for name in docnames:
        with suppress(FileNotFoundError):
            (folder / f"{name}.glue.json").unlink()


def _note_glued(app, doctree):
    """Note which pages a page repeats values of."""
    env = app.env
    env.joulebook_glued = getattr(env, "joulebook_glued", {})
    env.joulebook_glued[env.docname] = {node.refdoc for node in doctree.findall(PendingGlueReference)}


def _concerned(app, env):
    """Pages that have to be written because of others that were read again."""
    env.joulebook_sources = _sources(env)
    before, env.joulebook_shared = getattr(env, "joulebook_shared", None), _digest_of_shared(env)
    env.joulebook_again = before is not None
    if before is None:
        return []
    if before != env.joulebook_shared:
        return sorted(env.found_docs)
    return sorted(name for name, pages in env.joulebook_glued.items() if pages & env.joulebook_read)


def _digest_of_shared(env):
    """Digest of all that pages see of one another but glued values."""
    domains = {name: data for name, data in env.domaindata.items() if name not in _NOT_SHARED}
    return digest(repr(_plain([{name: getattr(env, name) for name in _SHARED}, domains])))


def _plain(node):
    """Data whose text is the same where the data are; what is not known differs from itself, which is slow and not wrong."""
    if isinstance(node, nodes.Node):
        return node.pformat()
    if isinstance(node, dict):
        return sorted((repr(_plain(key)), _plain(value)) for key, value in node.items())
    if isinstance(node, list | tuple | set | frozenset):  # a page that is read again comes last in lists
        return sorted(repr(_plain(item)) for item in node) if not isinstance(node, tuple) else [_plain(item) for item in node]
    if isinstance(node, ast.AST):
        return ast.dump(node)
    if type(node).__repr__ is object.__repr__ and hasattr(node, "__dict__"):  # it would tell its place in memory
        return [type(node).__qualname__, _plain(vars(node))]
    return node


def _drop_stale(app, error):
    """Drop pictures that no page shows any more."""
    folder = Path(app.outdir) / "_images"
    if error is not None or app.builder.format != "html" or not folder.is_dir():
        return
    names = {unique for _, unique in app.env.images.values()}
    if app.env.joulebook_again and names != {Path(path).name for path in app.env.images}:
        raise ExtensionError("two pictures of one name: their names depend on the order in which pages were read")
    for path in folder.iterdir():
        if path.name not in names:
            path.unlink()
