"""What has expired among inputs, in sentences."""

MOST = 160  # characters of a reason where the register has all of it


def expired_lines(records, most=None):
    """Sentences on inputs that have expired: those that are used all the same with the reason, and those that are not.

    Parameters
    ----------
    records : iterable of dict
        Inputs with name, title, expires, expired and used_because; one that stands there twice is told once.
    most : int, optional
        Characters of a reason at most.

    Returns
    -------
    list of str
        One for each reason, those used first; empty where nothing has expired.

    Examples
    --------
    >>> old = {"name": "pue", "title": "PUE", "expires": "2026-01-31", "expired": True, "used_because": "same hall"}
    >>> expired_lines([old])
    ['Expired, and used for pricing all the same: PUE (2026-01-31), because: same hall.']
    >>> expired_lines([{**old, "used_because": ""}])
    ['Expired, and not used for pricing: PUE (2026-01-31). What it would price is not available.']
    """
    reasons = {}
    for record in records:
        if record.get("expired"):
            named = f"{record['title']} ({record['expires']})"
            reasons.setdefault(record.get("used_because") or "", {})[named] = None
    lines = []
    for reason, names in sorted(reasons.items(), key=lambda pair: not pair[0]):
        listed = " and ".join(filter(None, (", ".join(list(names)[:-1]), list(names)[-1])))
        if reason:
            lines.append(f"Expired, and used for pricing all the same: {listed}, because: {_cut(reason, most).rstrip('.')}.")
        else:
            priced = "What it would price" if len(names) == 1 else "What they would price"
            lines.append(f"Expired, and not used for pricing: {listed}. {priced} is not available.")
    return lines


def _cut(text, most):
    return text if most is None or len(text) <= most else f"{text[: most - 1].rstrip()}…"
