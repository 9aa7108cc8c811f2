"""A client's folder, read and checked: ``client.yml`` and the files it names."""

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from joulebook.dictionary import AT_THE_TOP, FOR_ALL, RECORDS, of_topic, parameters
from joulebook.errors import InputError, Problem, Problems, near
from joulebook.inputs import Input, paths_of
from joulebook.intake.branding import Branding, check_locale, read_branding
from joulebook.intake.checks import attempt, check_entry, check_labels, check_together, default_input, missing
from joulebook.intake.files import find_file, sha256
from joulebook.intake.measured import MEASURED, Measured, read_measured
from joulebook.intake.metered import origin, with_files_found
from joulebook.intake.plausible import check_plausible, with_notes
from joulebook.intake.shape import check_shape
from joulebook.intake.yaml12 import load, read_scalar
from joulebook.results import LABELS, Labels
from joulebook.workbook import Workbook

FILE = "client.yml"
BY_SETTING = "--set on the command line"
# Kinds of parameters that stand at the top of the file, not under inputs.
_PLAIN = ("currency", "prepared")  # at the top of the file, too, and checked with it


@dataclass(frozen=True)
class Client:
    """A client's inputs, all of them checked.

    Parameters
    ----------
    folder : pathlib.Path
        The client's folder.
    name, prepared, currency : str
        Name of the client, ISO date on which the file was prepared, ISO 4217 code of all amounts.
    topics : tuple of str
        Topics that are due, in the order of the workbook.
    labels : Labels
        What the figures are valid for.
    inputs : dict of str to dict of str to Input
        Inputs by topic and name, with the dictionary's defaults; a file as path relative to `folder`.
    files : dict of str to dict of str to list of pathlib.Path
        Files of each parameter that names some, by topic and name.
    sources : dict of str to str
        SHA-256 of every file that was read: client.yml and CSV files by their path relative to `folder`,
        those of an MLPerf result below ``mlperf/``.
    notes : str
        Free text.
    workbook : Workbook
        Whose dictionary and topics these are.
    left_out : dict of str to list of str
        Topics that a client who lists none did not mean, as nothing is given that they alone require: these inputs; none
        for a topic that requires nothing, of which no input is given either.
    valid_months : int or None
        Months after its date on which an input expires that names no day itself.
    branding : Branding
        What the report and the book are dressed in.
    locale, paper : str or None
        Locale in which numbers are written, and size of the report's pages; those of the house where not given.
    use_expired : dict of str to str
        Inputs that are used although they have expired, each with the reason; also those that have not, without effect.
    """

    folder: Path
    name: str
    prepared: str
    currency: str
    topics: tuple
    labels: Labels
    inputs: dict
    files: dict = field(default_factory=dict)
    sources: dict = field(default_factory=dict)
    notes: str = ""
    workbook: Workbook = field(default_factory=Workbook)
    left_out: dict = field(default_factory=dict)
    valid_months: int | None = None
    use_expired: dict = field(default_factory=dict)
    branding: Branding = field(default_factory=Branding)
    locale: str | None = None
    paper: str | None = None

    @property
    def expired(self):
        """Inputs that have expired, by name; of several of one name one that is not used, where there is one."""
        old = [(name, item) for of in self.inputs.values() for name, item in of.items() if item.expired]
        return dict(sorted(old, key=lambda pair: pair[1].prices, reverse=True))

    @property
    def without_effect(self):
        """Names in `use_expired` of inputs of this run that have not expired."""
        there = {name for of in self.inputs.values() for name in of}
        return [name for name in self.use_expired if name in there and name not in self.expired]


def read_client(folder, settings=(), topics=None, workbook=None):
    """Read a client's folder.

    Parameters
    ----------
    folder : str or pathlib.Path
        Folder that holds ``client.yml``.
    settings : iterable of str
        Values that take the place of those in the file, each as ``name=value``.
    topics : iterable of str, optional
        Topics that are due, in the place of those that the file names.
    workbook : Workbook, optional
        The workbook; this one if none is given.

    Returns
    -------
    Client

    Raises
    ------
    InputError
        With every problem found: file, line, parameter, value, and what is allowed.
    """
    return _Reading(Path(folder), workbook or Workbook()).client(settings, topics)


