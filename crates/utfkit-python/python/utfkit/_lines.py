"""Files in any encoding as lines, in ranges that workers read.

The encoding of a file is detected once, by one worker. A range then begins and ends after a line end, which can be
found among the bytes of every encoding without states, so each worker reads its ranges without the bytes before them.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from ._clusters import PIECE
from ._files import opened as opened_plain
from ._files import stored
from ._utfkit import Stream, encode, find_encoding

COMPRESSED = (".gz", ".bz2", ".zst", ".lz4")
"""The names of files that pyarrow decompresses. Such a file is one range."""


class Found(NamedTuple):
    """The encoding of a file."""

    path: str
    size: int
    encoding: str
    certainty: str


class Part(NamedTuple):
    """The lines that begin from byte `start` to byte `end` of a file."""

    path: str
    start: int
    end: int
    encoding: str


def line_end(encoding: str) -> bytes | None:
    """The bytes of a line feed, which are one unit, at which a file of the encoding can be cut. `None` if a byte
    can mean something else after other bytes."""
    name = find_encoding(encoding)
    if name is None or name.startswith(("iso-2022", "hz", "utf-7", "x-utf-7", "imap")):
        return None
    end = encode("\n", name)
    # With a BOM before it, the order of the bytes is open.
    return end if len(end) == 1 or (len(end) in (2, 4) and end.strip(b"\0") == b"\n") else None


def checked_options(encoding: str, errors: str, fallback: str | None, at_least: str) -> dict[str, Any]:
    """The options of a stream, so that wrong ones are an error here and not on a worker."""
    options: dict[str, Any] = {"fallback": fallback, "at_least": at_least}
    Stream(encoding, errors, **options)
    return {"errors": errors, "fallback": fallback}


class Detect:
    """Detects the encoding of a file in the way of `utfkit.reader`."""

    def __init__(self, at_least: str, errors: str, fallback: str | None) -> None:
        self.at_least = at_least
        self.errors = errors
        self.fallback = fallback

    def __call__(self, path: str, size: int) -> Found:
        stream = Stream("auto", self.errors, at_least=self.at_least, fallback=self.fallback, name=path)
        with opened(path) as file, suppress(UnicodeDecodeError):
            while stream.report.encoding is None:
                piece = file.read(PIECE)
                if not piece:
                    stream.finish()
                    break
                # An error in the encoding that is found is one of the range that has it.
                stream.push(piece)
        report = stream.report
        return Found(path, size, report.encoding or "us-ascii", report.certainty or "certain")


def parts_of(found: Iterable[Found], size: int, *, whole: bool = False) -> list[Part]:
    """The files in ranges of `size` bytes; each as one range where it cannot be cut."""
    parts = []
    for path, length, encoding, _ in found:
        is_one = whole or path.endswith(COMPRESSED) or line_end(encoding) is None
        step = max(length, 1) if is_one else size
        parts += [Part(path, start, start + step, encoding) for start in range(0, max(length, 1), step)]
        # To the end, whatever the length of the text is.
        parts[-1] = parts[-1]._replace(end=-1)
    return parts


def opened(path: str) -> Any:
    """The bytes of a file, decompressed."""
    if not path.endswith(COMPRESSED):
        return opened_plain(path)
    system, inner = stored(path)
    try:
        return _Unpacked(system.open_input_stream(inner, compression="detect"), path)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), path) from error


class _Unpacked:
    """A compressed file. What is wrong with it names it."""

    def __init__(self, file: Any, path: str) -> None:
        self._file = file
        self._path = path

    def read(self, size: int) -> bytes:
        try:
            return self._file.read(size)  # type: ignore[no-any-return]
        except OSError as error:
            raise OSError(errno.EIO, f"cannot be decompressed: {error}", self._path) from error

    def __enter__(self) -> _Unpacked:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


class Lines:
    """The text of a part, in pieces that end after a line end."""

    def __init__(self, errors: str, fallback: str | None, is_end: Callable[[bytes], int] | None = None) -> None:
        self.errors = errors
        self.fallback = fallback
        # The index after the last record that is whole.
        self.is_end = is_end or _after_last_line

    def __call__(self, part: Part) -> Iterator[bytes]:
        rest = b""
        is_after_line_end = part.start > 0
        for text in self._text(part):
            if is_after_line_end:
                is_after_line_end, text = False, text.removeprefix(b"\n")
            text = rest + text
            at = self.is_end(text)
            rest = text[at:]
            if at:
                yield text[:at]
        if rest:
            yield rest

    def _text(self, part: Part) -> Iterator[bytes]:
        end = line_end(part.encoding)
        with opened(part.path) as file:
            start, stop = part.start, part.end
            if start:
                assert end is not None
                start = _line_start(file, start, end)
            if stop >= 0:
                assert end is not None
                stop = _line_start(file, stop, end)
            stream = Stream(part.encoding, self.errors, fallback=self.fallback)
            at = start
            if start:
                # After a line end, U+FEFF is a character and no BOM.
                assert end is not None
                file.seek(start)
                at -= len(end)
                # It comes with the next text.
                assert not stream.push(end)
            elif not part.path.endswith(COMPRESSED):
                file.seek(0)
            left = stop - start
            while stop < 0 or left > 0:
                piece = file.read(PIECE if stop < 0 else min(PIECE, left))
                if not piece:
                    break
                left -= len(piece)
                yield from self._pushed(stream, partial(stream.push, piece), part.path, at)
            yield from self._pushed(stream, stream.finish, part.path, at)

    def _pushed(self, stream: Stream, push: Callable[[], bytes], path: str, at: int) -> Iterator[bytes]:
        try:
            text = push()
        except UnicodeDecodeError as error:
            yield stream.text
            raise _placed(error, stream, path, at) from None
        if text:
            yield text


def _placed(error: UnicodeDecodeError, stream: Stream, path: str, at: int) -> UnicodeDecodeError:
    """The error with its place in the file."""
    kind = error.reason.partition(" at byte ")[0]
    place = (stream.report.first_error or 0) + at
    return UnicodeDecodeError(error.encoding, error.object, error.start, error.end, f"{kind} at byte {place} of {path}")


def _after_last_line(text: bytes) -> int:
    return text.rfind(b"\n") + 1


def after_last_record(quote: bytes) -> Callable[[bytes], int]:
    """For text whose line ends do not end a record between quotation marks."""

    def at(text: bytes) -> int:
        end, quotes = len(text), text.count(quote)
        while True:
            found = text.rfind(b"\n", 0, end)
            if found < 0:
                return 0
            quotes -= text.count(quote, found, end)
            if quotes % 2 == 0:
                return found + 1
            end = found

    return at


def _line_start(file: Any, at: int, end: bytes) -> int:
    """The first place from `at` on where a line begins, or the end of the file."""
    unit = len(end)
    at += -at % unit
    # The line end may be just before.
    file.seek(at - unit)
    at -= unit
    size = 1024
    while True:
        piece = file.read(size)
        if not piece:
            return at
        found = piece.find(end)
        while found >= 0 and found % unit:
            found = piece.find(end, found + 1)
        if found >= 0:
            return int(at + found + unit)
        at += len(piece)
        size = PIECE
