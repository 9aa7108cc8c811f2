"""Results of a topic as sums of parts, over what a reader may move."""

from collections.abc import Callable
from dataclasses import dataclass, field

from joulebook.method.explore.levers import Levers


@dataclass(frozen=True)
class Exploration:
    """Main results of a topic, each a sum of parts that calculations of the method give.

    A product is a straight line in logarithms and its sum with another is not: parts are kept apart, so that few points say all.

    Parameters
    ----------
    headline : str
        The result that moves first.
    levers : joulebook.method.explore.levers.Levers
        What moves it.
    results : callable
        Of arguments, a dict of str to value or ndarray: the results themselves, by name, from the method's calculations.
    parts : callable
        Of the same: their parts, by name.
    sums : dict of str to dict of str to float
        By result how many times each part is in it; negative where it is taken off.
    over : str
        What the picture has from left to right to begin with.
    lines : dict of str to dict of str to float
        What the picture draws, each as in `sums`: by the name of a result, or by a title of its own.
    steps : str
        A result that is a number of servers, empty where none are added; it rises at some utilizations.
    outcomes : dict of str to dict
        What is said where the headline is not negative, ``reached``, and where it is, ``missed``; empty where its sign says
        nothing.
    """

    headline: str
    levers: Levers
    results: Callable
    parts: Callable
    sums: dict
    over: str
    lines: dict = field(default_factory=dict)
    steps: str = ""
    outcomes: dict = field(default_factory=dict)

    def results_at(self, points):
        """Results where inputs are moved to; see `joulebook.method.explore.levers.Levers.values`."""
        return self.results(self.levers.values(points))

    def parts_at(self, points):
        """Parts where inputs are moved to."""
        return self.parts(self.levers.values(points))


def sums_of(study, sums):
    """Sums of those results that have a value.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    sums : dict of str to dict of str to float
        By result how many times each part is in it.
    """
    return {name: terms for name, terms in sums.items() if name in study.results and study.results[name].available}
