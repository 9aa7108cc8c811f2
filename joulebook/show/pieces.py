"""The pieces of a topic's page, each one output: an escaped face for readers, the full data in its metadata."""

from base64 import b64encode
from dataclasses import asdict

from IPython.display import display

from joulebook.inputs import described
from joulebook.results import Result
from joulebook.show.faces import face, glued
from joulebook.show.known import Known, named

GLUE = "application/papermill.record/"
# What of a piece's data are sentences, filled from results.
_SENTENCES = {"answer": ("says", "beside"), "reading": ("sentences",), "limits": ("sentences",), "figure": ("caption", "alt")}


def known(study):
    """What pieces are filled from, out of a study."""
    return Known(
        results={name: _record(study, name) for name in study.results},
        inputs=_inputs(study.given),
        labels=asdict(study.given.labels),
        words=study.words,
        parameters=set(study.given.parameters),
    )


def answer(study, headline, says, numbers=(), beside=""):
    """The answer box: the headline with its range and labels, one sentence, and the absolute beside.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    headline : str
        Name of the result that answers the question.
    says : str
        A sentence with ``{names}`` of results.
    numbers : sequence of str
        Results for the first page of a report, after the headline.
    beside : str
        The absolute energy and power, as a sentence with ``{names}``.
    """
    names = [headline, *numbers]
    told = {"headline": headline, "numbers": names, "says": says, "beside": beside, "basis": basis(study, names)}
    emit("answer", told, known(study))


def basis(study, names):
    """What the results of a topic rest on, and what moves the main ones.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    names : sequence of str
        The main results.

    Returns
    -------
    dict
        ``rests_on``, a list of ``{"results": names, "inputs": names}``; and ``moves``, by main result what each input moves it
        from and to, see `joulebook.method.one_at_a_time.movements`; and ``not_told``, main numbers of which that is not known.
    """
    shared = {}
    for name in study.results:
        if study.foundation(name) is None:
            shared.setdefault(tuple(study.rests_on(name)), []).append(name)
    rests = [{"results": results, "inputs": list(inputs)} for inputs, results in shared.items()]
    names = list(dict.fromkeys(names))
    untold = [name for name in names if study.definition(name).kind == "number" and not study.follows(name)]
    return {"rests_on": rests, "moves": {name: study.moves(name) for name in names}, "not_told": untold}


def inputs(study):
    """The inputs as they will be used: value, range, evidence and source; and the labels of the page."""
    facts = known(study)
    emit(
        "inputs",
        {"records": facts.inputs, "labels": facts.labels, "words": facts.words, "parameters": sorted(facts.parameters)},
        facts,
    )


def results(study, *calculations):
    """The results of calculations, with range, evidence and the labels that differ from those of the page.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    *calculations : functions marked with gives
        Whose results to show; tables are left to `table`. Those of another topic are told as of that one.
    """
    facts = known(study)
    names = [
        name for calculation in calculations for name in calculation.results if study.definition(name).kind in ("number", "text")
    ]
    emit("results", [facts.results[name] for name in names], facts)
    for name in names:
        if study.foundation(name) is None:
            glue(name, glued(facts.results[name]))


def table(study, name):
    """A result that is a table.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    name : str
        Name of the table in ``data/results.csv``.
    """
    facts = known(study)
    emit("table", facts.results[name], facts)


def filterable_table(study, name, by):
    """A result that is a long table, with a form above it that leaves the rows that are asked for.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    name : str
        Name of the table in ``data/results.csv``.
    by : sequence of str
        Columns that a reader may choose a value of; all of a row is searched for a text, too.
    """
    facts = known(study)
    emit("filterable", {"name": name, "by": list(by), "table": facts.results[name]}, facts)


def reading(study, *sentences):
    """What the numbers say: paragraphs filled from results; one whose values are not available is left out."""
    emit("reading", {"sentences": list(sentences)}, known(study))


def limits(study, *sentences):
    """What the numbers leave out, and what would change them: lines, filled as in `reading`."""
    emit("limits", {"sentences": list(sentences)}, known(study))


def figure(study, name, caption, alt):
    """Draw the figure of a table of results.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    name : str
        Name of the table, and of the function in `joulebook.show.figures` that draws it.
    caption, alt : sequence of str
        Sentences with ``{names}`` of results: what to see, and the numbers in words.
    """
    facts, image = known(study), ""
    if facts.results[name]["rows"]:
        from joulebook.show import figures  # late: matplotlib is needed only where something is drawn

        image = b64encode(figures.draw(name, facts).encode()).decode()
    piece = {"name": name, "caption": list(caption), "alt": list(alt), "table": facts.results[name]}
    # The picture stands in the face alone: twice would double the notebook.
    emit("figure", piece, facts, html=face("figure", {**piece, "image": image}, facts))


def explorer(study, exploration):
    """Sliders for the main inputs, and the main numbers that follow them; what it says stands on the page without it.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study that has run.
    exploration : joulebook.method.explore.exploration.Exploration
        Its main results as sums of parts.
    """
    from joulebook.show.sliders.data import explorer_data  # late: most topics have none

    emit("explorer", explorer_data(study, exploration), known(study))


def emit(kind, data, facts, html=None):
    """Display one output with its two faces.

    Parameters
    ----------
    kind : str
        Kind of piece, a key of `joulebook.show.faces.FACES`.
    data : object
        Full-precision plain data.
    facts : Known
        What the face is filled from.
    html : str, optional
        The face where it is not to be made from the data.
    """
    shown = face(kind, data, facts) if html is None else html
    others = _told_of_others(kind, data, facts)
    data = {**data, "of_others": others} if others else data
    display({"text/html": shown, "text/plain": kind}, raw=True, metadata={"joulebook": {"kind": kind, "data": data}})


def glue(name, shown):
    """Offer a text for use in prose, as myst-nb's glue does, without importing Sphinx into the kernel."""
    display({f"{GLUE}text/plain": repr(shown)}, raw=True, metadata={"scrapbook": {"name": name, "mime_prefix": GLUE}})


def _told_of_others(kind, data, facts):
    """Results of other topics that the sentences of a piece name: the page may show them nowhere else."""
    told = [data[key] for key in _SENTENCES.get(kind, ())]
    lines = [line for item in told for line in ([item] if isinstance(item, str) else item)]
    return [record for name, record in facts.results.items() if "of" in record and any(name in named(line) for line in lines)]


def _record(study, name):
    result = study.results[name]
    title, of = study.definition(name).title.format(**study.words), study.foundation(name)
    told = {"name": name, "title": title, **(result.as_dict() if isinstance(result, Result) else result)}
    return told if of is None else {**told, "of": of}


def _inputs(given):
    return [
        {"name": name, "title": given.parameters[name].title, **item.as_dict(), "value": described(item.value),
         "unit": given.unit_of(name)}
        for name, item in given.inputs.items()
    ]
