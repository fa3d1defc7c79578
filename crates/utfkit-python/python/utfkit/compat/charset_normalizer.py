"""The interface of charset-normalizer 3, answered by utfkit.

>>> from utfkit.compat import charset_normalizer
>>> best = charset_normalizer.from_bytes("Bсеки човек има право на образование.".encode("cp1251")).best()
>>> best.encoding, str(best)
('cp1251', 'Bсеки човек има право на образование.')

`chaos` is the probability that another encoding is right.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, BinaryIO, TypedDict

import utfkit
from utfkit._utfkit import detect_as_one

from ._blocks import block
from ._names import codec_name, codecs_of, decodes, encoding_of_codec

__all__ = [
    "VERSION",
    "CharsetMatch",
    "CharsetMatches",
    "__version__",
    "detect",
    "from_bytes",
    "from_fp",
    "from_path",
    "is_binary",
    "set_logging_handler",
]

# The version of charset-normalizer whose interface this is.
__version__ = "3.5.3"
VERSION = __version__.split(".")

_logger = logging.getLogger("charset_normalizer")
_logger.addHandler(logging.NullHandler())

# Labels in the front of a text.
_FRONT = 8192
_LABEL = re.compile(r"(?:encoding|charset|coding)\s*[=:]\s*[\"']?([A-Za-z0-9._-]+)", re.IGNORECASE)

# Names of chardet, which `detect` returns.
_OF_CHARDET = {
    **{f"cp125{n}": f"Windows-125{n}" if n in (2, 4) else f"windows-125{n}" for n in range(7)},
    **{f"iso8859_{n}": f"ISO-8859-{n}" for n in (1, 2, 5, 6, 7, 8)},
    "latin_1": "ISO-8859-1",
    "big5": "Big5",
    "cp855": "IBM855",
    "cp866": "IBM866",
    "cp932": "CP932",
    "cp949": "CP949",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "gb18030": "GB18030",
    "gb2312": "GB2312",
    "iso2022_jp": "ISO-2022-JP",
    "iso2022_kr": "ISO-2022-KR",
    "koi8_r": "KOI8-R",
    "mac_cyrillic": "MacCyrillic",
    "shift_jis": "SHIFT_JIS",
    "tis_620": "TIS-620",
    "utf_16": "UTF-16",
    "utf_32": "UTF-32",
    "utf_8": "utf-8",
    "utf_8_sig": "UTF-8-SIG",
}


# Codecs of which the text has no BOM.
_WITHOUT_BOM = ("utf_8_sig", "utf_16", "utf_32")


def _name(codec: str) -> str:
    """The name of a codec in charset-normalizer's spelling."""
    return {"iso8859-1": "latin_1"}.get(codec, codec.replace("-", "_"))


def _codec(name: object) -> str | None:
    codec = codec_name(name) if isinstance(name, str) else None
    return _name(codec) if codec else None