def client_record(client):
    """The checked inputs as plain data, as they stand in ``inputs.json``.

    Parameters
    ----------
    client : Client

    Returns
    -------
    dict
        schema, client, prepared, currency, labels, and topics with each input and its title.
    """
    rows = parameters(client.workbook.root)
    topics = {topic: {name: {**given.as_dict(), "title": rows[name].title} for name, given in inputs.items()}
              for topic, inputs in client.inputs.items()}
    return {"schema": 1, "client": client.name, "prepared": client.prepared, "currency": client.currency,
            "valid_months": client.valid_months, "use_expired": client.use_expired,
            "labels": {name: getattr(client.labels, name) for name in LABELS}, "topics": topics}


@dataclass(frozen=True)
class _Entry:
    """A parameter that was given: its checked input, or None where it is wrong, and the place of its keys."""

    input: Input | None
    place: object


class _Reading:
    """One reading of a client's folder. Every step notes its problems and gives what is left."""

    def __init__(self, folder, workbook):
        self.folder, self.workbook, self.rows = folder, workbook, parameters(workbook.root)
        self.found, self.sources, self.tables, self.left_out = Problems(), {}, {}, {}
        if folder.is_file():
            raise InputError(Problem("a file where a folder is due", file=str(folder), allowed=f"the folder that holds {FILE}"))
        path, shown = folder / FILE, f"{folder}/{FILE}"
        self.document = load(path, shown)
        self.sources[FILE] = sha256(path, shown)
        self.found.extend(self.document.problems)
        self.cut = check_shape(self.document, self.rows, self.found)
        self.data = self.document.data

    def client(self, settings, topics):
        topics = self.chosen(topics, settings)
        stated = check_labels(self.data.get("labels", {}), partial(self.place, "labels"), self.found)
        shared = self.block("inputs")
        own = {topic: self.block("topic_inputs", topic) for topic in self.data.get("topic_inputs", {})}
        self.check_owners(own)
        shared |= self.meters()
        measured, labels, result = self.measured(stated, [shared, *own.values()])
        shared |= {name: entry for name in RECORDS if name in self.rows and (entry := self.record(name, result)) is not None}
        by_hand = self.settings(settings, topics)
        self.check_permissions()
        branding = self.branding()
        months = self.months({**shared, **by_hand})
        given = {topic: {**shared, **measured, **own.get(topic, {}), **by_hand} for topic in topics}
        inputs = {topic: self.topic(topic, given[topic], labels, months) for topic in topics}
        self.plausible(inputs, given, labels)
        self.stop()
        files = {topic: {name: [self.home(item) / path for path in paths_of(item.value)] for name, item in of.items()
                         if self.rows[name].has_files} for topic, of in inputs.items()}
        data = self.data
        return Client(self.folder, data["client"], data["prepared"], data["currency"], tuple(topics), labels, inputs, files,
                      self.sources, data.get("notes", ""), self.workbook, self.left_out, months, data.get("use_expired", {}),
                      branding, data.get("locale") and check_locale(data["locale"]), data.get("paper"))

    def place(self, *path):
        """Place of a path of client.yml; the value of a parameter is named by the parameter."""
        place = self.document.place(*path)
        return {**place, "field": place["field"].removesuffix(".value")} if "inputs" in path[0] else place

    def home(self, item):
        """Folder of a file: the client's, or the workbook's for one that the dictionary assumes."""
        return self.folder if item.given else self.workbook.root

    def refused(self, *path):
        """Whether a path stands in client.yml, but it or what it stands in was refused."""
        data = self.data
        for depth, part in enumerate(path, start=1):
            if not isinstance(data, dict) or part not in data:
                return path[:depth] in self.document.lines
            data = data[part]
        return False

    def stop(self):
        """Raise what was found: each problem once, those of client.yml by line, then those of other places."""
        problems = {str(problem): problem for problem in self.found}.values()
        if problems:
            raise InputError(sorted(problems, key=lambda item: (item.file != self.document.shown, item.line or 0)))

    def chosen(self, topics, settings):
        """Topics that are due; none where the list of them was refused."""
        known, listed = self.workbook.topics, self.data.get("topics", [])
        names = list(topics or ()) or listed
        for i, name in enumerate(names):
            place = {**self.place("topics", i), "field": "topics"} if names is listed else {"file": "--topic"}
            if name not in known:
                self.no_topic(name, place)
            elif name in names[:i]:
                self.found.add("a topic listed twice", **place, value=name, allowed="each topic once")
        if not names and "topics" in self.data:
            self.found.add("no topic listed", **self.place("topics"), allowed="at least one; all of them where there is no list")
        if not names and not self.refused("topics"):
            return self.with_inputs(known, settings)
        return [name for name in known if name in names]

    def with_inputs(self, topics, settings):
        """Topics of a client that lists none: all but those of which nothing is given that they alone require.

        What a topic requires is its own, too, where others require it that require all the rest of it besides: they rest on the
        topic. One that requires nothing rests on what others published: it is due where the client gives an input of its own.
        """
        blocks = [self.data.get("inputs", {}), *self.data.get("topic_inputs", {}).values()]
        given = {name for block in blocks for name in block} | {text.partition("=")[0].strip() for text in settings}
        given |= {"meters", *RECORDS} & set(self.data)
        requires = {topic: {name for name, row in self.rows.items() if topic in row.required} for topic in topics}
        for topic, required in requires.items():
            resting = {other for other, more in requires.items() if more >= required}
            alone = [name for name, row in self.rows.items()
                     if name in required - set(_PLAIN) and resting >= set(row.required) & requires.keys()]
            own = {row.name for row in self.rows.values() if row.topics == (topic,)}
            if (alone and not given & set(alone)) or not (required or given & own):
                self.left_out[topic] = alone
        if len(self.left_out) == len(topics):  # then every input that is missing is named
            self.left_out = {}
        return [topic for topic in topics if topic not in self.left_out]

    def no_topic(self, name, place):
        known = self.workbook.topics
        self.found.add("no such topic", **place, value=name, allowed=", ".join(known), near=near(name, known))

    def block(self, *path):
        """Checked entries of ``inputs``, or of one topic in ``topic_inputs``."""
        data = self.data
        for part in path:
            data = data.get(part, {})
        wrong = {line[-1] for line in self.document.lines if line[:-1] == path} - set(data)
        entries = {name: _Entry(None, partial(self.place, *path, name)) for name in wrong & set(self.rows)}
        for name, entry in data.items():
            place = partial(self.place, *path, name)
            if self.known(name, place):
                entries[name] = _Entry(self.checked(name, entry, place, (*path, name) not in self.cut), place)
        return entries

    def known(self, name, place):
        """Whether a name may stand among the inputs; notes it if not."""
        row = self.rows.get(name)
        if row is None:
            self.found.add("no such parameter", **place(), allowed="a name of joulebook params", near=near(name, self.rows))
        elif name in AT_THE_TOP:
            what = "given once, for all amounts of the file" if name == "currency" else "given once, for all topics"
            self.found.add(what, **place(), allowed=f"{name} at the top of {FILE}")
        return row is not None and name not in AT_THE_TOP

    def checked(self, name, entry, place, complete=True):
        """Input of an entry, None where it is wrong; a file becomes its path on disk."""
        result = check_entry(self.rows[name], entry, place, self.found, self.data.get("prepared"), complete)
        if result is None or self.rows[name].kind != "file":
            return result
        path = attempt(self.found, find_file, self.folder, result.value, **place("value"))
        return None if path is None else replace(result, value=path)

    def check_owners(self, own):
        """Note overrides for topics that do not exist, or that do not take the parameter."""
        for topic, entries in own.items():
            if topic not in self.workbook.topics:
                self.no_topic(topic, self.place("topic_inputs", topic))
                continue
            for name, entry in entries.items():
                if topic not in self.rows[name].topics:
                    names = of_topic(topic, self.workbook.root)
                    self.found.add(f"no input of {topic}", **entry.place(), allowed=", ".join(names))

    def meters(self):
        """Checked entry of the meters, with the paths of their files on disk; none where there are none."""
        if "meters" not in self.data:
            return {"meters": _Entry(None, partial(self.place, "meters"))} if self.refused("meters") else {}
        from joulebook.intake.meters import check_declarations  # late: only for those who have meters

        place, before = partial(self.place, "meters"), len(self.found)
        attempt(self.found, check_declarations, self.data["meters"], place)
        meters = with_files_found(self.data["meters"], self.folder, place, self.found)
        item = None
        if len(self.found) == before:
            meters = check_declarations(meters, place)
            item = Input(meters, self.rows["meters"].unit, **origin(meters))
        return {"meters": _Entry(item, place)}

    def measured(self, stated, blocks):
        """Entries that an MLPerf result gives, all labels together, and the result."""
        if not self.refused("mlperf") and "mlperf" not in self.data:
            return {}, stated, None
        for name in MEASURED:
            for entry in (block[name] for block in blocks if name in block):
                self.found.add("given twice: the MLPerf result gives it too", **entry.place(), allowed=f"no {name} beside mlperf")
        unclear = [("mlperf", "path"), ("mlperf", "unit_of_work_factor"), ("labels", "unit_of_work")]
        measured = Measured({}, stated)
        if not any(self.refused(*path) for path in unclear) and "path" in self.data["mlperf"]:
            measured = read_measured(self.data["mlperf"], stated, self.folder, self.place, self.found)
            self.sources |= measured.files
        entries = {}
        for name in MEASURED:
            def place(*_, name=name):
                return {**self.place("mlperf"), "field": f"mlperf.{name}"}
            entry = measured.entries.get(name)
            entries[name] = _Entry(None if entry is None else self.checked(name, entry, place), place)
        return entries, measured.labels, measured.result

    def record(self, name, result):
        """Checked entry of a record; what an MLPerf result discloses needs no words of the client. None where there is none."""
        if name not in self.data and not (name == "disclosure" and result is not None):
            return _Entry(None, partial(self.place, name)) if self.refused(name) else None
        from joulebook.intake.disclosed import TABLE  # late: only for those who have records
        from joulebook.intake.recorded import read_record

        place, before = partial(self.place, name), len(self.found)
        block = self.data.get(name, {})
        item = read_record(self.rows[name], block, result, self.workbook.root, place, self.data.get("prepared"), self.found)
        if "published" in block:
            self.sources[TABLE] = sha256(self.workbook.root / TABLE, TABLE)
        return _Entry(item if (name,) not in self.cut and len(self.found) == before else None, place)

    def branding(self):
        """What the report and the book are dressed in: no input of any topic."""
        made, files = read_branding(self.data.get("branding", {}), self.folder, partial(self.place, "branding"), self.found)
        self.sources |= files
        return made

    def settings(self, settings, topics):
        """Checked entries of ``name=value`` texts."""
        entries = {}
        for text in settings:
            name, equals, value = (part.strip(" ") for part in text.partition("="))
            place = partial(_setting_place, name)
            before = len(self.found)
            if not equals or not name:
                self.found.add("no setting", file="--set", value=text, allowed="name=value, such as pue=1.5")
            elif name in entries:
                self.found.add("set twice", **place(), value=value, allowed="each name once")
            elif self.known(name, place) and name not in FOR_ALL and not set(self.rows[name].topics) & set(topics):
                self.found.add("not taken by this run", **place(), allowed=f"a topic of {', '.join(self.rows[name].topics)}")
            if len(self.found) == before:
                value = attempt(self.found, read_scalar, value, **place())
                right = len(self.found) == before
                entry = {"value": value, "source": BY_SETTING, "evidence": "assumed"}
                entries[name] = _Entry(self.checked(name, entry, place) if right else None, place)
        return entries

    def check_permissions(self):
        """Note names in ``use_expired`` that are those of no parameter."""
        for name in self.data.get("use_expired", {}):
            if name not in self.rows:
                self.found.add("no such parameter", **self.place("use_expired", name), allowed="a name of joulebook params",
                               near=near(name, self.rows))

    def months(self, given):
        """Months after which a dated input expires that names no day itself; None where the dictionary has no such rule."""
        if "valid_months" in given:
            return given["valid_months"].input and given["valid_months"].input.value
        row = self.rows.get("valid_months")
        return row and row.default

    def topic(self, topic, given, labels, months):
        """Inputs of one topic, with all that must hold between them."""
        rows = of_topic(topic, self.workbook.root)
        inputs = {}
        for name, row in rows.items():
            if name in _PLAIN:
                item = Input(self.data[name], row.unit, source=FILE) if name in self.data else None
            else:
                item = given[name].input if name in given else default_input(row)
            if item is not None:
                reason = self.data.get("use_expired", {}).get(name, "")
                inputs[name] = item.aged(self.data["prepared"], months, reason) if "prepared" in self.data else item

        def place(name, *keys):
            return given[name].place(*keys) if name in given else self.place("inputs", name)

        self.check_missing(topic, rows, given, labels.boundary)
        check_together(inputs, labels, place, self.found)
        self.check_tables(inputs, place, {name for name, entry in given.items() if entry.input is None})
        return inputs

    def plausible(self, inputs, given, labels):
        """Judge each topic's inputs beside those of all others: what two topics hold of one client has to fit, too."""
        said = {}
        places = {name: entry.place for entries in given.values() for name, entry in entries.items()}
        for topic, entries in given.items():
            def place(name, *keys, entries=entries):
                here = entries[name].place if name in entries else places.get(name, partial(self.place, "inputs", name))
                return here(*keys)

            mine = {name: entry.input for name, entry in entries.items() if entry.input is not None}
            beside = {name: item for of in inputs.values() for name, item in of.items()} | mine | inputs[topic]
            files = {name: item.value for name, item in beside.items() if self.rows[name].kind == "file"}
            tables = {item[0]: table for item in files.items() if (table := self.tables.get(item)) is not None}
            for name, text in check_plausible(beside, tables, labels, place, self.found).items():
                said.setdefault(name, text)
        for topic, of in inputs.items():
            inputs[topic] = with_notes(of, said)

    def check_missing(self, topic, rows, given, boundary):
        """Note required parameters that are not given; a misspelt name is one mistake, not two."""
        meant = {str(problem.near).split(" ")[0] for problem in self.found}
        if self.refused("inputs") or self.refused("topic_inputs", topic) or "inputs" in meant:
            return
        unclear = {"pue"} if self.refused("labels", "boundary") or meant & {"labels", "boundary"} else set()
        present = {*_PLAIN, *given, *meant, *unclear}
        for row in missing(rows, present, boundary):
            self.found.add(f"missing: {topic} needs it", **self.place("inputs", row.name), allowed=row.allowed)

    def check_tables(self, inputs, place, unclear):
        """Read the files of a topic, each once, and check them against its inputs."""
        files = {name: item for name, item in inputs.items() if self.rows[name].kind == "file"}
        paths = {name: item.value for name, item in files.items()}
        if not paths and "meters" not in inputs:
            return
        from joulebook.intake.tables import check_tables, read_table  # late: pandas, for those who have files

        for name, path in paths.items():
            if (name, path) not in self.tables:
                home = self.home(files[name])
                shown = f"{home}/{path}" if files[name].given else path
                self.tables[name, path] = attempt(self.found, read_table, name, home / path, shown=shown)
                self.sources[path] = sha256(home / path, shown)
        tables = {item: self.tables[item] for item in paths.items()}
        tables = {name: table for (name, _), table in tables.items() if table is not None}
        if "meters" in inputs:
            tables |= self.read_meters(inputs["meters"].value)
        attempt(self.found, check_tables, inputs, tables, place, unclear)


    def read_meters(self, meters):
        """What meters read, each time anew: it may be large."""
        from joulebook.intake.meters import read_meters

        read = attempt(self.found, read_meters, meters, self.folder, partial(self.place, "meters"))
        self.sources |= {path: sha256(self.folder / path, f"{self.folder}/{path}") for path in paths_of(meters)}
        return {} if read is None else {"meters": read}


def _setting_place(name, *_):
    return {"file": "--set", "field": name}
