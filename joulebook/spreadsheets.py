"""CSV that is opened in a spreadsheet: its text is never run there."""

import csv
import io

# A spreadsheet takes a cell that begins so for a formula; the wide ones where the system writes Chinese, Japanese or Korean.
_RUNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def runs(value):
    """Whether a spreadsheet would take a value for a formula."""
    return isinstance(value, str) and value.startswith(_RUNS)


def cell(value):
    """A value as a spreadsheet may have it: a text that it would run gets a quotation mark in front; None is empty.

    Examples
    --------
    >>> cell("=1+1"), cell("-5"), cell(-5), cell("plain"), cell(None)
    ("'=1+1", "'-5", -5, 'plain', '')
    """
    if value is None:
        return ""
    return f"'{value}" if runs(value) else value


def csv_text(heads, rows):
    """Rows as CSV.

    Parameters
    ----------
    heads : sequence of str
        Names of the columns.
    rows : iterable of sequence
        As many values each.

    Returns
    -------
    str
        With a line feed after each row.

    Examples
    --------
    >>> csv_text(["name", "power_w"], [["@x", -5.0], ["wall", None]])
    "name,power_w\\n'@x,-5.0\\nwall,\\n"
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([cell(head) for head in heads])
    table.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()
