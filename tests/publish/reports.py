"""What the reports of the example clients are made of, from their executed topics: nothing is executed here."""

import json

from joulebook.intake.client import read_client
from joulebook.publish.collect import collect
from joulebook.publish.outputs import example_clients, report_content
from joulebook.publish.reference import REFERENCE

CLIENTS = example_clients()


def example(folder, only=None):
    """A client, its executed topics, or some of them, and what its report is made of."""
    client = read_client(folder)
    found = {path.stem: collect(path) for path in (REFERENCE / folder.name).glob("*.ipynb")}
    topics = {topic: found[topic] for topic in client.topics if only is None or topic in only}
    record = {
        "client": client.name, "prepared": client.prepared, "currency": client.currency, "labels": vars(client.labels),
        "notes": client.notes, "made_of": {"files": {}, "versions": {}, "notebooks": {}, "code": ""},
        "use_expired": client.use_expired, "valid_months": client.valid_months,
    }
    return client, topics, report_content(json.loads(json.dumps(record)), topics)