class CharsetMatch:
    """A text that the bytes may be."""

    def __init__(
        self,
        payload: bytes | bytearray,
        guessed_encoding: str,
        mean_mess_ratio: float,
        has_sig_or_bom: bool,
        languages: Sequence[tuple[str, float]],
        decoded_payload: str | None = None,
        preemptive_declaration: str | None = None,
    ) -> None:
        self._payload = payload
        self._encoding = guessed_encoding
        self._chaos = mean_mess_ratio
        self._has_bom = has_sig_or_bom
        self._languages = list(languages)
        self._string = decoded_payload
        self._declared = preemptive_declaration
        self._submatches: list[CharsetMatch] = []

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CharsetMatch):
            return self.encoding == other.encoding and str(self) == str(other)
        return isinstance(other, str) and _codec(other) == self.encoding

    def __lt__(self, other: CharsetMatch) -> bool:
        if not isinstance(other, CharsetMatch):
            raise ValueError(f"a CharsetMatch cannot be compared with {type(other).__name__}")
        return self.chaos < other.chaos

    def __hash__(self) -> int:
        return self.fingerprint

    def __str__(self) -> str:
        if self._string is None:
            text = str(self._payload, self._encoding)
            # Other codecs take the BOM themselves; a second U+FEFF is text.
            keeps_bom = self._has_bom and self._encoding not in _WITHOUT_BOM
            self._string = text.removeprefix("\ufeff") if keeps_bom else text
        return self._string

    def __repr__(self) -> str:
        return f"<CharsetMatch '{self.encoding}' fp({self.fingerprint})>"

    @property
    def encoding(self) -> str:
        """The name of Python's codec."""
        return self._encoding

    @property
    def encoding_aliases(self) -> list[str]:
        """Other names of it."""
        from encodings.aliases import aliases

        others = [(name, alias) for alias, name in aliases.items()] + list(aliases.items())
        return [other for name, other in others if name == self.encoding and other != self.encoding]

    @property
    def bom(self) -> bool:
        """True if the bytes begin with a BOM, which the text does not contain."""
        return self._has_bom

    byte_order_mark = bom

    @property
    def languages(self) -> list[str]:
        """The English names of the languages found."""
        return [name for name, _ in self._languages]

    @property
    def language(self) -> str:
        """The English name of the language, or "Unknown"."""
        if self._languages:
            return self._languages[0][0]
        return "English" if "ascii" in self.could_be_from_charset else "Unknown"

    @property
    def chaos(self) -> float:
        """The probability that another encoding is right."""
        return self._chaos

    @property
    def coherence(self) -> float:
        """The probability of the encoding, if the language is clear; otherwise 0."""
        return self._languages[0][1] if self._languages else 0.0

    @property
    def percent_chaos(self) -> float:
        """`chaos` in percent."""
        return round(self.chaos * 100, 3)

    @property
    def percent_coherence(self) -> float:
        """`coherence` in percent."""
        return round(self.coherence * 100, 3)

    @property
    def multi_byte_usage(self) -> float:
        """How much shorter the text is than the bytes, from 0 to 1."""
        return 1.0 - len(str(self)) / len(self._payload) if self._payload else 0.0

    @property
    def raw(self) -> bytes | bytearray:
        """The bytes."""
        return self._payload

    @property
    def submatch(self) -> list[CharsetMatch]:
        """The same text in other encodings."""
        return self._submatches

    @property
    def has_submatch(self) -> bool:
        """True if other encodings read the same text."""
        return bool(self._submatches)

    def add_submatch(self, other: CharsetMatch) -> None:
        """Adds an encoding that reads the same text."""
        if not isinstance(other, CharsetMatch) or other == self:
            raise ValueError("a submatch is another CharsetMatch")
        other._string = None
        self._submatches.append(other)

    @property
    def could_be_from_charset(self) -> list[str]:
        """All encodings that read the same text."""
        return [self._encoding, *(match.encoding for match in self._submatches)]

    @property
    def alphabets(self) -> list[str]:
        """The names of the Unicode blocks in the text, sorted."""
        return sorted({name for c in set(str(self)) if (name := block(ord(c)))})

    @property
    def fingerprint(self) -> int:
        """A hash of the text."""
        return hash(str(self))

    def output(self, encoding: str = "utf_8") -> bytes:
        """The text in another encoding, with `?` for what it lacks. A label at the front becomes that of it."""
        text = str(self)
        if self._declared is not None:
            target = _codec(encoding)
            if target is None:
                raise ValueError(f"unknown encoding: {encoding}")
            if _codec(self._declared) != "utf_8" or target not in ("utf_8", "utf_8_sig"):
                label = target.replace("_", "-")

                def rewritten(match: re.Match[str]) -> str:
                    start, end = match.start(1) - match.start(), match.end(1) - match.start()
                    return match[0][:start] + label + match[0][end:]

                text = _LABEL.sub(rewritten, text[:_FRONT], count=1) + text[_FRONT:]
        return text.encode(encoding, "replace")


class CharsetMatches:
    """The texts that the bytes may be, the likeliest first."""

    def __init__(self, results: list[CharsetMatch] | None = None) -> None:
        self._results = sorted(results or [])

    def __iter__(self) -> Iterator[CharsetMatch]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __bool__(self) -> bool:
        return bool(self._results)

    def __getitem__(self, item: int | str) -> CharsetMatch:
        if isinstance(item, int):
            return self._results[item]
        for match in self._results:
            if _codec(item) in match.could_be_from_charset:
                return match
        raise KeyError(item)

    def append(self, item: CharsetMatch) -> None:
        """Adds a match in its place. One with the same text becomes a submatch."""
        if not isinstance(item, CharsetMatch):
            raise ValueError(f"{type(item).__name__} is no CharsetMatch")
        for match in self._results:
            if match.chaos == item.chaos and match.fingerprint == item.fingerprint:
                match.add_submatch(item)
                return
        self._results = sorted([*self._results, item])

    def best(self) -> CharsetMatch | None:
        """The likeliest; `None` if the bytes are not text."""
        return self._results[0] if self._results else None

    first = best


class ResultDict(TypedDict):
    """The result of `detect`."""

    encoding: str | None
    language: str
    confidence: float | None


