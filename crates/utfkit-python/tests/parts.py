"""Random texts, cuts and error handlers, and what has to be the same for each.

test_parts.py makes some cases of each kind, cases.py as many as are asked for.
"""

from __future__ import annotations

import codecs
import io
import random

import utfkit

utfkit.register()

ENCODINGS = ["utfkit-" + name for name in [*dict(utfkit.encoding_names()), "utf-8-sig"]]

# In one call, Python's own codecs of these give the same results.
SHARED = {"utfkit-" + name for name in ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1", "US-ASCII"]}

DECODE = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass",
          "utfkit.maximal_subpart", "utfkit.windows_1252", "parts.raises", "parts.moves", "parts.text"]
ENCODE = ["strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace",
          "surrogateescape", "surrogatepass", "utfkit.maximal_subpart", "parts.raises", "parts.moves", "parts.text", "parts.bytes"]

# These have values above U+10FFFF, which strings of Python cannot hold.
ABOVE_UNICODE = {"utfkit-" + name for name in ["UCS-4LE", "ISO-10646-UCS-4", "UTF-8-RFC2279", "UTF-8-RFC2044", "ISO-10646-UTF-1"]}

# The encoders of these close each part: other bytes, which decode to the same text.
SELF_CONTAINED = {"utfkit-" + name for name in ["UTF-7", "X-UTF-7-OPTIONAL", "UTF-7-IMAP", "WTF-8"]}

PIECES = [
    b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B", b"\x1b$@", b"\x1b$)C", b"\x0e", b"\x0f", b"\x1b", b"\x1b$", b"\x1b%G",
    b"\x1b%@", b"\x1b%", b"~{", b"~}", b"~~", b"~\n", b"~", b"+", b"-", b"&", b"+AOk", b"&AOk-", b"+2D3", b"\n", b" ",
    b"\xed\xa0\xbd", b"\xed\xb8\x80", b"\xed\xa0", b"\xed\xa0\xbd\xed\xb8\x80", b"+2D3eAA-", b"\xc0\xaf", b"\xf0\x9f\x98\x80", b"\xf0\x9f\x98", b"\xe2\x82", b"\xff",
    b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\x00\xd8", b"\xd8\x00", b"\x00\xdc", b"\xdc\x00", b"\xdd\x00", b"\x00",
    b"\x81\x30\x81\x30", b"\x81\x30", b"\x81", b"\x88\x62", b"\x8e\xa1", b"\x8f\xa2\xaf", b"VP", b"abc", b"\r", b"\r\n",
]
CHARACTERS = "az09 \n~+-&\\%\x1b?A é ß Ж 日本語中文 한글 € ア あ ｱ ¥ ‾ 😀 𠀀 \ufeff ㉾ \x0e ÊÌ̄"
SURROGATES = "\ud800\udbff\udc00\udc80\udcff\udfff"


def raises(error):
    raise KeyError("parts")


def moves(error):
    return "<>", error.start + 1


def writes_text(error):
    """Text with characters that many encodings lack, or encode in another state."""
    is_encoding = isinstance(error, UnicodeEncodeError)
    return "\u65e5" * (error.end - error.start) if is_encoding else "\ud800\U0001f600", error.end


def writes_bytes(error):
    return b"????" * (error.end - error.start), error.end


codecs.register_error("parts.raises", raises)
codecs.register_error("parts.text", writes_text)
codecs.register_error("parts.bytes", writes_bytes)
codecs.register_error("parts.moves", moves)


def text_of(rng: random.Random, alphabet: str, size: int) -> str:
    text = "".join(rng.choice(alphabet) for _ in range(rng.randrange(size)))
    if rng.random() < 0.1:
        # Long enough for the kernels, which take 64 bytes and more at once.
        at = rng.randrange(len(text) + 1)
        text = text[:at] + text[at : at + rng.randrange(4)] * rng.randrange(2, 60) + text[at:]
    return text


def any_text_of(rng: random.Random, alphabet: str, size: int) -> str:
    """Random text; half of the texts have characters of all of Unicode as well."""
    if rng.random() < 0.5:
        alphabet += "".join(chr(one) for one in (rng.randrange(0x110000) for _ in range(8)) if not 0xD800 <= one < 0xE000)
        alphabet += "".join(chr(rng.choice([0x80, 0x400, 0x3000, 0x4E00, 0xAC00]) + rng.randrange(128)) for _ in range(8))
    return text_of(rng, alphabet, size)


