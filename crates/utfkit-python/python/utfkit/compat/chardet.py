"""The interface of chardet 7, answered by utfkit.

>>> from utfkit.compat import chardet
>>> chardet.detect("Съешь же ещё этих мягких французских булок".encode("koi8-r"))["encoding"]
'KOI8-R'

The encoding is named as chardet names it, and one that Python has a codec for. The confidence is a
probability: of the answers with 0.9, nine in ten are right.
"""

from __future__ import annotations

import dataclasses
import enum
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypedDict

import utfkit
from utfkit._utfkit import detect_as_one

from ._names import codec_name, codecs_of, decodes, encoding_of_codec

__all__ = [
    "DEFAULT_MAX_BYTES",
    "MINIMUM_THRESHOLD",
    "DetectionDict",
    "DetectionResult",
    "EncodingEra",
    "LanguageFilter",
    "UniversalDetector",
    "__version__",
    "detect",
    "detect_all",
]

# The version of chardet whose interface this is.
__version__ = "7.7.0"

DEFAULT_MAX_BYTES = 200_000
MINIMUM_THRESHOLD = 0.20
_CHUNK_SIZE = 65_536


class DetectionDict(TypedDict):
    """The result of a detection."""

    encoding: str | None
    confidence: float
    language: str | None
    mime_type: str | None


@dataclasses.dataclass(frozen=True, slots=True)
class DetectionResult:
    """The result of a detection as an object."""

    encoding: str | None
    confidence: float
    language: str | None
    mime_type: str | None = None

    def to_dict(self) -> DetectionDict:
        """The same as a dictionary."""
        return {
            "encoding": self.encoding,
            "confidence": self.confidence,
            "language": self.language,
            "mime_type": self.mime_type,
        }


class EncodingEra(enum.IntFlag):
    """Groups of encodings."""

    MODERN_WEB = 1
    LEGACY_ISO = 2
    LEGACY_MAC = 4
    LEGACY_REGIONAL = 8
    DOS = 16
    MAINFRAME = 32
    ALL = 63


class LanguageFilter(enum.IntFlag):
    """Groups of languages, which chardet 7 ignores."""

    CHINESE_SIMPLIFIED = 1
    CHINESE_TRADITIONAL = 2
    JAPANESE = 4
    KOREAN = 8
    NON_CJK = 16
    ALL = 31
    CHINESE = 3
    CJK = 15


# Codecs by chardet's names of them, which are the widest that fit its answers.
_INTERNAL = {
    "euc_jp": "euc_jis_2004",
    "shift_jis": "shift_jis_2004",
    "iso2022_jp": "iso2022_jp_2",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
}
_DISPLAY = {
    **{f"cp125{n}": f"Windows-125{n}" for n in range(8)},
    **{f"iso8859-{n}": f"ISO-8859-{n}" for n in (1, 2, 5, 6, 7, 8, 9, 13)},
    "utf-8-sig": "UTF-8-SIG",
    "utf-16": "UTF-16",
    "utf-32": "UTF-32",
    "big5": "Big5",
    "cp855": "IBM855",
    "cp866": "IBM866",
    "cp874": "CP874",
    "cp932": "CP932",
    "cp949": "CP949",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "gb18030": "GB18030",
    "hz": "HZ-GB-2312",
    "iso2022_jp": "ISO-2022-JP",
    "iso2022_kr": "ISO-2022-KR",
    "johab": "Johab",
    "koi8-r": "KOI8-R",
    "mac-cyrillic": "MacCyrillic",
    "mac-greek": "MacGreek",
    "mac-iceland": "MacIceland",
    "mac-latin2": "MacLatin2",
    "mac-roman": "MacRoman",
    "mac-turkish": "MacTurkish",
    "shift_jis": "SHIFT_JIS",
    "tis-620": "TIS-620",
}
# The code page of Windows that includes an encoding.
_SUPERSETS = {
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "iso8859-2": "cp1250",
    "iso8859-5": "cp1251",
    "iso8859-6": "cp1256",
    "iso8859-7": "cp1253",
    "iso8859-8": "cp1255",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "iso8859-13": "cp1257",
    "tis-620": "cp874",
}
_DOS = "437 737 775 850 852 855 856 857 858 860 861 862 863 864 865 866 869".split()
_ERAS = {
    **{f"cp{n}": EncodingEra.DOS for n in _DOS},
    **{f"iso8859-{n}": EncodingEra.LEGACY_ISO for n in range(1, 17)},
    **{f"cp{n}": EncodingEra.MAINFRAME for n in "037 273 424 500 875 1026 1140".split()},
    **{f"cp{n}": EncodingEra.LEGACY_REGIONAL for n in (720, 1006, 1125)},
    **dict.fromkeys("utf-7 hz iso2022_kr koi8-t kz1048 ptcp154 hp-roman8".split(), EncodingEra.LEGACY_REGIONAL),
    "johab": EncodingEra.LEGACY_ISO,
    "iso8859-11": EncodingEra.MODERN_WEB,
}
_MAGIC = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"\x7fELF", "application/x-executable"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
]


