"""Which workload matters, and what must be provisioned (method, section 8)."""

from joulebook.method.workloads.attribution import attribution
from joulebook.method.workloads.growth import growth
from joulebook.method.workloads.peaks import coincidence, connection, racks
from joulebook.method.workloads.rebound import rebound
from joulebook.method.workloads.shares import by_workload

# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (by_workload, attribution, coincidence, racks, connection, growth, rebound)

__all__ = ["CALCULATIONS", "attribution", "by_workload", "coincidence", "connection", "growth", "racks", "rebound"]
