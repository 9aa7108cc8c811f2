"""Why a topic is executed or not: what it depends on, set against what the last run was made of."""

import json

from joulebook.intake.client import client_record
from joulebook.publish.current import UNCHANGED
from joulebook.show.numbers import INPUT_DIGITS, number

MOST = 3  # names of a kind that are listed


def reasons(making, due, last_folder, force):
    """Why each topic of a client is executed or not.

    Parameters
    ----------
    making : joulebook.publish.run.ClientRun
        The run that is being made.
    due : list of joulebook.publish.run.Task
        Those of its topics that are executed.
    last_folder : pathlib.Path
        Folder of the last run, or nothing.
    force : bool
        Whether all are executed because that was asked for.

    Returns
    -------
    dict of str to str
        By topic.
    """
    last, now = _last(last_folder), client_record(making.client)
    found = {}
    for task in making.tasks:
        changed = _changed(task, now, last, making.surroundings) if last else ["it has no earlier run"]
        words = "; ".join(changed) or UNCHANGED
        if task not in due:
            found[task.topic] = f"not executed: {words}" + ("; the store holds what that gives" if changed else "")
        elif force:
            found[task.topic] = "executed: --force"
        else:
            lost = "it failed in the last run" if last and task.topic in last["run"]["failed"] else "the store holds it no longer"
            found[task.topic] = f"executed: {words if changed else lost}"
    return found


def _last(folder):
    """Records of the last run; None where there is none that can be read."""
    try:
        run, inputs = (json.loads((folder / name).read_bytes()) for name in ("run.json", "inputs.json"))
        return {"run": run, "inputs": inputs} if {"depends", "modules"} <= run["made_of"].keys() else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _changed(task, now, last, surroundings):
    """What a topic depends on that is not as it was in the last run."""
    topic, made_of = task.topic, last["run"]["made_of"]
    then = made_of["depends"].get(topic)
    if then is None:
        return ["it was not in the last run"]
    modules = {path: made_of["modules"].get(path) for path in task.parts["modules"]}
    found = ["its notebook changed"] * (made_of["notebooks"].get(topic) != task.parts["notebook"])
    found += _named("changed", _different(modules, task.parts["modules"]))
    found += _inputs(last["inputs"]["topics"].get(topic, {}), now["topics"][topic])
    found += _named("another", [f"label {name}" for name in _different(last["inputs"]["labels"], now["labels"])])
    found += _named("another content of", _different(then["files"], task.parts["files"]))
    found += _named("changed", [f"data/{name}.csv" for name in _different(then["dictionaries"], task.parts["dictionaries"])])
    before, after = made_of["versions"], surroundings.versions
    moved = [f"{name} {after.get(name, 'gone')}, was {before.get(name, 'absent')}" for name in _different(before, after)]
    found += _named("", moved)
    return found + ["requirements.txt changed"] * (made_of["requirements"] != surroundings.requirements)


def _different(then, now):
    return sorted(name for name in {*then, *now} if then.get(name) != now.get(name))


def _inputs(then, now):
    """Inputs that differ: those whose value does with both values, the others by name."""
    found, beside = [], []
    for name in _different(then, now):
        one, other = then.get(name), now.get(name)
        if one is None or other is None:
            found.append(f"{name} is {'given' if one is None else 'no longer given'}")
        elif one["value"] != other["value"]:
            found.append(f"{name} is {_shown(other['value'])}, was {_shown(one['value'])}")
        else:
            beside.append(f"{name} ({', '.join(_different(one, other))})")
    return _named("", found) + _named("another", beside)


def _shown(value):
    return number(value, INPUT_DIGITS) if isinstance(value, int | float) else str(value)


def _named(what, names):
    """A few names, and how many more there are."""
    if not names:
        return []
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return [f"{what} {', '.join(names[:MOST])}{more}".strip()]
