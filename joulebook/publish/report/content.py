"""All that the report says, as plain data for the template."""

from joulebook.publish.register import register_data
from joulebook.publish.report.attributions import attributions
from joulebook.publish.report.characters import each_text, visible
from joulebook.publish.report.cover import cover_page, document, further_notes
from joulebook.publish.report.register import report_register
from joulebook.publish.report.summary import overview_page, summary_page
from joulebook.publish.report.topics import topic_section
from joulebook.publish.report.values import numbers_of
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
    rows = register_data(run, run["topics"])
    register = report_register(run, rows)
    data = {
        "document": document(run),
        "cover": cover_page(run),
        "summary": summary_page(run, register, rows["rows"]),
        "notes": further_notes(run),
        "overview": overview_page(run, register),
        "topics": [topic_section(topic, index, run) for index, topic in enumerate(run["topics"], 1)],
        "register": register,
        "provenance": _provenance(run),
        "attributions": attributions(run),
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
        "notes": list(filter(None, (numbers_of(run).rule,))),
    }
