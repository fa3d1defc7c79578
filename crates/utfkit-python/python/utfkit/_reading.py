"""Files in any encoding, as UTF-8 or as text."""

from __future__ import annotations

import builtins
import io
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from ._utfkit import Detection, Report, Stream

__all__ = ["Reader", "TextFile", "open", "reader"]

_CHUNK = 256 << 10

_Strings = str | Iterable[str] | None


class _Raw(io.RawIOBase):
    """What a binary file contains, as UTF-8.

    With `reopen`, which opens the file again, it can seek: to a place further back by reading all anew.
    """

    mode = "rb"

    def __init__(self, file: Any, stream: Callable[[], Stream], reopen: Callable[[], Any] | None = None) -> None:
        self.file = file
        self.stream = stream()
        self._stream = stream
        self._reopen = reopen
        self._begin()

    def _begin(self) -> None:
        self._text = memoryview(b"")
        self._at = 0
        self._error: UnicodeError | None = None
        self._is_at_end = False
        self._taken = 0
        self._first = b""

    def _read(self) -> Any:
        # A file in memory has one position for all who have opened it.
        if self._reopen is not None and not isinstance(self.file, io.FileIO) and self.file.seekable():
            if self.file.tell() != self._taken:
                self.file.seek(self._taken)
        chunk = self.file.read(_CHUNK)
        self._taken += len(chunk or b"")
        return chunk

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._reopen is not None

    def _fill(self) -> bool:
        """Reads until there is text. False at the end."""
        while not self._text:
            if self._error is not None:
                raise self._error
            if self._is_at_end:
                return False
            chunk = self._read()
            if chunk is None:
                raise BlockingIOError
            if isinstance(chunk, str):
                raise TypeError("a binary file is needed, not a text file: open it with 'rb'")
            self._is_at_end = not chunk
            if self._taken == len(chunk):
                self._first = bytes(chunk[:6])
            try:
                text = self.stream.push(chunk) if chunk else self.stream.finish()
            except UnicodeError as error:
                # The text before it comes first.
                text, self._error = self.stream.text, _told(error, self._first)
            self._text = memoryview(text)
        return True

    def _skip(self, length: int) -> None:
        self._text = self._text[length:]
        self._at += length

    def readinto(self, buffer: Any) -> int | None:
        try:
            if not self._fill():
                return 0
        except BlockingIOError:
            return None
        target = memoryview(buffer).cast("B")
        length = min(len(target), len(self._text))
        target[:length] = self._text[:length]
        self._skip(length)
        return length

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if self._reopen is None:
            raise io.UnsupportedOperation("seek")
        if whence == io.SEEK_CUR:
            offset += self._at
        elif whence == io.SEEK_END:
            while self._fill():
                self._skip(len(self._text))
            offset += self._at
        if offset < 0:
            raise ValueError(f"negative seek value {offset}")
        if offset < self._at:
            self.file.close()
            self.file, self.stream = self._reopen(), self._stream()
            self._begin()
        while self._at < offset and self._fill():
            self._skip(min(offset - self._at, len(self._text)))
        return self._at

    def close(self) -> None:
        try:
            if not self.closed:
                self.file.close()
        finally:
            super().close()


class Reader(io.BufferedReader):
    """A binary file of UTF-8, made of a file in any encoding."""

    raw: _Raw

    @property
    def report(self) -> Report:
        """The encoding, how sure it is, and the errors so far."""
        return self.raw.stream.report

    @property
    def detection(self) -> Detection | None:
        """What was detected. `None` while that is unknown, and for a stated encoding."""
        return self.raw.stream.detection

    @property
    def name(self) -> Any:
        """The name of the file in the other encoding."""
        return self.raw.file.name