def bytes_of(rng: random.Random, encoding: str) -> bytes:
    """Text in the encoding with sequences of this and other encodings, intact or damaged."""
    parts = []
    for _ in range(rng.randrange(1, 6)):
        if rng.random() < 0.6:
            parts.append(utfkit.encode(any_text_of(rng, CHARACTERS, 12), encoding, "ignore"))
        else:
            parts.append(rng.choice(PIECES))
    data = bytearray(b"".join(parts))
    for _ in range(rng.randrange(3)):
        if data and rng.random() < 0.5:
            del data[rng.randrange(len(data))]
        else:
            data.insert(rng.randrange(len(data) + 1), rng.randrange(256))
    return bytes(data)


def cuts(rng: random.Random, whole: bytes | str, share: float | None = None) -> list:
    share = rng.choice([1, 0.5, 0.2]) if share is None else share
    places = [0, *(at for at in range(1, len(whole)) if rng.random() < share), len(whole)]
    return [whole[start:end] for start, end in zip(places, places[1:])]


def decoded(data: bytes, encoding: str, errors: str):
    try:
        return utfkit.decode(data, encoding, errors)
    except UnicodeDecodeError as error:
        return error.start, error.end
    except KeyError:
        return KeyError


def decoded_in_parts(rng: random.Random, parts: list[bytes], encoding: str, errors: str):
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    text, fed = [], 0
    try:
        for at, part in enumerate(parts):
            if rng.random() < 0.2:
                other = codecs.getincrementaldecoder(encoding)(errors)
                other.setstate(decoder.getstate())
                decoder = other
            start = fed - len(decoder.getstate()[0])
            text.append(decoder.decode(part, final=at == len(parts) - 1))
            assert len(text[-1]) <= 20 * (fed + len(part)) + 200
            fed += len(part)
        return "".join(text)
    except UnicodeDecodeError as error:
        return start + error.start, start + error.end
    except KeyError:
        return KeyError


def decode_in_parts(rng: random.Random, encoding: str, errors: str) -> None:
    """Compares decoding in parts, by a file and by a stream, the findings and Python's codec, if it has one, with one call."""
    data = bytes_of(rng, encoding)
    whole = decoded(data, encoding, errors)
    parts = cuts(rng, data)
    ours = decoded_in_parts(rng, parts, encoding, errors)
    if encoding == "utfkit-utf-8-sig" and isinstance(whole, tuple):
        # The offsets of Python's codec begin after the BOM.
        assert isinstance(ours, tuple) and ours[1] - ours[0] == whole[1] - whole[0], (errors, parts)
    else:
        assert ours == whole, (errors, parts, ours, whole)
    if encoding in SHARED:
        try:
            theirs = data.decode(encoding.removeprefix("utfkit-"), errors)
        except UnicodeDecodeError as error:
            theirs = error.start, error.end
        except KeyError:
            theirs = KeyError
        assert whole == theirs, (errors, data, whole, theirs)
    if errors == "strict" and encoding not in ("utfkit-utf-8-sig", *ABOVE_UNICODE):
        findings = utfkit.check(data, encoding)
        assert (findings == []) is isinstance(whole, str), (data, findings, whole)
        assert not findings or findings[0].offset == whole[0], (data, findings, whole)
    if isinstance(whole, str):
        streams_have(rng, data, whole, encoding, errors)


def streams_have(rng: random.Random, data: bytes, text: str, encoding: str, errors: str) -> None:
    """Asserts that a file and a stream read the text, also after `seek` to each position that `tell` returned."""
    file = io.TextIOWrapper(io.BytesIO(data), encoding, errors, newline="")
    file._CHUNK_SIZE = rng.randrange(1, 20)
    assert file.read() == text, (errors, data)
    file.seek(0)
    told, read = [], 0
    while True:
        told.append((file.tell(), read))
        piece = file.read(rng.randrange(1, 9))
        read += len(piece)
        if not piece:
            break
    assert read == len(text), (errors, data, file._CHUNK_SIZE)
    for place, before in rng.sample(told, min(3, len(told))):
        file.seek(place)
        assert file.read() == text[before:], (errors, data, file._CHUNK_SIZE, before)
    for newline in (None, "", "\n", "\r"):
        file = io.TextIOWrapper(io.BytesIO(data), encoding, errors, newline=newline)
        file._CHUNK_SIZE = rng.randrange(1, 20)
        assert list(file) == list(io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), "utf-8", "surrogatepass", newline=newline)), (errors, data, newline)
    reader = codecs.getreader(encoding)(io.BytesIO(data), errors)
    read = "".join(iter(lambda: reader.read(rng.randrange(1, 20)), ""))
    # It never passes `final=True`.
    assert text.startswith(read) and len(data) - len(reader.bytebuffer) >= len(read) // 8, (errors, data)


