"""The changes of the method are told for the version that the package has."""

from joulebook import __version__
from joulebook.publish.site.changes import ALL, method_changes
from joulebook.workbook import ROOT, Workbook

CHANGES = method_changes(ROOT)


def test_the_version_of_the_package_has_an_entry_and_stands_first():
    assert CHANGES[0]["version"] == __version__
    versions = [row["version"] for row in CHANGES]
    parsed = [tuple(map(int, version.split("."))) for version in versions]
    assert parsed == sorted(parsed, reverse=True)


def test_every_change_says_what_moved_and_why():
    assert not [row for row in CHANGES if not all(row[key].strip() for key in ("version", "topics", "what", "effect", "why"))]


def test_changes_name_topics_that_there_are_and_every_topic_is_named():
    named = {name for row in CHANGES for name in row["topics"].split()}
    assert named - {ALL} == set(Workbook().topics)


def test_a_version_is_in_the_list_of_changes_too():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for version, day in {(row["version"], row["date"]) for row in CHANGES}:
        assert f"## {version}, {day or 'not yet released'}\n" in text