def _era(codec: str) -> EncodingEra:
    mac = EncodingEra.LEGACY_MAC if codec.startswith("mac-") else EncodingEra.MODERN_WEB
    return _ERAS.get(codec, mac)


def _codec(name: str, parameter: str) -> str:
    codec = codec_name(name) or codec_name(encoding_of_codec(name) or "")
    if codec is None and encoding_of_codec(name):
        codec = next(iter(codecs_of(encoding_of_codec(name) or "")), None)
    if codec is None:
        raise ValueError(f"Unknown encoding {name!r} in {parameter}")
    return codec


def _set(names: Iterable[str] | None, parameter: str) -> frozenset[str] | None:
    if names is None:
        return None
    found = frozenset(_codec(name, parameter) for name in names)
    if not found:
        raise ValueError(f"{parameter} must not be empty; None means all encodings")
    return found


class _Asked(NamedTuple):
    """The arguments that all functions share."""

    era: EncodingEra
    max_bytes: int
    prefer_superset: bool
    compat_names: bool
    include: frozenset[str] | None
    exclude: frozenset[str] | None
    no_match: str
    empty: str

    def allows(self, codec: str) -> bool:
        same = {codec, _INTERNAL.get(codec, codec)}
        if not _era(codec) & self.era or (self.exclude and same & self.exclude):
            return False
        return self.include is None or bool(same & self.include)

    def name(self, codec: str, data: bytes) -> str:
        """The name under which a codec is reported."""
        superset = _SUPERSETS.get(codec) if self.prefer_superset else None
        if superset and self.allows(superset) and decodes(data, superset):
            codec = superset
        if self.compat_names:
            return _DISPLAY.get(codec, codec)
        wide = _INTERNAL.get(codec, codec)
        return wide if decodes(data, wide) else codec


def _asked(
    era: EncodingEra,
    max_bytes: int,
    should_rename_legacy: bool,
    prefer_superset: bool,
    compat_names: bool,
    include: Iterable[str] | None,
    exclude: Iterable[str] | None,
    no_match: str,
    empty: str,
) -> _Asked:
    if should_rename_legacy:
        warnings.warn("should_rename_legacy is deprecated, use prefer_superset", DeprecationWarning, stacklevel=3)
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
        raise ValueError("max_bytes must be a positive integer")
    return _Asked(
        era,
        max_bytes,
        prefer_superset or should_rename_legacy,
        compat_names,
        _set(include, "include_encodings"),
        _set(exclude, "exclude_encodings"),
        _codec(no_match, "no_match_encoding"),
        _codec(empty, "empty_input_encoding"),
    )


