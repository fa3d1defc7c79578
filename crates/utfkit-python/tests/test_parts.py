"""Text in parts: every encoding and handler, damaged text, random cuts, beside one call.

UTFKIT_PARTS is the number of texts for each encoding and handler (default 12).
"""

from __future__ import annotations

import codecs
import os
import random
import time

import parts
import pytest
from parts import CHARACTERS, DECODE, ENCODE, ENCODINGS, PIECES, SELF_CONTAINED, cuts, decoded, decoded_in_parts, encoded, encoded_in_parts, text_of

import utfkit

COUNT = int(os.environ.get("UTFKIT_PARTS", "12"))

@pytest.mark.parametrize("encoding", ENCODINGS)
def test_decode_in_parts(encoding):
    for errors in DECODE:
        for number in range(COUNT):
            parts.decode_in_parts(random.Random(f"{encoding} {errors} {number}"), encoding, errors)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encode_in_parts(encoding):
    for errors in ENCODE:
        for number in range(COUNT):
            parts.encode_in_parts(random.Random(f"{encoding} {errors} {number}"), encoding, errors)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_known_handlers_are_as_copies_of_them(encoding):
    for errors in parts.COPIED:
        for number in range(COUNT):
            parts.as_copied(random.Random(f"{encoding} {errors} {number}"), encoding, errors)


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


@pytest.mark.parametrize("name", parts.LIKE_PYTHON)
def test_any_bytes_and_text_as_python(name):
    """All handlers, one call and parts, positions of errors included. Bytes in which the tables differ are left out."""
    beside = parts.Beside(name)
    for number in range(COUNT):
        for errors in DECODE:
            beside.decode(random.Random(f"python {name} {errors} {number}"), errors)
        for errors in ENCODE:
            beside.encode(random.Random(f"python {name} {errors} {number}"), errors)


@pytest.mark.parametrize("name", parts.PYTHON)
def test_python_reads_what_we_write(name):
    """And we what Python writes, in parts of any size, by every handler."""
    across = parts.Across(name)
    for number in range(COUNT):
        for errors in DECODE:
            across.read(random.Random(f"{name} {errors} {number}"), errors)
            across.written(random.Random(f"{name} {errors} {number}"), errors)


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


def test_surrogates_of_rfc_2044_stay_two():
    """RFC 2044 has a form for each, which is not that of the pair: whole and in parts alike."""
    pair, character = b"\xed\xa0\xbd\xed\xb8\x80", b"\xf0\x9f\x98\x80"
    for errors in DECODE:
        assert utfkit.decode(pair + character, "UTF-8-RFC2044", errors) == "\ud83d\ude00\U0001f600", errors
        for at in range(len(pair)):
            decoder = codecs.getincrementaldecoder("utfkit-UTF-8-RFC2044")(errors)
            assert decoder.decode(pair[:at]) + decoder.decode(pair[at:], True) == "\ud83d\ude00", (errors, at)
    assert utfkit.decode(b"\xfc\x84\x80\x80\x80\x80" + pair, "UTF-8-RFC2044", "replace") == "\ufffd\ud83d\ude00"
    with pytest.raises(UnicodeDecodeError, match="above U.10FFFF"):
        utfkit.decode(b"\xfc\x84\x80\x80\x80\x80", "UTF-8-RFC2044")


def test_surrogates_around_an_error_stay_two():
    """Ill-formed bytes that are left out join nothing."""
    for errors in ("ignore", "parts.nothing"):
        codecs.register_error("parts.nothing", lambda error: ("", error.end))
        assert utfkit.decode(b"\xed\xaf\xa0\xbd\xed\xb8\x80", "wtf-8", errors) == "\udbe0\ude00"
