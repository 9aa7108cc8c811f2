"""Joulebook: from measured energy to the cost of a token and a verdict per client."""

__version__ = "0.1.0"
