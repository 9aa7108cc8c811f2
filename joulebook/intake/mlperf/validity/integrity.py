"""Rules about records: both sides tell the same, and the files are those that were recorded."""

import hashlib
import re

from joulebook.intake.mlperf.inference.work import SAMPLES_PER_QUERY
from joulebook.intake.mlperf.logs.power_log import marks
from joulebook.intake.mlperf.places import model_and_target
from joulebook.intake.mlperf.validity.check import judged, plural, several, unknown

_VERSION = re.compile(r"mlcommons/power (?:client|server) v(\d+)$")
_OWN = ("client.json", "server.json")  # they were still being written when digests were taken
_SHA1 = re.compile(r"[0-9a-f]{40}")


def same_uuid(evidence):
    """Both sides name the same identifiers."""
    client, server, why = evidence.both("uuid")
    if why:
        return unknown("same_uuid", why)
    different = [name for name in ("client", "server") if client.get(name) != server.get(name)]
    words = "client and server name the same UUIDs" if not different else f"the UUIDs of {several(different)} differ"
    return judged("same_uuid", not different, words)


def same_session(evidence):
    """Both sides name the same session."""
    client, server, why = evidence.both("name")
    if why:
        return unknown("same_session", why)
    words = f"both sides name session {client}" if client == server else f"sessions {client} and {server} differ"
    return judged("same_session", client == server, words)


def same_messages(evidence):
    """Both sides record the same commands and replies; the reply to ``time`` differs by nature."""
    client, server, why = evidence.both("messages")
    if why:
        return unknown("same_messages", why)
    pairs = zip(client, server, strict=False)
    different = [i for i, (a, b) in enumerate(pairs, start=1) if a[0] != b[0] or (a[0] != "time" and a[1] != b[1])]
    if different:
        words = f"message {different[0]} differs ({client[different[0] - 1][0]} of the client)"
    elif len(client) != len(server):
        words = f"the client records {plural(len(client), 'message')}, the server {len(server)}"
    else:
        words = f"{plural(len(client), 'message')} agree"
    return judged("same_messages", not different and len(client) == len(server), words, float(len(client)), float(len(server)),
                  "messages")


def same_versions(evidence):
    """Both sides run the same version."""
    client, server, why = evidence.both("version")
    if why:
        return unknown("same_versions", why)
    messages = (evidence.client[0].messages or [()])[0]
    spoken = [match[1] for match in map(_VERSION.search, messages) if match]
    if client != server or len(set(spoken)) > 1:
        told = " and ".join(f"v{number}" for number in spoken) if len(set(spoken)) > 1 else f"{client} and {server}"
        return judged("same_versions", False, f"versions {told} differ")
    return judged("same_versions", True, f"both sides run version {client}" + (f", protocol v{spoken[0]}" if spoken else ""))


def sources_sha1(evidence):
    """Both sides ran the same program."""
    client, server, why = evidence.both("sources")
    if why:
        return unknown("sources_sha1", why)
    common = client.keys() & server.keys()
    if not common:
        return unknown("sources_sha1", "the two sides record no source in common")
    empty = hashlib.sha1(b"", usedforsecurity=False).hexdigest()
    filled = sorted(name for name in common if client[name] != empty or server[name] != empty)
    different = [name for name in filled if client[name] != server[name]]
    measured = {"measured": float(len(different)), "limit": 0.0, "unit": "files"}
    if different and len(different) == len(filled):
        words = f"all {plural(len(filled), 'source')} differ, as they do where one side was checked out with other line ends"
        return unknown("sources_sha1", f"{words}; the sources are not here to tell", 0.0, "files")
    if different:
        return judged("sources_sha1", False, f"the two sides differ in {plural(len(different), 'source')}: {several(different)}",
                      **measured)
    return judged("sources_sha1", True, f"SHA-1 of {plural(len(common), 'source')} agree; whether they are a released version is "
                  "not told by the files", **measured)


