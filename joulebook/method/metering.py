"""How much energy did the work take, and how sure are we? (method, section 1)."""

from joulebook.method.meters.integral import Integral, energy_of_samples
from joulebook.method.meters.pieces import longest_bridged_gap, sampling_interval

__all__ = ["Integral", "energy_of_samples", "longest_bridged_gap", "sampling_interval"]