class TextFile(io.TextIOWrapper):
    """A text file, made of a file in any encoding."""

    mode = "r"

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding that was found: 'us-ascii' while nothing else was read."""
        return self.report.encoding or "us-ascii"

    @property
    def report(self) -> Report:
        """The encoding, how sure it is, and the errors so far."""
        return self.buffer.report  # type: ignore[attr-defined, no-any-return]

    @property
    def detection(self) -> Detection | None:
        """What was detected. `None` while that is unknown, and for a stated encoding."""
        return self.buffer.detection  # type: ignore[attr-defined, no-any-return]


Reader.__module__ = TextFile.__module__ = "utfkit"


_COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\0": "lzma", b"\x28\xb5\x2f\xfd": "compression.zstd"}


def _told(error: UnicodeError, first: bytes) -> UnicodeError:
    """The error, with the module that opens such a file if it is a compressed one."""
    module = next((name for magic, name in _COMPRESSED.items() if first.startswith(magic)), None)
    if module is None or isinstance(error, UnicodeDecodeError):
        return error
    return UnicodeError(f"{error}: a compressed file, which {module}.open decompresses: utfkit.reader({module}.open(path))")


def reader(
    path_or_file: Any,
    encoding: str | None = "auto",
    errors: str | None = "strict",
    *,
    fallback: str | None = None,
    at_least: str = "a guess",
    only: _Strings = None,
    not_: _Strings = None,
    language: _Strings = None,
) -> Reader:
    """Opens a file in any encoding as a binary file of UTF-8, for a parser.

    `path_or_file` is a path, a URL that fsspec opens, or a binary file, which is closed with the reader. 'auto' detects the encoding in the
    first MiB from the first character that is not US-ASCII; `at_least`, `only`, `not_` and `language` are as
    for `detect`. `errors` is 'strict', 'replace' or 'ignore'. `fallback` is an encoding
    for the bytes that are not UTF-8.

    >>> import io
    >>> with utfkit.reader(io.BytesIO("id,Stadt\\n1,Köln\\n".encode("utf-16"))) as file:
    ...     file.read(), file.report.encoding
    (b'id,Stadt\\n1,K\\xc3\\xb6ln\\n', 'utf-16le')
    """
    encoding, errors = encoding or "auto", errors or "strict"
    options = {"fallback": fallback, "at_least": at_least, "only": only, "not_": not_, "language": language}
    if not isinstance(path_or_file, (str, bytes, os.PathLike)):
        if not hasattr(path_or_file, "read"):
            raise TypeError(f"a path or a binary file is needed, not {type(path_or_file).__name__}")
        name = getattr(path_or_file, "name", None)
        return Reader(_Raw(path_or_file, _streams(encoding, errors, name, options)), _CHUNK)
    path = os.fspath(path_or_file)
    if isinstance(path, str) and "://" in path:
        return reader_of(lambda: _opened_by_fsspec(path), path, encoding, errors, **options)
    return reader_of(lambda: builtins.open(path, "rb", buffering=0), os.fsdecode(path), encoding, errors, **options)


def reader_of(
    opened: Callable[[], Any], name: str, encoding: str = "auto", errors: str = "strict", **options: Any
) -> Reader:
    """A reader of what `opened` opens, each time anew."""
    stream = _streams(encoding, errors, name, options)
    file = opened()
    is_pipe = isinstance(file, io.FileIO) and not file.seekable()
    return Reader(_Raw(file, stream, None if is_pipe else opened), _CHUNK)


def _streams(encoding: str, errors: str, name: Any, options: dict[str, Any]) -> Callable[[], Stream]:
    """Makes streams with these options, which are checked before a file is opened."""

    def stream() -> Stream:
        return Stream(encoding, errors, name=name if isinstance(name, str) else None, **options)

    stream()
    return stream


def open(
    path_or_file: Any,
    encoding: str | None = "auto",
    errors: str | None = "strict",
    fallback: str | None = None,
    newline: str | None = None,
    *,
    at_least: str = "a guess",
    only: _Strings = None,
    not_: _Strings = None,
    language: _Strings = None,
) -> TextFile:
    """Opens a file in any encoding for reading, as the builtin `open` opens text. See `reader` for the
    arguments; `newline` is that of the builtin.

    >>> import io
    >>> with utfkit.open(io.BytesIO("Straße\\r\\nÖl\\r\\n".encode("cp1252"))) as file:
    ...     list(file), file.encoding
    (['Straße\\n', 'Öl\\n'], 'windows-1252')
    """
    if encoding and re.fullmatch("[rwaxbt+]{1,3}", encoding):
        raise ValueError(f"utfkit.open reads, and takes no mode: {encoding!r} is in the place of an encoding")
    options: dict[str, Any] = {"at_least": at_least, "only": only, "not_": not_, "language": language}
    binary = reader(path_or_file, encoding, errors, fallback=fallback, **options)
    return TextFile(binary, encoding="utf-8", newline=newline)


def _opened_by_fsspec(url: str) -> Any:
    try:
        import fsspec
    except ImportError as error:
        raise ImportError(f"{url!r} needs fsspec: pip install fsspec") from error
    return fsspec.open(url, "rb").open()
