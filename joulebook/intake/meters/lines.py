"""A text file as blocks of whole lines in UTF-8, so that a file of any length takes little memory."""

import codecs
import gzip
import stat
import zlib
from concurrent.futures import ThreadPoolExecutor

from joulebook.errors import InputError, Problem
from joulebook.intake.checks import refuse

BLOCK = 8 << 20  # bytes that are read at once
_HEAD = 1 << 16
_LONGEST = 64 << 20  # bytes without an end of a line, or of a quoted cell
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Lines:
    """Whole lines of a text file.

    Parameters
    ----------
    path : pathlib.Path
        The file; one that ends in ``.gz`` is unpacked as it is read.
    shown : str
        How the user named it.
    encoding : str or None
        Encoding where it is declared; UTF-8 or UTF-16 else, by byte order mark or zeros.
    """

    def __init__(self, path, shown, encoding=None):
        self.path, self.shown = path, shown
        self.size = _size(path, shown)
        with self.open() as file:
            head = self.read(file, _HEAD)
        self.skip, self.encoding = 0, encoding or "utf-8"
        for mark, name in _MARKS:
            if head.startswith(mark):
                self.skip, self.encoding = len(mark), name
                break
        else:
            if encoding is None and b"\x00" in head:
                self.encoding = _wide(head)
        if self.encoding == "utf-16":  # declared, without a mark
            self.encoding = _wide(head) or "utf-16-le"
        if self.encoding is None:
            refuse("no text: bytes of value zero in it", file=shown, allowed="text in UTF-8 or UTF-16, Parquet or Excel")
        self.old_ends = b"\n" not in head and b"\r" in head
        self.head = self.text(head[self.skip :], cut=True)

    def open(self):
        return gzip.open(self.path, "rb") if self.path.suffix.lower() == ".gz" else self.path.open("rb")

    def read(self, file, count):
        try:
            return file.read(count)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(Problem(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=self.shown)) from None

    def text(self, data, cut=False):
        """Text of the beginning of the file; a last character that was cut is left out."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        try:
            text = decoder.decode(data, not cut)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            refuse(
                f"not {self.encoding.upper()}",
                file=self.shown,
                line=line,
                value=data[error.start : error.start + 1],
                field="encoding",
                allowed="UTF-8 or UTF-16; declare encoding, such as cp1252",
            )
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def whole(self, most):
        """All of the text, of a file of at most so many bytes."""
        if self.size > most:
            refuse("too large for this format", file=self.shown, value=f"{self.size} bytes", allowed=f"at most {most} bytes")
        text, size = [], 0
        for data, _, _ in self.blocks(quotes=False):
            size += len(data)
            if size > most:
                refuse("too large for this format when unpacked", file=self.shown, allowed=f"at most {most} bytes")
            text.append(self.decoded(data))
        return "".join(text)

    def decoded(self, data):
        """Text of a block; bytes that are no UTF-8 are an error with their line."""
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            return refuse(
                "not UTF-8",
                file=self.shown,
                value=data[error.start : error.start + 1],
                field="encoding",
                allowed="UTF-8 or UTF-16; declare encoding, such as cp1252",
            )

    def blocks(self, quotes=True):
        """Blocks of whole lines in UTF-8 that end with LF, the share that is read then, and whether it is the last.

        The next is read while one is worked on.
        """
        each = self._blocks(quotes)
        if self.size < BLOCK:  # no time to win
            block = next(each, None)
            while block is not None:
                following = next(each, None)
                yield *block, following is None
                block = following
            return
        with ThreadPoolExecutor(1) as reader:
            coming = reader.submit(next, each, None)
            while (block := coming.result()) is not None:
                coming = reader.submit(next, each, None)
                yield *block, block[1] == 1.0 and coming.result() is None

    def _blocks(self, quotes):
        decoder = None if self.encoding == "utf-8" else codecs.getincrementaldecoder(self.encoding)()
        rest = b""
        with self.open() as file:
            self.read(file, self.skip)
            done, share = self.skip, 0.0
            while True:
                data = self.read(file, BLOCK)
                ended = not data
                done += len(data)
                if decoder is not None:
                    try:
                        data = decoder.decode(data, ended).encode()
                    except (UnicodeDecodeError, UnicodeEncodeError):
                        refuse(
                            f"not {self.encoding.upper()}",
                            file=self.shown,
                            field="encoding",
                            allowed="text in one encoding from beginning to end",
                        )
                if b"\x00" in data:
                    refuse("no text: bytes of value zero in it", file=self.shown, allowed="text in UTF-8 or UTF-16")
                if self.old_ends:
                    data = data.replace(b"\r", b"\n")
                data = rest + data if rest else data
                if ended:
                    if data:
                        data = _even(data)
                        yield (data if data.endswith(b"\n") else data + b"\n"), 1.0
                    return
                cut = _cut(data, quotes)
                rest, data = data[cut:], data[:cut]
                if len(rest) > _LONGEST:
                    refuse("a quote that is not closed, or a line without end", file=self.shown)
                if data:
                    share = min(done / max(self.size, 1), 1.0)
                    yield _even(data), share


def _even(data):
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _cut(data, quotes):
    """Place behind the last end of a line that stands in no quotes; 0 where there is none."""
    cut = data.rfind(b"\n") + 1
    if not quotes or b'"' not in data:
        return cut
    odd = data.count(b'"', 0, cut) % 2
    while cut and odd:
        before = data.rfind(b"\n", 0, cut - 1) + 1
        odd ^= data.count(b'"', before, cut) % 2
        cut = before
    return cut


def _wide(head):
    """UTF-16 without a mark, by where the zeros stand in plain Latin text."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.6 * half and not even:
        return "utf-16-le"
    return "utf-16-be" if even > 0.6 * half and not odd else None


def _size(path, shown):
    try:
        info = path.stat()
    except FileNotFoundError:
        raise InputError(Problem("no such file", file=shown)) from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(Problem(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=shown)) from None
    if not stat.S_ISREG(info.st_mode):
        refuse("a folder where a file is due" if stat.S_ISDIR(info.st_mode) else "no regular file", file=shown)
    if not info.st_size:
        refuse("nothing in it", file=shown, allowed="a file with readings")
    return info.st_size
