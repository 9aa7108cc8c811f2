"""All that the report says, as plain data for the template."""

from joulebook.publish.report.characters import each_text, paragraphs, texts_of, visible
from joulebook.publish.report.cover import NOTES_ON_COVER, cover_page, document
from joulebook.publish.report.register import report_register
from joulebook.publish.report.topics import topic_section
from joulebook.publish.report.values import numbers_of
from joulebook.show.notices import MLPERF_NOTICE
from joulebook.show.numbers import NO_BREAK


def report_data(run):
    """All that the report says, as text and lists for the template.

    Parameters
    ----------
    run : dict
        What a run of one client collected: client, date and labels; per topic its inputs, results, tables,
        answer, figures, reading and limits; and the provenance.

    Returns
    -------
    dict
        Plain data. Numbers are rounded and carry their units; nothing is computed again.

    Raises
    ------
    InputError
        If `prepared` is no date.

    Notes
    -----
    Characters that print nothing (controls, changes of direction) are replaced by their code points,
    so that what is read is what was written.
    """
    notes = paragraphs(run.get("notes"))
    short = sum(map(len, notes)) <= NOTES_ON_COVER
    register = report_register(run)
    data = {
        "document": document(run),
        "cover": {**cover_page(run, register), "notes": notes if short else []},
        "notes": [] if short else notes,
        "topics": [topic_section(topic, index, run) for index, topic in enumerate(run["topics"], 1)],
        "register": register,
        "provenance": _provenance(run),
    }
    return each_text(data, visible)


def _provenance(run):
    origin = run["provenance"]
    groups = {"the client": origin.get("files") or {}, "the notebooks": origin.get("notebooks") or {},
              "the code": {"joulebook": origin["code"]} if origin.get("code") else {}}
    return {
        "groups": [{"title": title, "rows": [{"name": name, "sha": sha} for name, sha in rows.items()]}
                   for title, rows in groups.items() if rows],
        "versions": [f"{name}{NO_BREAK}{version}" for name, version in (origin.get("versions") or {}).items()],
        "rerun": list(dict.fromkeys(topic["rerun"] for topic in run["topics"])),
        "notes": [*filter(None, (numbers_of(run).rule,)),
                  *([MLPERF_NOTICE] if any("mlperf" in text.lower() for _, text in texts_of(run)) else [])],
    }
