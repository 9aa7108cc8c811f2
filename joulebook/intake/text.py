"""Text files in UTF-8, and a clear error for everything else."""

import os
import stat

from joulebook.errors import InputError, Problem

_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")  # marks of UTF-16 and UTF-32
_MARK = b"\xef\xbb\xbf"
_SAVE = "UTF-8; in a spreadsheet: save as CSV UTF-8"


def read_bytes(path, shown=None, most=None):
    """Content of a regular file.

    Parameters
    ----------
    path : pathlib.Path or str
        The file.
    shown : str, optional
        How the user named it.
    most : int, optional
        Bytes it may have at most.

    Raises
    ------
    InputError
        If it is missing, no regular file, not readable or too large.
    """
    shown = shown or os.path.basename(path)  # noqa: PTH119
    try:
        info = os.stat(path)  # noqa: PTH116 - a path may be text as well: a tree holds thousands of files
        if stat.S_ISDIR(info.st_mode):
            raise InputError(Problem("a folder where a file is due", file=shown))
        if not stat.S_ISREG(info.st_mode):  # reading a pipe or a device could wait for ever
            raise InputError(Problem("no regular file", file=shown))
        if most is not None and info.st_size > most:
            raise InputError(Problem("too large", file=shown, value=f"{info.st_size} bytes", allowed=f"at most {most} bytes"))
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            return file.readall()
    except FileNotFoundError:
        raise InputError(Problem("no such file", file=shown)) from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(Problem(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=shown)) from None


def read_text(path, shown=None, most=None):
    """Content of a text file in UTF-8, with or without a byte order mark.

    Parameters
    ----------
    path, shown, most
        As in `read_bytes`.

    Raises
    ------
    InputError
        If it cannot be read, or is in another encoding, with the line of the first wrong byte.
    """
    shown = shown or path.name
    data = read_bytes(path, shown, most)
    if data.startswith(_WIDE) or b"\x00" in data:
        raise InputError(Problem("not UTF-8 but UTF-16, UTF-32 or no text at all", file=shown, allowed=_SAVE))
    data = data.removeprefix(_MARK)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(Problem("not UTF-8", file=shown, line=data.count(b"\n", 0, error.start) + 1,
                                 value=data[error.start:error.start + 1], allowed=_SAVE)) from None
