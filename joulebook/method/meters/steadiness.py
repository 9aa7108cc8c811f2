"""Whether power was steady over a window, and whether that window was long enough."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from joulebook.method.meters.integral import integral
from joulebook.method.uncertainty import coverage_factor

BLOCKS = 10
LIMIT = 0.02  # drift over the window, as a share of the mean power
PRICED_S, DIRECTIONAL_S = 600.0, 60.0  # shortest window for a figure that is priced, and for one that shows a direction
NOT_STEADY, NOT_SHOWN, STEADY = "not steady", "steadiness not shown", "steady"


@dataclass(frozen=True)
class Drift:
    """Straight line through the means of ten blocks.

    Parameters
    ----------
    share : float
        Slope times the window over the mean; nan where fewer than three blocks are covered. [1]
    low, high : float
        Interval of 95 %. [1]
    u : float
        Standard uncertainty of the share, by the scatter of the blocks. [1]
    dof : int
        Its degrees of freedom.
    blocks_s, blocks_w : ndarray
        Middle of each block, counted in time of the span, and its mean power. [s, W]
    """

    share: float
    low: float
    high: float
    u: float
    dof: int
    blocks_s: object
    blocks_w: object

    @property
    def verdict(self):
        """``not steady``, ``steadiness not shown`` or ``steady``; None where there is no line."""
        if not np.isfinite(self.share):
            return None
        if abs(self.share) > LIMIT * (1 + 1e-9) and (self.low > 0 or self.high < 0):
            return NOT_STEADY
        return NOT_SHOWN if self.high - self.low > 2 * LIMIT else STEADY

    def draws(self, quantiles):
        """Values of the share at quantiles of its distribution."""
        return self.share + self.u * stats.t.ppf(quantiles, self.dof)


def drift(pieces, begin_s, end_s):
    r"""Drift of the power over a span.

    Parameters
    ----------
    pieces : sequence of joulebook.method.meters.pieces.Pieces
        Channels, which are added.
    begin_s, end_s : ndarray, shape (m,)
        Edges of the windows of the span, in the order of time. [s]

    Returns
    -------
    Drift

    Notes
    -----
    .. math:: \mathrm{drift} = \hat b\, T / \bar P, \quad \bar P_k \approx a + b\, t_k,
              \quad \pm t_{0.975, n - 2}\, u(\hat b)\, T / \bar P   (equation ``eq-metering-drift`` in the book)

    A block that nothing covers is left out.

    Examples
    --------
    >>> from joulebook.method.meters.pieces import Pieces
    >>> from joulebook.method.series import Channel
    >>> found = drift([Pieces(Channel("wall", [0.0, 100.0], [980.0, 1020.0]))], 0.0, 100.0)
    >>> round(found.share, 9), found.verdict
    (0.04, 'not steady')
    """
    middle, mean = block_means(pieces, begin_s, end_s)
    window = float(np.sum(np.asarray(end_s) - begin_s))
    known = np.isfinite(mean)
    count = int(known.sum())
    if count < 3 or not mean[known].mean() > 0:
        return Drift(np.nan, np.nan, np.nan, np.nan, 0, middle, mean)
    time, power = middle[known], mean[known]
    line = stats.linregress(time, power)
    scale = window / power.mean()
    share, u = float(line.slope * scale), float(np.nan_to_num(line.stderr) * scale)  # level to the last bit: no scatter
    reach = float(coverage_factor(count - 2)) * u
    return Drift(share, share - reach, share + reach, u, count - 2, middle, mean)


def block_means(pieces, begin_s, end_s):
    """Mean power of ten equally long blocks of a span, its windows taken one after the other.

    Returns
    -------
    middle, mean : ndarray, shape (10,)
        Middle of each block in time of the span [s]; mean power of its covered part, nan where nothing is covered [W].
    """
    begin, end = np.atleast_1d(begin_s).astype(float), np.atleast_1d(end_s).astype(float)
    passed = np.concatenate(([0.0], np.cumsum(end - begin)))
    cuts = np.unique(np.concatenate([passed, np.linspace(0.0, passed[-1], BLOCKS + 1)]))
    cuts = cuts[np.concatenate(([True], np.diff(cuts) > 1e-12 * passed[-1]))]
    middles = (cuts[:-1] + cuts[1:]) / 2
    window = np.clip(np.searchsorted(passed, middles, side="right") - 1, 0, begin.size - 1)
    start = begin[window] - passed[window]
    block = np.minimum((middles / passed[-1] * BLOCKS).astype(int), BLOCKS - 1)
    mean = np.zeros(BLOCKS)
    for piece in pieces:
        part = integral(piece, start + cuts[:-1], start + cuts[1:])
        energy, covered = (np.bincount(block, weights=each, minlength=BLOCKS) for each in (part.energy_j, part.covered_s))
        mean += np.divide(energy, covered, out=np.full(BLOCKS, np.nan), where=covered > 0)
    return (np.arange(BLOCKS) + 0.5) / BLOCKS * passed[-1], mean


def length_note(window_s):
    """What a window of this length is good for, where it is short.

    Examples
    --------
    >>> length_note(61.0)
    'directional only: a figure that is priced takes 600 s at least'
    """
    if window_s < DIRECTIONAL_S:
        return f"too short even to show a direction, which takes {DIRECTIONAL_S:g} s at least"
    if window_s < PRICED_S:
        return f"directional only: a figure that is priced takes {PRICED_S:g} s at least"
    return ""