def _mime_type(data: bytes, is_text: bool) -> str:
    if not is_text:
        return next((mime for magic, mime in _MAGIC if data.startswith(magic)), "application/octet-stream")
    front = data[:1024].replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if front.startswith(b"<?xml"):
        return "text/xml"
    is_html = front.startswith((b"<!doctype html", b"<html", b"<head", b"<meta")) or b"<meta charset" in front
    return "text/html" if is_html else "text/plain"


class _Answer(NamedTuple):
    codec: str
    confidence: float
    language: str | None


def _answers(data: bytes, asked: _Asked) -> tuple[list[_Answer], bool]:
    """The answers, the likeliest first, and true unless the bytes are not text."""
    is_filtered = asked.include is not None or asked.exclude is not None or asked.era != EncodingEra.ALL
    only = None
    if is_filtered:
        known = (name.lower() for name, _ in utfkit.encoding_names())
        allowed = (name for name in known if any(map(asked.allows, codecs_of(name))))
        only = [*allowed, *(encoding for encoding, codec in _UNICODE if asked.allows(codec))]
        if asked.allows("utf-8-sig"):
            only.append("utf-8")
        if not only:
            return [], True
    found = detect_as_one(data, only=only)
    if found.is_binary:
        return [], False

    def named(names: Iterable[str], probability: float, language: str | None) -> Iterator[_Answer]:
        for name in names:
            codecs = [name] if name == "utf-8-sig" else codecs_of(name)
            fitting = (codec for codec in codecs if asked.allows(codec) and decodes(data, codec))
            codec = next(fitting, None)
            if codec:
                yield _Answer(codec, probability, language)

    answers: list[_Answer] = []
    for place, candidate in enumerate(found.candidates):
        # The name that takes a BOM out of the text.
        first = found.encoding if place == 0 and found.encoding else candidate.encoding
        names = [first, *candidate.alike]
        if first == "utf-8-sig" and not asked.allows("utf-8-sig"):
            names = ["utf-8", *candidate.alike]
        if place == 0 and found.encoding == "us-ascii" and found.declared:
            declared = encoding_of_codec(found.declared)
            if declared:
                names = [declared, *names]
        probability = 1.0 if place == 0 and found.bom else candidate.probability
        probability = 1.0 if first == "us-ascii" and found.certainty == "certain" else probability
        answers.extend(named(names, probability, candidate.language))
    return answers, True


_UNICODE = [("utf-16", "utf-16"), ("utf-32", "utf-32")]


def _detect(data: bytes, asked: _Asked) -> list[DetectionDict]:
    data = data[: asked.max_bytes]
    if not data:
        return [_fallback(data, asked, asked.empty, "text/plain")]
    answers, is_text = _answers(data, asked)
    mime = _mime_type(data, is_text)
    if not is_text:
        return [{"encoding": None, "confidence": 0.95, "language": None, "mime_type": mime}]
    results: list[DetectionDict] = []
    for codec, confidence, language in answers:
        name = asked.name(codec, data)
        if all(name != other["encoding"] for other in results):
            # Two letters, as chardet has them.
            code = language.partition("-")[0] if language else None
            results.append({"encoding": name, "confidence": confidence, "language": {"nb": "no"}.get(code or "", code), "mime_type": mime})
    return results or [_fallback(data, asked, asked.no_match, mime)]


def _fallback(data: bytes, asked: _Asked, codec: str, mime: str) -> DetectionDict:
    if not asked.allows(codec):
        warnings.warn(f"no encoding fits, and {codec} is excluded", UserWarning, stacklevel=4)
        return {"encoding": None, "confidence": 0.0, "language": None, "mime_type": mime}
    return {"encoding": asked.name(codec, data), "confidence": 0.10, "language": None, "mime_type": mime}


def _warn_of_chunks(chunk_size: int) -> None:
    if chunk_size != _CHUNK_SIZE:
        warnings.warn("chunk_size has no effect", DeprecationWarning, stacklevel=3)


def _front(byte_str: Any, length: int) -> Any:
    if isinstance(byte_str, str) or not hasattr(byte_str, "__getitem__"):
        raise TypeError(f"a bytes-like object is required, not '{type(byte_str).__name__}'")
    return byte_str[:length]