# Told by their form, not by a model.
_PROVED = ("us-ascii", "utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "iso-2022-jp", "iso-2022-kr")


def _language(code: str | None, probability: float) -> list[tuple[str, float]]:
    names = {"zh-Hans": "Chinese", "zh-Hant": "Chinese"}
    if code is None:
        return []
    return [(names.get(code) or _LANGUAGES.get(code, code), probability)]


_LANGUAGES = dict(utfkit.language_names())


def _encodings(names: list[str] | None) -> list[str] | None:
    """The encodings of those names that are known, as charset-normalizer passes over others."""
    if not names:
        return None
    found = (encoding_of_codec(codec_name(name) or name) for name in names)
    return [encoding for encoding in found if encoding is not None]


def from_bytes(
    sequences: bytes | bytearray,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """The texts that the bytes may be, the likeliest first. Empty if they are not text.

    Kept are those whose `chaos` is at most `threshold`; if there is none, the likeliest is, unless
    `enable_fallback` is false. `steps`, `chunk_size`, `preemptive_behaviour` and
    `language_threshold` have no effect: all of the bytes are read.
    """
    if not isinstance(sequences, (bytes, bytearray)):
        raise TypeError(f"bytes or bytearray expected, not {type(sequences).__name__}")
    data = bytes(sequences)
    if not data:
        return CharsetMatches([CharsetMatch(data, "utf_8", 0.0, False, [], "")])
    only, excluded = _encodings(cp_isolation), _encodings(cp_exclusion) or []
    if only == []:
        return CharsetMatches()
    isolated = {_codec(name) for name in cp_isolation or []}
    found = detect_as_one(data, only=only, not_=excluded)
    is_seven_bits = found.encoding == "us-ascii" and b"\x1b" not in data
    matches = []
    for place, candidate in enumerate(found.candidates):
        has_bom = place == 0 and found.bom is not None
        encoding = found.encoding if has_bom and found.encoding else candidate.encoding
        # Python's text of it has no BOM.
        names = ["utf-8" if encoding == "utf-8-sig" else encoding, *candidate.alike]
        if encoding == "us-ascii" and not is_seven_bits:
            names = ["utf-8", *names]
        codecs: list[str] = []
        for name in names:
            fitting = (_name(codec) for codec in codecs_of(name) if decodes(data, codec, is_cut=False))
            wanted = next((codec for codec in fitting if not isolated or codec in isolated), None)
            if wanted and wanted not in codecs:
                codecs.append(wanted)
        if not codecs:
            continue
        is_proved = has_bom or (candidate.probability > 0.999 and encoding in _PROVED)
        chaos = 0.0 if is_proved else 1.0 - candidate.probability
        languages = _language(candidate.language, candidate.probability)
        first, *others = codecs
        match = CharsetMatch(data, first, chaos, has_bom, languages, None, found.declared)
        for other in others:
            match.add_submatch(CharsetMatch(data, other, chaos, has_bom, languages, None, found.declared))
        matches.append(match)
    kept = [match for match in matches if match.chaos <= threshold]
    if not kept and enable_fallback:
        kept = matches[:1]
    if explain:
        for match in kept:
            _logger.debug("%s: chaos %.3f", match.encoding, match.chaos)
    return CharsetMatches(kept)


def from_fp(
    fp: BinaryIO,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """`from_bytes` of what an open file returns."""
    return from_bytes(
        fp.read(), steps, chunk_size, threshold, cp_isolation, cp_exclusion, preemptive_behaviour, explain,
        language_threshold, enable_fallback,
    )  # fmt: skip


def from_path(
    path: str | bytes | PathLike[Any],
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = True,
) -> CharsetMatches:
    """`from_bytes` of a file."""
    with open(path, "rb") as file:
        return from_fp(
            file, steps, chunk_size, threshold, cp_isolation, cp_exclusion, preemptive_behaviour, explain,
            language_threshold, enable_fallback,
        )  # fmt: skip


def is_binary(
    fp_or_path_or_payload: str | PathLike[Any] | BinaryIO | bytes,
    steps: int = 5,
    chunk_size: int = 512,
    threshold: float = 0.2,
    cp_isolation: list[str] | None = None,
    cp_exclusion: list[str] | None = None,
    preemptive_behaviour: bool = True,
    explain: bool = False,
    language_threshold: float = 0.1,
    enable_fallback: bool = False,
) -> bool:
    """True if the bytes, or those of a file, are not text. `enable_fallback` has no effect: a text of which no
    encoding is likely is text."""
    value = fp_or_path_or_payload
    if isinstance(value, (str, PathLike)):
        with open(value, "rb") as file:
            data = file.read()
    elif isinstance(value, (bytes, bytearray)):
        data = bytes(value)
    else:
        data = value.read()
    return bool(data) and not from_bytes(
        data, steps, chunk_size, threshold, cp_isolation, cp_exclusion, preemptive_behaviour, explain,
        language_threshold, True,
    )  # fmt: skip


def detect(byte_str: bytes | bytearray, should_rename_legacy: bool = False, **kwargs: Any) -> ResultDict:
    """The result in the form of chardet."""
    if kwargs:
        warnings.warn(f"detect() ignores the arguments {', '.join(kwargs)}", stacklevel=2)
    if not isinstance(byte_str, (bytes, bytearray)):
        raise TypeError(f"bytes or bytearray expected, not {type(byte_str).__name__}")
    best = from_bytes(byte_str).best()
    if best is None:
        return {"encoding": None, "language": "", "confidence": None}
    name = "utf_8_sig" if best.bom and best.encoding == "utf_8" else best.encoding
    return {
        "encoding": name if should_rename_legacy else _OF_CHARDET.get(name, name),
        "language": "" if best.language == "Unknown" else best.language,
        "confidence": 1.0 - best.chaos,
    }


def set_logging_handler(
    name: str = "charset_normalizer",
    level: int = logging.INFO,
    format_string: str = "%(asctime)s | %(levelname)s | %(message)s",
) -> None:
    """Adds a handler that writes the log of the module to standard error."""
    logger = logging.getLogger(name)
    logger.setLevel(level)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(format_string))
    logger.addHandler(handler)
