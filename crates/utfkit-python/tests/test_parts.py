"""Text in parts: every encoding and handler, damaged text, random cuts, beside one call.

UTFKIT_PARTS is the number of texts for each encoding and handler (default 12).
"""

from __future__ import annotations

import codecs
import io
import os
import random
import time

import pytest

import utfkit

COUNT = int(os.environ.get("UTFKIT_PARTS", "12"))

ENCODINGS = ["utfkit-" + name for name in [*dict(utfkit.encoding_names()), "utf-8-sig"]]

# By Python's codecs one call has the same result.
SHARED = {"utfkit-" + name for name in ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1", "US-ASCII"]}

DECODE = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass",
          "utfkit.maximal_subpart", "utfkit.windows_1252", "parts.raises", "parts.moves"]
ENCODE = ["strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace",
          "surrogateescape", "surrogatepass", "utfkit.maximal_subpart", "parts.raises", "parts.moves"]

# These end each part of a text by itself, and read as the same text.
SELF_CONTAINED = {"utfkit-" + name for name in ["UTF-7", "X-UTF-7-OPTIONAL", "UTF-7-IMAP", "WTF-8"]}

PIECES = [
    b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B", b"\x1b$@", b"\x1b$)C", b"\x0e", b"\x0f", b"\x1b", b"\x1b$", b"\x1b%G",
    b"\x1b%@", b"\x1b%", b"~{", b"~}", b"~~", b"~\n", b"~", b"+", b"-", b"&", b"+AOk", b"&AOk-", b"+2D3", b"\n", b" ",
    b"\xed\xa0\xbd", b"\xed\xb8\x80", b"\xed\xa0", b"\xc0\xaf", b"\xf0\x9f\x98\x80", b"\xf0\x9f\x98", b"\xe2\x82", b"\xff",
    b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\x00\xd8", b"\xd8\x00", b"\x00\xdc", b"\xdc\x00", b"\xdd\x00", b"\x00",
    b"\x81\x30\x81\x30", b"\x81\x30", b"\x81", b"\x88\x62", b"\x8e\xa1", b"\x8f\xa2\xaf", b"VP", b"abc",
]
CHARACTERS = "az09 \n~+-&\\%\x1b?A é ß Ж 日本語中文 한글 € ア あ ｱ ¥ ‾ 😀 𠀀 \ufeff ㉾ \x0e ÊÌ̄"
SURROGATES = "\ud800\udbff\udc00\udc80\udcff\udfff"


def raises(error):
    raise KeyError("parts")


def moves(error):
    return "<>", error.start + 1


@pytest.fixture(scope="module", autouse=True)
def handlers() -> None:
    codecs.register_error("parts.raises", raises)
    codecs.register_error("parts.moves", moves)


def text_of(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(rng.randrange(size)))


def bytes_of(rng: random.Random, encoding: str) -> bytes:
    """A text in the encoding, and pieces of this and others, whole or damaged."""
    parts = []
    for _ in range(rng.randrange(1, 6)):
        if rng.random() < 0.6:
            parts.append(utfkit.encode(text_of(rng, CHARACTERS, 12), encoding, "ignore"))
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


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_decode_in_parts(encoding):
    for errors in DECODE:
        for number in range(COUNT):
            rng = random.Random(f"{encoding} {errors} {number}")
            data = bytes_of(rng, encoding)
            whole = decoded(data, encoding, errors)
            parts = cuts(rng, data)
            ours = decoded_in_parts(rng, parts, encoding, errors)
            if encoding == "utfkit-utf-8-sig" and isinstance(whole, tuple):
                # Python's codec counts from the BOM on.
                assert isinstance(ours, tuple) and ours[1] - ours[0] == whole[1] - whole[0], (errors, parts)
            else:
                assert ours == whole, (errors, parts)
            if encoding in SHARED:
                try:
                    theirs = data.decode(encoding.removeprefix("utfkit-"), errors)
                except UnicodeDecodeError as error:
                    theirs = error.start, error.end
                except KeyError:
                    theirs = KeyError
                assert whole == theirs, (errors, data)
            if isinstance(whole, str):
                streams_have(rng, data, whole, encoding, errors)


