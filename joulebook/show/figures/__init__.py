"""One function a figure, a module a topic: results in, marks on the axes out. Nothing is computed here but positions."""

from joulebook.show import style
from joulebook.show.figures import (
    accuracy_cost,
    boundary_ladder,
    carbon,
    cost_per_token,
    generations,
    how_others_count,
    idle_amortization,
    metering,
    portfolio,
    published_results,
    sensitivity,
    verdict,
)

_MODULES = (
    accuracy_cost,
    boundary_ladder,
    carbon,
    cost_per_token,
    generations,
    how_others_count,
    idle_amortization,
    metering,
    portfolio,
    published_results,
    sensitivity,
    verdict,
)
FIGURES = {name: drawn for module in _MODULES for name, drawn in module.FIGURES.items()}


def draw(name, known):
    """SVG text of a figure.

    Parameters
    ----------
    name : str
        Name of the table that it shows, a key of `FIGURES`.
    known : joulebook.show.known.Known
        Results.
    """
    with style.settings():
        height_in, function = FIGURES[name]
        drawn, ax = style.figure(height_in)
        function(ax, known)
        return style.svg(drawn)
