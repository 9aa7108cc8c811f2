"""To whom is due what a report rests on: published sources, fonts and libraries, each with its licence."""

import re
from functools import cache

from joulebook.dictionary import parameters, rows_of
from joulebook.publish.report.characters import texts_of
from joulebook.show.notices import MLPERF_NOTICE
from joulebook.workbook import ROOT

OWN, PUBLISHED, MLPERF = "data/attributions.csv", "data/published/", "data/mlperf_power/"
NOT_VERIFIED = ("Figures of energy per unit of work that are derived from MLPerf results, and all that rests on them: Result not "
                "verified by MLCommons Association.")
ASSUMED = "workbook assumption"  # begins the source of a default that nobody published
FACTS = "single facts, cited"
UNKNOWN = "not told by the client; single facts, cited"


def attributions(run):
    """Sources that the inputs of a run were published in, and what it was calculated and set with.

    Parameters
    ----------
    run : dict
        As of `joulebook.publish.report.report_data`.

    Returns
    -------
    dict
        ``sources`` with what of each is used and its licence; ``made``, fonts and libraries with theirs; ``notes``, notices
        that owners of names ask for.
    """
    sources = {}
    for topic in run["topics"]:
        for item in topic["inputs"]:
            if item["value"] is not None:
                for source, licence in _sources(item):
                    sources.setdefault((source, licence), {})[item["title"]] = None
    mlperf = any("mlperf" in text.lower() for _, text in texts_of(run))
    fonts = [path.name for path in (run.get("branding") or {}).get("fonts", ())]
    versions = {name.lower(): version for name, version in (run["provenance"].get("versions") or {}).items()}
    made = [{"version": versions.get(row["name"].lower(), ""), **{key: row[key] for key in ("name", "what", "licence")}}
            for row in _rows(OWN)
            if row["kind"] in ("font", "library") and (row["name"] != "Babel" or run.get("locale"))]
    own = [{"name": name, "version": "", "what": "brought with the client folder", "licence": "as whoever brought it agreed"}
           for name in fonts]
    return {
        "sources": [{"source": source, "used": "; ".join(titles), "licence": licence}
                    for (source, licence), titles in sorted(sources.items(), key=lambda pair: pair[0][0].lower())],
        "made": [*own, *made],
        "notes": [MLPERF_NOTICE, NOT_VERIFIED] if mlperf else [],
    }


def _sources(item):
    """Published sources of an input with their licences, none where it has no published source."""
    known = parameters().get(item["name"])
    carried = known.default if known is not None and not item["given"] and isinstance(known.default, str) else ""
    if carried.startswith(PUBLISHED):
        return list(dict.fromkeys((row["source"], _in_words(row["licence"])) for row in _rows(carried)))
    if carried.startswith(MLPERF):
        return [(row["what"], row["licence"]) for row in _rows(OWN) if row["kind"] == "data" and row["name"] == carried]
    source = item["source"] or ""
    if not item["given"] and source.startswith(ASSUMED):
        return []
    licence = next((licence for key, licence in licences().items() if key in source.lower()), None)
    if licence is None and item["evidence"] != "published":
        return []
    return [(source or "source not stated", licence or UNKNOWN)]


@cache
def licences():
    """Licence of each publication that the workbook knows, by what a source names it by, in lower case."""
    rows = [row for name in ("figures", "quoted") for row in _rows(f"{PUBLISHED}{name}.csv")]
    known = {_key(row["source"]).lower(): _in_words(row["licence"]) for row in rows if _key(row["source"])}
    named = {row["name"].lower(): row["licence"] for row in _rows(OWN) if row["kind"] == "source"}
    return dict(sorted({**named, **known}.items(), key=lambda pair: -len(pair[0])))  # what is named most closely decides


def _key(source):
    """What a publication is known by: a repository, or the number of a paper; empty where neither is named.

    Examples
    --------
    >>> _key("genai-impact/ecologits@2d0a1c7 ecologits/impacts/llm.py"), _key("arXiv:2508.15734, as reported"), _key("NVIDIA")
    ('genai-impact/ecologits', 'arXiv:2508.15734', '')
    """
    found = re.match(r"arXiv:\d+\.\d+|[\w.-]+/[\w.-]+(?=@)", source)
    return found[0] if found else ""


def _in_words(licence):
    """A licence as the table of published figures has it, in words for a reader."""
    return {"facts": FACTS, "check License.md": "licence file in the repository"}.get(licence, licence)


@cache
def _rows(path):
    return rows_of(ROOT / path)