def streams_have(rng: random.Random, data: bytes, text: str, encoding: str, errors: str) -> None:
    """A file and a stream have the text, and so has a file from each place that it told."""
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
    reader = codecs.getreader(encoding)(io.BytesIO(data), errors)
    read = "".join(iter(lambda: reader.read(rng.randrange(1, 20)), ""))
    # It never says that this is the end.
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


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encode_in_parts(encoding):
    for errors in ENCODE:
        for number in range(COUNT):
            rng = random.Random(f"{encoding} {errors} {number}")
            alphabet = CHARACTERS + SURROGATES if number % 2 else CHARACTERS
            text = text_of(rng, alphabet, 40)
            parts: list[str] = []
            for part in cuts(rng, text):
                if parts and not may_follow(encoding, part):
                    parts[-1] += part
                else:
                    parts.append(part)
            whole = encoded(text, encoding, errors)
            ours = encoded_in_parts(rng, parts, encoding, errors)
            file = io.TextIOWrapper(io.BytesIO(), encoding, errors, newline="")
            if not isinstance(whole, bytes):
                assert ours == whole, (errors, parts)
                continue
            if encoding not in SELF_CONTAINED:
                assert ours == whole, (errors, parts)
            for part in parts:
                file.write(part)
            file.flush()
            # What surrogates as bytes come to may be ill-formed.
            read = utfkit.decode(whole, encoding, "backslashreplace")
            assert utfkit.decode(ours, encoding, "backslashreplace") == read, (errors, parts)
            if text or encoding == "utfkit-ISO-2022-KR":
                written = file.buffer.getvalue()
                assert utfkit.decode(written, encoding, "backslashreplace") == read, (errors, parts)


def test_a_part_that_cannot_follow():
    """Neither lost nor written ill-formed: an error, by any handler."""
    encoder = codecs.getincrementalencoder("utf-7-imap")()
    assert encoder.encode("é") == b"&AOk-"
    assert encoder.encode("a") == b"a"
    assert encoder.encode("é") == b"&AOk-"
    with pytest.raises(UnicodeEncodeError, match="cannot follow"):
        encoder.encode("è")
    assert encoder.encode("") == b""
    encoder.errors = "xmlcharrefreplace"
    assert encoder.encode("èa") == b"&-#232;a"
    encoder = codecs.getincrementalencoder("wtf-8")()
    assert encoder.encode("\ud83d") == b"\xed\xa0\xbd"
    with pytest.raises(UnicodeEncodeError, match="cannot follow"):
        encoder.encode("\ude00")
    assert encoder.encode("a\ud83d\ude00") == "a😀".encode()
    assert encoder.encode("\ude00") == b"\xed\xb8\x80"


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("utfkit-hz", b"line~\n~x\nabc\n"),
        ("utfkit-iso-2022-kr", b"\x0e\x30\xff"),
        ("utfkit-iso-2022-jp", b"\x1b(J\x1b$A"),
        ("utfkit-iso-2022-utf-8", b"x\x1b[0m\x1b%G\xc3\xa9\x1b%@\x1b[1mb"),
    ],
)
def test_files_that_never_ended(encoding, data, tmp_path):
    path = tmp_path / "text"
    path.write_bytes(data)
    for errors in ("replace", "backslashreplace", "utfkit.maximal_subpart"):
        with open(path, encoding=encoding, errors=errors, newline="") as file:
            assert file.read() == utfkit.decode(data, encoding, errors)


@pytest.mark.parametrize("encoding", ["utf-7-imap", "utfkit-utf-7", "x-utf-7-optional", "wtf-8"])
def test_a_file_keeps_its_last_character(encoding, tmp_path):
    path = tmp_path / "text"
    text = "aé" if encoding != "wtf-8" else "a\ud800"
    with open(path, "w", encoding=encoding) as file:
        file.write(text)
    with open(path, encoding=encoding) as file:
        assert file.read() == text


def test_parts_of_larger_items():
    import array

    decoder = codecs.getincrementaldecoder("utfkit-utf-8")()
    data = "日本語".encode()
    assert decoder.decode(array.array("I", data[:8])) + decoder.decode(data[8:], True) == "日本語"


def test_a_long_text_in_parts():
    """The time does not depend on what came before."""
    text = "日本" * 20_000
    for encoding in ("utfkit-iso-2022-jp", "utfkit-hz", "utfkit-utf-7"):
        encoder, decoder = codecs.getincrementalencoder(encoding)(), codecs.getincrementaldecoder(encoding)()
        parts = [encoder.encode(c) for c in text] + [encoder.encode("", True)]
        assert "".join(decoder.decode(part) for part in parts) + decoder.decode(b"", True) == text


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


def result_of(call, *arguments):
    try:
        return call(*arguments)
    except UnicodeError as error:
        return type(error), error.start, error.end
    except KeyError:
        return KeyError


def agrees(unit: bytes, name: str) -> bool:
    return result_of(utfkit.decode, unit, name) == result_of(unit.decode, PYTHON[name])