def results_sha1(evidence):
    """The files are those whose SHA-1 was recorded; line ends that were changed since are told."""
    client, server, why = evidence.both("results")
    if client is None and server is None:
        return unknown("results_sha1", why, 0.0, "files")
    recorded = {**(client or {}), **(server or {})}
    right, ends, wrong, absent = [], [], [], []
    for name, digest in sorted(recorded.items()):
        place = _place(evidence, name)
        if name.rsplit("/", 1)[-1] in _OWN or not _SHA1.fullmatch(digest):
            continue
        data = evidence.files.parsed(place, _whole)[0] if place else None
        if data is None:
            absent.append(name)
        else:
            (right, ends, wrong)[_kind(data, digest)].append(name)
    twice = (client or {}).keys() & (server or {}).keys()
    contradicted = sorted(name for name in twice if client[name] != server[name] and name.rsplit("/", 1)[-1] not in _OWN)
    count = len(right) + len(ends) + len(wrong)
    if not count:
        return unknown("results_sha1", f"none of the {plural(len(recorded), 'file')} recorded is here", 0.0, "files")
    told = f"; {len(absent)} of those recorded are not here" if absent else ""
    if wrong or contradicted:
        words = (f"SHA-1 of {several(wrong)} does not match" if wrong
                 else f"the two sides record other SHA-1 of {several(contradicted)}")
        return judged("results_sha1", False, f"{words} ({plural(count, 'file')} compared{told})", float(len(wrong)), 0.0, "files")
    words = f"SHA-1 of {plural(count, 'file')} match"
    if ends:
        words += f", {several(ends)} only after LF is turned back into CRLF"
    return judged("results_sha1", True, words + told, 0.0, 0.0, "files", warning=ends)


def same_run(evidence):
    """Power and performance are of the same run: the meter's rows bear the mark of the session's testing phase."""
    client, _ = evidence.client
    server, why = evidence.server
    name = next((session.name for session in (server, client) if session and session.name), None)
    found = marks(evidence.files.read(evidence.run_name("spl.txt")))
    if name is None or not found:
        return unknown("same_run", why or ("the meter's rows bear no mark" if not found else "no session is named"))
    kept = found == [f"{name}_testing"]
    words = f"the meter's rows bear the mark {several(found)}" + ("" if kept else f", not {name}_testing of the session")
    return judged("same_run", kept, words)


def load_generator(evidence):
    """The load generator itself calls the run valid."""
    log = evidence.run.log
    if not log.has("result_validity"):
        return unknown("load_generator", "the log has no verdict")
    verdict = log.text("result_validity")
    return judged("load_generator", verdict == "VALID", f"the load generator calls the run {verdict}")


def scenario_run(evidence):
    """The scenario was run as such, or inferred from another as the rules allow; how its queries are counted."""
    run, log = evidence.run, evidence.run.log
    if run.scenario != run.effective:
        repeats = SAMPLES_PER_QUERY.get(run.scenario, 1)
        words = f"{run.scenario} inferred from a {run.effective} run" + (f" (x{repeats})" if repeats > 1 else "")
    else:
        words = f"{run.scenario} was run as such"
    if run.scenario in SAMPLES_PER_QUERY:
        counted = f"{log.number('result_query_count', whole=True)} queries" if log.has("result_query_count") else (
            "the log has no result_query_count, as up to v1.1, so that queries are counted from "
            f"{'the rate (qps) times the duration' if run.effective == 'SingleStream' else 'the generated samples'}")
        words += f"; {counted}"
    target = model_and_target(run.benchmark)[1]
    return judged("scenario_run", True, words + (f"; quality target {target} % of the reference" if target else ""),
                  warning=run.scenario != run.effective)


def _place(evidence, name):
    """Name of a recorded file among the result's, also where the submission left out folders of its harness."""
    parts = name.split("/")
    folder = {"run_1": evidence.run_name, "ranging": evidence.ranging_name, "power": evidence.power_name}.get(parts[0])
    if folder is None or len(parts) < 2 or parts[-1] in ("", ".", ".."):
        return None
    place = folder(parts[-1])
    return place if evidence.files.has(place) else None


def _whole(data, shown):
    """A file as it is."""
    return data


def _kind(data, digest):
    """0 where a file is as recorded, 1 where only its line ends differ, else 2."""
    plain = data.replace(b"\r\n", b"\n")
    forms = (data, plain.replace(b"\n", b"\r\n"), plain)
    matching = [hashlib.sha1(form, usedforsecurity=False).hexdigest() == digest for form in forms]
    return 0 if matching[0] else 1 if any(matching) else 2
