"""Assets that the pages need without a network: mathematics and fonts."""

import shutil
import tempfile
from importlib.metadata import distribution, version
from pathlib import Path

from joulebook.publish.files import digest
from joulebook.workbook import ROOT

MATHJAX = "tex-svg-full.js"
FACES = ("Regular", "Italic", "Medium", "SemiBold")
GLYPHS = ("U+20-7E,U+A0-17F,U+394,U+3A3,U+3A9,U+3BC,U+2010-2026,U+202F,U+2030,U+20AC,U+2190-2193,U+2212,U+2248,U+2260,"
          "U+2264,U+2265")


def connect(app):
    """Register with Sphinx."""
    app.connect("config-inited", _use_local_mathjax)
    app.connect("builder-inited", _write_assets)
    app.connect("build-finished", _drop_unused)


def _use_local_mathjax(app, config):
    config.mathjax_path = MATHJAX


def _write_assets(app):
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(mathjax(), static / MATHJAX)
    shutil.copytree(web_fonts(), static / "fonts", dirs_exist_ok=True)


def _drop_unused(app, error):
    """Drop a third of the book that no page loads: maps of minified files, the theme's templates and translations."""
    if error is None and app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        shutil.rmtree(static / "locales", ignore_errors=True)
        for path in [*static.rglob("*.map"), *static.rglob("*.html")]:
            path.unlink()


def mathjax():
    """Path of MathJax as one file, from the package that carries it."""
    return Path(distribution("sphinx-mathjax-offline").locate_file(f"sphinx-mathjax-offline/static/mathjax/{MATHJAX}"))


def web_fonts(cache=ROOT / "_build" / "fonts"):
    """Folder with the book's web fonts and their licence; made once for each set of versions.

    Parameters
    ----------
    cache : pathlib.Path
        Folder to keep them in.

    Notes
    -----
    Fira Sans is under the SIL Open Font License without a reserved name, so a subset keeps its name.
    """
    import fontpkg_fira_sans
    from fontTools import subset

    made_of = [GLYPHS, *FACES, *(version(name) for name in ("fontpkg-fira-sans", "fonttools", "brotli"))]
    folder = cache / digest("\n".join(made_of))[:16]
    if folder.is_dir():
        return folder
    package = Path(fontpkg_fira_sans.__file__).parent
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as made:
        fonts = Path(made) / "fonts"
        fonts.mkdir()
        shutil.copyfile(package / "LICENSE", fonts / "LICENSE")
        for face in FACES:
            subset.main([str(package / "files" / f"FiraSans-{face}.ttf"), "--flavor=woff2", "--layout-features=*",
                         f"--unicodes={GLYPHS}", f"--output-file={fonts / f'FiraSans-{face}.woff2'}"])
        try:
            fonts.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another build made the same at the same time
                raise
    return folder