@pytest.mark.parametrize("name", [name for name in PYTHON if name not in UNLIKE_PYTHON])
def test_any_bytes_and_text_as_python(name):
    """All handlers, one call and parts, positions of errors included. Bytes in which the tables differ are left out."""
    theirs = PYTHON[name]
    boms = {"UTF-16": [b"\xff\xfe", b"\xfe\xff"], "UTF-32": [b"\xff\xfe\0\0", b"\0\0\xfe\xff"]}.get(name)
    is_table = not name.startswith("UTF")
    differing = bytes(byte for byte in range(256) if is_table and not agrees(bytes([byte]), name))
    assert len(differing) <= 33
    alphabet = "".join(c for c in CHARACTERS if result_of(utfkit.encode, c, name) == result_of(c.encode, theirs))
    assert len(alphabet) > len(CHARACTERS) - 4
    for errors in DECODE:
        for number in range(COUNT):
            rng = random.Random(f"python {name} {errors} {number}")
            data = bytes_of(rng, name).translate(None, differing)
            # Without one Python takes the byte order of the machine.
            data = rng.choice(boms) + data if boms else data
            whole = result_of(data.decode, theirs, errors)
            assert result_of(utfkit.decode, data, name, errors) == whole, (errors, data)
            if isinstance(whole, str):
                assert decoded_in_parts(rng, cuts(rng, data), "utfkit-" + name, errors) == whole, (errors, data)
    for errors in ENCODE:
        for number in range(COUNT):
            rng = random.Random(f"python {name} {errors} {number}")
            text = text_of(rng, alphabet + SURROGATES if number % 2 else alphabet, 40)
            whole = result_of(text.encode, theirs, errors)
            assert result_of(utfkit.encode, text, name, errors) == whole, (errors, text)
            if isinstance(whole, bytes):
                assert encoded_in_parts(rng, cuts(rng, text), "utfkit-" + name, errors) == whole, (errors, text)


@pytest.mark.parametrize("name", PYTHON)
def test_python_reads_what_we_write(name):
    """And we what Python writes, in parts of any size, by every handler."""
    theirs, ours = PYTHON[name], "utfkit-" + name
    both = [c for c in CHARACTERS if result_of(c.encode, theirs) and isinstance(result_of(c.encode, theirs), bytes)]
    # Those that come back from both, and from one into the other.
    shared = "".join(
        c
        for c in both
        if isinstance(result_of(utfkit.encode, c, name), bytes)
        and result_of(utfkit.encode(c, name).decode, theirs) == c
        and result_of(utfkit.decode, c.encode(theirs), name) == c
    )
    assert len(shared) > 16
    for number in range(4 * COUNT):
        rng = random.Random(f"{name} {number}")
        text = text_of(rng, shared, 60)
        written = encoded_in_parts(rng, cuts(rng, text), theirs, "strict")
        assert utfkit.decode(written, name) == text
        for errors in DECODE:
            assert decoded_in_parts(rng, cuts(rng, written), ours, errors) == text, (errors, written)
        written = utfkit.encode(text, name)
        assert written.decode(theirs) == text
        for errors in DECODE:
            assert decoded_in_parts(rng, cuts(rng, written), theirs, errors) == text, (errors, written)


@pytest.mark.parametrize("name", ["US-ASCII", "ISO-8859-1", "windows-1253", "Shift_JIS", "GBK", "ISO-2022-JP", "UTF-16LE", "UTF-8", "CESU-8"])
def test_many_errors_take_as_long_each(name):
    """A text of sixteen times the length takes about sixteen times as long, not 256 times, by any handler."""
    ill_formed = b"\x00\xd8" if name == "UTF-16LE" else b"\xff\xff"
    data = (utfkit.encode("abcdefgh", name) + ill_formed) * 1000
    text = "abcdefg\ud800" * 1000

    def least(call, *arguments):
        times = []
        for _ in range(4):
            start = time.process_time()
            call(*arguments)
            times.append(time.process_time() - start)
        return min(times)

    for errors in ("ignore", "replace", "backslashreplace", "utfkit.maximal_subpart"):
        short = least(utfkit.decode, data, name, errors)
        assert least(utfkit.decode, 16 * data, name, errors) < 64 * short + 0.01, errors
        short = least(utfkit.encode, text, name, errors)
        assert least(utfkit.encode, 16 * text, name, errors) < 64 * short + 0.01, errors


def test_long_text_with_few_errors():
    """Pieces of growing length after each error, across which characters go."""
    for encoding in ENCODINGS:
        if encoding == "utfkit-utf-8-sig":
            continue
        for number in range(max(COUNT // 4, 2)):
            rng = random.Random(f"long {encoding} {number}")
            alphabet = text_of(rng, CHARACTERS, 30) + "x"
            parts = [utfkit.encode(rng.choice(alphabet) * rng.randrange(2500), encoding, "ignore") for _ in range(4)]
            data = rng.choice(PIECES).join(parts)
            for errors in ("backslashreplace", "surrogateescape", "parts.moves", "utfkit.maximal_subpart"):
                whole = decoded(data, encoding, errors)
                ours = decoded_in_parts(rng, cuts(rng, data, rng.choice([0.001, 0.02])), encoding, errors)
                assert ours == whole, (encoding, errors, number)
            text = "".join(rng.choice(alphabet + "\ud800\udc80") * rng.randrange(900) for _ in range(6))
            for errors in ("backslashreplace", "utfkit.maximal_subpart", "xmlcharrefreplace"):
                whole = encoded(text, encoding, errors)
                if encoding not in SELF_CONTAINED:
                    assert encoded_in_parts(rng, cuts(rng, text, 0.002), encoding, errors) == whole, (encoding, errors, number)
