"""Rules of a Tiny energy result: five windows of at least ten seconds, a median that is theirs, a trace that agrees."""

from statistics import median

from joulebook.intake.mlperf.validity.check import judged, plural, several, unknown

_WINDOWS = 5
_STREAMING_WINDOWS = 1  # the streaming benchmark is one long window of one inference
_SHORTEST_S = 10.0
_APART_PCT = 0.02


def report(text, name, computed_j, traced):
    """Check the rules.

    Parameters
    ----------
    text : joulebook.intake.mlperf.tiny.texts.TinyText
        What the text result says.
    name : str
        Its name.
    computed_j : float
        Median over its windows. [J]
    traced : list of (float, float) or None
        Energy and length of the windows of the trace. [J, s]

    Returns
    -------
    tuple of Check
        One for each rule.
    """
    return (_windows(text), _lengths(text), _median(text, computed_j), _trace(text, traced))


def _windows(text):
    streaming = len(text.windows) == 1 and text.windows[0].inferences == 1
    due = _STREAMING_WINDOWS if streaming else _WINDOWS
    words = f"{plural(len(text.windows), 'window')}; {due} {'is' if due == 1 else 'are'} asked for"
    return judged("energy_windows", len(text.windows) == due, words, float(len(text.windows)), float(due), "windows")


def _lengths(text):
    known = [window.duration_s for window in text.windows if window.duration_s]
    if len(known) < len(text.windows):
        return unknown("window_duration", "not all windows tell their length", _SHORTEST_S, "s")
    words = f"the shortest window lasts {min(known):g} s; {_SHORTEST_S:g} s are asked for"
    return judged("window_duration", min(known) >= _SHORTEST_S, words, min(known), _SHORTEST_S, "s")


def _median(text, computed_j):
    if text.median_j is None:
        return unknown("published_median", "the text states no median", _APART_PCT, "%")
    apart = 100 * (text.median_j / computed_j - 1)
    words = f"published {text.median_j * 1e6:.7g} uJ/inf., the windows give {computed_j * 1e6:.7g}"
    rounding = 100 * text.step_j / computed_j
    return judged("published_median", abs(apart) <= max(_APART_PCT, rounding), words, apart, _APART_PCT, "%")


def _trace(text, traced):
    if traced is None:
        return unknown("trace", "no trace with all its windows", _APART_PCT, "%")
    if len(traced) != len(text.windows):
        return judged("trace", False, f"the trace holds {plural(len(traced), 'window')}, the text {len(text.windows)}",
                      float(len(traced)), float(len(text.windows)), "windows")
    apart = [100 * (energy / window.energy_j - 1) for (energy, _), window in zip(traced, text.windows, strict=True)]
    furthest = max(apart, key=abs)
    of_median = median(apart)
    far = [str(window.number) for window, percent in zip(text.windows, apart, strict=True) if abs(percent) > _APART_PCT]
    words = f"energy of the trace is {of_median:+.4f} % against the text in the median, {furthest:+.4f} % at most"
    return judged("trace", not far, words + (f" (windows {several(far)})" if far else ""), furthest, _APART_PCT, "%")
