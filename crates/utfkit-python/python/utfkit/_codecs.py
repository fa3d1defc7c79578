"""The encodings as codecs of Python, and the error handlers."""

from __future__ import annotations

import codecs
from typing import Any

from . import _utfkit

__all__ = ["register", "unregister"]


# A state as the number that `io.TextIOWrapper` asks for, which has 31 bits: its place here.
_states: list[bytes] = [b""]
_numbers: dict[bytes, int] = {b"": 0}


def _number(state: bytes) -> int:
    number = _numbers.get(state)
    if number is None:
        _states.append(state)
        number = _numbers[state] = len(_states) - 1
    return number


class _Encoder(codecs.IncrementalEncoder):
    encoding: str

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self.state = ""

    def encode(self, input: str, final: bool = False) -> bytes:
        result, self.state = _utfkit.encode_part(input, self.encoding, self.errors, final, self.state)
        return result

    def reset(self) -> None:
        self.state = ""

    def getstate(self) -> int:
        # 0 means, for `io.TextIOWrapper`, that something is written and nothing pending.
        if self.state == "":
            return 1
        if self.state == " ":
            return 0
        return int.from_bytes(b"\1" + self.state.encode("utf-8", "surrogatepass"), "big")

    def setstate(self, state: int | str) -> None:
        number = int(state)
        if number == 1:
            self.state = ""
        elif number == 0:
            self.state = " "
        else:
            raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
            self.state = raw[1:].decode("utf-8", "surrogatepass")


class _Decoder(codecs.IncrementalDecoder):
    encoding: str

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self.buffer = b""
        self.state = b""

    def decode(self, input: Any, final: bool = False) -> str:
        data = self.buffer + bytes(input) if self.buffer else input
        text, taken, state = _utfkit.decode_part(data, self.encoding, self.errors, final, self.state)
        self.buffer = bytes(data[taken:])
        self.state = state
        return text

    def reset(self) -> None:
        self.buffer = b""
        self.state = b""

    def getstate(self) -> tuple[bytes, int]:
        return self.buffer, _number(self.state)

    def setstate(self, state: tuple[bytes, int]) -> None:
        buffer, number = state
        if not 0 <= number < len(_states):
            raise ValueError(f"{number} is not a state that getstate returned")
        self.buffer, self.state = buffer, _states[number]


class _Writer(codecs.StreamWriter):
    encoding: str

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self.state = ""

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        result, self.state = _utfkit.encode_part(input, self.encoding, errors, False, self.state)
        return result, len(input)

    def reset(self) -> None:
        """Ends what is pending, so that the stream can be read from here on."""
        if self.state:
            rest, _ = _utfkit.encode_part("", self.encoding, self.errors, True, self.state)
            if rest:
                self.stream.write(rest)
        self.state = ""

    def seek(self, offset: int, whence: int = 0) -> None:
        self.stream.seek(offset, whence)
        self.state = "" if whence == 0 and offset == 0 else " "


class _Reader(codecs.StreamReader):
    encoding: str

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self.state = b""

    def decode(self, input: bytes, errors: str = "strict") -> tuple[str, int]:
        text, taken, self.state = _utfkit.decode_part(input, self.encoding, errors, False, self.state)
        return text, taken

    def reset(self) -> None:
        super().reset()
        self.state = b""


def _codec(name: str) -> codecs.CodecInfo:
    """The codec of the encoding that is called `name` here."""

    def encode(input: str, errors: str | None = "strict") -> tuple[bytes, int]:
        return _utfkit.encode(input, name, errors or "strict"), len(input)

    def decode(input: Any, errors: str | None = "strict") -> tuple[str, int]:
        return _utfkit.decode(input, name, errors or "strict"), memoryview(input).nbytes

    attributes = {"encoding": name}
    reader: Any = type("StreamReader", (_Reader,), attributes)
    writer: Any = type("StreamWriter", (_Writer,), attributes)
    encoder: Any = type("IncrementalEncoder", (_Encoder,), attributes)
    decoder: Any = type("IncrementalDecoder", (_Decoder,), attributes)
    return codecs.CodecInfo(encode, decode, reader, writer, encoder, decoder, name)


def _search(name: str) -> codecs.CodecInfo | None:
    """What `codecs.register` asks for: `name` is in lower case, with `_` for what is neither
    a letter nor a digit."""
    canonical = _utfkit.find_encoding(name)
    if canonical is None:
        return None
    if name.startswith("utfkit"):
        canonical = f"utfkit-{canonical}"
    return _codec(canonical)


def _maximal_subpart(error: UnicodeError) -> tuple[str, int]:
    """U+FFFD for each maximal subpart of what is ill-formed, as the Unicode Standard and the
    web have it; `?` for a character that an encoding lacks."""
    if isinstance(error, UnicodeDecodeError):
        return "\ufffd", error.end
    if isinstance(error, UnicodeEncodeError):
        return "?" * (error.end - error.start), error.end
    raise error


def _windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are ill-formed as the characters that they are in windows-1252: what people
    wrote who did not know that the file was in UTF-8."""
    if isinstance(error, UnicodeDecodeError):
        return _utfkit.decode(error.object[error.start : error.end], "windows-1252"), error.end
    raise error


_registered = False


def register() -> None:
    """Makes every encoding of utfkit a codec of Python, and the error handlers
    `utfkit.maximal_subpart` and `utfkit.windows_1252`.

    What Python has under the same name comes first; with `utfkit-` before it a name always
    means the codec from here.

    >>> utfkit.register()
    >>> "\U0001f600".encode("cesu-8")
    b'\\xed\\xa0\\xbd\\xed\\xb8\\x80'
    >>> b"caf\\xe9 \\xe2\\x82\\xac".decode("utf-8", "utfkit.windows_1252")
    'café €'
    """
    global _registered
    codecs.register_error("utfkit.maximal_subpart", _maximal_subpart)
    codecs.register_error("utfkit.windows_1252", _windows_1252)
    if not _registered:
        codecs.register(_search)
        _registered = True


def unregister() -> None:
    """Takes the codecs back. Python has no way to take back an error handler."""
    global _registered
    if _registered:
        codecs.unregister(_search)
        _registered = False
