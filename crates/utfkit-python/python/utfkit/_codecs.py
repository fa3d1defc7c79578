"""The encodings as codecs of Python, and the error handlers."""

from __future__ import annotations

import codecs
import threading
from collections.abc import Callable
from typing import Any

from . import _utfkit

__all__ = ["register", "unregister"]

# The states of an encoder before it has written anything, and anywhere in a file.
_START = 1
_NEUTRAL = 0


class _Writer(codecs.StreamWriter):
    encoding: str

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self.state = _START

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        result, self.state = _utfkit.encode_part(input, self.encoding, errors, False, self.state)
        return result, len(input)

    def reset(self) -> None:
        """Returns to the first set of characters, so that the stream can be read from here on."""
        if self.state != _START:
            rest, _ = _utfkit.encode_part("", self.encoding, self.errors, True, self.state)
            if rest:
                self.stream.write(rest)
        self.state = _START

    def seek(self, offset: int, whence: int = 0) -> None:
        self.stream.seek(offset, whence)
        self.state = _START if whence == 0 and offset == 0 else _NEUTRAL


class _Reader(codecs.StreamReader):
    encoding: str

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self.state: int | None = None

    def decode(self, input: bytes, errors: str = "strict") -> tuple[str, int]:
        text, taken, self.state = _utfkit.decode_part(input, self.encoding, errors, False, self.state)
        return text, taken

    def read(self, size: int | None = -1, chars: int = -1, firstline: bool = False) -> str:
        return super().read(-1 if size is None else size, chars, firstline)

    def reset(self) -> None:
        super().reset()
        self.state = None


class _Codec(codecs.CodecInfo):
    """A codec that can be pickled by its name."""

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return _codec, (self.name,)


def _made(name: str, kind: str) -> Any:
    """A new object of a class of the codec, which pickle cannot find by its name."""
    return getattr(_codec(name), kind)()


def _reduced(kind: str, base: Any) -> Callable[[Any], Any]:
    def reduced(self: Any) -> Any:
        if type(self) is getattr(_codec(self.encoding), kind):
            return _made, (self.encoding, kind), self.__getstate__()
        # A class of the program.
        return base.__reduce__(self)

    return reduced


_known: dict[str, codecs.CodecInfo] = {}


def _codec(name: str) -> codecs.CodecInfo:
    """The codec of the encoding that is called `name` here: one for each, also in several threads."""
    return _known.get(name) or _known.setdefault(name, _new_codec(name))


def _new_codec(name: str) -> codecs.CodecInfo:
    def encode(input: str, errors: str | None = "strict") -> tuple[bytes, int]:
        return _utfkit.encode(input, name, errors or "strict"), len(input)

    def decode(input: Any, errors: str | None = "strict") -> tuple[str, int]:
        return _utfkit.decode(input, name, errors or "strict"), memoryview(input).nbytes

    attributes = {"encoding": name}
    reader: Any = type("StreamReader", (_Reader,), attributes)
    writer: Any = type("StreamWriter", (_Writer,), attributes)
    made = {"__reduce__": _reduced("incrementalencoder", _utfkit.IncrementalEncoder), **attributes}
    encoder: Any = type("IncrementalEncoder", (_utfkit.IncrementalEncoder, codecs.IncrementalEncoder), made)
    made = {"__reduce__": _reduced("incrementaldecoder", _utfkit.IncrementalDecoder), **attributes}
    decoder: Any = type("IncrementalDecoder", (_utfkit.IncrementalDecoder, codecs.IncrementalDecoder), made)
    return _Codec(encode, decode, reader, writer, encoder, decoder, name)


def _search(name: str) -> codecs.CodecInfo | None:
    """The function for `codecs.register`: `name` is in lower case, with `_` for anything but
    letters and digits."""
    canonical = _utfkit.find_encoding(name)
    if canonical is None:
        return None
    if name.startswith("utfkit"):
        canonical = f"utfkit-{canonical}"
    return _codec(canonical)


def _maximal_subpart(error: UnicodeError) -> tuple[str, int]:
    """U+FFFD for each maximal subpart of an ill-formed sequence, as the Unicode Standard
    recommends and browsers do; `?` for a character that an encoding lacks."""
    if isinstance(error, UnicodeDecodeError):
        return "\ufffd", error.end
    if isinstance(error, UnicodeEncodeError):
        return "?" * (error.end - error.start), error.end
    raise error


def _windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Ill-formed bytes as the characters of windows-1252."""
    if isinstance(error, UnicodeDecodeError):
        return _utfkit.decode(error.object[error.start : error.end], "windows-1252"), error.end
    raise error


_lock = threading.Lock()
_registered = False


def register() -> None:
    """Makes every encoding of utfkit a codec of Python, and the error handlers
    `utfkit.maximal_subpart` and `utfkit.windows_1252`.

    A name that Python has keeps its meaning; with `utfkit-` before it, every name means the
    codec from here.

    >>> utfkit.register()
    >>> "\U0001f600".encode("cesu-8")
    b'\\xed\\xa0\\xbd\\xed\\xb8\\x80'
    >>> b"caf\\xe9 \\xe2\\x82\\xac".decode("utf-8", "utfkit.windows_1252")
    'café €'
    """
    global _registered
    with _lock:
        codecs.register_error("utfkit.maximal_subpart", _maximal_subpart)
        codecs.register_error("utfkit.windows_1252", _windows_1252)
        if not _registered:
            codecs.register(_search)
            _registered = True


def unregister() -> None:
    """Takes the codecs back. Python cannot take back an error handler."""
    global _registered
    with _lock:
        if _registered:
            codecs.unregister(_search)
            _registered = False
