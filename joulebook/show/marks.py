"""Words of a comparison with the mark that lets them be told apart at a glance, in a page and in print."""

MARKS = {"match": "=", "mismatch": "≠", "unknown": "?", "disclosed": "+", "missing": "–"}  # signs that every font of ours has


def marked(value):
    """A word with its mark before it; anything else as it is.

    Examples
    --------
    >>> marked("mismatch").split(), marked("the same")
    (['≠', 'mismatch'], 'the same')
    """
    return f"{MARKS[value]}\u00a0{value}" if value in MARKS else value
