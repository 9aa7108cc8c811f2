"""What is known of the power sensors on accelerators, by the names of boards."""

import re

# On these the sensor looks at about a quarter of the time (Yang et al., arXiv:2312.02741).
SEEN_SHARE = 0.25
_QUARTER = re.compile(r"\b(?:A100|H100)\b", re.I)
# Boards on which the first sensor is that of a module of GPU and CPU together.
_MODULES = re.compile(r"\bG[HB]200\b", re.I)
# Boards whose plain reading is a mean of the last second: Ampere and later, but for GA100 (documentation of nvidia-smi).
_GA100 = re.compile(r"\b(?:A100|A30)\b", re.I)
_BEFORE_AMPERE = re.compile(r"\b(?:V100|P100|P4|P40|T4|K80|K40|M60|TITAN|GTX|RTX 20[0-9]0|Quadro)\b", re.I)
AVERAGING_S = 1.0
_QUARTER_SAID = "on A100 and H100 the sensor on the board looks at about a quarter of the time (arXiv:2312.02741)"


def known_of(board, average=None):
    """Accuracy and notes of a board.

    Parameters
    ----------
    board : str or None
        Its name; None where the file does not say.
    average : bool or None
        Whether the reading is the mean of a second by its own name; None where it depends on the board.

    Returns
    -------
    dict
        ``accuracy`` (fields of `joulebook.method.series.Accuracy`) and ``notes``.

    Examples
    --------
    >>> known_of("NVIDIA A100-SXM4-40GB")["accuracy"], known_of("NVIDIA L40S")["accuracy"]
    ({'seen_share': 0.25}, {'averaging_s': 1.0})
    """
    accuracy, notes = {}, []
    if board is None:
        notes.append(f"the board is not named; {_QUARTER_SAID}: prefer a wall meter or an energy counter")
    elif _QUARTER.search(board):
        accuracy["seen_share"] = SEEN_SHARE
        notes.append(f"{board}: {_QUARTER_SAID}")
    if average or (average is None and board is not None and not _GA100.search(board) and not _BEFORE_AMPERE.search(board)):
        accuracy["averaging_s"] = AVERAGING_S
    return {"accuracy": accuracy, "notes": tuple(notes)}


def scope_of(board):
    """Scope of a board's own sensor: of a superchip that of the whole module, CPU included.

    Examples
    --------
    >>> scope_of("NVIDIA GH200 480GB"), scope_of("NVIDIA H100 PCIe"), scope_of(None)
    ('module', 'gpu', 'gpu')
    """
    return "module" if board and _MODULES.search(board) else "gpu"
