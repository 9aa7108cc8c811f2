"""How one field of a deployment is held against that of a benchmark's result: word, direction of bias, reason."""

from dataclasses import dataclass

from joulebook.method.matching.words import MATCH, MISMATCH, NO_BIAS, NOT_KNOWN, OVERSTATES, UNDERSTATES, UNKNOWN

LESS, SAME, MORE = -1, 0, 1  # energy of a unit of work, of the benchmark against the deployment


@dataclass(frozen=True)
class Outcome:
    """What came of one field.

    Parameters
    ----------
    word : str
        ``match``, ``mismatch`` or ``unknown``.
    reason : str
        Why.
    bias : str
        Whether the benchmark ``understates`` or ``overstates`` the deployment's energy per unit of work; ``none`` where it
        matches, ``not known`` where neither can be told.
    deployment, benchmark : object
        Both sides; None where nothing is known.
    modelled : bool
        Whether they match only after a conversion.
    """

    word: str
    reason: str
    bias: str = NOT_KNOWN
    deployment: object = None
    benchmark: object = None
    modelled: bool = False


def direction(sign):
    """The bias of a benchmark that takes `LESS` or `MORE` energy than the deployment, in words."""
    return {LESS: UNDERSTATES, MORE: OVERSTATES}.get(sign, NOT_KNOWN)


def unknown(deployment, benchmark, sign=SAME, why=""):
    """A field that one of the two does not tell."""
    lacking = [name for name, value in (("the deployment", deployment), ("the benchmark", benchmark)) if value is None]
    reason = f"not known of {' and '.join(lacking)}" if lacking else "not known"
    return Outcome(UNKNOWN, f"{reason}{why}", direction(sign), deployment, benchmark)


def same_text(deployment, benchmark, differs="not the same"):
    """Two texts, whatever the case of their letters; a difference has no direction."""
    if deployment is None or benchmark is None:
        return unknown(deployment, benchmark)
    if plain(deployment) == plain(benchmark):
        return Outcome(MATCH, "the same", NO_BIAS, deployment, benchmark)
    return Outcome(MISMATCH, differs, NOT_KNOWN, deployment, benchmark)


def ordered(deployment, benchmark, energy, scale=None, tolerance=0.0, lowest=None, highest=None, why=""):
    """Two values of which it is known whether more of them takes more energy for a unit of work.

    Parameters
    ----------
    deployment, benchmark : float or str or None
        Both sides.
    energy : int
        `MORE` where a higher value takes more energy, `LESS` where it takes less, `SAME` where that is not known.
    scale : sequence of str, optional
        Words from the lowest to the highest, where the values are words; its ends are the ends of what can be.
    tolerance : float
        Share of the deployment's number within which both count as the same.
    lowest, highest : float, optional
        Ends of what a number can be.
    why : str
        Why more takes more energy, or less.

    Notes
    -----
    An unknown has a direction where all that it can be lies on one side: against one request at a time, any number of requests
    at once takes no more energy a unit.
    """
    ends = (lowest, highest) if scale is None else (0, len(scale) - 1)
    mine, theirs = (value if scale is None or value is None else scale.index(value) for value in (deployment, benchmark))
    because = f": {why}" if why else ""
    if mine is None and theirs is None:
        return unknown(None, None)
    if mine is None or theirs is None:
        side = _one_side(mine, theirs, ends) * energy
        ending = f"; {'at most' if side == LESS else 'at least'} as much energy as the deployment's{because}" if side else ""
        return unknown(deployment, benchmark, side, ending)
    if abs(theirs - mine) <= tolerance * abs(mine):
        said = "the same" if mine == theirs else "the same within the tolerance"
        return Outcome(MATCH, said, NO_BIAS, deployment, benchmark)
    higher = MORE if theirs > mine else LESS
    told = f"{'more' if higher == MORE else 'less'} than the deployment's" if scale is None else "not the same"
    return Outcome(MISMATCH, f"{told}{because}", direction(higher * energy), deployment, benchmark)


def plain(text):
    """A text as it is compared."""
    return " ".join(str(text).casefold().split())


def _one_side(mine, theirs, ends):
    """The side on which the benchmark lies wherever the unknown one of the two is; both ends count as that side."""
    lowest, highest = ends
    if theirs is None:
        return LESS if mine == highest and highest is not None else MORE if mine == lowest and lowest is not None else SAME
    return LESS if theirs == lowest and lowest is not None else MORE if theirs == highest and highest is not None else SAME
