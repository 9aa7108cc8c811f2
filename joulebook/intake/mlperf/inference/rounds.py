"""What the rounds of MLPerf inference do differently."""

import re

_OLDEST_VERSION = ".5a1"  # what the load generator called itself up to v1.0
FILTER_FROM = (2, 1)  # failed reads are left out of the mean
COMPLETED_FROM = (4, 1)  # Server results count what was completed, and tokens
LATENCY_FROM = (2, 1)  # stream results publish a latency
QUERIES_FROM = (2, 0)  # logs tell the number of queries
LONG_FROM = (1, 0)  # runs last 600 s
_LANGUAGE = ("llama2-70b", "gptj", "mixtral-8x7b")
_MISLABELLED = {((4, 0), "llama2-70b", "Offline"): "Samples/s", **{((4, 1), model, scenario): label for model in _LANGUAGE
                for scenario, label in (("Offline", "Samples/s"), ("Server", "Queries/s"))}}
_PHASE_LIMITS = (((4, 0), 800.0), ((2, 1), 500.0), ((0, 0), 200.0))  # first round of each limit [ms]


def rules_of(round_name, version):
    """Version of the rules that hold.

    Parameters
    ----------
    round_name : str or None
        Round that the folders name, such as ``v4.1``.
    version : str or None
        Version that the load generator's log tells, which decides where the folders do not.

    Returns
    -------
    (int, int) or None
        Major and minor number; None where neither says.

    Examples
    --------
    >>> rules_of("v4.1", None), rules_of(None, "3.0 @ f536725011"), rules_of(None, ".5a1 @ 6958607d52"), rules_of(None, None)
    ((4, 1), (3, 0), (1, 0), None)
    """
    text = round_name or version or ""
    match = re.match(r"v?(\d{1,3})\.(\d{1,3})", text)
    if match:
        return int(match[1]), int(match[2])
    return (1, 0) if text.startswith(_OLDEST_VERSION) else None


def published_label(rules, model, scenario):
    """Unit that a round published counted tokens under, where it is a wrong one; else None.

    Examples
    --------
    >>> published_label((4, 0), "llama2-70b", "Offline"), published_label((4, 0), "llama2-70b", "Server")
    ('Samples/s', None)
    """
    return _MISLABELLED.get((rules, model, scenario))


def counts_tokens(rules, model, scenario):
    """Whether a round counts the output tokens of a log that tells them beside its samples; None where nothing says.

    Examples
    --------
    >>> counts_tokens((4, 0), "gptj", "Offline"), counts_tokens((4, 1), "gptj", "Server"), counts_tokens(None, "gptj", "Server")
    (False, True, None)
    """
    if rules is None:
        return None
    if scenario != "Offline" or model == "gptj":
        return rules >= COMPLETED_FROM
    return rules >= (4, 0)


def phase_limit_ms(rules):
    """Largest difference of the two clocks that a round allows; the newest where the round is not known. [ms]

    Examples
    --------
    >>> phase_limit_ms((2, 0)), phase_limit_ms((3, 1)), phase_limit_ms(None)
    (200.0, 500.0, 800.0)
    """
    return next(limit for first, limit in _PHASE_LIMITS if rules is None or rules >= first)


def shortest_run_s(rules):
    """Shortest run that a round allows. [s]

    Examples
    --------
    >>> shortest_run_s((0, 7)), shortest_run_s((1, 0))
    (60.0, 600.0)
    """
    return 60.0 if rules is not None and rules < LONG_FROM else 600.0


def named(rules):
    """A version of the rules in words.

    Examples
    --------
    >>> named((4, 1)), named(None)
    ('v4.1', 'an unknown round')
    """
    return f"v{rules[0]}.{rules[1]}" if rules else "an unknown round"
