"""Which workload matters, and what must be provisioned (method, section 8)."""

from dataclasses import replace

from joulebook.method.workloads.attribution import attribution
from joulebook.method.workloads.energies import OF_ALL
from joulebook.method.workloads.growth import growth
from joulebook.method.workloads.peaks import coincidence, connection, racks
from joulebook.method.workloads.rebound import rebound
from joulebook.method.workloads.shares import by_workload


def of_all(given):
    """The inputs of a portfolio, labelled as what they are of: all workloads, at the facility, and not the one of the labels.

    Parameters
    ----------
    given : joulebook.inputs.Given
        Checked inputs of the topic.

    Returns
    -------
    joulebook.inputs.Given
    """
    labels = replace(given.labels, **OF_ALL, window="all hours of the year, idle included", boundary="facility")
    return replace(given, labels=labels)


# All calculations of the topic, in the order in which they run: later ones use results of earlier ones.
CALCULATIONS = (by_workload, attribution, coincidence, racks, connection, growth, rebound)

__all__ = ["CALCULATIONS", "attribution", "by_workload", "coincidence", "connection", "growth", "of_all", "racks", "rebound"]
