"""Style, palette and drawing helpers that every figure shares."""

import io
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import matplotlib as mpl
from matplotlib import font_manager, patheffects, ticker
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

HERE = Path(__file__).parent
COLOR = json.loads((HERE / "palette.json").read_text(encoding="utf-8"))
WIDTH_IN = 6.5  # the book's column and the report's text width
FONTS = Path(find_spec("fontpkg_fira_sans").origin).parent / "files"


@cache
def _settings():
    for weight in ("Regular", "Medium", "SemiBold", "Italic"):
        font_manager.fontManager.addfont(FONTS / f"FiraSans-{weight}.ttf")
    style = mpl.rc_params_from_file(HERE / "joulebook.mplstyle", use_default_template=False)
    return {**style, "font.family": ["Fira Sans"]}


def figure(height_in):
    """A figure of the standard width and its axes; without pyplot, so that nothing is kept open.

    Parameters
    ----------
    height_in : float
        Height. [in]
    """
    drawn = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
    return drawn, drawn.subplots()


def settle(drawn):
    """Lay a figure out once and for all; saving it would otherwise draw it twice, the first time for its layout alone."""
    drawn.get_layout_engine().execute(drawn)
    drawn.set_layout_engine(None)


def settings():
    """Context in which figures are drawn and saved in the style of the workbook."""
    return mpl.rc_context(_settings())


def svg(drawn):
    """SVG text of a figure, the same bytes for the same data."""
    if drawn.get_layout_engine() is not None:
        FigureCanvasSVG(drawn)  # which measures texts as it will draw them, in its own resolution
        drawn.dpi = FigureCanvasSVG.fixed_dpi
        settle(drawn)
    out = io.StringIO()
    drawn.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def head(ax, quantity, above=7):
    """Name the vertical quantity and its unit so many points above the axis."""
    ax.annotate(
        quantity,
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, above),
        textcoords="offset points",
        color=COLOR["soft"],
        va="bottom",
        ha="left",
    )


def foot(ax, quantity):
    """Name the horizontal quantity and its unit below the axis, at its right end."""
    ax.set_xlabel(quantity, loc="right", labelpad=4)


def label(ax, words, xy, color="ink", dx=0, dy=0, ha="left", va="center", **font):
    """Write a label beside a mark, in the mark's colour, with a halo that keeps it readable over lines."""
    note = ax.annotate(
        words, xy, xytext=(dx, dy), textcoords="offset points", ha=ha, va=va, color=COLOR[color], linespacing=1.25, **font
    )
    note.set_path_effects([patheffects.withStroke(linewidth=2.6, foreground="white")])
    return note


def plain_log(axis):
    """Ticks of a logarithmic axis as plain numbers."""
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}" if value < 1e3 else f"{value:,.0f}"))
    _unnamed_minor(axis)


def percent(axis):
    """Ticks of an axis of shares as percents."""
    axis.set_major_formatter(ticker.FuncFormatter(lambda share, _: f"{share * 100:g}\u00a0%"))
    _unnamed_minor(axis)


def _unnamed_minor(axis):
    axis.set_minor_formatter(ticker.NullFormatter())
    axis.set_tick_params(which="minor", label1On=False)  # or each empty name is laid out again and again
