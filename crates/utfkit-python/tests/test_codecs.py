"""Every encoding as a codec of Python: in one call, in pieces, as a stream, as a file."""

from __future__ import annotations

import codecs
import io

import pytest
from parts import SELF_CONTAINED

import utfkit

ENCODINGS = [name for name, _ in utfkit.encoding_names()] + ["utf-8-sig"]

SAMPLE = "a \u00e9\u00df \u0416\u044f \u65e5\u672c\u8a9e \ud55c\uae00 \u20ac \u3042\u30a2 z\r\n+&~\\ \U0001f600\U00020000 -A \uff71 end"


def representable(encoding: str, text: str = SAMPLE) -> str:
    """The characters of `text` that survive the encoding."""
    kept = []
    for c in text:
        try:
            if utfkit.decode(utfkit.encode(c, encoding), encoding) == c:
                kept.append(c)
        except UnicodeError:
            pass
    return "".join(kept)


@pytest.fixture(params=ENCODINGS)
def encoding(request) -> str:
    return "utfkit-" + request.param


def test_round_trip(encoding):
    text = representable(encoding)
    assert len(text) > 10
    data = text.encode(encoding)
    assert data == utfkit.encode(text, encoding)
    assert data.decode(encoding) == text
    assert codecs.decode(codecs.encode(text, encoding), encoding) == text
    info = codecs.lookup(encoding)
    assert info.encode(text) == (data, len(text))
    assert info.decode(data) == (text, len(data))


def test_state(encoding):
    """A second object continues after the first one, at every cut."""
    text = representable(encoding)
    data = text.encode(encoding)
    for at in range(len(data) + 1):
        first = codecs.getincrementaldecoder(encoding)()
        before = first.decode(data[:at])
        second = codecs.getincrementaldecoder(encoding)()
        second.setstate(first.getstate())
        assert before + second.decode(data[at:], True) == text, at
        second.reset()
        assert second.decode(data, True) == text
    for at in range(len(text) + 1) if encoding not in SELF_CONTAINED else ():
        first = codecs.getincrementalencoder(encoding)()
        before = first.encode(text[:at])
        second = codecs.getincrementalencoder(encoding)()
        second.setstate(first.getstate())
        assert before + second.encode(text[at:], True) == data, at


