"""Colours as ``#rrggbb``, and how well one can be read on another."""

WHITE = "#ffffff"
READABLE = 4.5  # least contrast of text on its ground: WCAG 2.2, success criterion 1.4.3


def luminance(colour):
    """Relative luminance of a colour, 0 for black to 1 for white, as WCAG 2.2 defines it.

    Parameters
    ----------
    colour : str
        As ``#rrggbb``.

    Examples
    --------
    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    return sum(weight * share for weight, share in zip(_WEIGHTS, _linear(colour), strict=True))


def contrast(one, other):
    """Contrast of two colours, 1 to 21, as WCAG 2.2 defines it.

    Examples
    --------
    >>> contrast("#ffffff", "#000000"), round(contrast("#767676", "#ffffff"), 2)
    (21.0, 4.54)
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour, ground=WHITE, least=READABLE):
    """The colour itself where it can be read on a ground, else one of its hue that just can.

    Parameters
    ----------
    colour, ground : str
        As ``#rrggbb``.
    least : float
        Least contrast.

    Returns
    -------
    str
        On a light ground all three parts of the light are dimmed alike; on a dark one they are made brighter alike, and white
        is added where the brightest can be no brighter.

    Notes
    -----
    Luminance is linear in the light, so the share is exact: for k times the light, (L_g + 0.05) / (k L + 0.05) = least.

    Examples
    --------
    >>> readable("#0b6e8c"), readable("#ffcc00"), readable("#0b6e8c", "#121212")
    ('#0b6e8c', '#917300', '#1087ab')
    """
    if contrast(colour, ground) >= least:
        return colour.lower()
    light, own, below = _linear(colour), luminance(colour), luminance(ground)
    if below > 0.18:  # black reads better on it than white does
        share = ((below + 0.05) / least - 0.05) / own
        return _hex([part * share for part in light], up=False)
    due = (below + 0.05) * least - 0.05
    most = min(due / own, 1 / max(light)) if own else 1
    light, own = [part * most for part in light], own * most
    share = max(0.0, (due - own) / (1 - own))
    return _hex([part + share * (1 - part) for part in light], up=True)


_WEIGHTS = (0.2126, 0.7152, 0.0722)


def _linear(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _hex(light, up):
    """Whole steps of 255, each rounded to the side on which the contrast is kept."""
    parts = [12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in light]
    steps = [min(255, max(0, int(255 * part + (1 - 1e-9 if up else 1e-9)))) for part in parts]
    return "#{:02x}{:02x}{:02x}".format(*steps)
