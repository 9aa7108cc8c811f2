"""A built book served to the browsers of this machine, and built again where something changes."""

from joulebook.publish.serve.building import Building
from joulebook.publish.serve.server import BookServer
from joulebook.publish.serve.watch import keep_current

__all__ = ["BookServer", "Building", "keep_current"]