def test_a_file(encoding, tmp_path):
    text = (representable(encoding).replace("\r", "") + "\n") * 40
    lines = text.splitlines(keepends=True)
    path = tmp_path / "text"
    with open(path, "w", encoding=encoding, newline="") as file:
        for line in lines:
            file.write(line)
    with open(path, encoding=encoding, newline="") as file:
        assert file.read() == text
    with open(path, encoding=encoding, newline="") as file:
        assert list(file) == lines
    # `tell` and `seek`.
    with open(path, encoding=encoding, newline="") as file:
        places = []
        for _ in lines:
            places.append(file.tell())
            file.readline()
        for at in (len(lines) - 1, 0, len(lines) // 2):
            file.seek(places[at])
            assert file.readline() == lines[at]
    with codecs.open(path, encoding=encoding) as file:
        assert file.read() == text
    with codecs.open(path, "w", encoding=encoding) as file:
        file.write(text[:50])
        file.write(text[50:])
    with open(path, encoding=encoding, newline="") as file:
        assert file.read() == text


def test_appending_writes_no_second_bom(tmp_path):
    for encoding, bom in (("utfkit-utf-16", 2), ("utfkit-utf-32", 4), ("utfkit-utf-8-sig", 3)):
        path = tmp_path / encoding
        path.write_text("one ", encoding=encoding)
        with open(path, "a", encoding=encoding) as file:
            file.write("two")
        assert path.read_text(encoding=encoding) == "one two"
        unit = {2: 2, 4: 4, 3: 1}[bom]
        assert path.stat().st_size == bom + 7 * unit


@pytest.mark.parametrize("encoding", ["utfkit-utf-16", "utfkit-utf-32", "utfkit-utf-8-sig"])
def test_a_file_that_is_written_and_read(encoding, tmp_path):
    """A position in the middle is read in the byte order that was written, and U+FEFF there is a character."""
    pieces = ["\u00e9\u00e9n ", "\ufeffdeux ", "\u0442\u0440\u0438\n"]
    with open(tmp_path / "text", "w+", encoding=encoding, newline="") as file:
        told = []
        for piece in pieces:
            told.append(file.tell())
            file.write(piece)
        for at in (2, 0, 1):
            file.seek(told[at])
            assert file.read() == "".join(pieces[at:])
    decoder = codecs.getincrementaldecoder(encoding)()
    decoder.decode(pieces[0].encode(encoding))
    assert decoder.getstate() == (b"", 0)
    # The other byte order needs a state of its own.
    decoder.reset()
    assert decoder.getstate() == codecs.getincrementaldecoder(encoding)().getstate() != (b"", 0)
    if encoding != "utfkit-utf-8-sig":
        decoder.decode(f"\ufeff{pieces[0]}".encode(f"{encoding}-be"))
        assert decoder.getstate() != (b"", 0) and decoder.decode(pieces[1].encode(f"{encoding}-be")) == pieces[1]


def test_names_that_python_lacks():
    assert "\U0001f600".encode("cesu-8") == b"\xed\xa0\xbd\xed\xb8\x80"
    assert "Entw\u00fcrfe".encode("utf-7-imap") == b"Entw&APw-rfe"
    assert b"a\xc0\x80".decode("mutf-8") == "a\0"
    assert codecs.lookup("CESU_8").name == "cesu-8"
    # A name of Python is Python's codec.
    assert codecs.lookup("utf-8").name == "utf-8"


def test_a_stream_of_text():
    raw = io.BytesIO("één\ntwee €\n".encode("utfkit-utf-16"))
    reader = codecs.getreader("utfkit-utf-16")(raw)
    assert reader.readline() == "één\n"
    assert reader.read() == "twee €\n"
    raw = io.BytesIO()
    writer = codecs.getwriter("utfkit-iso-2022-jp")(raw)
    writer.write("日")
    writer.write("本")
    writer.reset()
    assert raw.getvalue() == "日本".encode("iso-2022-jp")


def test_handlers():
    assert b"caf\xe9 \xe2\x82\xac".decode("utf-8", "utfkit.windows_1252") == "café €"
    assert b"\xf0\x9f\x98a\xff".decode("utf-8", "utfkit.maximal_subpart") == "\ufffda\ufffd"
    assert "a\ud800".encode("utf-8", "utfkit.maximal_subpart") == b"a?"
    with pytest.raises(UnicodeEncodeError):
        "\ud800".encode("utf-8", "utfkit.windows_1252")


def test_an_encoder_takes_another_handler():
    for encoding in ("utfkit-latin-1", "utfkit-shift_jis", "utfkit-hz", "utfkit-utf-16"):
        encoder = codecs.getincrementalencoder(encoding)("ignore")
        assert encoder.encode("a\ud800") == "a".encode(encoding)
        encoder.errors = "strict"
        with pytest.raises(UnicodeEncodeError):
            encoder.encode("\ud800", final=True)
        with pytest.raises(TypeError):
            encoder.encode(b"a")


def test_handlers_of_the_program():
    calls = []

    def again(error):
        calls.append((error.start, error.end))
        return "<>", error.end

    codecs.register_error("test.again", again)
    assert utfkit.decode(b"a\xffb\xc0c", "utf-8", "test.again") == "a<>b<>c"
    assert calls == [(1, 2), (3, 4)]
    assert utfkit.encode("a\ud800\udc00b€", "latin-1", "test.again") == b"a<>b<>"
    codecs.register_error("test.back", lambda error: ("", -1))
    assert utfkit.decode(b"ab\xffcd", "utf-8", "test.back") == "abd"
    codecs.register_error("test.bytes", lambda error: (b"\xff", error.end))
    assert utfkit.encode("a\ud800b", "utf-8", "test.bytes") == b"a\xffb"
    for bad in (None, 5, ("",), ("", "x"), (b"", 1), ("", 1, 2)):
        codecs.register_error("test.bad", lambda error, bad=bad: bad)
        with pytest.raises(TypeError):
            utfkit.decode(b"\xff", "utf-8", "test.bad")
    for out in (-9, 9, 10**30):
        codecs.register_error("test.bad", lambda error, out=out: ("", out))
        with pytest.raises(IndexError):
            utfkit.decode(b"\xff", "utf-8", "test.bad")

    def raising(error):
        raise KeyError("mine")

    codecs.register_error("test.raising", raising)
    with pytest.raises(KeyError, match="mine"):
        utfkit.decode(b"\xff", "utf-8", "test.raising")
    with pytest.raises(KeyError, match="mine"):
        utfkit.encode("\ud800", "utf-8", "test.raising")

    def other(error):
        error.object = b"xyz"
        return "!", 1

    codecs.register_error("test.other", other)
    assert utfkit.decode(b"\xffabc", "utf-8", "test.other") == b"\xffabc".decode("utf-8", "test.other") == "!yz"


def test_register_again():
    utfkit.register()
    utfkit.register()
    utfkit.unregister()
    utfkit.unregister()
    try:
        with pytest.raises(LookupError):
            "".encode("utfkit-utf-1")
    finally:
        utfkit.register()
    assert "é".encode("utfkit-utf-1")