def detect(
    byte_str: bytes | bytearray,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = _CHUNK_SIZE,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> DetectionDict:
    """The likeliest encoding of the bytes."""
    _warn_of_chunks(chunk_size)
    asked = _asked(
        encoding_era, max_bytes, should_rename_legacy, prefer_superset, compat_names,
        include_encodings, exclude_encodings, no_match_encoding, empty_input_encoding,
    )  # fmt: skip
    return _detect(bytes(_front(byte_str, max_bytes)), asked)[0]


def detect_all(
    byte_str: bytes | bytearray,
    ignore_threshold: bool = False,
    should_rename_legacy: bool = False,
    encoding_era: EncodingEra = EncodingEra.ALL,
    chunk_size: int = _CHUNK_SIZE,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    prefer_superset: bool = False,
    compat_names: bool = True,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
    no_match_encoding: str = "cp1252",
    empty_input_encoding: str = "utf-8",
) -> list[DetectionDict]:
    """All encodings that the bytes may be in, the likeliest first; those of which the confidence is
    over `MINIMUM_THRESHOLD`, if there are some and `ignore_threshold` is false."""
    _warn_of_chunks(chunk_size)
    asked = _asked(
        encoding_era, max_bytes, should_rename_legacy, prefer_superset, compat_names,
        include_encodings, exclude_encodings, no_match_encoding, empty_input_encoding,
    )  # fmt: skip
    results = _detect(bytes(_front(byte_str, max_bytes)), asked)
    likely = [result for result in results if result["confidence"] > MINIMUM_THRESHOLD]
    return likely if likely and not ignore_threshold else results


class UniversalDetector:
    """Detects the encoding of bytes that come in chunks, of which it keeps `max_bytes`."""

    MINIMUM_THRESHOLD: ClassVar[float] = MINIMUM_THRESHOLD
    LEGACY_MAP: ClassVar[Mapping[str, str]] = MappingProxyType(_SUPERSETS)

    def __init__(
        self,
        lang_filter: LanguageFilter = LanguageFilter.ALL,
        should_rename_legacy: bool = False,
        encoding_era: EncodingEra = EncodingEra.ALL,
        max_bytes: int = DEFAULT_MAX_BYTES,
        *,
        prefer_superset: bool = False,
        compat_names: bool = True,
        include_encodings: Iterable[str] | None = None,
        exclude_encodings: Iterable[str] | None = None,
        no_match_encoding: str = "cp1252",
        empty_input_encoding: str = "utf-8",
    ) -> None:
        if lang_filter != LanguageFilter.ALL:
            warnings.warn("lang_filter has no effect", DeprecationWarning, stacklevel=2)
        self._asked = _asked(
            encoding_era, max_bytes, should_rename_legacy, prefer_superset, compat_names,
            include_encodings, exclude_encodings, no_match_encoding, empty_input_encoding,
        )  # fmt: skip
        self.reset()

    def reset(self) -> None:
        """Begins a new stream."""
        self._data = bytearray()
        self._is_closed = False
        self._result: DetectionDict = {"encoding": None, "confidence": 0.0, "language": None, "mime_type": None}

    def feed(self, byte_str: bytes | bytearray) -> None:
        """Takes the next chunk."""
        if self._is_closed:
            raise ValueError("feed() after close() without reset()")
        self._data += bytes(_front(byte_str, self._asked.max_bytes - len(self._data)))

    def close(self) -> DetectionDict:
        """Ends the stream, and returns the result."""
        if not self._is_closed:
            self._is_closed = True
            self._result = _detect(bytes(self._data), self._asked)[0]
        return self.result

    @property
    def done(self) -> bool:
        """True if more bytes would not change the result."""
        return self._is_closed or len(self._data) >= self._asked.max_bytes

    @property
    def result(self) -> DetectionDict:
        """The result; without an encoding until `close`."""
        return self._result.copy()
