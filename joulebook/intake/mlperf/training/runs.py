"""One run of a training result: its time to train, its parts, their energy; and the mean over runs."""

import re
from dataclasses import dataclass, field

import numpy as np

from joulebook.errors import InputError, Problem
from joulebook.intake.mlperf.logs.events import parse_events
from joulebook.intake.mlperf.training.power_files import parse_node, parse_switch
from joulebook.intake.mlperf.validity.check import plural
from joulebook.method.metering import energy_of_samples, longest_bridged_gap
from joulebook.units import SECONDS_PER_HOUR

_PART = re.compile(r"(node|sw)_(\d+)\.txt")
_LEAST_RUNS = 3


@dataclass(frozen=True)
class TrainingRun:
    """One run.

    Parameters
    ----------
    name : str
        Its name, such as ``result_0``.
    start_s, stop_s : float
        Begin and end of training since 1970. [s]
    success : bool
        Whether the quality target was reached.
    nodes, switches : dict of str to Node, Switch
        Its parts, by the names of their files.
    notes : tuple of str
        What must be said of it.
    """

    name: str
    start_s: float
    stop_s: float
    success: bool
    nodes: dict
    switches: dict
    notes: tuple = field(default=())

    @property
    def time_to_train_s(self):
        """Time to train. [s]"""
        return self.stop_s - self.start_s

    @property
    def energy_j(self):
        """Energy behind the supplies, as MLCommons adds it. [J]"""
        return sum(part.energy_j(self.time_to_train_s) for part in (*self.nodes.values(), *self.switches.values()))

    def boundary(self):
        """Where the energy lies: behind the supply where every part states its efficiency, else at the wall, or None."""
        stated = {part.conversion_eff is not None for part in self.parts()}
        return "node_dc" if stated == {True} else "server" if stated == {False} else None

    def parts(self):
        """Nodes, and switches that add anything."""
        return [*self.nodes.values(), *(switch for switch in self.switches.values() if switch.estimate_w)]

    def wall_energy_j(self):
        """Energy at the wall: of each part, before its efficiency was taken off. [J]"""
        return sum(part.energy_j(self.time_to_train_s) / (part.conversion_eff or 1.0) for part in self.parts())

    def integral_j(self):
        """Integral of the readings from run_start to run_stop behind the supplies, and the smallest coverage.

        Returns
        -------
        (float, float) or (None, None)
            Energy of the covered part [J] and coverage [1], switches by their estimates; None where a node has too few readings
            or readings that contradict each other.
        """
        energy_j, coverage = sum(switch.energy_j(self.time_to_train_s) for switch in self.switches.values()), 1.0
        for node in self.nodes.values():
            times_s, first = np.unique(node.times_s, return_index=True)
            repeated = np.repeat(node.power_w[first], np.diff(first, append=node.power_w.size))
            if times_s.size < 2 or (repeated != node.power_w).any():
                return None, None
            since = times_s - self.start_s
            part = energy_of_samples(since, node.power_w[first], 0.0, self.time_to_train_s, longest_bridged_gap(since))
            energy_j += (node.conversion_eff or 1.0) * part.energy_j
            coverage = min(coverage, part.coverage)
        return energy_j, coverage


def read_run(files, name):
    """Read one run: its training log and all its power files.

    Parameters
    ----------
    files : joulebook.intake.mlperf.files.ResultFiles
        The result's files.
    name : str
        Its name, such as ``result_0``.

    Returns
    -------
    TrainingRun
        The run.

    Raises
    ------
    InputError
        If the log or a power file is missing or damaged; all problems at once.
    """
    problems, nodes, switches = [], {}, {}
    folder = files.folder / "power" / name
    parts = sorted((match for match in map(_PART.fullmatch, (entry.name for entry in folder.iterdir())) if match),
                   key=lambda match: (match[1], int(match[2])))
    for match in parts:
        place = f"power/{name}/{match[0]}"
        try:
            if match[1] == "node":
                nodes[match[0]] = parse_node(files.read(place), files.name(place))
            else:
                switches[match[0]] = parse_switch(files.read(place), files.name(place))
        except InputError as error:
            problems += error.problems
    if not nodes and not problems:
        problems.append(Problem("no power file of a node", file=files.name(f"power/{name}"), allowed="node_0.txt"))
    try:
        start, stop, success, notes = _times(files, f"{name}.txt")
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(problems)
    run = TrainingRun(name, start, stop, success, nodes, switches)
    notes += [f"{part}: {note}" for part, node in nodes.items() for note in node.notes]
    notes += [_of_switch(part, switch, run) for part, switch in switches.items() if switch.estimate_w is None]
    return TrainingRun(name, start, stop, success, nodes, switches, tuple(notes))


def olympic_mean(runs):
    """Mean energy and mean time to train over the runs without the fastest and the slowest.

    Parameters
    ----------
    runs : list of TrainingRun
        The runs of a result; one that missed the target counts as the slowest.

    Returns
    -------
    energy_j, time_to_train_s : float or None
        The means; None where there are none. [J, s]
    words : str
        Which runs count, or why there is no mean.
    """
    failed = [run.name for run in runs if not run.success]
    if len(runs) < _LEAST_RUNS:
        return None, None, f"no olympic mean: {plural(len(runs), 'run')}, at least {_LEAST_RUNS} are needed"
    if len(failed) > 1:
        return None, None, f"no olympic mean: {len(failed)} of {len(runs)} runs missed the target, one may be dropped"
    ranked = sorted(runs, key=lambda run: (not run.success, run.time_to_train_s))
    kept = ranked[1:-1]
    words = f"olympic mean over {len(kept)} of {len(runs)} runs: {ranked[0].name} (fastest) and {ranked[-1].name} "
    words += f"({'missed the target' if failed else 'slowest'}) dropped"
    return (sum(run.energy_j for run in kept) / len(kept), sum(run.time_to_train_s for run in kept) / len(kept), words)


def _times(files, name):
    """Begin, end and success of training, and what must be said of them."""
    shown = files.name(name)
    events = parse_events(files.read(name), shown, ("run_start", "run_stop"))
    starts = [event for event in events if event.key == "run_start"]
    stops = [event for event in events if event.key == "run_stop"]
    missing = [Problem(f"{key} is missing", file=shown, field=key, allowed=f'":::MLLOG {{"key": "{key}", ...}}"')
               for key, found in (("run_start", starts), ("run_stop", stops)) if not found]
    if missing:
        raise InputError(missing)
    start, stop = starts[-1], stops[-1]  # the last of each, as MLCommons takes it
    if stop.time_s <= start.time_s:
        raise InputError(Problem("run_stop is not after run_start", file=shown, line=stop.line, field="run_stop"))
    notes = [f"{event.key} occurs {len(found)} times: the last is taken, as MLCommons does"
             for event, found in ((start, starts), (stop, stops)) if len(found) > 1]
    return start.time_s, stop.time_s, stop.metadata.get("status") == "success", notes


def _of_switch(part, switch, run):
    """What is said of a switch whose power is read and not estimated."""
    words = (f"{part} holds {plural(switch.readings_w.size, 'reading')} (mean {switch.readings_w.mean():.4g} W) and no "
             "interconnect_power_est: MLCommons' figure counts nothing for it")
    if switch.last_s < run.start_s or switch.first_s > run.stop_s:
        apart = (switch.first_s - run.start_s) / SECONDS_PER_HOUR
        words += f"; its clock is about {abs(apart):.1f} h {'behind' if apart < 0 else 'ahead of'} the run's"
    return words
