"""Sphinx extension of the book: what its pages need offline, and what they are filled from.

- ``joulebook-dictionary`` (directive; argument ``inputs`` or ``results``) renders ``data/parameters.csv`` or
  ``data/results.csv``. An input can be linked to as ``input-<name>``.
- ``joulebook-changes`` (directive) renders ``data/method_changes.csv``.
- ``joulebook-listing`` (directive; argument ``topics``, ``chapters`` or ``paths``) lists pages of the table of contents with
  their questions, ``joulebook-clients`` (directive) the clients whose pages the book has.
- ``constant`` (role) writes a constant of `joulebook.units`, so that no page repeats its digits.
- ``published`` (role) writes a figure that somebody published, out of ``data/published`` and ``data/mlperf_power``.
"""

from joulebook.publish.site import again, listings, mending, offline
from joulebook.publish.site.changes import Changes
from joulebook.publish.site.dictionaries import Dictionary
from joulebook.publish.site.roles import Constant, Published


def setup(app):
    """Register with Sphinx."""
    again.connect(app)
    offline.connect(app)
    mending.connect(app)
    listings.connect(app)
    app.add_directive("joulebook-dictionary", Dictionary)
    app.add_directive("joulebook-changes", Changes)
    app.add_directive("joulebook-listing", listings.Listing)
    app.add_directive("joulebook-clients", listings.Clients)
    app.add_role("constant", Constant())
    app.add_role("published", Published())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
