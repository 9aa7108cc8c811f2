"""Which load generator a file is of: told by keys that no other writes, never guessed."""

from joulebook.errors import InputError, Problem
from joulebook.intake.load import aggregates, aiperf, genai_perf, mlperf, plain, vllm
from joulebook.intake.load.reading import Repeated, parse
from joulebook.intake.text import read_bytes, read_text

KNOWN = ("the result JSON of vllm bench serve (--save-result), profile_export.jsonl or profile_export_aiperf.json of AIPerf, "
         "profile_export.json or profile_export_genai_perf.json of GenAI-Perf, mlperf_log_detail.txt or mlperf_log_summary.txt "
         "of MLPerf, or a CSV with the columns start, end, ok, input_tokens, output_tokens")
_OBJECTS = (vllm, aiperf, genai_perf, aggregates)


def read(path, shown):
    """Read the file of a load generator, whichever it is; see `joulebook.intake.load.read_load`."""
    text = mlperf.text_of(read_bytes(path, shown)) or read_text(path, shown)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return _read_json(text, shown)
    for module in (mlperf, plain):
        if module.knows(text):
            return module.read(text, shown)
    what = "nothing in it" if not start else "a file of no known load generator"
    raise InputError(Problem(what, file=shown, value=text[:60] or None, allowed=KNOWN))


def _read_json(text, shown):
    lines, values = _values(text, shown)
    module = _module(values[0])
    if module is None:
        keys = ", ".join(list(values[0])[:8]) if isinstance(values[0], dict) else type(values[0]).__name__
        raise InputError(Problem("JSON of no known load generator", file=shown, value=keys, allowed=KNOWN))
    if module is aiperf:
        return aiperf.read(values, shown, lines)
    if len(values) > 1:
        raise InputError(Problem("several results in one file", file=shown, value=len(values),
                                 allowed="a file for each run; with vLLM without --append-result"))
    return module.read(values[0], shown)


def _values(text, shown):
    """The JSON values of a text, one or one a line, and the lines that they begin in."""
    try:
        return [1], [parse(text)]
    except Repeated as error:
        raise InputError(Problem(str(error), file=shown, allowed="each key once")) from None
    except ValueError as error:
        whole = error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    values = []
    for number, line in lines:
        try:
            values.append(parse(line))
        except ValueError as error:
            if values and _module(values[0]) is not None and len(lines) > 1:  # one a line up to here
                what = "a line cut short or no JSON" if number == lines[-1][0] else "a line that is no JSON"
                what = _words(error) if isinstance(error, Repeated) else f"{what}: {_words(error)}"
                raise InputError(Problem(what, file=shown, line=number)) from None
            line = getattr(whole, "lineno", None)
            raise InputError(Problem(f"no JSON: {_words(whole)}", file=shown, line=line, allowed=KNOWN)) from None
    return [number for number, _ in lines], values


def _words(error):
    return getattr(error, "msg", None) or str(error)[:80]


def _module(value):
    return next((module for module in _OBJECTS if isinstance(value, dict) and module.knows(value)), None)
