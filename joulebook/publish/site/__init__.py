"""Sphinx extension of the book: what its pages need offline, and what they are filled from.

- ``joulebook-dictionary`` (directive; argument ``inputs`` or ``results``) renders ``data/parameters.csv`` or
  ``data/results.csv``. An input can be linked to as ``input-<name>``.
- ``constant`` (role) writes a constant of `joulebook.units`, so that no page repeats its digits.
- ``published`` (role) writes a figure that somebody published, out of ``data/published`` and ``data/mlperf_power``.
"""

from joulebook.publish.site import again, mending, offline
from joulebook.publish.site.dictionaries import Dictionary
from joulebook.publish.site.roles import Constant, Published


def setup(app):
    """Register with Sphinx."""
    again.connect(app)
    offline.connect(app)
    mending.connect(app)
    app.add_directive("joulebook-dictionary", Dictionary)
    app.add_role("constant", Constant())
    app.add_role("published", Published())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