def encoded(text: str, encoding: str, errors: str):
    try:
        return utfkit.encode(text, encoding, errors)
    except UnicodeEncodeError:
        return UnicodeEncodeError
    except KeyError:
        return KeyError


def encoded_in_parts(rng: random.Random, parts: list[str], encoding: str, errors: str):
    encoder = codecs.getincrementalencoder(encoding)(errors)
    out = []
    try:
        for at, part in enumerate(parts):
            if rng.random() < 0.2:
                other = codecs.getincrementalencoder(encoding)(errors)
                other.setstate(encoder.getstate())
                encoder = other
            out.append(encoder.encode(part, final=at == len(parts) - 1))
        return b"".join(out)
    except UnicodeEncodeError:
        return UnicodeEncodeError
    except KeyError:
        return KeyError


def may_follow(encoding: str, part: str) -> bool:
    if encoding == "utfkit-UTF-7-IMAP":
        return " " <= part[0] <= "~"
    return encoding != "utfkit-WTF-8" or not "\udc00" <= part[0] <= "\udfff"


def encode_in_parts(rng: random.Random, encoding: str, errors: str) -> None:
    """Compares encoding in parts, by a file and by a stream, with one call."""
    text = any_text_of(rng, CHARACTERS + SURROGATES if rng.random() < 0.5 else CHARACTERS, 40)
    parts: list[str] = []
    for part in cuts(rng, text):
        if parts and not may_follow(encoding, part):
            parts[-1] += part
        else:
            parts.append(part)
    whole = encoded(text, encoding, errors)
    ours = encoded_in_parts(rng, parts, encoding, errors)
    if not isinstance(whole, bytes):
        assert ours == whole, (errors, parts, ours, whole)
        return
    if encoding not in SELF_CONTAINED:
        assert ours == whole, (errors, parts, ours, whole)
    # Surrogates written as bytes may make the result ill-formed.
    read = utfkit.decode(whole, encoding, "backslashreplace")
    assert utfkit.decode(ours, encoding, "backslashreplace") == read, (errors, parts, ours, whole)
    if not text and encoding != "utfkit-ISO-2022-KR":
        return
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding, errors, newline="")
    file._CHUNK_SIZE = rng.randrange(1, 20)
    for part in parts:
        file.write(part)
    file.flush()
    assert utfkit.decode(raw.getvalue(), encoding, "backslashreplace") == read, (errors, parts, raw.getvalue(), whole)
    raw = io.BytesIO()
    writer = codecs.getwriter(encoding)(raw, errors)
    for part in parts:
        writer.write(part)
    writer.reset()
    written = raw.getvalue()
    assert written == whole or encoding in SELF_CONTAINED or not text, (errors, parts, written, whole)
    assert utfkit.decode(written, encoding, "backslashreplace") == read, (errors, parts, written, whole)


# Python's handlers under names for which no codec has a path of its own.
COPIED = ["replace", "ignore", "backslashreplace", "xmlcharrefreplace", "surrogateescape"]
for _name in COPIED:
    codecs.register_error(f"parts.copy.{_name}", codecs.lookup_error(_name))


def as_copied(rng: random.Random, encoding: str, errors: str) -> None:
    """Compares a handler that codecs know by name with the same function under another name."""
    if errors != "xmlcharrefreplace":
        data = bytes_of(rng, encoding)
        # Errors far apart and close together.
        data = rng.choice([data, data * rng.randrange(1, 40), data + rng.choice(PIECES) * rng.randrange(300) + data])
        ours = decoded(data, encoding, errors)
        copied = decoded(data, encoding, f"parts.copy.{errors}")
        assert ours == copied, (errors, data, ours, copied)
    text = any_text_of(rng, CHARACTERS + SURROGATES, 40)
    text = rng.choice([text, text * rng.randrange(1, 20)])
    ours = encoded(text, encoding, errors)
    copied = encoded(text, encoding, f"parts.copy.{errors}")
    assert ours == copied, (errors, text, ours, copied)


# CPython's codecs. Where its tables have less, the Encoding Standard's have more: docs/python.md has the figures.

UNLIKE_PYTHON = {
    "UTF-7": "surrogates, optional direct characters and the end of a damaged run: see differences.txt",
    "GBK": "a table with more; how long a damaged sequence is",
    "gb18030": "how long a damaged sequence is",
    "Big5": "a table with more; how long a damaged sequence is",
    "EUC-JP": "a table with more; how long a damaged sequence is",
    "Shift_JIS": "a table with more; how long a damaged sequence is",
    "EUC-KR": "a table with more; how long a damaged sequence is",
    "Johab": "compatibility letters; how long a damaged sequence is",
    "ISO-2022-JP": "escape sequences in a row and unknown ones are errors",
    "ISO-2022-KR": "the header comes first; unknown escape sequences are errors",
    "HZ-GB-2312": "unknown escape sequences",
}


