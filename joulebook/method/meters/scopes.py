"""Which channels may be added: those of one boundary of which none holds another."""

import re

from joulebook.errors import Problems

# What a scope holds of the same host. A board's counter holds its memory; a processor's package does not hold its memory's.
HOLDS = {
    "psys": {"package", "core", "uncore", "dram", "cpu"},
    "package": {"core", "uncore"},
    "module": {"gpu", "cpu", "package", "core", "uncore", "dram"},
}
WHOLE = ("machine", "node", "server", "total")  # holds all of its host, another of its own kind included


def check_added(channels):
    """Refuse channels that may not be added.

    Parameters
    ----------
    channels : sequence of joulebook.method.series.Channel
        Channels that are to be added.

    Raises
    ------
    InputError
        If they stand at different boundaries, or one holds another of the same host: a package its cores, a module its GPU,
        the whole machine everything, another reading of the whole machine included; or if one says neither boundary nor
        scope beside one that covers a part of a machine, which it may hold.

    Examples
    --------
    >>> from joulebook.method.series import Channel
    >>> module, cpu = (Channel(name, [0.0, 1.0], [1.0, 1.0], scope=name) for name in ("module", "cpu"))
    >>> check_added([module, cpu])
    Traceback (most recent call last):
    joulebook.errors.InputError: scope: module holds cpu: they are not added; ...
    """
    found = Problems()
    boundaries = {channel.boundary for channel in channels}
    if len(boundaries) > 1:
        stated = ", ".join(f"{channel.name}: {channel.boundary or 'not stated'}" for channel in channels)
        what = "channels at different boundaries hold one another and are not added"
        found.add(what, field="boundary", value=stated, allowed="channels of one boundary")
    for unknown in (channel for channel in channels if channel.boundary is None and not channel.scope):
        parts = [channel.name for channel in channels if channel.scope and channel.host == unknown.host]
        if parts:
            what = f"{unknown.name} may hold {', '.join(parts)}: they are not added"
            value = "neither its boundary nor its scope is stated"
            found.add(what, field="scope", value=value, allowed="a boundary for all of them, or the scope of each")
    for i, outer in enumerate(channels):
        for j, inner in enumerate(channels):
            if i != j and outer.host == inner.host and _holds(outer, inner, i < j):
                found.add(
                    f"{outer.name} holds {inner.name}: they are not added",
                    field="scope",
                    value=f"{outer.scope} and {inner.scope}",
                    allowed="one of the two, by channels of the meter",
                )
    found.stop()


def _holds(outer, inner, first):
    outside, inside = (re.sub(r"[\W_]*\d+$", "", str(channel.scope or "").lower()) for channel in (outer, inner))
    if not outside or not inside:
        return False
    if outside in WHOLE:
        return first if inside in WHOLE else True
    return inside in HOLDS.get(outside, ())