def codec_of_python(name: str, labels: list[str]) -> str | None:
    for label in [name, *labels]:
        try:
            info = codecs.lookup(label)
        except LookupError:
            continue
        if info.incrementaldecoder.__module__ != "utfkit._codecs":
            return label
    return None


PYTHON = {name: label for name, labels in utfkit.encoding_names() if (label := codec_of_python(name, labels))}
LIKE_PYTHON = [name for name in PYTHON if name not in UNLIKE_PYTHON]


def result_of(call, *arguments):
    try:
        return call(*arguments)
    except UnicodeError as error:
        return type(error), error.start, error.end
    except KeyError:
        return KeyError


class Beside:
    """An encoding here and in Python, restricted to the bytes that both decode alike."""

    BOMS = {"UTF-16": [b"\xff\xfe", b"\xfe\xff"], "UTF-32": [b"\xff\xfe\0\0", b"\0\0\xfe\xff"]}

    def __init__(self, name: str) -> None:
        self.name, self.theirs, self.boms = name, PYTHON[name], self.BOMS.get(name)
        is_table = not name.startswith("UTF")
        self.differing = bytes(byte for byte in range(256) if is_table and not self._agree(bytes([byte])))
        assert len(self.differing) <= 33
        some = CHARACTERS + (utfkit.decode(bytes(range(256)), name, "ignore") if is_table else "")
        self.alphabet = "".join(c for c in some if result_of(utfkit.encode, c, name) == result_of(c.encode, self.theirs))
        assert len(self.alphabet) > len(CHARACTERS) - 4

    def _agree(self, unit: bytes) -> bool:
        return result_of(utfkit.decode, unit, self.name) == result_of(unit.decode, self.theirs)

    def decode(self, rng: random.Random, errors: str) -> None:
        data = bytes_of(rng, self.name).translate(None, self.differing)
        # Without a BOM Python assumes the byte order of the machine.
        data = rng.choice(self.boms) + data if self.boms else data
        whole = result_of(data.decode, self.theirs, errors)
        ours = result_of(utfkit.decode, data, self.name, errors)
        assert ours == whole, (errors, data, ours, whole)
        if isinstance(whole, str):
            ours = decoded_in_parts(rng, cuts(rng, data), "utfkit-" + self.name, errors)
            assert ours == whole, (errors, data, ours, whole)

    def encode(self, rng: random.Random, errors: str) -> None:
        if errors == "parts.text" and self.name.startswith("UTF"):
            # Python accepts only US-ASCII from the handler: see differences.txt.
            return
        text = text_of(rng, self.alphabet + SURROGATES if rng.random() < 0.5 else self.alphabet, 40)
        whole = result_of(text.encode, self.theirs, errors)
        ours = result_of(utfkit.encode, text, self.name, errors)
        assert ours == whole, (errors, text, ours, whole)
        if isinstance(whole, bytes):
            ours = encoded_in_parts(rng, cuts(rng, text), "utfkit-" + self.name, errors)
            assert ours == whole, (errors, text, ours, whole)


class Across:
    """An encoding here and in Python, restricted to shared characters: each decodes the output of the other."""

    def __init__(self, name: str, some: str = CHARACTERS) -> None:
        self.name, self.theirs, self.ours = name, PYTHON[name], "utfkit-" + name
        self.shared = "".join(filter(self._is_shared, some))
        assert len(self.shared) > 16

    def _is_shared(self, c: str) -> bool:
        """True if either codec decodes the character from the bytes of the other."""
        try:
            here, there = utfkit.encode(c, self.name), c.encode(self.theirs)
        except UnicodeError:
            return False
        return bool(there) and result_of(here.decode, self.theirs) == c and result_of(utfkit.decode, there, self.name) == c

    def read(self, rng: random.Random, errors: str) -> None:
        text = text_of(rng, self.shared, 60)
        written = encoded_in_parts(rng, cuts(rng, text), self.theirs, "strict")
        assert utfkit.decode(written, self.name) == text, (text, written)
        assert decoded_in_parts(rng, cuts(rng, written), self.ours, errors) == text, (errors, written)

    def written(self, rng: random.Random, errors: str) -> None:
        text = text_of(rng, self.shared, 60)
        written = utfkit.encode(text, self.name)
        assert written.decode(self.theirs) == text, (text, written)
        assert decoded_in_parts(rng, cuts(rng, written), self.theirs, errors) == text, (errors, written)
